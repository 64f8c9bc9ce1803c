"""The routing rules with an index, so that a mail is compared with few of ten thousand rules.

Each rule stands under one of its conditions, the first of an order by how few mails it lets through. A mail can only take
rules under values that it has.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from triage.config.routing.rule import RoutingRule
from triage.policy.routing.conditions import RouteFacts

Places = Mapping[str, tuple[int, ...]]
"""Value → places of the rules that ask for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTable:
    """The rules in their order."""

    rules: tuple[RoutingRule, ...] = ()
    exact: Mapping[str, Places] = field(default_factory=dict)
    """Condition → the rules that stand under one of its values."""
    subjects: tuple[tuple[str, int], ...] = ()
    """(Case-folded part of a subject, place)."""
    rest: tuple[int, ...] = ()
    """Places of the rules that every mail is compared with."""

    @classmethod
    def of(cls, rules: Sequence[RoutingRule]) -> Self:
        """Build the table with an index of the conditions that exclude most mails."""
        exact: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        subjects, rest = [], []
        for place, rule in enumerate(rules):
            key = next(_keys(rule), None)
            if key is not None:
                for value in key[1]:
                    exact[key[0]][value].append(place)
            elif rule.subject_contains:
                subjects.append((rule.subject_contains.casefold(), place))
            else:
                rest.append(place)
        frozen = {name: {value: tuple(at) for value, at in values.items()} for name, values in exact.items()}
        return cls(rules=tuple(rules), exact=frozen, subjects=tuple(subjects), rest=tuple(rest))

    def candidates(self, facts: RouteFacts) -> Iterator[RoutingRule]:
        """Yield the rules that may hold for a mail, in order."""
        subject = facts.subject
        places = {place for wanted, place in self.subjects if wanted in subject}
        places.update(self.rest)
        for name, values in self.exact.items():
            for value in _values(name, facts):
                places.update(values.get(value, ()))
        return (self.rules[place] for place in sorted(places))


def _keys(rule: RoutingRule) -> Iterator[tuple[str, Collection[str]]]:
    """Yield the conditions under which a rule can stand, with their values, the rarest first."""
    if rule.sender_email:
        yield "sender_email", (rule.sender_email.lower(),)
    if rule.sender_domain:
        yield "sender_domain", (rule.sender_domain.lower(),)
    if rule.forwarded_from:
        yield "forwarded_from", (rule.forwarded_from.lower(),)
    if rule.recipient:
        yield "recipient", rule.recipient
    if rule.header_match:
        yield "header_match", (rule.header_match[0][0],)
    if not rule.subject_contains and rule.mailbox:
        yield "mailbox", rule.mailbox


def _values(name: str, facts: RouteFacts) -> Collection[str]:
    """Return the values of this condition that a mail has."""
    sender = facts.message.sender
    match name:
        case "sender_email":
            return (sender.address.lower(),) if sender else ()
        case "sender_domain":
            return (sender.domain.lower(),) if sender else ()
        case "forwarded_from":
            return {one.address for one in facts.forwards}
        case "recipient":
            return facts.recipients
        case "mailbox":
            return facts.ways
    return {key for key, _ in facts.message.headers}
