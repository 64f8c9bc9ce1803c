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
"""Most hops; servers stop a mail with more, since it loops."""
MAX_LINE: Final = 2000
MAX_NAME: Final = 120
SKEW: Final = 300.0
"""Seconds by which clocks of honest servers may differ."""
DEFECTS: Final = "received-defects"
BACKWARDS: Final = "received-backwards"


def hops_of(lines: Sequence[str], odd: set[str]) -> tuple[Hop, ...]:
    """Parse all Received lines in the order of the header: the last server comes first.

    Defects are flagged and prove nothing: the sender can write all lines below those of our own servers.
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
    """Parse one line; a line that cannot be parsed gives a hop with its defect only."""
    if len(line) > MAX_LINE:
        return Hop(defect="too-long")
    problems: list[dict[str, object]] = []
    try:
        clauses = parse_received(line, defects=problems)
    except MailParserReceivedParsingError as e:
        # A Received line may have no clauses (obsolete syntax, RFC 5322, section 4.5.7): that is no defect.
        return Hop(defect="" if str(e).startswith("Unable to match") else _plain(str(e), odd))
    except Exception:  # noqa: BLE001 - untrusted bytes: no failure of a library may lose the mail
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
    """Return the text on one line, cut to the length of a name."""
    return one_line(text[:MAX_NAME], odd)
