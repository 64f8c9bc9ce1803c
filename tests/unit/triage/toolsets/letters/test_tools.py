"""The letter tools queue what was accepted, to whom the thread names, and hand cases over."""

from dataclasses import replace

import pytest

from tests.unit.triage.toolsets.letters.desk import at_desk
from triage.domain.errors import ToolRefused
from triage.domain.letters import LetterState
from triage.domain.mail import Address
from triage.domain.tickets import Person
from triage.domain.untrusted import Untrusted
from triage.toolsets.letters.tools import LETTER_TOOLS, create_draft, escalate, send_reply


async def test_an_accepted_answer_is_queued() -> None:
    """It waits in its window, goes to the sender and his people in copy, and says who accepted it."""
    async with at_desk() as at:
        told = await send_reply.function(at.by("grace"), body="We look **into** it.")
        [letter] = await at.letters()

    assert told == {
        "status": "queued",
        "letter": letter.id,
        "to": ["ada@acme.example", "bob@acme.example"],
        "subject": "Re: Export broken",
        "by": "grace",
    }
    assert (letter.key, letter.state, letter.automatic, letter.by) == (
        "case-1:reply:approval-1",
        LetterState.WAITING,
        False,
        "grace",
    )


async def test_an_answer_that_nobody_had_to_accept() -> None:
    """Where the settings let letters go by themselves it is an automatic one: to the sender alone, once."""
    async with at_desk() as at:
        first = await send_reply.function(at.context, body="We look into it.", subject="Your export")
        second = await send_reply.function(at.context, body="Worded anew.", subject="Your export")
        [letter] = await at.letters()

    assert first == {**second, "letter": 1} == {
        "status": "queued", "letter": 1, "to": ["ada@acme.example"], "subject": "Your export"
    }  # fmt: skip
    assert (letter.automatic, letter.body) == (True, "We look into it.")


async def test_a_draft() -> None:
    """A draft is queued as one, for everybody on the mail who may get it."""
    async with at_desk() as at:
        told = await create_draft.function(at.context, body="Perhaps so.")
        [letter] = await at.letters()

    assert (told["status"], letter.draft, letter.key) == ("drafted", True, "case-1:draft:1")


async def test_nobody_may_get_it() -> None:
    """A mail from an address that nobody reads gets neither letter nor draft, and the reason is told."""
    async with at_desk(sender=Address(address="no-reply@acme.example")) as at:
        for tool in (send_reply, create_draft):
            with pytest.raises(ToolRefused, match="nobody reads it"):
                await tool.function(at.context, body="Hello")

        assert await at.letters() == ()


async def test_switched_off() -> None:
    """A stored call that runs after letters were switched off says so."""
    async with at_desk() as at:
        with pytest.raises(ToolRefused, match="SMTP_HOST"):
            await send_reply.function(replace(at.context, letters=None), body="Hello")


async def test_handing_over() -> None:
    """Nothing is written anywhere; the reason and the person stand in the result."""
    async with at_desk() as at:
        grace = Person(id="u1", name=Untrusted("Grace"))
        told = await escalate.function(at.context, reason="A threat.", to=grace)
        bare = await escalate.function(replace(at.context, sequence="2"), reason="A threat.")

    assert told == {"status": "escalated", "reason": "for Grace: A threat."}
    assert bare == {"status": "escalated", "reason": "A threat."}


def test_no_tool_takes_a_recipient() -> None:
    """No argument names an address; `to` of an escalation is a person of the project."""
    arguments = {tool.name: set(tool.arguments.model_fields) for tool in LETTER_TOOLS}

    assert arguments == {
        "send_reply": {"body", "subject"},
        "create_draft": {"body", "subject"},
        "escalate": {"reason", "to"},
    }
    assert set(escalate.names) == {"to"}


def test_the_model_is_not_promised_a_person() -> None:
    """Letters may be automatic (`autonomy`), so that the description says only that a person may come first."""
    assert send_reply.spec.description.startswith("Answer the sender. A person may have to decide first")
