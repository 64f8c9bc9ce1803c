"""Finds who forwarded a mail: by forwarding headers, or by a forward block in the body."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.mail import Message
from triage.policy.text.sentences import folded, plain

HEADERS: Final = frozenset(
    {"x-forwarded-from", "x-forwarded-for", "resent-from", "resent-sender", "x-original-forwarder", "return-path"}
)
"""Return-Path holds the envelope's sender, which is whoever forwarded the mail."""
ADDRESS: Final = re.compile(r"[\w.+'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
RULED: Final = re.compile(r"^[-_ ]{0,40}([^-_].{0,60}?)[-_ :]{0,40}$")
MARKERS: Final = folded("forward.markers")
OUTLOOK_MARKERS: Final = folded("forward.outlook_markers")
"""Replies have them too, so that the subject must announce a forward."""
FORWARD_SUBJECT: Final = tuple(f"{prefix}:" for prefix in folded("forward.subjects"))
FROM: Final = tuple(folded("forward.from_fields"))
SENT: Final = tuple(folded("forward.sent_fields"))
WITHIN: Final = 8
"""Lines below the marker that may hold the sender."""
LOOKED_AT: Final = 400
"""Lines of the text that are searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forward:
    """An address that forwarded the mail or whose mail was forwarded."""

    address: str
    """In lower case."""
    where: str
    """`return-path header`, `forward block`."""
    header: bool
    ours: bool = False
    """One of our own servers wrote the field."""


def forwards_of(message: Message, border: Sequence[tuple[str, str]]) -> Iterator[Forward]:
    """Yield the addresses; `border` holds the topmost header fields, which our own servers wrote."""
    for place, (name, value) in enumerate(message.headers):
        if name in HEADERS:
            for address in ADDRESS.findall(value[:1000]):
                ours = place < len(border)
                yield Forward(address=address.lower(), where=f"{name} header", header=True, ours=ours)
    line = _block_sender(message)
    for address in ADDRESS.findall(line):
        yield Forward(address=address.lower(), where="forward block", header=False)


def _block_sender(message: Message) -> str:
    """Return the sender's line of the first forward block; blocks in quoted text belong to older mails."""
    lines = [line.strip()[:500] for line in message.text.splitlines()[:LOOKED_AT]]
    forward = plain(message.subject.strip()[:12]).startswith(FORWARD_SUBJECT)
    for at, line in enumerate(lines):
        if line and (_is_marker(line, MARKERS) or (forward and _is_outlook(lines, at))):
            below = lines[at : at + WITHIN]
            return next((below_line for below_line in below if plain(below_line.lstrip("* ")).startswith(FROM)), "")
    return ""


def _is_marker(line: str, markers: frozenset[str]) -> bool:
    ruled = RULED.match(line)
    return ruled is not None and plain(ruled.group(1)).strip() in markers


def _is_outlook(lines: Sequence[str], at: int) -> bool:
    """Tell whether Outlook's marker stands here, or a sender's line with a date or recipient right below it."""
    if _is_marker(lines[at], OUTLOOK_MARKERS):
        return True
    below = plain(lines[at + 1]).lstrip("* ") if at + 1 < len(lines) else ""
    return plain(lines[at]).lstrip("* ").startswith(FROM) and below.startswith(SENT)
