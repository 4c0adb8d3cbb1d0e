from tests.recorder.traffic import (
    aget,
    ananswer,
    aprelude,
    arequest,
    declared,
    leaf,
    stripped,
    text_of,
)

RANDOM = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"


def test_a_token_in_the_path_becomes_a_slot() -> None:
    result = stripped(arequest(f"/api/invitations/{RANDOM}/accept", {}))
    path = result.contract.pretty()["target"]["path"]
    assert path == ["api", "invitations", {"slot": "invitations"}, "accept"]
    assert RANDOM not in text_of(result)
    assert result.script_fields == ("path:2",)


def test_the_same_identifier_elsewhere_is_the_same_slot() -> None:
    result = stripped(arequest("/rooms/42/messages", {"room_id": 42, "count": 42}))
    assert leaf(result, "room_id") == {"slot": "rooms"}
    assert leaf(result, "count") == {"slot": "count"}


def test_a_declared_value_in_the_path_is_its_slot() -> None:
    result = stripped(arequest("/rooms/blue/x", {}), declared(room="blue"))
    assert result.contract.pretty()["target"]["path"][1] == {"slot": "room"}


def test_an_id_from_a_fresh_answer_is_live_in_the_path() -> None:
    prelude = aprelude((aget("/api/new-id"), ananswer({"id": "65b2f1c09d3e4a5b6c7d8e9f"})))
    request = arequest("/api/by-id/65b2f1c09d3e4a5b6c7d8e9f", {"text": "x"}, method="PUT")
    result = stripped(request, prelude=prelude)
    shown = result.contract.pretty()
    (name,) = shown["live"]
    assert shown["target"]["path"] == ["api", "by-id", {"live": name}]


def test_an_id_that_an_earlier_write_made_keeps_the_card_on_the_ui_path() -> None:
    draft = (arequest("/api/drafts", {}), ananswer({"id": "65b2f1c09d3e4a5b6c7d8e9f"}))
    request = arequest("/api/drafts/65b2f1c09d3e4a5b6c7d8e9f", {"text": "x"}, method="PUT")
    result = stripped(request, prelude=aprelude(draft))
    assert result.ui_only == "the value of path:2 was made by an earlier write"


def test_escaping_of_the_query_is_kept_as_a_manner() -> None:
    result = stripped(arequest("/s?a=b%20c&p=x/y&l[]=one", {}))
    query = result.contract.target.query
    assert [pair.name for pair in query.pairs] == ["a", "p", "l[]"]
    assert query.escaping.space == "%20"
    assert set("/[]") <= set(query.escaping.safe)
