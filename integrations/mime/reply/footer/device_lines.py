"""Recognises the line that a telephone or a mail program adds to a mail: `Sent from my iPhone`.

Such a line is no part of the author's words. So each word of it must be one that programs write there: a person wrote
`Sent from my iPhone, approved.`, and `Sent two laptops to Lyon`.
"""

# ruff: noqa: RUF001 - apostrophes and dashes of every alphabet are the point

import re
from typing import Final

from triage.config.word_lists import word_lists

LONGEST: Final = 240
"""Characters of a line that may be a program's, its links included."""
MOST_WORDS: Final = 16
MOST_UNKNOWN: Final = 2
"""Names of a maker or an owner in front of the device that no list has: `Sent from my Nothing Phone`."""

_any_of: Final = word_lists().alternatives
_SIGNS: Final = r"\s.,;:/&+®™()\[\]<>*_|'’\"“”«»–—-"
"""What may stand between the words; any other sign was written by a person."""
_LINK: Final = re.compile(r"[<(\[]{0,2}\s?https?://[^\s<>()\[\]]{1,200}(?:\s?[>)\]]{1,2})?")
_EXCUSE: Final = re.compile(rf"[\s.,;(–-]+{_any_of('device.excuse_patterns')}[\s.!)]*$", re.IGNORECASE)
_WHOLE: Final = re.compile(_any_of("device.line_patterns"), re.IGNORECASE)
_OPENING: Final = "<([*_- \t"
_CLOSING: Final = ">)]*_.! \t"


def _kind(name: str, *lists: str, ending: str = "") -> str:
    return rf"(?P<{name}>(?<!\w){_any_of(*lists)}{ending}(?!\w))"


_WORD: Final = re.compile(
    "|".join(
        (
            _kind(
                "device",
                *("reply.devices", "reply.device_patterns", "device.apps"),
                ending=rf"(?:['’-]?{_any_of('device.endings')})?",
            ),
            _kind("sent", "reply.sent"),
            _kind("joined", "device.sent_from"),
            _kind("lead", "device.from"),
            _kind("get", "device.get"),
            _kind("for", "device.for"),
            _kind("system", "device.systems"),
            _kind("about", "device.this", "device.mail", "device.was"),
            _kind("filler", "device.fillers"),
            r"(?P<model>(?<!\w)(?:\d{1,2}[a-z]{0,2}|[a-z]{1,8}-?\d{1,4}[a-z]?)(?!\w))",
            rf"(?P<other>[^{_SIGNS}]+)",
        )
    ),
    re.IGNORECASE,
)
_BEFORE_NAMES: Final = frozenset({"lead", "filler", "device", "model"})
_FROM_MY_WORDS: Final = 2
"""Words of `from my`, behind which the device stands at once."""
_BEGINNING: Final = 3
"""Letters of a word by which a line that may be one is found."""
_FOUND_BY: Final = frozenset(
    word.split()[0][:_BEGINNING].casefold()
    for name in ("reply.sent", "device.sent_from", "device.get", "device.from_my", "device.apps")
    for word in word_lists()[name]
)
_FROM_MY: Final = re.compile(rf"{_any_of('device.from_my')}\s", re.IGNORECASE)
_ENDED: Final = re.compile(rf"{_any_of('device.endings')}$", re.IGNORECASE)


def is_device_line(line: str) -> bool:
    """Tell whether a program wrote the line: each of its words is one that programs write below a mail."""
    if not 0 < len(line) < LONGEST:
        return False
    bare = line.lstrip(_OPENING).rstrip(_CLOSING)
    if _WHOLE.fullmatch(bare):
        return True
    beginnings = [word.strip("[]()<>*_")[:_BEGINNING].casefold() for word in bare.split()]
    if len(beginnings) > MOST_WORDS or _FOUND_BY.isdisjoint(beginnings):
        return False
    words = " ".join(_EXCUSE.sub("", _LINK.sub(" ", bare)).split()).rstrip(_CLOSING)
    return bool(_WHOLE.fullmatch(words)) or _is_built(words, linked=bool(_LINK.search(bare)))


def _is_built(words: str, *, linked: bool) -> bool:
    """Tell whether a verb of sending says from which device, or a verb of getting which app for what."""
    found = list(_WORD.finditer(words))
    kinds = _with_names([f"{one.lastgroup}" for one in found], [one[0] for one in found])
    if "other" in kinds or "device" not in kinds:
        return False
    device = kinds.index("device")
    if {"sent", "joined"} & set(kinds):
        sent = next(at for at, kind in enumerate(kinds) if kind in {"sent", "joined"})
        ended = any(kind == "device" and _ENDED.search(one[0]) for kind, one in zip(kinds, found, strict=True))
        if sent > device:
            return sent == len(kinds) - 1 and (ended or "lead" in kinds)
        leads = kinds[sent] == "joined" or kinds[sent + 1] == "lead" or ended
        return leads and set(kinds[:sent]) <= {"about", "filler"}
    if _FROM_MY.match(words):
        return device <= _FROM_MY_WORDS
    to_what = "for" in kinds and bool({"system", "device"} & set(kinds[kinds.index("for") :]))
    named = to_what or {"for", "system"} <= set(kinds)
    return ("get" in {kinds[0], kinds[-1]} and (linked or named)) or (linked and named)


def _with_names(kinds: list[str], words: list[str]) -> list[str]:
    """Take up to `MOST_UNKNOWN` capitalised words for names: `my Nothing Phone`, `Wiko RIDGE FAB 4G`, `the Airwave network`."""
    named = list(kinds)
    for end, kind in enumerate(kinds):
        start = end
        while start and named[start - 1] == "other" and _is_name(words[start - 1]):
            start -= 1
        ends = kind in {"device", "filler"} or (kind == "model" and not words[end].isdigit())
        if ends and 0 < end - start <= MOST_UNKNOWN and named[start - 1] in _BEFORE_NAMES:
            named[start:end] = ["name"] * (end - start)
    return named


def _is_name(word: str) -> bool:
    return word[:1].isupper() or (word[:1].isalpha() and word[:1].lower() == word[:1].upper())
