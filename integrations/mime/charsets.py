"""Decodes bytes to text by charset; only codecs for plain text are used."""

import codecs
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

_LABEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+-]{0,39}")

_CODECS: Final[Mapping[str, str]] = {
    name: codec
    for codec, names in {
        "utf-8": "utf-8 utf8 unicode-1-1-utf-8 uft-8 cp65001 utf-8-sig utf8mb4",
        # Windows programs label cp1252 as Latin-1 or ASCII; cp1252 only adds printable characters (as the WHATWG standard does).
        "cp1252": "iso-8859-1 iso8859-1 iso_8859-1 latin-1 latin1 l1 cp819 windows-1252 cp1252 cp-1252 win-1252 ansi",
        "ascii": "us-ascii ascii ansi_x3.4-1968 iso646-us 646 7bit",
        "cp1254": "iso-8859-9 latin5 windows-1254 cp1254",
        "cp874": "tis-620 tis620 iso-8859-11 windows-874 cp874",
        # GB 18030 includes GB 2312 and GBK; senders label a text as the first and use characters of the last.
        "gb18030": "gb2312 gb-2312 gb_2312-80 iso-gb2312 gbk cp936 gb18030 x-gbk euc-cn hz-gb-2312-raw",
        "hz": "hz hz-gb-2312",
        "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5 big5hkscs cp950",
        "cp949": "euc-kr euckr ks_c_5601-1987 ks_c_5601 ksc5601 korean cp949 uhc windows-949",
        "iso2022_kr": "iso-2022-kr",
        "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji cp932 windows-31j",
        "euc_jis_2004": "euc-jp eucjp x-euc-jp",
        "iso2022_jp_ext": "iso-2022-jp iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-ms cp50220 csiso2022jp",
        "iso8859-8": "iso-8859-8 iso-8859-8-i iso-8859-8-e hebrew",
        "iso8859-6": "iso-8859-6 iso-8859-6-i arabic",
        "mac_roman": "macintosh macroman x-mac-roman mac",
        "koi8-r": "koi8-r koi8r koi8",
        "koi8-u": "koi8-u",
        "utf-16": "utf-16 utf16 ucs-2 iso-10646-ucs-2",
        "utf-16-le": "utf-16le",
        "utf-16-be": "utf-16be",
        "utf-32": "utf-32",
        **{
            f"iso8859-{n}": f"iso-8859-{n} iso8859-{n} iso_8859-{n} latin{n}"
            for n in (2, 3, 4, 5, 7, 10, 13, 14, 15, 16)
        },
        **{f"cp{n}": f"windows-{n} cp{n} win-{n} cp-{n}" for n in (1250, 1251, 1253, 1255, 1256, 1257, 1258)},
        **{f"cp{n}": f"cp{n} ibm{n} ibm-{n}" for n in (437, 850, 852, 855, 858, 862, 866)},
    }.items()
    for name in names.split()
}
"""Labels and codecs. UTF-7, escape, IDNA, punycode and compression codecs of Python are missing on purpose."""
_ALPHABETS: Final = (
    *("cp932", "euc_jis_2004", "gb18030", "big5hkscs", "cp949"),
    *("cp1251", "koi8_r", "iso8859_5", "cp1253", "cp1255", "cp1256", "cp874"),
)
"""Codecs of other alphabets, for text without a label."""
_SHIFTED: Final = b"\x1b$"
"""How Japanese text begins in ISO-2022-JP."""
_ASCII: Final = bytes(range(0x80))
_SPACES: Final = b" \t\r\n"
FEWEST_LETTERS: Final = 40
"""Bytes beyond ASCII below which a guess at the codec is a toss."""
SAMPLE: Final = 4096
"""Bytes that the codec is guessed from."""
_WHOLE: Final = re.compile(rb".*[\x00-/]", re.DOTALL)
"""Up to a byte that is no part of a longer character in any of these codecs."""


def decode(data: bytes, label: str, odd: set[str]) -> str:
    """Decode bytes; add a flag to `odd` where the label is unknown or wrong."""
    codec = codec_of(label)
    if codec is None and label:
        odd.add("unknown-charset")
    if codec in {None, "ascii"}:
        return guess(data)
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return _rescued(data, codec, odd)


def codec_of(label: str) -> str | None:
    """Return the codec of a charset label, None for one that is not allowed."""
    match = _LABEL.match(label.strip(" \t'\""))
    return _CODECS.get(match[0].lower()) if match else None


def load_codecs() -> None:
    """Load all codecs and what guesses them, for a process that cannot open files later."""
    for codec in set(_CODECS.values()):
        codecs.lookup(codec)
    _of_another_alphabet("это ".encode("cp1251") * FEWEST_LETTERS)


def guess(data: bytes) -> str:
    """Decode bytes without a label: ISO-2022-JP by its escapes, else UTF-8, else by their letters, else as Windows-1252."""
    if _SHIFTED in data:
        with suppress(UnicodeDecodeError):
            return data.decode("iso2022_jp_ext")
    with suppress(UnicodeDecodeError):
        return data.decode("utf-8")
    # A text cut inside a character is still UTF-8; cp1252 would turn each of its umlauts into two characters.
    text = data.decode("utf-8", "replace")
    broken = text.count("�")
    sound = sum(1 for c in text if c > "\x7f") - broken
    return text if sound > broken else _of_another_alphabet(data) or data.decode("cp1252", "replace")


def _of_another_alphabet(data: bytes) -> str:
    """Decode bytes most of which are letters beyond ASCII, as they are in no Latin text; empty if none of the codecs fits."""
    beyond = len(data.translate(None, _ASCII))
    if beyond < FEWEST_LETTERS or beyond < len(data.translate(None, _SPACES)) / 2:
        return ""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - only the process that reads mail pays for it

    whole = _WHOLE.match(data[:SAMPLE] if len(data) > SAMPLE else data + b"\n")
    best = from_bytes(whole[0], cp_isolation=list(_ALPHABETS)).best() if whole else None
    return data.decode(best.encoding, "replace") if best else ""


def _rescued(data: bytes, codec: str, odd: set[str]) -> str:
    """Decode bytes that do not match their charset label."""
    if codec == "utf-8":
        odd.add("bad-charset")
        return guess(data)
    if codec != "cp1252":  # five bytes have no character there, which needs no flag
        odd.add("bad-charset")
    try:
        return data.decode("utf-8")  # wrong label; most programs write UTF-8 by now
    except UnicodeDecodeError:
        return data.decode(codec, "replace")
