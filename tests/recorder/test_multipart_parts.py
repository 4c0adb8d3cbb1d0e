from hypothesis import given
from hypothesis import strategies as st

from recorder.multipart_parts import RawPart, read_parts

KIND = "multipart/form-data; boundary=B"


def part(headers: str, content: bytes) -> bytes:
    return f"--B\r\n{headers}\r\n\r\n".encode() + content + b"\r\n"


def read(*parts: bytes) -> tuple[RawPart, ...]:
    found = read_parts(b"".join(parts) + b"--B--\r\n", KIND)
    assert not isinstance(found, str)
    return found


def test_a_part_without_a_file_name_is_a_text() -> None:
    (found,) = read(part('Content-Disposition: form-data; name="a"', "größe".encode()))
    assert (found.name, found.text, found.content_type) == ("a", "größe", None)


def test_a_part_with_a_file_name_is_a_file_even_where_it_is_text() -> None:
    (found,) = read(
        part('Content-Disposition: form-data; name="a"; filename="b.txt"', b"\x00\xff\r\n")
    )
    assert (found.text, found.file_name, found.content) == (None, "b.txt", b"\x00\xff\r\n")


def test_an_empty_file_field_says_that_nobody_chose_a_file() -> None:
    kind = "\r\nContent-Type: application/octet-stream"
    (found,) = read(part(f'Content-Disposition: form-data; name="a"; filename=""{kind}', b""))
    assert found.is_empty_file


def test_a_blob_of_json_is_a_text_with_its_content_type() -> None:
    kind = "\r\nContent-Type: application/json"
    (found,) = read(part(f'Content-Disposition: form-data; name="a"; filename="blob"{kind}', b"{}"))
    assert (found.text, found.content_type) == ("{}", "application/json")


def test_a_body_cut_short_or_of_another_kind_is_told() -> None:
    assert read_parts(b"--B\r\n", KIND) == "the multipart body is not well-formed"
    assert read_parts(b"--B--\r\n", "multipart/mixed; boundary=B") == (
        "the multipart body is no form"
    )
    whole = part('Content-Disposition: form-data; name="a"', b"\xff") + b"--B--\r\n"
    assert read_parts(whole, KIND) == "a text part of the multipart body is not text"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=5))
def test_every_text_comes_back_as_it_was_sent(texts: list[str]) -> None:
    kept = [text for text in texts if "--B" not in text]
    parts = [part('Content-Disposition: form-data; name="a"', text.encode()) for text in kept]
    assert [found.text for found in read(*parts)] == kept if parts else True


@given(st.binary(max_size=200))
def test_any_bytes_are_parts_or_a_reason(body: bytes) -> None:
    read_parts(body, KIND)
