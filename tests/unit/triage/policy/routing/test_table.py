"""The index of the rules: it leaves out no rule that holds, and compares a mail with few."""

from hypothesis import given, settings
from hypothesis import strategies as st

from triage.config.routing.rule import RoutingRule
from triage.config.routing.safe_regex import pattern_of
from triage.domain.mail import Address, Message, Trust
from triage.domain.untrusted import Untrusted
from triage.policy.routing.conditions import Proof, RouteFacts
from triage.policy.routing.route import explained, route_of
from triage.policy.routing.table import RuleTable

NAMES = st.sampled_from(["a", "b", "c"])
RULES = st.builds(
    RoutingRule,
    name=st.uuids().map(str),
    all=st.booleans(),
    sender_email=st.just("") | NAMES.map("{}@x.example".format),
    sender_domain=st.sampled_from(["", "", "x.example", "y.example"]),
    subject_contains=st.sampled_from(["", "", "Hell", "disk"]),
    header_match=st.just(()) | NAMES.map(lambda name: ((f"x-{name}", pattern_of("^1$")),)),
    forwarded_from=st.sampled_from(["", "", "info@x.example"]),
    recipient=st.just(()) | NAMES.map(lambda name: (f"{name}@ours.example", "@ours.example")),
    mailbox=st.just(()) | NAMES.map(lambda name: (name,)),
    has_attachment=st.sampled_from([None, None, False]),
    unproven=st.booleans(),
)
MAILS = st.builds(
    lambda name, subject, header, trust: RouteFacts(
        message=Message(
            sender=Address(address=f"{name}@x.example") if name else None,
            subject=Untrusted(subject),
            headers=((f"x-{header}", "1"), ("return-path", "info@x.example")),
            to=(Address(address=f"{header}@ours.example"),),
        ),
        proof=Proof(trust=trust, checked=True),
        source=f"imap:{header}",
    ),
    NAMES | st.just(""),
    st.sampled_from(["Hello", "disk full", ""]),
    NAMES,
    st.sampled_from(Trust),
)


@settings(deadline=None)
@given(st.lists(RULES, max_size=12), MAILS)
def test_the_index_changes_nothing(rules: list[RoutingRule], facts: RouteFacts) -> None:
    """The rule that takes a mail is the one that a walk through all rules finds."""
    table = RuleTable.of(rules)
    walked = next((one.rule for one in explained(facts, table) if one.takes), "default")

    assert route_of(facts, table).rule == walked


def test_a_mail_is_compared_with_few_of_many() -> None:
    """Of ten thousand rules for as many customers, one mail looks at its own and at the general ones."""
    customers = [RoutingRule(name=f"c{n}", sender_domain=f"shop{n}.example") for n in range(9_998)]
    rules = (*customers, RoutingRule(name="team", recipient=("ops@ours.example",)), RoutingRule(name="rest", all=True))
    facts = RouteFacts(message=Message(sender=Address(address="a@shop777.example")))

    assert [rule.name for rule in RuleTable.of(rules).candidates(facts)] == ["c777", "rest"]


def test_each_condition_leads_to_its_rule() -> None:
    """By mailbox, header, original sender, sender or recipient; of the others none is looked at."""
    rules = (
        RoutingRule(name="box", mailbox=("a",)),
        RoutingRule(name="header", header_match=(("x-a", pattern_of("^1$")),)),
        RoutingRule(name="recipient", recipient=("a@ours.example",)),
        RoutingRule(name="sender", sender_email="a@x.example"),
        RoutingRule(name="domain", sender_domain="x.example"),
    )
    facts = RouteFacts(
        message=Message(
            sender=Address(address="a@x.example"),
            headers=(("x-a", "1"),),
            to=(Address(address="a@ours.example"),),
        ),
        source="imap:a",
    )

    assert {rule.name for rule in RuleTable.of(rules).candidates(facts)} == {rule.name for rule in rules}
    assert list(RuleTable.of(rules).candidates(RouteFacts(message=Message()))) == []
