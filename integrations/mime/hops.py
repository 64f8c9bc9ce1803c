"""Reads the hops of a mail from its Received headers; a malformed header is skipped."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from mailparser.exceptions import MailParserReceivedParsingError
from mailparser.utils import parse_received

from integrations.mime.headers import date_of
from integrations.mime.html.invisible import one_line
from triage.domain.mail import Hop
from triage.domain.untrusted import Untrusted

MAX_HOPS: Final = 30
"""Servers stop a mail that went through so many: it goes round in circles."""
MAX_LINE: Final = 2000
MAX_NAME: Final = 120
SKEW: Final = 300.0
"""Seconds that clocks of honest servers may differ."""
DEFECTS: Final = "received-defects"
BACKWARDS: Final = "received-backwards"


def hops_of(lines: Sequence[str], odd: set[str]) -> tuple[Hop, ...]:
    """One for each Received line, in the order of the header: the last server first.

    What is odd about them is flagged. It proves nothing: all below the lines of our own servers is the sender's word.
    """
    if len(lines) > MAX_HOPS:
        odd.add(DEFECTS)
    hops: list[Hop] = []
    earlier: datetime | None = None
    for line in reversed(lines[:MAX_HOPS]):
        hop = _hop(line, earlier, odd)
        earlier = hop.at
        if hop.defect:
            odd.add(DEFECTS)
        if hop.delay is not None and hop.delay < -SKEW:
            odd.add(BACKWARDS)
        hops.append(hop)
    return tuple(reversed(hops))


def _hop(line: str, earlier: datetime | None, odd: set[str]) -> Hop:
    """What one line says; nothing but its defect where it cannot be understood."""
    if len(line) > MAX_LINE:
        return Hop(defect="too-long")
    problems: list[dict[str, object]] = []
    try:
        clauses = parse_received(line, defects=problems)
    except MailParserReceivedParsingError as e:
        # Servers write lines without clauses, too (RFC 5322, 4.5.7): those are no defect, they only say nothing.
        return Hop(defect="" if str(e).startswith("Unable to match") else _plain(str(e), odd))
    except Exception:  # noqa: BLE001 - the bytes are a stranger's: no failure of a library may cost the mail
        return Hop(defect="unreadable")
    at = date_of(clauses.get("date", ""))
    reasons = [str(one.get("reason")) for one in problems] + (["no-date"] if at is None else [])
    return Hop(
        sender=Untrusted(_plain(clauses.get("from", ""), odd)),
        by=Untrusted(_plain(clauses.get("by", ""), odd)),
        protocol=Untrusted(_plain(clauses.get("with", ""), odd)),
        at=at,
        delay=(at - earlier).total_seconds() if at and earlier else None,
        defect=_plain(next(iter(reasons), ""), odd),
    )


def _plain(text: str, odd: set[str]) -> str:
    """On one line, and not longer than a name is."""
    return one_line(text[:MAX_NAME], odd)
