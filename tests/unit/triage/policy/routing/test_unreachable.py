"""Rules that no mail can take are found, and no others."""

import pytest

from triage.config.routing.rule import RoutingRule
from triage.config.routing.safe_regex import pattern_of
from triage.domain.mail import Kind, Trust
from triage.policy.routing.unreachable import unreachable

ALL = RoutingRule(name="first", all=True)


def named(**conditions: object) -> RoutingRule:
    """The rule that may be shadowed."""
    return RoutingRule(name="later", **conditions)  # type: ignore[arg-type]  # by column


def first(**conditions: object) -> RoutingRule:
    """The rule before it."""
    return RoutingRule(name="first", **conditions)  # type: ignore[arg-type]  # by column


@pytest.mark.parametrize(
    ("before", "later"),
    [
        (ALL, named(all=True)),
        (ALL, named(sender_email="a@x.example")),
        (first(sender_domain="x.example"), named(sender_email="a@x.example")),
        (first(sender_domain="x.example"), named(sender_domain="x.example", subject_contains="disk")),
        (first(sender_email="a@x.example"), named(sender_email="a@x.example", kind=(Kind.HUMAN,))),
        (first(subject_contains="INC"), named(subject_contains="[inc")),
        (first(forwarded_from="i@x.example"), named(forwarded_from="i@x.example", all=True)),
        (first(kind=(Kind.HUMAN, Kind.LIST)), named(kind=(Kind.LIST,))),
        (first(recipient=("a@x.example",)), named(recipient=("a@x.example",), mailbox=("m",))),
        (first(trust_at_least=Trust.WEAK), named(trust_at_least=Trust.VERIFIED)),
        (first(has_attachment=True), named(has_attachment=True, in_project=("OPS",))),
        (
            first(header_match=(("x", pattern_of("a")),)),
            named(header_match=(("x", pattern_of("a")), ("y", pattern_of("b")))),
        ),
    ],
)
def test_shadowed_rules(before: RoutingRule, later: RoutingRule) -> None:
    """A rule all of whose mails an earlier one takes is named with that one."""
    assert list(unreachable((before, later))) == ["later: no mail reaches it: first before it takes all of its mails"]
    assert list(unreachable((later, before))) == [] or before == later or later.all


@pytest.mark.parametrize(
    ("before", "later"),
    [
        (first(sender_email="a@x.example"), named(sender_domain="x.example")),
        (first(sender_domain="x.example"), named(sender_domain="x.example", unproven=True)),
        (first(sender_domain="x.example", subject_contains="a"), named(sender_domain="x.example")),
        (first(subject_contains="disk"), named(subject_contains="invoice")),
        (first(kind=(Kind.HUMAN,)), named(kind=(Kind.HUMAN, Kind.LIST))),
        (first(kind=(Kind.HUMAN,)), named(all=True)),
        (first(trust_at_least=Trust.VERIFIED), named(trust_at_least=Trust.WEAK)),
        (first(has_attachment=True), named(has_attachment=False)),
        (first(header_match=(("x", pattern_of("a")),)), named(header_match=(("x", pattern_of("b")),))),
        (first(forwarded_from="i@x.example"), named(all=True)),
    ],
)
def test_rules_that_are_reached(before: RoutingRule, later: RoutingRule) -> None:
    """A rule that takes a mail which no earlier one takes is not named."""
    assert list(unreachable((before, later))) == []


def test_a_rule_that_contradicts_itself() -> None:
    """An address that is not of the wanted domain can never come."""
    assert list(unreachable((named(sender_email="a@x.example", sender_domain="y.example"),))) == [
        "later: no mail can take it: a@x.example is not of y.example"
    ]
