"""Reads what a form on a website was filled with: who wrote, about what, the message, the other fields."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Final

from triage.domain.mail import RichLine
from triage.policy.sender.forwards import ADDRESS
from triage.policy.text.word_patterns import levelled, words_in

WITHIN: Final = 30
"""Lines from the top among which the label of the message stands."""
LEAST: Final = 2
"""Fields above the message."""
INTRODUCED: Final = 2
"""Most lines above the first field: `You have a new message from your website:`."""
_FIELD: Final = re.compile(
    r"\W{0,4}(?P<label>[^\W\d_][^:\uff1a|\t]{0,30}?)[*_]{0,2}(?:\s?[:\uff1a]|\s\|\s|\t)[*_]{0,2}\s*(?P<value>.*)$"
)


READ: Final = 80
"""Lines among which a template has its title."""
LONGEST_NAME: Final = 4
"""Words of a person's name."""
LONGEST_TITLE: Final = 80
LEAST_TITLE: Final = 3
"""Words of a title."""
_PAIR: Final = re.compile(
    r"\W{0,4}(?P<label>[^\W\d_][^:\uff1a|=\t]{0,30}?)[*_]{0,2}(?:\s?[:\uff1a]|\s(?P<sign>[|=])\s|\t)[*_]{0,2}\s*(?P<value>\S.*)$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebsiteForm:
    """The fields of a form, as its sender filled them; they prove no identity."""

    name: str
    address: str
    topic: str
    message: tuple[RichLine, ...]
    others: tuple[RichLine, ...]
    """The lines of all other fields, as they came."""

    @property
    def who(self) -> str:
        """`Ada Byron <ada@example.com>`, or the half of it that the form has."""
        return f"{self.name} <{self.address}>" if self.name and self.address else self.name or self.address


@dataclass(frozen=True, slots=True)
class _Field:
    at: int
    end: int
    kind: str
    value: RichLine


def form_of(lines: Sequence[RichLine]) -> WebsiteForm | None:
    """Return the form: its message stands below fields that say who wrote; None for any other mail."""
    at = next((at for at, line in enumerate(lines[:WITHIN]) if _kind(line) == "messages"), None)
    if at is None:
        return None
    above = list(_fields(lines[:at]))
    first = above[0].at if above else at
    taken = {number for one in above for number in range(one.at, one.end)}
    other = [line for number, line in enumerate(lines[:at]) if line.text.strip() and number not in taken]
    kinds = {one.kind for one in above}
    if len(above) < LEAST or not kinds & {"names", "addresses"} or other[INTRODUCED:] or other != _solid(lines[:first]):
        return None
    body = [_value(lines[at]), *lines[at + 1 :]]
    below = list(takewhile(lambda line: not line.text.strip() or _kind(line) == "others", reversed(body[1:])))
    address = next((found[0] for one in above if (found := ADDRESS.search(one.value.text))), "")
    named = (ADDRESS.sub("", one.value.text).strip(" <>()[]\t") for one in above if one.kind == "names")
    return WebsiteForm(
        name=" ".join(dict.fromkeys(filter(None, named))),
        address=address.lower(),
        topic=next((one.value.text.strip() for one in above if one.kind == "subjects"), ""),
        message=tuple(body[: len(body) - len(below)]),
        others=(*(line for one in above if not one.kind for line in lines[one.at : one.end]), *_solid(below[::-1])),
    )


def title_of(lines: Sequence[RichLine]) -> str:
    """Return what a template of a program or desk has as its one line about the matter: `Short description: …`; else nothing.

    Two more fields stand in the same paragraph.
    """
    for filled, group in groupby(lines[:READ], key=lambda line: bool(line.text.strip())):
        found = [one for line in group if (one := _PAIR.match(line.text))] if filled else []
        named = [(" ".join(levelled(one["label"]).split()), one["value"].strip()) for one in found]
        if len(found) <= LEAST:
            continue
        worded = [_worded(named, labels) for labels in (_TITLES, _DESCRIPTIONS)]
        alerted = any(
            one["sign"] == "=" for one in found
        )  # its summary is the rule's, its description tells of which thing
        if title := max(worded, key=len) if alerted else next(filter(None, worded), ""):
            return title
    return ""


def _worded(named: Sequence[tuple[str, str]], labels: re.Pattern[str]) -> str:
    """Return the first value under one of these labels that is a short line of several words; else nothing."""
    found = (value for label, value in named if labels.fullmatch(label) and len(value) <= LONGEST_TITLE)
    return next((one for one in found if len(one.split()) >= LEAST_TITLE), "")


def requester_of(lines: Sequence[RichLine], sender: str) -> str:
    """Return who has the problem where a desk's template names somebody else than its sender; else nothing."""
    for filled, group in groupby(lines[:READ], key=lambda line: bool(line.text.strip())):
        found = [one for line in group if (one := _PAIR.match(line.text))] if filled else []
        named = [(" ".join(levelled(one["label"]).split()), one["value"].strip()) for one in found]
        who = next((value for label, value in named if _REQUESTERS.fullmatch(label)), "")
        if len(found) > LEAST and _is_person(who) and levelled(who) not in levelled(sender):
            address = next((at[0] for _, value in named if (at := ADDRESS.search(value))), "")
            return f"{who} <{address.lower()}>" if address and not ADDRESS.search(who) else who
    return ""


def _is_person(name: str) -> bool:
    """Tell whether a value is the name of a person, or an address."""
    words = name.split()
    return bool(ADDRESS.fullmatch(name)) or (1 < len(words) <= LONGEST_NAME and all(one[0].isupper() for one in words))


def _fields(lines: Sequence[RichLine]) -> Iterator[_Field]:
    """Yield the fields, each with what it is for; a value may stand in the line below its label, or be missing."""
    end = 0
    for at, line in enumerate(lines):
        kind, value, below = _kind(line), _value(line), lines[at + 1 : at + 2]
        if at < end or not (kind or _FIELD.match(line.text)):
            continue
        own = bool(value.text.strip()) or not below or not below[0].text.strip() or bool(_FIELD.match(below[0].text))
        end = at + (1 if own else 2)
        yield _Field(at, end, "" if kind == "others" else kind, value if own else below[0])


def _value(line: RichLine) -> RichLine:
    found = _FIELD.match(line.text)
    return line.part(found.start("value"), len(line.text)) if found else line.part(len(line.text), len(line.text))


def _kind(line: RichLine) -> str:
    """Return the list that has the label of a line."""
    found = _FIELD.match(line.text) or _ALONE.match(line.text)
    label = " ".join(levelled(found["label"]).split()) if found else ""
    return next((name for name, pattern in _LABELS.items() if pattern.fullmatch(label)), "") if label else ""


def _solid(lines: Sequence[RichLine]) -> list[RichLine]:
    return [line for line in lines if line.text.strip()]


_ALONE: Final = re.compile(r"\W{0,4}(?P<label>[^\W\d_][^:\uff1a|\t]{0,30}?)\W{0,3}$")
_LABELS: Final = {name: words_in(f"form.{name}") for name in ("messages", "names", "addresses", "subjects", "others")}
_TITLES: Final = words_in("form.titles")
_REQUESTERS: Final = words_in("form.requesters")
_DESCRIPTIONS: Final = words_in("form.descriptions")
