"""How many pixels a picture has."""

import struct

import pytest

from integrations.mime.dimensions import pixels_of

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 400, 150) + bytes(9)
GIF = b"GIF89a" + struct.pack("<HH", 400, 150) + bytes(9)
BMP = b"BM" + bytes(16) + struct.pack("<II", 400, 150)
JPEG = b"\xff\xd8" + b"\xff\xe0\x00\x04ab" + b"\xff\xc0\x00\x0b\x08" + struct.pack(">HH", 150, 400) + bytes(4)


@pytest.mark.parametrize("content", [PNG, GIF, BMP, JPEG], ids=["png", "gif", "bmp", "jpeg"])
def test_width_times_height(content: bytes) -> None:
    """From the first bytes of the file."""
    assert pixels_of(content) == 60_000


@pytest.mark.parametrize(
    "content",
    [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff", b"\xff\xd8\xff\xe0\x00\x00", b"%PDF-1.7", JPEG[:11]],
)
def test_what_is_cut_or_none(content: bytes) -> None:
    """Nothing is known, and nothing is raised."""
    assert pixels_of(content) == 0
