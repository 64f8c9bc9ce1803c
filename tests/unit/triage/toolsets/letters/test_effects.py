"""The effects of the letter tools: a letter is queued once whatever happens in between, and the outcome follows."""

from dataclasses import replace

from tests.unit.triage.policy.letters.letters import case_of
from tests.unit.triage.toolsets.letters.desk import at_desk
from triage.domain.cases import Outcome
from triage.domain.effects import Effect, EffectState
from triage.domain.findings import Review
from triage.domain.letters import LetterKind
from triage.policy.letters.compose import Wording
from triage.toolsets.letters.rules import DRAFT, ESCALATION, REPLY
from triage.toolsets.outcome import end_of


async def test_queued_before_the_answer_was_kept() -> None:
    """A process that dies between the queue and the ledger queues no second letter when it comes again."""
    async with at_desk() as at:
        letter = at.desk.letter(at.case, "reply:1", Wording(kind=LetterKind.ANSWER, body="Yes."))
        writer = at.context.effects
        await writer.intend(writer.effect(REPLY, "", "1", "x"))
        await at.store.letters.queue(letter)
        sent = await writer.once(REPLY, at.desk, replace(letter, body="No."), sequence="1")
        found = await at.letters()

    assert [one.body for one in found] == ["Yes."]
    assert sent.answer == found[0]


def test_outcome() -> None:
    """An answer ends a case as answered, unless a ticket was made; a draft or an escalation leaves it with a person."""
    done = {
        kind: Effect(key=kind, kind=kind, state=EffectState.DONE, result=result)
        for kind, result in ((REPLY, ""), (DRAFT, ""), (ESCALATION, ""), ("create", "OPS-1"))
    }
    review = Review(unattended=True)
    ends = {
        kinds: end_of(case_of(), review, [done[kind] for kind in kinds]).outcome
        for kinds in ((REPLY,), (DRAFT,), (ESCALATION,), (ESCALATION, REPLY), ("create", REPLY))
    }

    assert list(ends.values()) == [
        *(Outcome.ANSWERED, Outcome.WAITING, Outcome.WAITING, Outcome.WAITING, Outcome.TICKETED)
    ]
