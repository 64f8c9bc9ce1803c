"""Routing rules: all conditions of a rule must hold, and the first rule that holds wins."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from triage.config.routing.rule import RoutingRule
from triage.domain.findings import Route
from triage.policy.routing.conditions import CURE, ConditionResult, RouteFacts, findings, rejected
from triage.policy.routing.table import RuleTable

DEFAULT: Final = Route(rule="default")
"""Applies if no rule matches."""


@dataclass(frozen=True, slots=True)
class RuleReading:
    """What one rule says of a mail."""

    rule: str
    takes: bool
    """The rule holds, and no rule before it does."""
    holds: bool
    findings: tuple[ConditionResult, ...]


def route_of(facts: RouteFacts, table: RuleTable) -> Route:
    """Return the first matching route, else the default, with the rules that failed for lack of proof."""
    passed_over: list[str] = []
    for rule in table.candidates(facts):
        found = tuple(findings(facts, rule))
        if found and all(one.holds for one in found):
            return route_by(rule, [one.why for one in found], passed_over)
        if rejected(found):
            passed_over += [f"{rule.name}: {one.why}" for one in found if not one.holds]
    return Route(rule=DEFAULT.rule, passed_over=tuple(passed_over))


def explained(facts: RouteFacts, table: RuleTable) -> Iterator[RuleReading]:
    """Yield what each rule says of a mail, in order, also behind the one that takes it."""
    taken = False
    for rule in table.rules:
        found = tuple(findings(facts, rule))
        holds = bool(found) and all(one.holds for one in found)
        yield RuleReading(rule.name, holds and not taken, holds, found)
        taken = taken or holds


def without_proof(rules: Sequence[RoutingRule], *, checked: bool) -> Iterator[str]:
    """Warn of rules on sender or forwarder where nobody checks senders."""
    for rule in rules if not checked else ():
        if rule.names_sender:
            yield (
                f"{rule.name}: who a mail says it is from is believed, since no AUTHSERV_ID is set: set it, so that nobody "
                "else is taken for him"
            )
        if rule.forwarded_from and not rule.unproven:
            yield (
                f"{rule.name}: a forward counts by its envelope only, since no AUTHSERV_ID is set: set it, or "
                f"{CURE.removesuffix(' to take it all the same')} to believe what the text says"
            )


def route_by(rule: RoutingRule, because: Sequence[str], passed_over: Sequence[str] = ()) -> Route:
    """Return the route that the rule names, with the reasons why it holds."""
    return Route(
        rule=rule.name,
        pipeline=rule.pipeline,
        profile=rule.profile,
        project=rule.project,
        labels=rule.labels,
        account=rule.account,
        because=tuple(because),
        passed_over=tuple(passed_over),
    )
