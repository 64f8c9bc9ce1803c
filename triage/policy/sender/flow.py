"""Tells from the raw bytes whose mail it is for the fair order of the queue; the parser looks properly later."""

import re
from typing import Final

from triage.domain.queueing.fair_order import Flow
from triage.policy.sender.machine_patterns import DAEMONS, MACHINES, NO_REPLY
from triage.policy.thread.fingerprint import person

READ: Final = 32_000
"""Bytes of the headers that are looked at."""

_END: Final = re.compile(rb"\r?\n\r?\n")
_FROM: Final = re.compile(rb"(?im)^from:((?:[^\r\n]|\r?\n[ \t])*)")
_ASIDE: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|\([^()]*\)')
_ADDRESS: Final = re.compile(rb"[^\s<>\"'(),;:@]{1,128}@[A-Za-z0-9.-]{1,255}")
_PROGRAM: Final = re.compile(
    rb"(?im)^(?:auto-submitted:[ \t]*(?!no\b)[a-z]|precedence:[ \t]*(?:bulk|list|junk)|list-(?:id|unsubscribe):|x-auto-?re(?:ply|sponse)"
    rb"|return-path:[ \t]*<>)"
)


def flow_of(raw: bytes) -> Flow:
    """Return the sender and whether a program wrote it."""
    head = raw[:READ]
    end = _END.search(head)
    head = head[: end.start()] if end else head
    address = _address(head)
    return Flow(person(address) if address else "", automated=_PROGRAM.search(head) is not None or _robot(address))


def _address(head: bytes) -> str:
    field = _FROM.search(head)
    found = _ADDRESS.search(_ASIDE.sub(b" ", field[1])) if field else None
    return found[0].decode("ascii", "replace").lower() if found else ""


def _robot(address: str) -> bool:
    local = address.rpartition("@")[0]
    return any(pattern.fullmatch(local) for pattern in (DAEMONS, MACHINES)) or NO_REPLY.search(local) is not None
