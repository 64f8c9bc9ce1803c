"""Unwraps forwarded mails: `default` leaves the mail, `crisp` reads Crisp's header, `forward` what mail programs write."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.mail import Message, RichLine
from triage.domain.untrusted import NOTHING, Untrusted
from triage.policy.sender.forwards import ADDRESS, FORWARD_SUBJECT
from triage.policy.text.sentences import folded, plain
from triage.policy.ticket.text.letter import letter_of

RULE: Final = re.compile(r"[-=_*\u2014\u2013]{3,}")
NAMES: Final = folded("form.names")
ADDRESSES: Final = folded("form.addresses")
OTHERS: Final = folded("form.others") | folded("form.subjects")
MESSAGES: Final = folded("form.messages")
FOOTERS: Final = tuple(folded("crisp.footers"))
HEADER_WITHIN: Final = 20
"""Lines at the top that may hold Crisp's header; further down, `From:` stands in a quotation."""
LONGEST_LABEL: Final = 24
DECORATION: Final = " \t*>|"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unwrapped:
    """Name, address, subject and text as the wrapping claims them; they prove no identity."""

    preprocessor: str
    """`default` also where the preprocessor found nothing to unwrap."""
    name: Untrusted
    address: str
    subject: Untrusted
    text: Untrusted
    note: Untrusted = NOTHING
    """What the forwarder wrote above it."""


def unwrap(message: Message, preprocessor: str = "default") -> Unwrapped:
    """Apply a preprocessor. Raises `KeyError` for a name that is not in `READERS`."""
    return READERS[preprocessor](message)


def as_it_is(message: Message) -> Unwrapped:
    """Leave the mail unchanged."""
    sender = message.sender
    return Unwrapped(
        preprocessor="default",
        name=sender.name if sender else NOTHING,
        address=sender.address if sender else "",
        subject=message.subject,
        text=message.reply or message.text,
    )


def out_of_crisp(message: Message) -> Unwrapped:
    """Take name, address and text from Crisp's header; leave the mail unchanged if it has none."""
    fields, ruled, rest = _header(message.text.splitlines())
    name = next((value for label, value in fields if label in NAMES), "")
    address = next((found for label, value in fields if label in ADDRESSES for found in ADDRESS.findall(value)), "")
    words = _without_footer(rest)
    if not words or not name or not (address or ruled):
        return as_it_is(message)
    return Unwrapped(
        preprocessor="crisp",
        name=Untrusted(_bare(name)),
        address=address.lower(),
        subject=message.subject,
        text=Untrusted(words),
    )


def out_of_forward(message: Message) -> Unwrapped:
    """Take author, subject and text of the mail that a mail program forwarded; leave other mails unchanged."""
    lines = [RichLine(Untrusted(line)) for line in message.text.splitlines()]
    forward = "forward" in message.flags or plain(message.subject.strip()[:12]).startswith(FORWARD_SUBJECT)
    letter = letter_of(lines, sender=f"{message.sender or ''}", forward=forward)
    address = ADDRESS.search(letter.requester)
    if address is None:
        return as_it_is(message)
    return Unwrapped(
        preprocessor="forward",
        name=Untrusted(_bare(letter.requester)),
        address=address[0].lower(),
        subject=Untrusted(letter.subject) or message.subject,
        text=_text_of(letter.lines),
        note=_text_of(letter.note),
    )


def _text_of(lines: Sequence[RichLine]) -> Untrusted:
    return Untrusted("\n".join(line.text for line in lines).strip())


def _header(lines: Sequence[str]) -> tuple[list[tuple[str, str]], bool, list[str]]:
    """Return labels with values, whether a ruled line ends them, and the lines below."""
    fields: list[tuple[str, str]] = []
    for at, line in enumerate(lines[:HEADER_WITHIN]):
        bare = line.strip(DECORATION)
        label, value = _field(bare)
        if label in MESSAGES and fields:
            return fields, True, [value, *lines[at + 1 :]]
        if label in NAMES | ADDRESSES | OTHERS:
            fields.append((label, value))
        elif fields and RULE.fullmatch(line.strip()):
            return fields, True, list(lines[at + 1 :])
        elif fields and bare:
            return fields, False, list(lines[at:])
    return fields, False, []


def _field(line: str) -> tuple[str, str]:
    label, colon, value = line.partition(":")
    known = plain(label).strip(DECORATION) if colon and len(label) <= LONGEST_LABEL else ""
    return known, value.strip(DECORATION)


def _bare(name: str) -> str:
    """Return the name without its address; an address alone serves as the name."""
    return name.partition("<")[0].strip(' "') or name.strip("<> ")


def _without_footer(lines: Sequence[str]) -> str:
    end = next((at for at, line in enumerate(lines) if plain(line).strip(DECORATION).startswith(FOOTERS)), len(lines))
    kept = list(lines[:end])
    while kept and (not kept[-1].strip() or RULE.fullmatch(kept[-1].strip())):
        kept.pop()
    return "\n".join(kept).strip()


READERS: Final[Mapping[str, Callable[[Message], Unwrapped]]] = {
    "default": as_it_is,
    "crisp": out_of_crisp,
    "forward": out_of_forward,
}
"""One for each of `config.agents.profiles.PREPROCESSORS`."""
