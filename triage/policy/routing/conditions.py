"""Judges each condition of a routing rule. A condition on the sender or the forwarder needs proof, since a route chooses an agent's prompt, tools and words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from triage.config.routing.rule import RoutingRule
from triage.config.routing.safe_regex import TEXT
from triage.domain.findings import Disposition
from triage.domain.mail import Kind, Message, Trust
from triage.policy.sender.forwards import Forward, forwards_of

HEADER_LIMIT: Final = TEXT
"""Characters of a header that patterns are matched against."""
CURE: Final = "write `unproven: true` under its match to take it all the same"
DELIVERED_TO: Final = frozenset({"delivered-to", "x-original-to", "envelope-to", "x-envelope-to"})
"""Fields in which mail servers write the address that a mail reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What is proven about a mail."""

    trust: Trust = Trust.UNVERIFIED
    checked: bool = False
    """Senders are checked for this source, so that a missing proof counts against the sender."""
    deceptive: bool = False
    """The From header is ambiguous or imitates somebody."""
    border: tuple[tuple[str, str], ...] = field(default=())
    """The header fields above our own Received lines."""


@dataclass(frozen=True, kw_only=True)
class RouteFacts:
    """All that a rule can ask about one mail; each part that costs something is computed once, whatever the number of rules."""

    message: Message
    proof: Proof = field(default_factory=Proof)
    source: str = ""
    """How the mail came: `imap:support`."""
    kind: Kind = Kind.HUMAN
    project: str = ""
    """Of the ticket of the mail's thread; empty if it has none."""
    languages: tuple[str, ...] = ()
    """Languages that the text may be in; empty where no rule asks."""
    disposition: Disposition | None = None
    """None where no rule asks."""

    @cached_property
    def forwards(self) -> tuple[Forward, ...]:
        """Who forwarded the mail, or whose mail was forwarded."""
        return tuple(forwards_of(self.message, self.proof.border))

    @cached_property
    def subject(self) -> str:
        """The subject, case folded."""
        return self.message.subject.casefold()

    @cached_property
    def recipients(self) -> frozenset[str]:
        """Addresses of all recipients, and each one's `@domain`."""
        named = [one.address.lower() for one in (*self.message.to, *self.message.cc)]
        named += [value.strip().strip("<>").lower() for name, value in self.message.headers if name in DELIVERED_TO]
        return frozenset((*named, *(f"@{address.rpartition('@')[2]}" for address in named if "@" in address)))

    @cached_property
    def ways(self) -> frozenset[str]:
        """The names by which a rule may call the way that the mail came."""
        return frozenset({self.source, self.source.partition(":")[2] or self.source})


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """The result of one condition."""

    condition: str
    """Name and wanted value: `sender_domain partner.example`."""
    holds: bool
    why: str = ""
    """Why it holds, or why it fails although the mail's text matches."""


def findings(facts: RouteFacts, rule: RoutingRule) -> Iterator[ConditionResult]:
    if rule.all:
        yield ConditionResult("all", holds=True, why="every mail")
    yield from _senders(facts, rule)
    if rule.subject_contains:
        condition = f"subject contains {rule.subject_contains!r}"
        yield _plain(
            "subject_contains",
            repr(rule.subject_contains),
            rule.subject_contains.casefold() in facts.subject,
            condition,
        )
    for name, pattern in rule.header_match:
        holds = any(pattern.search(value[:HEADER_LIMIT]) for key, value in facts.message.headers if key == name)
        yield _plain(
            "header_match", f"{name}: {pattern.pattern!r}", holds, f"header {name} matches {pattern.pattern!r}"
        )
    if rule.forwarded_from:
        yield _forwarded(facts, rule)
    yield from _circumstances(facts, rule)


