"""Forms of mail providers: URL-encoded and multipart, in any charset, of any size."""

import pytest

from triage.domain.errors import NotAMail
from webhooks.forms import MOST_PARTS, PIECE, PostedForm, text_of

CODED = {"content-type": "application/x-www-form-urlencoded"}
PARTS = {"content-type": "multipart/form-data; boundary=b"}
BODY = (
    b'--b\r\nContent-Disposition: form-data; name="subject"\r\n\r\nHello\r\n'
    b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n'
    b"Content-Id: <1>\r\n\r\nbytes\r\n"
)


def test_an_encoded_form() -> None:
    """Values stay bytes until they are used; plus signs are blanks, and an absent field is empty."""
    form = PostedForm.read(CODED, b"subject=Caf%E9+au+lait&empty=&x")

    assert form.bytes("subject") == b"Caf\xe9 au lait"
    assert form.text("subject", "latin-1") == "Café au lait"
    assert (form.bytes("empty"), form.bytes("absent")) == (b"", b"")
    assert (form.has("x"), form.has("absent"), form.files) == (True, False, [])


@pytest.mark.parametrize("before", [PIECE - 2, PIECE - 1, PIECE, PIECE + 1])
def test_a_long_value_is_decoded_in_pieces(before: int) -> None:
    """A sequence of percent signs that lies across two pieces is not cut."""
    form = PostedForm.read(CODED, b"text=" + b"a" * before + b"%C3%A9" + b"%")

    assert form.text("text") == "a" * before + "é%"


def test_parts_with_files() -> None:
    """A file has its name, type and id, and is no value of a field; a part that breaks off is left out."""
    whole, torn = (
        PostedForm.read(PARTS, BODY + end) for end in (b"--b--\r\n", b'--b\r\nContent-Disposition: form-data; name="x')
    )
    (file,) = whole.files

    assert (whole.text("subject"), whole.bytes("file")) == ("Hello", b"")
    assert (file.name, file.filename, file.content_type, file.content_id, file.value) == (
        "file", "a.txt", "text/plain", "<1>", b"bytes",
    )  # fmt: skip
    assert [part.name for part in torn.parts] == ["subject", "file"]


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, b"a=1"),
        ({"content-type": "multipart/form-data"}, BODY),
        (PARTS, b"no boundary"),
        (CODED, b"a=1&" * (MOST_PARTS + 1)),
        (PARTS, b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n' * (MOST_PARTS + 1)),
    ],
    ids=["no-type", "no-boundary", "broken", "many-fields", "many-parts"],
)
def test_what_is_no_form(headers: dict[str, str], body: bytes) -> None:
    """A body of another kind, a broken one and one of too many fields are refused."""
    with pytest.raises(NotAMail):
        PostedForm.read(headers, body)


def test_an_unknown_charset_is_read_as_utf_8() -> None:
    """What cannot be decoded is replaced, so that no mail is lost."""
    assert text_of("é".encode(), "x-unknown") == "é"
    assert text_of(b"\xff", "ascii") == "\N{REPLACEMENT CHARACTER}"
