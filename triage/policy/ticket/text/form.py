"""Reads what a form on a website was filled with: who wrote, about what, the message, the other fields."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from triage.domain.mail import RichLine
from triage.policy.sender.forwards import ADDRESS
from triage.policy.text.word_patterns import levelled, one_of

WITHIN: Final = 30
"""Lines from the top among which the label of the message stands."""
LEAST: Final = 2
"""Fields above the message."""
INTRODUCED: Final = 2
"""Most lines above the first field: `You have a new message from your website:`."""
_FIELD: Final = re.compile(
    r"\W{0,4}(?P<label>[^\W\d_][^:\uff1a|\t]{0,30}?)[*_]{0,2}(?:\s?[:\uff1a]|\s\|\s|\t)[*_]{0,2}\s*(?P<value>.*)$"
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
_LABELS: Final = {
    name: re.compile(one_of(f"form.{name}")) for name in ("messages", "names", "addresses", "subjects", "others")
}
