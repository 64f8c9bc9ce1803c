"""The table of tools that prepare an answer."""

import pytest

from triage.domain.findings import Intent, IntentFinding
from triage.policy.letters.reply.decide import ReplyPart, plan_of

CALENDAR, CONTACT, DRAFT, LETTER = "look", "ask", "lay", "send"
TOOLS = {ReplyPart.CALENDAR: CALENDAR, ReplyPart.CONTACT: CONTACT, ReplyPart.DRAFT: DRAFT, ReplyPart.LETTER: LETTER}
ALL = frozenset(TOOLS.values())


@pytest.mark.parametrize(
    ("intent", "tools"),
    [
        (Intent.MEETING_REQUEST, (CALENDAR, DRAFT)),
        (Intent.COMPLAINT, (CONTACT, DRAFT)),
        (Intent.INQUIRY, (CONTACT, DRAFT)),
        (Intent.FOLLOW_UP, (CONTACT, DRAFT)),
        (Intent.SPAM, ()),
        (Intent.OTHER, ()),
    ],
)
def test_each_intent_has_its_tools(intent: Intent, tools: tuple[str, ...]) -> None:
    """The plan names the tools of the table, and says why there are none."""
    plan = plan_of(IntentFinding(intent=intent, confidence=0.9), TOOLS, ALL)

    assert plan.tools == tools
    assert plan.because


def test_tools_that_nobody_has_installed_are_left_out_and_named() -> None:
    """A missing tool is skipped and told; only where the answer needs it, it counts against the answer."""
    meeting = plan_of(IntentFinding(intent=Intent.MEETING_REQUEST, confidence=0.9), TOOLS, ())
    inquiry = plan_of(IntentFinding(intent=Intent.INQUIRY, confidence=0.9), TOOLS, ())

    assert (meeting.tools, meeting.missing, meeting.needed) == ((DRAFT,), (CALENDAR,), (CALENDAR,))
    assert (inquiry.tools, inquiry.missing, inquiry.needed) == ((DRAFT,), (CONTACT,), ())


def test_who_may_not_be_written_to_gets_no_plan() -> None:
    """A refusal ends the plan before any tool runs."""
    plan = plan_of(IntentFinding(intent=Intent.INQUIRY, confidence=0.9), TOOLS, ALL, "the sender is not proven")

    assert (plan.tools, plan.because) == ((), "the sender is not proven")


def test_a_guess_is_not_answered() -> None:
    """Where nothing says what the writer wants, the mail is left to a person."""
    plan = plan_of(IntentFinding(intent=Intent.MEETING_REQUEST, confidence=0.35), TOOLS, ALL)

    assert (plan.tools, plan.because) == ((), "what the writer wants is not clear (35% meeting request)")
