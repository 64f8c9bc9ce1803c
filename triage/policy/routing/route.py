"""Routing rules: all conditions of a rule must hold, and the first rule that holds wins.

A condition on the sender or the forwarder needs proof, since a route chooses an agent's prompt, tools and words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from triage.config.routing_rule import RoutingRule
from triage.config.safe_regex import TEXT
from triage.domain.findings import Route
from triage.domain.mail import Message, Trust
from triage.policy.sender.forwards import Forward, forwards_of

HEADER_LIMIT: Final = TEXT
"""Characters of a header that patterns are matched against."""
DEFAULT: Final = Route(rule="default")
"""Applies if no rule matches."""
CURE: Final = "write `unproven: true` under its match to take it all the same"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What is proven about a mail."""

    trust: Trust = Trust.UNVERIFIED
    checked: bool = False
    """Senders are checked on this way of delivery, so that a missing proof counts against the sender."""
    deceptive: bool = False
    """The From header is ambiguous or imitates somebody."""
    border: tuple[tuple[str, str], ...] = field(default=())
    """The header fields above our own Received lines."""


@dataclass(frozen=True, slots=True)
class _Finding:
    """The result of one condition."""

    holds: bool
    told: str = ""
    """Why it holds, or why it fails although the mail's text matches."""


def route_of(message: Message, rules: Sequence[RoutingRule], proof: Proof) -> Route:
    """Return the first matching route, else the default, with the rules that failed for lack of proof."""
    passed_over: list[str] = []
    for rule in rules:
        found = tuple(_findings(message, rule, proof))
        if found and all(one.holds for one in found):
            because = tuple(one.told for one in found)
            return Route(
                rule=rule.name,
                way=rule.way,
                profile=rule.profile,
                project=rule.project,
                because=because,
                passed_over=tuple(passed_over),
            )
        if found and all(one.holds or one.told for one in found):
            passed_over += [f"{rule.name}: {one.told}" for one in found if not one.holds]
    return Route(rule=DEFAULT.rule, passed_over=tuple(passed_over))


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


def _findings(message: Message, rule: RoutingRule, proof: Proof) -> Iterator[_Finding]:
    """Yield a result for each condition that is given."""
    sender = message.sender
    if rule.all:
        yield _Finding(holds=True, told="every mail")
    if rule.sender_email:
        same = sender is not None and sender.address.lower() == rule.sender_email.lower()
        yield _sender(rule, proof, sender.address) if same and sender else _Finding(holds=False)
    if rule.sender_domain:
        same = sender is not None and sender.domain.lower() == rule.sender_domain.lower()
        yield _sender(rule, proof, sender.domain) if same and sender else _Finding(holds=False)
    if rule.subject_contains:
        holds = rule.subject_contains.casefold() in message.subject.casefold()
        yield _Finding(holds=holds, told=f"subject contains {rule.subject_contains!r}" if holds else "")
    for name, pattern in rule.header_match:
        holds = any(pattern.search(value[:HEADER_LIMIT]) for key, value in message.headers if key == name)
        yield _Finding(holds=holds, told=f"header {name} matches {pattern.pattern!r}" if holds else "")
    if rule.forwarded_from:
        yield _forwarded(message, rule, proof)


def _sender(rule: RoutingRule, proof: Proof, name: str) -> _Finding:
    """Judge the From header by the proof for it."""
    if proof.trust is Trust.FAILED:
        return _Finding(holds=False, told=f"the sender {name} is forged, as those found who checked")
    if proof.trust is Trust.VERIFIED:
        return _Finding(holds=True, told=f"from {name}")
    if rule.unproven or not (proof.checked or proof.deceptive):
        return _Finding(holds=True, told=f"from {name}, unproven")
    why = "is read in two ways" if proof.deceptive else f"is {proof.trust}"
    return _Finding(holds=False, told=f"the sender {name} {why}; {CURE}")


def _forwarded(message: Message, rule: RoutingRule, proof: Proof) -> _Finding:
    """Judge the evidence of a forwarder."""
    wanted = rule.forwarded_from.lower()
    found = [one for one in forwards_of(message, proof.border) if one.address == wanted]
    proven = next((one for one in found if _proven(one, proof)), None)
    if proven:
        return _Finding(holds=True, told=f"forwarded from {wanted} ({proven.where})")
    if found and rule.unproven:
        return _Finding(holds=True, told=f"forwarded from {wanted} ({found[0].where}, unproven)")
    told = f"forwarded from {wanted} says only the {_doubt(found[0], proof)}; {CURE}" if found else ""
    return _Finding(holds=False, told=told)


def _proven(forward: Forward, proof: Proof) -> bool:
    return forward.ours if forward.header else proof.trust is Trust.VERIFIED and not proof.deceptive


def _doubt(forward: Forward, proof: Proof) -> str:
    if forward.header:
        return f"{forward.where}, which does not stand above our own Received lines"
    return f"{forward.where} of a sender who is {proof.trust}"
