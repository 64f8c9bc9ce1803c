"""Trust in a sender from the provider's verdict or from our own mail servers' headers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final, Literal

from triage.domain.mail import Message, Signature, Trust
from triage.policy.sender.auth_results import Result, Results, results_of
from triage.policy.sender.from_header import AMBIGUOUS, senders_of

STAMP: Final = "authentication-results"
ODD_WAY: Final = {
    "received-backwards": "its Received lines go back in time",
    "received-defects": "its Received lines cannot all be read",
}
"""Flags about the way of a mail. They are shown and change nothing: honest clocks and servers err, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """Our own servers that check mail, and how many Received lines they write."""

    servers: frozenset[str] = frozenset()
    """Authserv-ids in lower case."""
    hops: int = 1
    """Received lines that our servers write at the top; the lowest of them is the border."""
    profile: Literal["rfc", "m365", "gmail"] = "rfc"
    """Microsoft 365 names no server and writes the topmost field; Gmail writes its field below its Received lines."""

    @property
    def checks(self) -> bool:
        """Tell whether our servers check each mail."""
        return bool(self.servers) or self.profile == "m365"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustVerdict:
    """The trust in a sender, with reasons."""

    trust: Trust
    evidence: tuple[str, ...] = ()

    def capped(self, *why: str, at: Trust = Trust.UNVERIFIED) -> "TrustVerdict":
        """Lower the trust to `at`, for these reasons."""
        if not why:
            return self
        return TrustVerdict(trust=min(self.trust, at, key=attrgetter("rank")), evidence=(*self.evidence, *why))

    def noted(self, *what: str) -> "TrustVerdict":
        """Keep the trust and add notes for the reader."""
        return replace(self, evidence=(*self.evidence, *what))


def trust_of(message: Message, verdict: Trust | None, edge: Edge, signatures: Sequence[Signature] = ()) -> TrustVerdict:
    """Use the provider's verdict, else the headers of our own servers, else the signatures that we have checked.

    An ambiguous From is unverified, and so is a mail that somebody else has sent; mail from a mailing list is weak at
    most. Notes about the way of the mail never change the trust.
    """
    fields = stamped(message.headers, edge)
    if verdict is not None:
        found = TrustVerdict(trust=verdict, evidence=("as the provider says",))
    elif fields or not signatures:
        found = _checked(message, fields, tuple(_not_believed(message, edge)))
    else:
        found = _checked_here(message, signatures)
    senders = senders_of(message)
    handed_on = Trust.WEAK if senders.by_list else Trust.UNVERIFIED
    judged = found.capped(*senders.other_readings).capped(*senders.sent_by, at=handed_on)
    return judged.noted(*_delivery_evidence(message, edge))


def unproven(message: Message, verdict: Trust | None, edge: Edge) -> str:
    """Return the sender's domain if no trusted check exists and our own DKIM check is worth its time; else nothing."""
    odd = any(flag in AMBIGUOUS or flag.startswith("degraded:") for flag in message.flags)
    if verdict is not None or odd or stamped(message.headers, edge):
        return ""
    return message.sender.domain if message.sender else ""


def behind_edge(source: str, edge: Edge) -> Edge:
    """Return the edge for mails of this source; a provider's webhook bypasses our servers."""
    around = source.startswith("webhook:") and source != "webhook:mime"
    return replace(edge, servers=frozenset(), profile="rfc") if around else edge


def above_border(headers: Iterable[tuple[str, str]], edge: Edge) -> tuple[tuple[str, str], ...]:
    """Return the fields above the last Received line of our servers; none if there are fewer lines than configured.

    The sender can write everything below it, Received lines included.
    """
    fields = tuple(headers)
    received = [place for place, (name, _) in enumerate(fields) if name == "received"]
    return fields[: received[edge.hops - 1]] if 0 < edge.hops <= len(received) else ()


def stamped(headers: Iterable[tuple[str, str]], edge: Edge) -> tuple[Results, ...]:
    """Return the Authentication-Results of our servers: configured name, above the border (RFC 8601, section 5)."""
    fields = tuple(headers)
    if edge.profile == "gmail":
        return _of_gmail(fields, edge)
    found = [results_of(value) for name, value in above_border(fields, edge) if name == STAMP]
    if edge.profile == "m365":
        return tuple(one for one in found[:1] if one and not one.server)
    return tuple(one for one in found if one and one.server in edge.servers)


