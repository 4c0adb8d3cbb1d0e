from typing import Any

import httpx
import pytest

from cards.errors import BadOrigin
from cards.readback import PageParameter
from tests.support.sites import APP, aform
from verifier.fetched import Fetched
from verifier.paging import NoTargetError, next_target, with_page


def afetched(target: str = "/api/items?page=1", **headers: str) -> Fetched:
    return Fetched(200, httpx.Headers(headers), b"", target)


def following(form: dict[str, Any], fetched: Fetched, document: Any = None, **at: int) -> Any:
    return next_target(
        aform(**form), fetched, document, at.get("index", 0), at.get("records", 1), APP
    )


@pytest.mark.parametrize(
    ("target", "expected"),
    [("/api/items", "/api/items?p%5D=1"), ("/api/items?q=1", "/api/items?q=1&p%5D=1")],
)
def test_the_first_page_has_the_number_that_the_author_gave(target: str, expected: str) -> None:
    assert with_page(target, PageParameter(param="p]"), 0) == expected


def test_a_collection_without_pages_is_one_page() -> None:
    assert with_page("/api/items", None, 0) == "/api/items"
    assert following({}, afetched(), {"next": "/x"}) is None


def test_pages_are_counted_up_until_one_is_empty() -> None:
    form = {"page": {"param": "page"}}
    assert following(form, afetched()) == "/api/items?page=2"
    assert following(form, afetched("/api/items?page=2"), index=1) == "/api/items?page=3"
    assert following(form, afetched(), records=0) is None


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ('</api/items?page=2>; rel="next"', "/api/items?page=2"),
        ("<https://app.example.test/x?a=1,2>; rel=next", "/x?a=1,2"),
        ('</1>; rel="prev", </2>; title="a, b"; rel="last next"', "/2"),
        ('<?page=2>; REL="NEXT"', "/api/items?page=2"),
        ('</1>; rel="prev"', None),
        ('</1>; rel="nextish"', None),
        ("nonsense", None),
        ("", None),
    ],
)
def test_the_link_header_names_the_next_page(link: str, expected: str | None) -> None:
    assert following({"next": "link"}, afetched(link=link)) == expected


@pytest.mark.parametrize(
    ("path", "document", "expected"),
    [
        (["next"], {"next": "/api/items?page=2"}, "/api/items?page=2"),
        ("$.paging.next", {"paging": {"next": "?page=2"}}, "/api/items?page=2"),
        (["next"], {"next": None}, None),
        (["next"], {"next": ""}, None),
        (["next"], {"next": False}, None),
        (["next"], {}, None),
        ("$.paging.next", {}, None),
    ],
)
def test_a_member_names_the_next_page(path: Any, document: Any, expected: str | None) -> None:
    assert following({"next": path}, afetched(), document) == expected


@pytest.mark.parametrize("elsewhere", ["https://evil.example.test/x", "//evil.example.test/x"])
def test_a_next_page_elsewhere_is_refused(elsewhere: str) -> None:
    with pytest.raises(BadOrigin):
        following({"next": ["next"]}, afetched(), {"next": elsewhere})
    with pytest.raises(BadOrigin):
        following({"next": "link"}, afetched(link=f"<{elsewhere}>; rel=next"))


@pytest.mark.parametrize("value", [2, 0, True, {"href": "/x"}, ["/x"]])
def test_what_is_no_url_does_not_end_the_collection_in_silence(value: object) -> None:
    with pytest.raises(NoTargetError):
        following({"next": ["next"]}, afetched(), {"next": value})
