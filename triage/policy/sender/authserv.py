"""Proposes AUTHSERV_ID from the headers of a mailbox's newest mails."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from triage.policy.sender.auth_results import results_of
from triage.policy.sender.trust_verdict import STAMP, Edge, above_border, stamped

Fields = Sequence[tuple[str, str]]
"""The header of one mail from the top: names in lower case, values."""

MOST_HOPS: Final = 3
"""Most Received lines of our own servers that are tried."""
SHARE: Final = 0.6
"""Share of mails that a server of ours must have stamped; mail within an organisation often has no stamp."""
GMAIL: Final = "mx.google.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Proposed settings; empty where the mails show nothing."""

    server: str = ""
    """For AUTHSERV_ID."""
    hops: int = 1
    """For TRUSTED_HOPS."""
    profile: str = "rfc"
    """For AUTH_PROFILE."""
    stamped: int = 0
    """Number of mails that support the proposal."""

    @property
    def found(self) -> bool:
        """Tell whether there is a proposal."""
        return bool(self.stamped)


def proven(mails: Sequence[Fields], edge: Edge) -> int:
    """Count the mails that a server of ours has stamped, under the current settings."""
    return sum(bool(stamped(mail, edge)) for mail in mails)


def advice_of(mails: Sequence[Fields]) -> Advice:
    """Propose the server whose stamp stands above a Received line in most mails, with the fewest lines of ours.

    A sender can forge what stands below the lines of our servers in one mail. In most mails of several senders a stamp is
    not forged if the Received line next to it comes from the same server.
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
    """Return the servers that stamped this mail above the border; from two hops on, only the writers of that line."""
    fields = above_border(mail, Edge(hops=hops))
    stamped = [one for name, value in fields if name == STAMP and (one := results_of(value))]
    if hops == 1:
        return {one.server for one in (stamped if any(one.server for one in stamped) else stamped[:1])}
    lines = [value for name, value in mail if name == "received"]
    return {one.server for one in stamped if one.server and _by(lines[hops - 1], one.server)}


def _by(line: str, server: str) -> bool:
    """Tell whether a Received line was written by this server or by another one of its domain."""
    host = line.lower().partition("by ")[2].split(" ", 1)[0].strip("();")
    return host == server or (server.count(".") > 0 and host.endswith("." + _domain(server))) or host == _domain(server)


def _domain(server: str) -> str:
    """Return the name without its first label, where at least two labels remain."""
    rest = server.partition(".")[2]
    return rest if "." in rest else server


def _gmail(mails: Sequence[Fields]) -> Advice | None:
    """Propose the profile for Gmail, which stamps below its own Received lines."""
    depths = Counter(depth for mail in mails if (depth := _depth(mail)))
    if not depths or depths.total() < SHARE * len(mails):
        return None
    return Advice(server=GMAIL, hops=depths.most_common(1)[0][0], profile="gmail", stamped=depths.total())


def _depth(mail: Fields) -> int:
    """Return the number of Received lines above the first stamp if that is Gmail's, else 0."""
    place = next((place for place, (name, _) in enumerate(mail) if name == STAMP), 0)
    results = results_of(mail[place][1]) if place else None
    lines = [value for name, value in mail[:place] if name == "received"]
    return len(lines) if results and results.server == GMAIL and lines and _by(lines[-1], GMAIL) else 0
