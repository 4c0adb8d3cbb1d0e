"""Bodies: REC-01, REC-12, RPL-05, RPL-11, RPL-12."""

from pathlib import Path

from recorder.traffic import Declared, DeclaredSlot
from tests.recorder.traffic import FORM, arequest, declared, stripped, text_of
from tests.support.bodies import body_of
from tests.support.resending import body_bytes, contract_of, resent

MULTIPART = "multipart/form-data; boundary=B"


async def test_rec_01_line_breaks_of_a_multipart_text_stay() -> None:
    body = (
        b'--B\r\nContent-Disposition: form-data; name="note"\r\n\r\n'
        b"CANARY-REC01a\nCANARY-REC01b\r\n"
        b'--B\r\nContent-Disposition: form-data; name="tail"\r\n\r\n'
        b"ends with newline\r\n\r\n--B--\r\n"
    )
    request = arequest("/notes", body, kind=MULTIPART)
    assert "CANARY" not in text_of(stripped(request))
    sent = await body_bytes(resent(request, declared(), {"note": "x\ny", "tail": "z\r\n"}))
    assert sent == (
        b'--B\r\nContent-Disposition: form-data; name="note"\r\n\r\nx\ny\r\n'
        b'--B\r\nContent-Disposition: form-data; name="tail"\r\n\r\nz\r\n\r\n--B--\r\n'
    )


def test_rec_12_empty_fields_and_missing_equals_signs_stay() -> None:
    request = arequest("/orders", "title=t&coupon=&agree")
    sent = resent(request, declared(title="t"), {"title": "t"})
    assert body_of(sent) == b"title=t&coupon=&agree"


async def test_rpl_05_a_text_part_is_no_upload() -> None:
    body = (
        b'--B\r\nContent-Disposition: form-data; name="field1"\r\n\r\ntest\r\n'
        b'--B\r\nContent-Disposition: form-data; name="meta"\r\n'
        b'Content-Type: application/json\r\n\r\n{"a":1}\r\n--B--\r\n'
    )
    request = arequest("/f", body, kind=MULTIPART)
    assert await body_bytes(resent(request, declared(), {"field1": "test", "a": 1})) == body


def test_rpl_11_a_method_in_a_form_is_no_slot_of_the_card_without_its_author() -> None:
    headers = {"x-http-method-override": "DELETE"}
    request = arequest("/items/1", "_method=delete&title=zebra", headers=headers, kind=FORM)
    assert "changes what the request does" in (stripped(request, declared(m="zebra")).ui_only or "")
    pinned = declared(kept=frozenset({"header:x-http-method-override", "_method"}), m="zebra")
    contract = contract_of(request, pinned)
    assert contract.pretty()["custom_headers"] == {"x-http-method-override": {"pin": "DELETE"}}


async def test_rpl_12_a_file_name_is_said_once_as_browsers_say_it(tmp_path: Path) -> None:
    body = (
        '--B\r\nContent-Disposition: form-data; name="files"; filename="新文字.txt"\r\n'
        "Content-Type: text/plain\r\n\r\nx\r\n--B--\r\n"
    ).encode()
    file = tmp_path / "新文字.txt"
    file.write_bytes(b"x")
    said = Declared({"upload": DeclaredSlot("upload", str(file), "file")})
    request = arequest("/up", body, kind=MULTIPART)
    assert "新文字" not in text_of(stripped(request, said))
    assert await body_bytes(resent(request, said, {"upload": file})) == body
