"""Replaces addresses, phone numbers, account numbers and names by placeholders in what a model sees, and puts them back.

A conversation only grows, and placeholders are numbered in its order: so each round, also after a restart, has the same ones,
and nothing has to be stored.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from triage.domain.conversation import ChatMessage, Messages, Role, Turn
from triage.domain.text.stand_ins import StandIns
from triage.policy.privacy.secrets import CARD, IBAN, card_in, iban_in
from triage.policy.text.author_text import letter_end

EXPLAINED: Final = (
    "\n\nPlaceholders such as [EMAIL_1], [PHONE_1] or [PERSON_1] stand for data that you are not shown. Each stands for one "
    "value. Where you need a value write its placeholder, exactly."
)
"""Stands at the end of the first message if there is a placeholder."""
SHORTEST_NAME: Final = 3
"""Letters of a part of a name that is replaced alone."""
LONGEST_NAME: Final = 60
_KINDS: Final = "EMAIL|PHONE|IBAN|CARD|PERSON|TEXT"
_PLACED: Final = re.compile(
    rf"\\{{0,2}}\[\s?({_KINDS})\\{{0,2}}_(\d{{1,5}})\s?\\{{0,2}}\]|(?<![\w\[\\])({_KINDS})\\{{0,2}}_(\d{{1,5}})(?!\w)"
)
"""A placeholder as models write it: with brackets or without, escaped for Markdown, and that in JSON."""
_EMAIL: Final = re.compile(r"(?<![\w.+%-])[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])")
_DIGITS: Final = r"(?:[ ().\-/\u00a0\u2011\u2013]{0,3}\d)"
_PHONE: Final = re.compile(
    rf"""
      (?:(?<![\w.,/+-])\+|(?<![\w.,:/+-])00)[1-9](?:\(0\))?{_DIGITS}{{6,14}}(?![\w]|[.,:-]\d)
    | (?<![\w.,:/+-])\(?[2-9]\d\d\)?[ .-][2-9]\d\d[ .-]\d{{4}}(?![\w]|[.,:/-]\d)
    | (?<![\w.,:/+-])\(0\d{{1,5}}\){_DIGITS}{{4,10}}(?![\w]|[.,:-]\d)
    | (?<![\w.,:/+-])0[1-9]\d{{1,4}}[ ]?[/-][ ]?\d(?:[ -]?\d){{3,9}}(?![\w]|[.,:/-]\d)
    | (?i:(?<!\w)(?:tel(?:e?phone|efono|efon|éfono|éphone)?|phone|mobile?|mob|cell|fax|fon|handy|gsm|ph|тел|電話|电话)[.]?[ ]?[:\uff1a.]?[ ]{{0,3}})
      \(?\d{_DIGITS}{{5,14}}(?![\w])
    """,
    re.VERBOSE,
)
_NUMBER: Final = re.compile(r"[+(]?\d.*", re.DOTALL)
_WORD: Final = r"[^\W\d_](?:[^\W\d_]|['\u2019.-]){0,40}"
_BESIDE_ADDRESS: Final = re.compile(rf"(?<!\w)[\"']?({_WORD}(?:,? {_WORD}){{0,4}})[\"']?\s{{0,2}}<[^<>\s]{{1,64}}@")
_FROM: Final = re.compile(r"^From: ([^<>\n]{1,60}?) ?<[^<>\s]{1,64}@", re.MULTILINE)
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_SIGNED: Final = re.compile(rf"{_WORD}(?: {_WORD}){{0,3}}")


@dataclass(slots=True)
class Placeholders:
    """What stands for what in one conversation."""

    _stand_ins: StandIns = field(default_factory=StandIns)
    values: dict[str, str] = field(default_factory=dict)
    """Placeholder → value as first written."""

    def of(self, kind: str, value: str) -> str:
        """Return the placeholder of a value, a new one for a new value."""
        same = re.sub(r"\D", "", value) if kind in {"PHONE", "CARD"} else value.replace(" ", "").casefold()
        named = self._stand_ins.of(kind, value if kind in {"PERSON", "TEXT"} else same, f"[{kind}_{{}}]".format)
        self.values.setdefault(named, value)
        return named

    def put_back(self, text: str, written: Callable[[str], str] = str) -> str:
        """Return the text with the values in the place of their placeholders, each as `written` writes it."""

        def value(found: re.Match[str]) -> str:
            known = self.values.get(f"[{found[1] or found[3]}_{found[2] or found[4]}]")
            return found[0] if known is None else written(known)

        return _PLACED.sub(value, text)


def redacted(conversation: Messages, *, personal: bool) -> tuple[Messages, Placeholders]:
    """Return what the model sees, and what the placeholders stand for.

    Mail addresses always; if `personal` phone numbers, IBANs, card numbers and names, too. Text that looks like a placeholder gets
    one itself, so that a mail cannot have another value put in its place.
    """
    known = Placeholders()
    names = _names(conversation) if personal else None
    shown = tuple(_without_values(message, known, names) for message in conversation)
    if known.values and shown:
        shown = (replace(shown[0], text=shown[0].text + EXPLAINED), *shown[1:])
    return shown, known


def masked(text: str) -> str:
    """Return a text with placeholders for addresses, numbers and names, for readers whom it was not written for."""
    return _hidden(text, Placeholders(), _names((ChatMessage(role=Role.USER, text=text),)))


def unredacted(turn: Turn, known: Placeholders) -> Turn:
    """Return the model's answer with values in the place of placeholders, in text and arguments."""
    calls = tuple(replace(call, arguments=known.put_back(call.arguments, _in_json)) for call in turn.calls)
    return replace(turn, text=known.put_back(turn.text), calls=calls)


def _in_json(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)[1:-1]


def _without_values(message: ChatMessage, known: Placeholders, names: re.Pattern[str] | None) -> ChatMessage:
    calls = tuple(replace(call, arguments=_hidden(call.arguments, known, names)) for call in message.calls)
    return replace(message, text=_hidden(message.text, known, names), calls=calls)


def _hidden(text: str, known: Placeholders, names: re.Pattern[str] | None) -> str:
    """Replace kind after kind; a later kind does not match the placeholders of an earlier one."""
    text = _PLACED.sub(lambda found: known.of("TEXT", found[0]), text)
    text = _EMAIL.sub(lambda found: known.of("EMAIL", found[0]), text)
    if names is None:
        return text
    text = IBAN.sub(lambda found: _beginning("IBAN", iban_in(found), found[0], known), text)
    text = CARD.sub(lambda found: _beginning("CARD", card_in(found), found[0], known), text)
    text = _PHONE.sub(lambda found: _phone(found[0], known), text)
    return names.sub(lambda found: known.of("PERSON", found[0]), text)


def _beginning(kind: str, value: str, found: str, known: Placeholders) -> str:
    return known.of(kind, value) + found[len(value) :] if value else found


def _phone(found: str, known: Placeholders) -> str:
    """Keep the label before the number."""
    number = _NUMBER.search(found)
    return found[: number.start()] + known.of("PHONE", number[0]) if number else found


def _names(conversation: Messages) -> re.Pattern[str]:
    """Match the names that stand beside an address or below a closing in the opening, and their parts.

    A part that the text also writes in lower case is a word: `Mark` beside `mark it`.
    """
    opening = [one.text for one in conversation if one.role in {Role.SYSTEM, Role.USER}]
    whole = dict.fromkeys(name for text in opening for name in (*_beside_addresses(text), *_signed(text)))
    words = {word for text in opening for word in _LETTERS.findall(_EMAIL.sub(" ", text)) if word.islower()}
    parts = {part for name in whole for part in _LETTERS.findall(name) if len(part) >= SHORTEST_NAME}
    sure = {part for part in parts if part[0].isupper() and part.casefold() not in words}
    found = sorted({*whole, *sure} - {""}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, found))})(?!\w)" if found else r"(?!)")


def _beside_addresses(text: str) -> Iterator[str]:
    yield from (found[1].strip(" \"'") for found in _FROM.finditer(text))
    for found in _BESIDE_ADDRESS.finditer(text):
        name = found[1].strip(" .-'")
        if len(name) <= LONGEST_NAME and name[:1].isupper():
            yield name


def _signed(text: str) -> Iterator[str]:
    """Yield the name below each closing: the first line with text after it."""
    lines = text.splitlines()
    start = 0
    while (end := start + letter_end(lines[start:])) < len(lines):
        below = next((line.strip(" ,*_-") for line in lines[end + 1 : end + 4] if line.strip(" -")), "")
        if _SIGNED.fullmatch(below) and len(below) <= LONGEST_NAME and _is_name(below):
            yield below
        start = end + 1


def _is_name(line: str) -> bool:
    """Whether each word begins as names do."""
    return all(word[0].isupper() or word in _PARTICLES for word in line.split()) and line[0].isupper()


_PARTICLES: Final = frozenset(
    [
        *("de", "da", "di", "du", "del", "della", "van", "von", "der", "den", "ter", "la", "le", "dos"),
        *("das", "bin", "al", "el", "y", "e"),
    ]
)
