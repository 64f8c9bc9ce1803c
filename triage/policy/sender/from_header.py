"""Parses From and Sender, and tells when they can be read in more than one way."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from triage.domain.mail import Message

AMBIGUOUS: Final = ("many-from", "from-disagrees")
"""Flags of a From header that mail programs read differently."""
LONGEST: Final = 2_000
"""Characters of a header that are parsed."""

_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_COMMENT: Final = re.compile(r"\(([^()]*)\)")
_INSIDE: Final = re.compile(r"<[^<>]*\([^<>]*>|\([^()]*\)\s*[@.]|[@.]\s*\(")
_ADDRESS: Final = re.compile(r"[^\s<>\"'(),;:@]{1,128}@([A-Za-z0-9.-]{1,255})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Senders:
    """Other addresses that the header names as sender, each described in a sentence."""

    other_readings: tuple[str, ...] = ()
    """Other readings of the From header; a proof of one of them proves nothing about the other."""
    sent_by: tuple[str, ...] = ()
    """From the Sender header, which assistants, forms and mailing lists write."""
    by_list: bool = False
    """The Sender is the mailing list that delivered the mail."""

    @property
    def all(self) -> tuple[str, ...]:
        """All sentences: other readings first, then the Sender header."""
        return self.other_readings + self.sent_by


def senders_of(message: Message) -> Senders:
    """Return what the header says besides the one address that counts as the sender."""
    sent_by = tuple(dict.fromkeys(_sent_by(message)))
    return Senders(
        other_readings=tuple(_other_readings(message)),
        sent_by=tuple(f"sent by {address}" for address in sent_by),
        by_list=bool(sent_by) and all(_of_list(message, address) for address in sent_by),
    )


def _other_readings(message: Message) -> Iterator[str]:
    yield from (flag for flag in AMBIGUOUS if flag in message.flags)
    own = message.sender.domain if message.sender else ""
    plain = _QUOTED.sub(" ", message.header("from")[:LONGEST])
    if _INSIDE.search(plain):
        yield "a comment inside the address"
    named = (found for comment in _COMMENT.findall(plain) for found in _ADDRESS.finditer(comment))
    yield from (f"a comment names {found[0].lower()}" for found in named if found[1].lower().rstrip(".") != own)


def _sent_by(message: Message) -> Iterator[str]:
    """Yield the addresses of Sender headers that differ from the From header."""
    own = message.sender.address if message.sender else ""
    for name, value in message.headers:
        if name == "sender":
            found = [one[0].lower() for one in _ADDRESS.finditer(_QUOTED.sub(" ", value[:LONGEST]))]
            yield from (one for one in found[-1:] if one != own)


def _of_list(message: Message, address: str) -> bool:
    """Tell whether the list's own fields name the domain of the Sender."""
    domain = address.rpartition("@")[2]
    fields = f"{message.header('list-id')} {message.header('list-post')}".lower()
    return re.search(rf"[@.<]{re.escape(domain)}\b", fields) is not None
