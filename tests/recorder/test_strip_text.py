import pytest

from recorder.strip_text import ATTRIBUTES, PLAIN
from tests.recorder.traffic import arequest, declared, stripped, text_of
from tests.support.bodies import body_of
from tests.support.resending import resent

XML = "application/xml"


def test_a_plain_text_is_one_slot() -> None:
    request = arequest(body=b"zebra 4711", kind="text/plain")
    assert body_of(resent(request, declared(m="zebra 4711"), {"m": "lion"})) == b"lion"


def test_words_around_a_slot_are_kept_by_no_card() -> None:
    result = stripped(arequest(body=b"say zebra 4711", kind="text/plain"), declared(m="zebra 4711"))
    assert result.ui_only == PLAIN


def test_every_text_of_an_xml_body_is_a_slot() -> None:
    body = b'<?xml version="1.0"?>\n<note>\n <text>zebra &amp; co</text><room>hall</room></note>'
    request = arequest(body=body, kind=XML)
    said = declared(m="zebra & co")
    assert "hall" not in text_of(stripped(request, said))
    assert body_of(resent(request, said, {"m": "a < b", "room": "hall"})) == (
        b'<?xml version="1.0"?>\n<note>\n <text>a &lt; b</text><room>hall</room></note>'
    )


def test_a_value_in_a_cdata_section_is_not_escaped() -> None:
    request = arequest(body=b"<n><t><![CDATA[zebra]]></t></n>", kind="text/xml")
    sent = resent(request, declared(m="zebra"), {"m": "a & b"})
    assert body_of(sent) == b"<n><t><![CDATA[a & b]]></t></n>"


@pytest.mark.parametrize(
    "body", [b'<n xmlns="urn:x"><t>zebra</t></n>', b"<n><t id='4'>zebra</t></n>", b"<n></n>"]
)
def test_attributes_keep_an_xml_body_on_the_ui_path(body: bytes) -> None:
    assert stripped(arequest(body=body, kind=XML), declared(m="zebra")).ui_only == ATTRIBUTES


def test_a_text_in_another_encoding_is_sent_in_it() -> None:
    request = arequest(body="größe".encode("latin-1"), kind="text/plain; charset=ISO-8859-1")
    sent = resent(request, declared(m="größe"), {"m": "maß"})
    assert body_of(sent) == "maß".encode("latin-1")
