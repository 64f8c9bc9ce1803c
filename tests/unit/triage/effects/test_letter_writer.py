"""Automatic letters: once, to whom one may go, and so many a day."""

import pytest

from tests.unit.triage.policy.letters.letters import RULES, SECRET
from tests.unit.triage.toolsets.letters.desk import AtDesk, at_desk
from triage.domain.errors import ToolRefused
from triage.domain.letters import Letter, LetterKind
from triage.domain.mail import Address
from triage.effects.letter_writer import PASSED_ON
from triage.policy.letters.compose import Wording

RECEIPT = Wording(kind=LetterKind.RECEIPT, body="We have it: **OPS-7**.")


async def receipt(at: AtDesk, number: int = 1) -> Letter:
    """The receipt of a case."""
    return await at.desk.write_automatically(at.case, f"receipt:{number}", RECEIPT)


async def test_once() -> None:
    """The same receipt is queued once, also when the day's number is used up in between."""
    async with at_desk() as at:
        first = await receipt(at)
        await receipt(at, 2)
        again = await receipt(at)

        assert first == again
        assert len(await at.letters()) == RULES.per_person


async def test_so_many_a_day() -> None:
    """A person gets no third automatic letter on one day; the next day he does."""
    async with at_desk() as at:
        await receipt(at)
        await receipt(at, 2)
        with pytest.raises(ToolRefused, match="LETTERS_PER_PERSON_PER_DAY"):
            await receipt(at, 3)
        await at.clock.sleep(86_401)

        assert (await receipt(at, 3)).key == "case-1:receipt:3"


async def test_nobody() -> None:
    """An address that nobody reads gets none, and the reason is told; so does a mail without a sender."""
    async with at_desk(sender=Address(address="noreply@acme.example")) as at:
        assert at.desk.no_letter(at.case) == "nobody reads it"
        with pytest.raises(ToolRefused, match="nobody reads it"):
            await receipt(at)
    async with at_desk(sender=None) as at:
        with pytest.raises(ToolRefused, match="no sender"):
            await receipt(at)


async def test_what_is_queued_is_never_in_doubt() -> None:
    """The writer counts no bytes that may have left; its secret does not show."""
    async with at_desk() as at:
        assert at.desk.sent == 0
        assert SECRET.decode() not in repr(at.desk)
        assert at.desk.no_letter(at.case) == ""


async def test_a_persons_words_are_passed_on() -> None:
    """To the sender alone, once, beside the automatic letters of the day; a flood of them ends."""
    wording = Wording(kind=LetterKind.COMMENT, body="It is fixed.")
    async with at_desk() as at:
        await receipt(at)
        await receipt(at, 2)
        made = [await at.desk.pass_on(at.case, f"comment:{n}", wording, author="Nadia") for n in range(PASSED_ON)]
        again = await at.desk.pass_on(at.case, "comment:0", wording, author="Nadia")
        with pytest.raises(ToolRefused, match="20 comments within a day"):
            await at.desk.pass_on(at.case, "comment:99", wording, author="Nadia")
        await at.clock.sleep(90_000)
        later = await at.desk.pass_on(at.case, "comment:99", wording, author="Nadia")

    assert again == made[0]
    assert (made[0].key, made[0].cc, made[0].automatic, made[0].by) == ("case-1:comment:0", (), False, "Nadia")
    assert later.key == "case-1:comment:99"
    async with at_desk(sender=Address(address="noreply@acme.example")) as at:
        with pytest.raises(ToolRefused, match="nobody reads it"):
            await at.desk.pass_on(at.case, "comment:1", wording, author="Nadia")
