"""Chooses the way of a mail by ordered rules: every condition of a rule must hold, the first rule that holds wins."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.cases import Route, Way
from triage.domain.mail import Message
from triage.policy.forwards import forwarded_from
from triage.policy.patterns import TEXT

HEADER_LIMIT: Final = TEXT
"""So much of a header is shown to a pattern."""
DEFAULT: Final = Route(rule="default")
"""Where no rule holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One line of the routing table. A condition that is not given holds; a rule without any holds for no mail."""

    name: str
    all: bool = False
    sender_email: str = ""
    sender_domain: str = ""
    """Exactly; sub-domains are others."""
    subject_contains: str = ""
    header_match: tuple[tuple[str, re.Pattern[str]], ...] = ()
    """Header names in lower case; made by `policy.patterns.pattern_of`, searched for anywhere in the header."""
    forwarded_from: str = ""
    way: Way = Way.PIPELINE
    profile: str = "jira"


def route_of(message: Message, rules: Sequence[Rule]) -> Route:
    """The way that the first matching rule says, else the pipeline."""
    for rule in rules:
        if reasons(message, rule):
            return Route(rule=rule.name, way=rule.way, profile=rule.profile)
    return DEFAULT


def reasons(message: Message, rule: Rule) -> tuple[str, ...]:
    """Why a rule holds, a line per condition; nothing where one of them does not."""
    told = tuple(_verdicts(message, rule))
    return told if all(told) else ()


def _verdicts(message: Message, rule: Rule) -> Iterator[str]:
    """For each condition that is given, the reason why it holds, or nothing."""
    sender = message.sender
    if rule.all:
        yield "every mail"
    if rule.sender_email:
        yield f"from {sender.address}" if sender and sender.address.lower() == rule.sender_email.lower() else ""
    if rule.sender_domain:
        yield f"from {sender.domain}" if sender and sender.domain.lower() == rule.sender_domain.lower() else ""
    if rule.subject_contains:
        found = rule.subject_contains.casefold() in message.subject.casefold()
        yield f"subject contains {rule.subject_contains!r}" if found else ""
    for name, pattern in rule.header_match:
        yield f"header {name} matches {pattern.pattern!r}" if _header_matches(message, name, pattern) else ""
    if rule.forwarded_from:
        yield _forwarded(message, rule.forwarded_from.lower())


def _header_matches(message: Message, name: str, pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(value[:HEADER_LIMIT]) for key, value in message.headers if key == name)


def _forwarded(message: Message, wanted: str) -> str:
    return next((f"forwarded from {wanted} ({where})" for who, where in forwarded_from(message) if who == wanted), "")