def _circumstances(facts: RouteFacts, rule: RoutingRule) -> Iterator[ConditionResult]:
    """Judge the conditions that need no proof."""
    sets = (
        ("recipient", rule.recipient, facts.recipients, "to"),
        ("mailbox", rule.mailbox, facts.ways, "came by"),
        ("kind", rule.kind, {facts.kind}, "kind"),
        ("disposition", rule.disposition, {facts.disposition}, "disposition"),
        ("language", rule.language, set(facts.languages), "language"),
        ("project", rule.in_project, {facts.project}, "ticket of the thread in"),
    )
    for name, wanted, found, why in sets:
        if wanted:
            hit = next((one for one in wanted if one in found), None)
            yield _plain(name, " or ".join(wanted), hit is not None, f"{why} {hit}")
    if rule.has_attachment is not None:
        has = any(not one.tiny_picture for one in facts.message.attachments)
        why = "a file hangs on it" if has else "no file hangs on it"
        yield _plain("has_attachment", str(rule.has_attachment).lower(), has is rule.has_attachment, why)
    if rule.trust_at_least is not None:
        trust = facts.proof.trust
        holds = trust.rank >= rule.trust_at_least.rank
        yield ConditionResult(f"trust_at_least {rule.trust_at_least}", holds, f"the sender is {trust}")


def _plain(name: str, wanted: str, holds: bool, why: str) -> ConditionResult:  # noqa: FBT001 - a row of values
    return ConditionResult(f"{name} {wanted}", holds, why if holds else "")


def _senders(facts: RouteFacts, rule: RoutingRule) -> Iterator[ConditionResult]:
    sender = facts.message.sender
    wanted = (
        ("sender_email", rule.sender_email, sender.address if sender else ""),
        ("sender_domain", rule.sender_domain, sender.domain if sender else ""),
    )
    for name, value, is_now in wanted:
        if value:
            condition, same = f"{name} {value}", is_now.lower() == value.lower()
            yield _sender(condition, rule, facts.proof, is_now) if same else ConditionResult(condition, holds=False)


def _sender(condition: str, rule: RoutingRule, proof: Proof, name: str) -> ConditionResult:
    """Judge the From header by the proof for it."""
    if proof.trust is Trust.FAILED:
        return ConditionResult(condition, holds=False, why=f"the sender {name} is forged, as those found who checked")
    if proof.trust is Trust.VERIFIED:
        return ConditionResult(condition, holds=True, why=f"from {name}")
    if rule.unproven or not (proof.checked or proof.deceptive):
        return ConditionResult(condition, holds=True, why=f"from {name}, unproven")
    why = "is read in two ways" if proof.deceptive else f"is {proof.trust}"
    return ConditionResult(condition, holds=False, why=f"the sender {name} {why}; {CURE}")


def _forwarded(facts: RouteFacts, rule: RoutingRule) -> ConditionResult:
    """Judge the evidence of a forwarder."""
    wanted, condition = rule.forwarded_from.lower(), f"forwarded_from {rule.forwarded_from}"
    found = [one for one in facts.forwards if one.address == wanted]
    proven = next((one for one in found if _proven(one, facts.proof)), None)
    if proven:
        return ConditionResult(condition, holds=True, why=f"forwarded from {wanted} ({proven.where})")
    if found and rule.unproven:
        return ConditionResult(condition, holds=True, why=f"forwarded from {wanted} ({found[0].where}, unproven)")
    why = f"forwarded from {wanted} says only the {_doubt(found[0], facts.proof)}; {CURE}" if found else ""
    return ConditionResult(condition, holds=False, why=why)


def _proven(forward: Forward, proof: Proof) -> bool:
    return forward.ours if forward.header else proof.trust is Trust.VERIFIED and not proof.deceptive


def _doubt(forward: Forward, proof: Proof) -> str:
    if forward.header:
        return f"{forward.where}, which does not stand above our own Received lines"
    return f"{forward.where} of a sender who is {proof.trust}"


def rejected(found: Sequence[ConditionResult]) -> bool:
    """Tell whether all conditions of a rule hold except those that fail for lack of proof or trust."""
    return bool(found) and all(one.holds or one.why for one in found)
