"""Removes invisible characters from the parsed text; the raw mail keeps them."""

import re
from typing import Final

_NEWLINES: Final = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")

_INVISIBLE: Final = re.compile(
    "["
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # C0 and C1 controls, ESC among them
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"  # zero width, direction marks, overrides and isolates
    "\u2800\u3164\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff"
    "\ud800-\udfff"  # lone surrogates, which UTF-8 cannot encode
    "\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"  # tags and variation selectors can spell a hidden text
    "]"
    # Persian, Indic scripts and emoji need joiners and variation selectors; elsewhere these hide something.
    "|(?<![\u0590-\u1fff\u2190-\u2bff\u3030-\ufdff\U0001f000-\U0001faff\ufe0f])[\u200c\u200d]"
    "|(?<![#*0-9\xa9\xae\u2000-\u200a\u2010-\u2027\u203c-\u2bff\u3030-\u9fff\uf900-\ufaff\U0001f000-\U0001faff])"
    "[\ufe00-\ufe0f]"
)
_BLANKS: Final = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f]")
_FOLDS: Final = re.compile("[ \t\n]+")


def cleaned(text: str, odd: set[str]) -> str:
    """Normalise line ends and blanks of a body text, and remove invisible characters."""
    return _BLANKS.sub(" ", shown(text, odd))


def shown(text: str, odd: set[str]) -> str:
    """Remove invisible characters, but keep all kinds of blanks, which HTML treats differently."""
    text = _NEWLINES.sub("\n", text.removeprefix("\ufeff"))
    seen = _INVISIBLE.sub("", text)
    if len(seen) != len(text):
        odd.add("invisible-characters")
    return seen


def one_line(text: str, odd: set[str]) -> str:
    """Return a header value on one line; no CR, LF, NUL or other control can reach a header, a log or a terminal."""
    if text.isascii() and text.isprintable():  # nearly all of them; isprintable is false for every control
        return text.strip()
    return _FOLDS.sub(" ", cleaned(text, odd)).strip()
