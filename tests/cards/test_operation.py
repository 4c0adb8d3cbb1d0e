import pytest
from pydantic import ValidationError

from cards.markup import is_markup
from cards.operation import Operation, hash_of, is_plain_document
from cards.words import Place, Word


@pytest.mark.parametrize(
    "document",
    ['mutation { a(b: "CANARY") }', "mutation { a(b: 49307751) }", "mutation { a } # CANARY"],
)
def test_a_document_with_a_literal_is_not_kept(document: str) -> None:
    with pytest.raises(ValidationError):
        Operation(document=document, document_hash=hash_of(document))


def test_a_document_of_names_is_plain() -> None:
    assert is_plain_document("mutation A($t: String!) { add(title: $t) { id ...F } }")


def test_a_hash_that_is_not_the_documents_is_refused() -> None:
    with pytest.raises(ValidationError, match="hash"):
        Operation(document="mutation { a }", document_hash=hash_of("mutation { b }"))


@pytest.mark.parametrize("word", ["hello", "CANARY", 2, True])
def test_a_word_is_one_of_the_protocols_own(word: str | int) -> None:
    with pytest.raises(ValidationError):
        Word(word=word)


@pytest.mark.parametrize("place", ["/users/4711/name", "/a b", "/9f86d081884c7d65"])
def test_a_path_that_carries_a_value_is_no_place(place: str) -> None:
    with pytest.raises(ValidationError):
        Place(place=place)


@pytest.mark.parametrize(
    "text", ['<p class="a">', "<p>hello", "<a9f86d081884c7d65>", "<!-- 12 -->"]
)
def test_what_can_carry_a_value_is_no_markup(text: str) -> None:
    assert not is_markup(text)


@pytest.mark.parametrize("text", ['<?xml version="1.0"?><soap:Body>\n', "<![CDATA[", "<br/>", ""])
def test_tags_without_attributes_are_markup(text: str) -> None:
    assert is_markup(text)