def _delivery_evidence(message: Message, edge: Edge) -> Iterator[str]:
    """Yield who handed the mail to our servers, as the lowest of them wrote, and what is odd about its way."""
    border = message.hops[edge.hops - 1 : edge.hops] if edge.checks and edge.hops > 0 else ()
    yield from (f"handed to our servers by {hop.sender}" for hop in border if hop.sender)
    yield from (label for flag, label in ODD_WAY.items() if flag in message.flags)


def _of_gmail(fields: Sequence[tuple[str, str]], edge: Edge) -> tuple[Results, ...]:
    """Return Gmail's field, which is the first: Gmail stamps every mail and removes fields that claim to be its own.

    It stands between Gmail's Received lines and what the sender's servers wrote:
    https://support.google.com/mail/answer/29436
    """
    inside = above_border((*fields, ("received", "")), replace(edge, hops=edge.hops + 1))
    first = next((results_of(value) for name, value in inside if name == STAMP), None)
    return (first,) if first and first.server in edge.servers else ()


def _not_believed(message: Message, edge: Edge) -> Iterator[str]:
    """Yield fields that name our servers below the border: they are forged, or TRUSTED_HOPS is too low."""
    if edge.servers and not stamped(message.headers, edge):
        found = (results_of(value) for name, value in message.headers if name == STAMP)
        for server in sorted({one.server for one in found if one and one.server in edge.servers}):
            yield f"Authentication-Results of {server} stand below our Received lines: not believed, see TRUSTED_HOPS"


def _checked(message: Message, fields: tuple[Results, ...], odd: tuple[str, ...] = ()) -> TrustVerdict:
    """Judge the results: DMARC verifies the From header; DKIM and SPF of its domain are weak."""
    domain = message.sender.domain if message.sender else ""
    dmarc = _of(fields, "dmarc")
    if any(one.value == "fail" for one in dmarc):
        return TrustVerdict(trust=Trust.FAILED, evidence=("dmarc=fail",))
    if domain and dmarc and all(one.value == "pass" and one.domain("header.from") == domain for one in dmarc):
        return TrustVerdict(trust=Trust.VERIFIED, evidence=(f"dmarc=pass for {domain}",))
    speaking = tuple(_speaking(fields, domain)) if domain else ()
    if speaking:
        return TrustVerdict(trust=Trust.WEAK, evidence=speaking)
    return TrustVerdict(trust=Trust.UNVERIFIED, evidence=("no proof of our servers", *odd))


def _checked_here(message: Message, signatures: Sequence[Signature]) -> TrustVerdict:
    """Judge the signatures that we have checked as if one of our servers had reported them."""
    results = tuple(Result(method="dkim", value=one.result, properties={"header.d": one.domain}) for one in signatures)
    found = _checked(message, (Results(server="", results=results),))
    here = (f"dkim={one.result} for {one.domain}{one.why and f': {one.why}'}, checked here" for one in signatures)
    return TrustVerdict(trust=found.trust, evidence=tuple(here))


def _speaking(fields: tuple[Results, ...], domain: str) -> Iterator[str]:
    for method, names in (("dkim", ("header.d", "header.i")), ("spf", ("smtp.mailfrom",))):
        for one in _of(fields, method):
            found = next((one.domain(name) for name in names if one.domain(name)), "")
            if one.value == "pass" and _aligned(found, domain):
                yield f"{method}=pass for {found}"


def _of(fields: tuple[Results, ...], method: str) -> tuple[Result, ...]:
    """Return the results of the topmost field with this method; a lower one may be forged."""
    by_field = (tuple(one for one in field.results if one.method == method) for field in fields)
    return next((results for results in by_field if results), ())


def _aligned(found: str, domain: str) -> bool:
    """Tell whether the domains are equal or one contains the other; such a result is weak."""
    return "." in found and (found == domain or found.endswith(f".{domain}") or domain.endswith(f".{found}"))
