"""Tests which route a mail would take and why, from its bytes alone: reads no store and no Jira, and writes nothing."""

from collections.abc import Iterator
from dataclasses import dataclass

from triage.config.routing.rule import RoutingRule
from triage.domain.findings import Cues, Disposition, Route
from triage.domain.mail import Message, Trust
from triage.policy.decision.disposition.disposition import Facts, disposition_of
from triage.policy.routing.conditions import Proof, RouteFacts
from triage.policy.routing.route import RuleReading, explained, route_of, without_proof
from triage.policy.routing.unreachable import unreachable
from triage.policy.sender.from_header import senders_of
from triage.policy.sender.kind import kind_of
from triage.policy.sender.trust_verdict import Edge, above_border, behind_edge, trust_of
from triage.policy.text.cues import cues_of, languages_of
from triage.toolsets.context import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteTest:
    """The route of one mail, and the reading of every rule."""

    route: Route
    facts: RouteFacts
    trust_because: tuple[str, ...]
    readings: tuple[RuleReading, ...]


@dataclass(frozen=True, slots=True)
class RouteTester:
    """Called by `triage route` and the API. Thread, history and the project's people are not known here."""

    rules: Rules

    def test(self, message: Message, source: str = "file", verdict: Trust | None = None) -> RouteTest:
        """Route a mail as if it came by this source, with this verdict of a provider."""
        facts, because = self._facts(message, source, verdict)
        table = self.rules.routing
        readings = tuple(explained(facts, table))
        return RouteTest(route=route_of(facts, table), facts=facts, trust_because=because, readings=readings)

    def cues(self, message: Message) -> Cues:
        return cues_of(message, severity=self.rules.severity)

    def warnings(self) -> Iterator[str]:
        """Yield problems of the rules: evidence that is never checked, and rules that no mail reaches."""
        rules: tuple[RoutingRule, ...] = self.rules.routing.rules
        yield from without_proof(rules, checked=self.rules.edge.checks)
        yield from unreachable(rules)

    def _facts(self, message: Message, source: str, verdict: Trust | None) -> tuple[RouteFacts, tuple[str, ...]]:
        edge = behind_edge(source, self.rules.edge)
        found = trust_of(message, verdict, edge)
        facts = RouteFacts(
            message=message,
            proof=_proof(message, found.trust, edge, checked=verdict is not None or edge.checks),
            source=source,
            kind=kind_of(message).kind,
            languages=languages_of(message),
            disposition=self._disposition(message),
        )
        return facts, found.evidence

    def _disposition(self, message: Message) -> Disposition:
        facts = Facts(message=message, kind=kind_of(message), cues=self.cues(message))
        return disposition_of(facts).disposition


def _proof(message: Message, trust: Trust, edge: Edge, *, checked: bool) -> Proof:
    deceptive = bool(senders_of(message).other_readings)
    return Proof(trust=trust, checked=checked, deceptive=deceptive, border=above_border(message.headers, edge))
