"""Who sent it, and how sure is that? From what the provider says, or what our own mail servers wrote on top."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from triage.domain.mail import Message, Signature, Trust
from triage.policy.auth_results import Result, Results, results_of

AMBIGUOUS: Final = ("many-from", "from-disagrees")
"""Flags of a From that mail programs read in different ways."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """The servers of ours that check mail, and how far down their lines reach."""

    servers: frozenset[str] = frozenset()
    """Their authserv-ids in lower case."""
    hops: int = 1
    """Received lines that our servers write, from the top."""
    profile: Literal["rfc", "m365"] = "rfc"
    """Microsoft 365 names no server: its field is the topmost one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustVerdict:
    """How much, and why."""

    trust: Trust
    evidence: tuple[str, ...] = ()

    def capped(self, *why: str) -> "TrustVerdict":
        """No more than unverified, for these reasons; a forgery stays one."""
        if not why:
            return self
        trust = self.trust if self.trust is Trust.FAILED else Trust.UNVERIFIED
        return TrustVerdict(trust=trust, evidence=(*self.evidence, *why))


def trust_of(message: Message, verdict: Trust | None, edge: Edge, signatures: Sequence[Signature] = ()) -> TrustVerdict:
    """The provider's word where it gave one, else that of our own servers, else what we have checked ourselves.

    A From that is no one's is unverified.
    """
    fields = stamped(message.headers, edge)
    if verdict is not None:
        found = TrustVerdict(trust=verdict, evidence=("as the provider says",))
    elif fields or not signatures:
        found = _checked(message, fields)
    else:
        found = _checked_here(message, signatures)
    return found.capped(*(flag for flag in AMBIGUOUS if flag in message.flags))


def unproven(message: Message, verdict: Trust | None, edge: Edge) -> str:
    """The sender's domain where nobody whom we trust has said a word, so that a check of our own is worth its time."""
    odd = any(flag in AMBIGUOUS or flag.startswith("degraded:") for flag in message.flags)
    if verdict is not None or odd or stamped(message.headers, edge):
        return ""
    return message.sender.domain if message.sender else ""


def behind_edge(source: str, edge: Edge) -> Edge:
    """The edge where mails of this source come through it; a provider's webhook goes round it."""
    around = source.startswith("webhook:") and source != "webhook:mime"
    return replace(edge, servers=frozenset(), profile="rfc") if around else edge


def stamped(headers: Iterable[tuple[str, str]], edge: Edge) -> tuple[Results, ...]:
    """The fields that our servers wrote: named as configured, and above the first Received line of somebody else.

    Whoever sends the mail can write such fields too, but only below (RFC 8601, 5).
    """
    fields = list(headers)
    received = [place for place, (name, _) in enumerate(fields) if name == "received"]
    if len(received) < edge.hops:
        return ()
    border = received[edge.hops] if len(received) > edge.hops else len(fields)
    found = [results_of(value) for name, value in fields[:border] if name == "authentication-results"]
    if edge.profile == "m365":
        return tuple(one for one in found[:1] if one and not one.server)
    return tuple(one for one in found if one and one.server in edge.servers)


def _checked(message: Message, fields: tuple[Results, ...]) -> TrustVerdict:
    """DMARC proves the From header; DKIM and SPF for its domain speak for it."""
    domain = message.sender.domain if message.sender else ""
    dmarc = _of(fields, "dmarc")
    if any(one.value == "fail" for one in dmarc):
        return TrustVerdict(trust=Trust.FAILED, evidence=("dmarc=fail",))
    if domain and dmarc and all(one.value == "pass" and one.domain("header.from") == domain for one in dmarc):
        return TrustVerdict(trust=Trust.VERIFIED, evidence=(f"dmarc=pass for {domain}",))
    speaking = tuple(_speaking(fields, domain)) if domain else ()
    if speaking:
        return TrustVerdict(trust=Trust.WEAK, evidence=speaking)
    return TrustVerdict(trust=Trust.UNVERIFIED, evidence=("no proof of our servers",))


def _checked_here(message: Message, signatures: Sequence[Signature]) -> TrustVerdict:
    """As if one of our servers had written it down."""
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
    """The results of the topmost field that has any of this method: one below it may be a forgery."""
    told = (tuple(one for one in field.results if one.method == method) for field in fields)
    return next((results for results in told if results), ())


def _aligned(found: str, domain: str) -> bool:
    """The same domain, or one above or below the other; enough to speak for it, not to prove it."""
    return "." in found and (found == domain or found.endswith(f".{domain}") or domain.endswith(f".{found}"))
