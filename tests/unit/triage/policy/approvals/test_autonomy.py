"""Autonomy lowers what the rights allow, and never raises it."""

import itertools

import pytest

from triage.config.autonomy.table import Level
from triage.domain.conversation import Grant
from triage.policy.approvals.autonomy import effect_of, lowered
from triage.policy.decision.permission import Ask, Decision, ToolRule, Verdict
from triage.toolsets.tickets.linking import LINK_RULE
from triage.toolsets.tickets.rules import CREATE_RULE, MODIFY_RULE

NEW = {"summary": "Export fails", "description": "x", "assignee": "ada"}
CHANGE = {"ticket_key": "OPS-1", "comment": "again", "status": "Done"}
ASSIGN = Ask(field="assignee", value="ada", why="by rights")
STATUS = Ask(field="status", value="Done", why="by rights")
ALL = {**CHANGE, "summary": "Export fails", "other_key": "OPS-2", "kind": "relates"}
ORDER = (Decision.ALLOW, Decision.ASK, Decision.SHADOW, Decision.REFUSE)


def verdict(rule: ToolRule, said: Verdict, arguments: dict[str, str], **levels: Level) -> Verdict:
    """What is left of a verdict where these kinds have these levels."""
    return lowered(said, rule, Grant.WRITE, arguments, lambda effect: levels.get(effect, Level.AUTO))


def test_without_a_word_nothing_changes() -> None:
    """Auto leaves every verdict as it is, and a refusal stays whatever the level."""
    allowed, refused = Verdict.allowed(NEW), Verdict(word=Decision.REFUSE, reason="no")

    assert verdict(CREATE_RULE, allowed, NEW) is allowed
    assert verdict(CREATE_RULE, refused, NEW, ticket=Level.APPROVE) is refused


def test_a_whole_call_waits() -> None:
    """A new ticket waits as a whole, with what the rights would have asked about inside; the list shows its summary."""
    some = Verdict(word=Decision.ALLOW, arguments={"summary": "Export fails", "labels": ["x"]}, asks=(ASSIGN,))
    said = verdict(CREATE_RULE, some, NEW, ticket=Level.APPROVE)

    assert (said.word, said.arguments) == (
        Decision.ASK,
        {"summary": "Export fails", "labels": ["x"], "assignee": "ada"},
    )
    assert said.asks == (
        Ask(
            field="ticket",
            value="Export fails",
            why="new tickets wait for a person (autonomy in triage.yaml)",
            whole=True,
        ),
    )
    assert verdict(CREATE_RULE, said, NEW, ticket=Level.APPROVE) is said


def test_a_call_that_says_nothing_of_itself_is_shown_with_its_arguments() -> None:
    """A tool without words for the list waits under its kind of effect."""
    rule = ToolRule(effect="letter")
    said = lowered(Verdict.allowed({"body": "Hi"}), rule, Grant.SEND, {"body": "Hi"}, lambda _: Level.APPROVE)

    assert (said.asks[0].field, said.asks[0].value) == ("letter", "body=Hi")


def test_parts_wait_alone() -> None:
    """A comment waits and the status moves, or the other way round; both wait where both levels say so."""
    allowed = Verdict.allowed(CHANGE)
    comment = verdict(MODIFY_RULE, allowed, CHANGE, comment=Level.APPROVE)
    both = verdict(MODIFY_RULE, allowed, CHANGE, comment=Level.APPROVE, change=Level.APPROVE)
    half = Verdict(word=Decision.ALLOW, arguments={"ticket_key": "OPS-1", "comment": "again"}, asks=(STATUS,))
    more = verdict(MODIFY_RULE, half, CHANGE, comment=Level.APPROVE, change=Level.APPROVE)

    assert (comment.word, comment.arguments) == (Decision.ALLOW, {"ticket_key": "OPS-1", "status": "Done"})
    assert [ask.field for ask in comment.asks] == ["comment"]
    assert (both.word, both.arguments, [ask.field for ask in both.asks]) == (Decision.ASK, {}, ["comment", "status"])
    assert (more.word, next(ask.why for ask in more.asks)) == (Decision.ASK, "by rights")


def test_the_strictest_part_counts() -> None:
    """One part in the shadow keeps the whole call there; one that is denied refuses it."""
    shadow = verdict(MODIFY_RULE, Verdict.allowed(CHANGE), CHANGE, change=Level.SHADOW, comment=Level.APPROVE)
    denied = verdict(MODIFY_RULE, Verdict.allowed(CHANGE), CHANGE, change=Level.SHADOW, comment=Level.DENY)

    assert (shadow.word, shadow.arguments) == (Decision.SHADOW, CHANGE)
    assert (denied.word, denied.reason) == (
        Decision.REFUSE,
        "comments on tickets are denied to this agent (autonomy in triage.yaml)",
    )


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize(
    "said",
    [
        Verdict.allowed(CHANGE),
        Verdict(word=Decision.ALLOW, arguments={"comment": "again"}, asks=(STATUS,)),
        Verdict(word=Decision.ASK, asks=(STATUS,)),
        Verdict(word=Decision.REFUSE, reason="no"),
    ],
)
def test_it_never_raises(level: Level, said: Verdict) -> None:
    """Whatever the level, no verdict becomes freer, and what waits for a person never runs."""
    for rule, effects in ((MODIFY_RULE, ("comment", "change")), (CREATE_RULE, ("ticket",)), (LINK_RULE, ("link",))):
        for named in itertools.product((level, Level.AUTO), repeat=len(effects)):
            left = verdict(rule, said, ALL, **dict(zip(effects, named, strict=True)))
            assert ORDER.index(left.word) >= ORDER.index(said.word)
            if left.word is Decision.ALLOW:
                assert left.arguments.items() <= said.arguments.items()


@pytest.mark.parametrize(
    ("rule", "grant", "argument", "effect"),
    [
        (CREATE_RULE, Grant.WRITE, "", "ticket"),
        (MODIFY_RULE, Grant.WRITE, "comment", "comment"),
        (MODIFY_RULE, Grant.WRITE, "sprint", "change"),
        (LINK_RULE, Grant.WRITE, "", "link"),
        (ToolRule(), Grant.SEND, "", "letter"),
        (ToolRule(), Grant.WRITE, "", "change"),
        (None, Grant.SEND, "", "letter"),
        (None, Grant.WRITE, "x", "change"),
    ],
)
def test_kinds_of_effects(rule: ToolRule | None, grant: Grant, argument: str, effect: str) -> None:
    """A rule says what kind of effect its calls and their parts have; else what sends is a letter."""
    assert effect_of(rule, grant, argument) == effect
