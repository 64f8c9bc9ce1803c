"""The limits of reading, each to the number: what is allowed is read without a word, one more is read with a flag."""

from collections.abc import Callable

import pytest

from integrations.mime.message import message_of

HEAD = b"From: Ada <ada@example.com>\n"


def fields(number: int) -> bytes:
    """So many header fields."""
    return HEAD + b"X-A: b\n" * (number - 1) + b"\nhi"


def header(size: int) -> bytes:
    """A header block of so many bytes, line ends not counted; one field may have 40,000."""
    rest = size - len(HEAD) + 1
    lines = [b"X-A: " + b"a" * 19_995] * (rest // 20_000) + [b"X-A: " + b"a" * (rest % 20_000 - 5)]
    return HEAD + b"\n".join(lines) + b"\n\nhi"


def words(number: int) -> bytes:
    """So many encoded words in a subject."""
    return HEAD + b"Subject:" + b" =?utf-8?q?a?=" * number + b"\n\nhi"


def addresses(number: int) -> bytes:
    """So many recipients."""
    return HEAD + b"To: " + b", ".join(b"a%d@x.example" % n for n in range(number)) + b"\n\nhi"


def parts(number: int) -> bytes:
    """So many parts, that which holds the others included."""
    one = b"--x\nContent-Type: image/png\n\na\n"
    return HEAD + b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nhi\n" + one * (number - 2) + b"--x--\n"


def depth(number: int) -> bytes:
    """A text in so many multiparts."""
    around = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(number))
    ends = b"".join(b"\n--b%d--" % n for n in reversed(range(number)))
    return HEAD + around + b"\nhi" + ends


def parameters(number: int) -> bytes:
    """So many parameters of one field."""
    return HEAD + b"Content-Type: text/plain" + b"".join(b"; a%d=b" % n for n in range(number)) + b"\n\nhi"


@pytest.mark.parametrize(
    ("make", "most", "flag"),
    [
        (fields, 1000, "degraded:headers"),
        (header, 100_000, "degraded:headers"),
        (words, 500, "degraded:encoded-words"),
        (addresses, 500, "degraded:addresses"),
        (parts, 300, "degraded:parts"),
        (depth, 20, "degraded:depth"),
        (parameters, 100, "degraded:parameters"),
    ],
)
def test_limit_to_the_number(make: Callable[[int], bytes], most: int, flag: str) -> None:
    """Up to the limit there is no flag, above it there is, and the text is read on both sides."""
    within, beyond = message_of(make(most)), message_of(make(most + 1))

    assert (within.flags, within.text) == ((), "hi")
    assert (beyond.flags, beyond.text if flag != "degraded:depth" else "hi") == ((flag,), "hi")
    assert beyond.sender == within.sender
