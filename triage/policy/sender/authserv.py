"""Proposes AUTHSERV_ID from the headers of a mailbox's newest mails."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from triage.policy.sender.auth_results import results_of
from triage.policy.sender.trust_verdict import STAMP, Edge, above_border, stamped

Fields = Sequence[tuple[str, str]]
"""The header of one mail: names in lower case and values, from the top."""

MOST_HOPS: Final = 3
"""Received lines of our own servers that are thought of."""
SHARE: Final = 0.6
"""Of the mails that a server of ours must have stamped; what people of the house send often has no stamp."""
GMAIL: Final = "mx.google.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to set, as far as the mails say; everything is empty where they say nothing."""

    server: str = ""
    """AUTHSERV_ID."""
    hops: int = 1
    """TRUSTED_HOPS."""
    profile: str = "rfc"
    """AUTH_PROFILE."""
    stamped: int = 0
    """Mails that say so."""

    @property
    def found(self) -> bool:
        """There is something to set."""
        return bool(self.stamped)


def proven(mails: Sequence[Fields], edge: Edge) -> int:
    """How many of these mails a server of ours has stamped, by the settings as they are."""
    return sum(bool(stamped(mail, edge)) for mail in mails)


def advice_of(mails: Sequence[Fields]) -> Advice:
    """The server that stands in most of the mails above a Received line, with as few lines of ours as will do.

    A sender writes below the lines of our servers. What stands there in one mail may be forged; in most mails of several
    senders it is not, if the Received line next to it is of the same server.
    """
    if first := _gmail(mails):
        return first
    for hops in range(1, MOST_HOPS + 1):
        found = Counter(server for mail in mails for server in _servers(mail, hops))
        server, count = max(found.items(), key=lambda one: (one[1], one[0]), default=("", 0))
        if count and count >= SHARE * len(mails):
            profile = "rfc" if server else "m365"
            return Advice(server=server, hops=hops, profile=profile, stamped=count)
    return Advice()


def _servers(mail: Fields, hops: int) -> set[str]:
    """Who has stamped this mail above the border; from the second line on only who has written that line, too."""
    fields = above_border(mail, Edge(hops=hops))
    told = [one for name, value in fields if name == STAMP and (one := results_of(value))]
    if hops == 1:
        return {one.server for one in (told if any(one.server for one in told) else told[:1])}
    lines = [value for name, value in mail if name == "received"]
    return {one.server for one in told if one.server and _by(lines[hops - 1], one.server)}


def _by(line: str, server: str) -> bool:
    """The Received line is of this server, or of another one of its domain."""
    host = line.lower().partition("by ")[2].split(" ", 1)[0].strip("();")
    return host == server or (server.count(".") > 0 and host.endswith("." + _domain(server))) or host == _domain(server)


def _domain(server: str) -> str:
    """The name without its first label, where enough is left."""
    rest = server.partition(".")[2]
    return rest if "." in rest else server


def _gmail(mails: Sequence[Fields]) -> Advice | None:
    """Gmail, which stamps below its own Received lines."""
    depths = Counter(depth for mail in mails if (depth := _depth(mail)))
    if not depths or depths.total() < SHARE * len(mails):
        return None
    return Advice(server=GMAIL, hops=depths.most_common(1)[0][0], profile="gmail", stamped=depths.total())


def _depth(mail: Fields) -> int:
    """Received lines above the first stamp, where that is Gmail's own; else 0."""
    place = next((place for place, (name, _) in enumerate(mail) if name == STAMP), 0)
    told = results_of(mail[place][1]) if place else None
    lines = [value for name, value in mail[:place] if name == "received"]
    return len(lines) if told and told.server == GMAIL and lines and _by(lines[-1], GMAIL) else 0
