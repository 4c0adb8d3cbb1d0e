import pytest

from cards.escaping import encode
from cards.shapes import Escaping
from recorder.escaping import infer, take_apart


def pairs_of(raw: str) -> list[tuple[str | None, str | None]]:
    taken = take_apart(raw)
    assert taken is not None
    return [(pair.name, pair.value) for pair in taken.pairs]


def test_order_duplicates_and_missing_equals_signs_are_kept() -> None:
    assert pairs_of("b=1&a=&b=2&c&&=x") == [
        ("b", "1"),
        ("a", ""),
        ("b", "2"),
        ("c", None),
        ("", None),
        ("", "x"),
    ]


def test_a_bare_stamp_or_identifier_is_a_value() -> None:
    assert pairs_of("1764579000123") == [(None, "1764579000123")]
    assert pairs_of("agree") == [("agree", None)]


def test_bytes_that_are_not_utf_8_are_no_pairs() -> None:
    assert take_apart("a=%ff") is None


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("a=b+c&d=%2F", Escaping()),
        ("plain=words", Escaping()),
        ("a=b%20c", Escaping(space="%20", safe="!'()*-._~")),
        ("a=b%20c%27", Escaping(space="%20", safe="!()*-._~")),
        ("p=x/y&l[]=1", Escaping(safe="*-./[]_")),
        ("a=%2f", Escaping(lower=True)),
        ("a=%2F%3d", Escaping()),
        ("a=x==", Escaping(safe="*-.=_")),
    ],
)
def test_the_manner_of_escaping_is_inferred(raw: str, expected: Escaping) -> None:
    taken = take_apart(raw)
    assert taken is not None
    assert taken.escaping == expected


@pytest.mark.parametrize(
    "raw",
    [
        *("a=b+c%2B", "a=b%20c~!", "user%5Bname%5D=x%26y", "user[name]=a:b@c", "q=%c3%a9%2f"),
        *("a=%27()*", "a=x==", "a='quoted'", "k=%E6%97%A5&&m", "a=b;c=d"),
    ],
)
def test_the_same_values_give_the_same_bytes(raw: str) -> None:
    taken = take_apart(raw)
    assert taken is not None
    again = "&".join(
        encode(pair.name or "", taken.escaping)
        + ("" if pair.value is None else "=" + encode(pair.value, taken.escaping))
        for pair in taken.pairs
    )
    assert again == raw


def test_nothing_to_go_by_means_the_usual_manner() -> None:
    assert infer([]) == Escaping()
