"""Which rule holds for a mail."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from triage.config.routing.rule import RoutingRule
from triage.config.routing.safe_regex import pattern_of
from triage.domain.findings import PipelineName, Route
from triage.domain.mail import Address, Message, Trust
from triage.domain.untrusted import Untrusted
from triage.policy.routing.conditions import CURE, Proof, RouteFacts
from triage.policy.routing.route import explained, route_by, without_proof
from triage.policy.routing.route import route_of as chosen
from triage.policy.routing.table import RuleTable

HELPDESK = "info@pharmacy.example"
EVERYTHING = RoutingRule(name="rest", all=True)
FORWARDED = RoutingRule(name="helpdesk", forwarded_from=HELPDESK, pipeline=PipelineName.AGENT, profile="pharmacy")


def mail(
    subject: str = "Hello", text: str = "", *headers: tuple[str, str], sender: str = "ann@partner.example"
) -> Message:
    """A mail of Ann."""
    return Message(
        subject=Untrusted(subject), text=Untrusted(text), sender=Address(address=sender), headers=tuple(headers)
    )


def route_of(message: Message, rules: Sequence[RoutingRule], proof: Proof) -> Route:
    """The route of a mail of which only this is known."""
    return chosen(RouteFacts(message=message, proof=proof), RuleTable.of(rules))


def reasons(message: Message, rule: RoutingRule, proof: Proof | None = None) -> tuple[str, ...]:
    """Why the rule holds, nothing where it does not."""
    return route_of(message, (rule,), proof or Proof(trust=Trust.VERIFIED, checked=True)).because


def rule_of(message: Message, *rules: RoutingRule) -> str:
    """The rule that a mail takes whose sender is verified, and of whose header our servers wrote all."""
    return route_of(message, rules, Proof(trust=Trust.VERIFIED, checked=True, border=message.headers)).rule


# --- rules --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (RoutingRule(name="r", all=True), "every mail"),
        (RoutingRule(name="r", sender_email="Ann@Partner.example"), "from ann@partner.example"),
        (RoutingRule(name="r", sender_domain="PARTNER.example"), "from partner.example"),
        (RoutingRule(name="r", subject_contains="[inc"), "subject contains '[inc'"),
        (RoutingRule(name="r", header_match=(("x-team", pattern_of("^ops")),)), "header x-team matches '^ops'"),
    ],
)
def test_each_condition_alone(rule: RoutingRule, why: str) -> None:
    """Every condition can hold, ignoring case, and says why."""
    message = mail("Fwd: [INC7] disk", "", ("x-team", "web"), ("x-team", "OPS-2"))

    assert reasons(message, rule) == (why,)


@pytest.mark.parametrize(
    "rule",
    [
        RoutingRule(name="r"),
        RoutingRule(name="r", sender_email="ann@partner"),
        RoutingRule(name="r", sender_email="bob@partner.example"),
        RoutingRule(name="r", sender_domain="example"),
        RoutingRule(name="r", sender_domain="mail.partner.example"),
        RoutingRule(name="r", subject_contains="invoice"),
        RoutingRule(name="r", header_match=(("x-team", pattern_of("^ops$")),)),
        RoutingRule(name="r", header_match=(("x-other", pattern_of("")),)),
        RoutingRule(name="r", forwarded_from="ann@partner.example"),
        RoutingRule(name="r", all=True, subject_contains="invoice"),
        RoutingRule(name="r", sender_domain="partner.example", forwarded_from=HELPDESK),
    ],
)
def test_conditions_that_do_not_hold(rule: RoutingRule) -> None:
    """One condition that does not hold is enough, `all` and `forwarded_from` included; no condition holds for none."""
    assert reasons(mail("Hello", "", ("x-team", "ops-2")), rule) == ()


def test_a_mail_without_a_sender() -> None:
    """No From, no match, no crash."""
    nobody = Message(subject=Untrusted("Hello"))

    assert reasons(nobody, RoutingRule(name="r", sender_email="ann@partner.example")) == ()
    assert reasons(nobody, RoutingRule(name="r", sender_domain="partner.example")) == ()


def test_the_first_rule_that_holds_wins() -> None:
    """Rules are tried in their order."""
    rules = (RoutingRule(name="a", subject_contains="x"), RoutingRule(name="b", subject_contains="hell"), EVERYTHING)

    assert route_of(mail(), rules, Proof()) == Route(
        rule="b", pipeline=PipelineName.PIPELINE, profile="jira", because=("subject contains 'hell'",)
    )
    assert rule_of(mail("other"), *rules) == "rest"


def test_a_route_has_what_its_rule_names() -> None:
    """Also its labels, where a conversation and not the mail has chosen the rule."""
    rule = RoutingRule(name="hub", project="HUB", labels=("club",), account="cultpass")
    route = Route(rule="hub", project="HUB", labels=("club",), account="cultpass", because=("chat",))

    assert route_by(rule, ["chat"]) == route


def test_without_a_rule_it_is_the_pipeline() -> None:
    """No rule, or none that holds: the ordinary way."""
    assert route_of(mail(), (), Proof()) == Route(rule="default", pipeline=PipelineName.PIPELINE)
    assert route_of(mail(), (FORWARDED,), Proof()) == Route(rule="default", pipeline=PipelineName.PIPELINE)


def test_only_the_beginning_of_a_header_is_looked_at() -> None:
    """What comes after a thousand characters does not match."""
    rule = RoutingRule(name="r", header_match=(("x-team", pattern_of("ops")),))

    assert reasons(mail("Hello", "", ("x-team", "x" * 997 + "ops")), rule)
    assert reasons(mail("Hello", "", ("x-team", "x" * 998 + "ops")), rule) == ()


# --- forwarded from -----------------------------------------------------------------------------

GMAIL = f"see below\n\n---------- Forwarded message ---------\nFrom: Info <{HELPDESK}>\nDate: Mon\nSubject: x\n\nHello"


@pytest.mark.parametrize(
    "message",
    [
        mail("Hello", "", ("x-forwarded-from", HELPDESK)),
        mail("Hello", "", ("x-forwarded-for", f"{HELPDESK.upper()} support@shop.example")),
        mail("Hello", "", ("resent-from", f"Info <{HELPDESK}>")),
        mail("Hello", "", ("return-path", f"<{HELPDESK}>")),
        mail("Hello", GMAIL),
        mail("Hello", f"Begin forwarded message:\n\n*From: *Info <{HELPDESK}>\n"),
        mail("WG: Hallo", f"Von: Info <{HELPDESK}>\nGesendet: Montag\nAn: uns\nBetreff: Hallo\n"),
        mail("FW: Hello", f"-----Original Message-----\nFrom: Info [mailto:{HELPDESK}]\nSent: Monday\n"),
        mail("Hello", f"-------- Weitergeleitete Nachricht --------\nBetreff: x\nVon: {HELPDESK}\n"),
        mail("Hello", f"Přeposlaná zpráva:\nOd: {HELPDESK}\n"),
    ],
)
def test_forwarded_by_header_or_block(message: Message) -> None:
    """The headers that forwarding leaves and the forward blocks of the usual mail programs are recognised."""
    assert rule_of(message, FORWARDED, EVERYTHING) == "helpdesk"


@pytest.mark.parametrize(
    "message",
    [
        mail("Hello", f"please forward this to {HELPDESK}"),
        mail("Hello", f"From: {HELPDESK}\n"),
        mail("Fwd: Hello", f"I sent it to them.\nFrom: {HELPDESK}"),
        mail("Re: Hello", f"-----Original Message-----\nFrom: {HELPDESK}\nSent: Monday\n"),
        mail("Hello", "\n".join(f"> {line}" for line in GMAIL.splitlines())),
        mail("Hello", "---------- Forwarded message ---------\nFrom: eve@evil.example\n" + GMAIL),
        mail("Hello", "---------- Forwarded message ---------\n" + "x\n" * 9 + f"From: {HELPDESK}"),
        mail("Hello", f"---------- Forwarded message ---------\nTo: {HELPDESK}\n"),
        mail("Hello", "", ("reply-to", HELPDESK)),
        mail("Hello", "", ("x-forwarded-from", f"not-{HELPDESK}")),
        mail("Hello", "", sender=HELPDESK),
    ],
)
def test_not_forwarded(message: Message) -> None:
    """An address in running text, in a quotation, in a nested forward or in From is no forward."""
    assert rule_of(message, FORWARDED, EVERYTHING) == "rest"


# --- proof --------------------------------------------------------------------------------------

SENDER = RoutingRule(name="partner", sender_domain="partner.example")
ADDRESS = RoutingRule(name="partner", sender_email="ann@partner.example")
V, W, U, F = Trust.VERIFIED, Trust.WEAK, Trust.UNVERIFIED, Trust.FAILED


@pytest.mark.parametrize("rule", [SENDER, ADDRESS], ids=["domain", "email"])
@pytest.mark.parametrize(
    ("proof", "holds", "unproven_holds"),
    [
        (Proof(trust=V, checked=True), True, True),
        (Proof(trust=W, checked=True), False, True),
        (Proof(trust=U, checked=True), False, True),
        (Proof(trust=F, checked=True), False, False),
        (Proof(trust=U), True, True),
        (Proof(trust=U, deceptive=True), False, True),
        (Proof(trust=F), False, False),
    ],
)
def test_a_sender_needs_a_proof(rule: RoutingRule, proof: Proof, *, holds: bool, unproven_holds: bool) -> None:
    """Where senders are checked only verified ones match, unless the rule says otherwise; forged ones match nothing."""
    found = [route_of(mail(), (one, EVERYTHING), proof) for one in (rule, replace(rule, unproven=True))]

    assert [one.rule == "partner" for one in found] == [holds, unproven_holds]
    assert [bool(one.passed_over) for one in found] == [not holds, not unproven_holds]


BLOCK = mail("Hello", f"---------- Forwarded message ---------\nFrom: Info <{HELPDESK}>\n")
OURS = ("return-path", f"<{HELPDESK}>"), ("delivered-to", "x"), ("received", "by mx.ours.example")
THEIRS = ("received", "by mx.ours.example"), ("x-forwarded-for", HELPDESK), ("return-path", HELPDESK)


@pytest.mark.parametrize(
    ("message", "proof", "holds"),
    [
        (BLOCK, Proof(trust=V, checked=True), True),
        (BLOCK, Proof(trust=V, checked=True, deceptive=True), False),
        (BLOCK, Proof(trust=W, checked=True), False),
        (BLOCK, Proof(trust=F, checked=True), False),
        (BLOCK, Proof(), False),
        (mail("Hello", "", *OURS), Proof(border=OURS[:2]), True),
        (mail("Hello", "", *OURS), Proof(trust=F, checked=True, border=OURS[:2]), True),
        (mail("Hello", "", *OURS), Proof(trust=V, checked=True), False),
        (mail("Hello", "", *THEIRS), Proof(trust=V, checked=True, border=()), False),
        (mail("Hello", BLOCK.text, *THEIRS), Proof(trust=V, checked=True), True),
    ],
)
def test_a_forward_needs_a_proof(message: Message, proof: Proof, *, holds: bool) -> None:
    """The envelope and fields of our own servers count, and what a verified sender says; others with `unproven` only."""
    found = route_of(message, (FORWARDED, EVERYTHING), proof)

    assert (found.rule == "helpdesk", bool(found.passed_over)) == (holds, not holds)
    assert route_of(message, (replace(FORWARDED, unproven=True), EVERYTHING), proof).rule == "helpdesk"


def test_what_was_rejected_is_told() -> None:
    """The route says which evidence of which rule was no proof, and what to write; other conditions that fail say nothing."""
    other = replace(SENDER, name="other", subject_contains="invoice")
    found = route_of(replace(BLOCK, headers=THEIRS), (SENDER, other, FORWARDED), Proof(checked=True))
    text = route_of(BLOCK, (FORWARDED,), Proof(checked=True))
    twice = route_of(mail(), (SENDER,), Proof(checked=True, deceptive=True))

    header = "the x-forwarded-for header, which does not stand above our own Received lines"
    assert found.passed_over == (
        f"partner: the sender partner.example is unverified; {CURE}",
        f"helpdesk: forwarded from {HELPDESK} says only {header}; {CURE}",
    )
    assert text.passed_over == (
        f"helpdesk: forwarded from {HELPDESK} says only the forward block of a sender who is unverified; {CURE}",
    )
    assert twice.passed_over == (f"partner: the sender partner.example is read in two ways; {CURE}",)


def test_rules_without_proof() -> None:
    """Without a server that checks, rules that ask for sender or forwarding are named with what to do."""
    rules = (EVERYTHING, SENDER, FORWARDED, replace(FORWARDED, name="open", unproven=True))
    told = list(without_proof(rules, checked=False))

    assert [one.partition(":")[0] for one in told] == ["partner", "helpdesk"]
    assert ["AUTHSERV_ID" in one for one in told] == [True, True]
    assert list(without_proof(rules, checked=True)) == []


# --- every rule explained -------------------------------------------------------------------------


def test_each_rule_is_explained() -> None:
    """For every rule it is told which conditions hold and which fail, what evidence was rejected, and which rule takes the mail."""
    rules = (SENDER, RoutingRule(name="mail", subject_contains="hell"), EVERYTHING, RoutingRule(name="none"))
    facts = RouteFacts(message=mail(), proof=Proof(checked=True))
    read = {one.rule: one for one in explained(facts, RuleTable.of(rules))}

    assert {name: (one.takes, one.holds) for name, one in read.items()} == {
        "partner": (False, False),
        "mail": (True, True),
        "rest": (False, True),
        "none": (False, False),
    }
    assert read["partner"].findings[0].condition == "sender_domain partner.example"
    assert "is unverified" in read["partner"].findings[0].why
    assert read["none"].findings == ()
