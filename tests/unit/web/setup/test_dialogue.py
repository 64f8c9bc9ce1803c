"""What the page of the set-up knows of a conversation: which question waits, what was said, and no secret."""

import asyncio

import pytest

from triage.services.setup.asking import Asker, Back, Quit
from web.setup.dialogue import SetupDialogue


async def test_answers_reach_their_question_alone() -> None:
    """A form that is sent twice, or after *Back*, answers nothing; a secret is kept nowhere."""
    at = SetupDialogue()
    ask = Asker(at)
    at.heading("Jira")
    asking = asyncio.create_task(ask.secret("Token"))
    await at.settled(60)
    at.answered(at.number - 1, "of another question")
    at.answered(at.number, "river-of-glass")
    at.answered(at.number, "twice")

    assert await asking == "river-of-glass"
    assert "river-of-glass" not in repr(at.parts)

    asking = asyncio.create_task(ask.text("Where?"))
    await at.settled(60)
    at.answered(at.number, "", "back")
    with pytest.raises(Back):
        await asking


async def test_nobody_answers() -> None:
    """The set-up ends, and what is tried out can be stopped."""
    with pytest.raises(Quit):
        await Asker(SetupDialogue(patience=0.001)).text("Where?")
    at = SetupDialogue()
    trying = asyncio.create_task(at.stoppable(asyncio.Event().wait()))
    await asyncio.sleep(0)
    at.answered(0, "", "skip")
    at.answered(0, "", "quit")

    assert await trying is None


async def test_what_came_of_the_last_answer_is_shown_with_the_next_part() -> None:
    """Until something is answered there; a part that is asked again goes on at the end."""
    at = SetupDialogue()
    at.say("hello")
    at.heading("Mailbox")
    before = at.before
    asking = asyncio.create_task(Asker(at).text("Folder"))
    await at.settled(60)
    at.answered(at.number, "INBOX")
    await asking
    at.say("stamped")
    at.heading("Model")

    assert [one.text for one in before] == ["hello"]
    assert [one.text for one in at.before] == ["stamped"]
    at.heading("Mailbox")
    assert [one.name for one in at.parts] == ["Set-up", "Model", "Mailbox"]
