"""Three systems that answer everything, for a day: the proof of loop safety at the place where automatic letters are written."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from integrations.mime.message import message_of
from integrations.sql.store import open_store
from tests.contract.store.store_samples import HeldClock, mail
from tests.unit.triage.policy.letters.letters import RULES, SECRET, SUPPORT, case_of
from triage.domain.errors import ToolRefused
from triage.domain.findings import Identity
from triage.domain.letters import Letter, LetterKind
from triage.domain.letters.errors import TooManyLetters
from triage.domain.mail import Trust
from triage.effects.letter_writer import LetterWriter
from triage.policy.letters.compose import Wording
from triage.policy.letters.rendering import mail_of
from triage.policy.sender.kind import kind_of

DAY = timedelta(hours=24)
PAUSE = timedelta(minutes=12)
RECEIPT = Wording(kind=LetterKind.RECEIPT, body="We have it: **OPS-7**.")
Answers = Callable[[bytes, int], str]


def vacation(letter: bytes, number: int) -> str:
    """A program that says that it is one."""
    return f"From: ada@acme.example\nAuto-Submitted: auto-replied\nSubject: Away ({number})\n\nI am away.\n"


def desk(letter: bytes, number: int) -> str:
    """A help desk that writes like a person, under a new subject and Message-ID, and marks nothing."""
    return f"From: Help <help@acme.example>\nSubject: [#{number}] We have your mail\n\nYour request {number} has a number now.\n"


def echo(letter: bytes, number: int) -> str:
    """A person's rule that sends everything back, changed a little."""
    words = message_of(letter).text
    return f"From: Bob <bob@acme.example>\nSubject: Re: {number}\n\n{number} {words}\n"


@pytest.mark.parametrize("answers", [vacation, desk, echo])
async def test_a_day_with_a_machine(answers: Answers) -> None:
    """A system that answers each letter of ours at once gets two letters a day, and no more, however its mails look."""
    clock = HeldClock()
    store = await open_store("sqlite:///:memory:", clock)
    letters = LetterWriter(store=store.letters, rules=RULES, clock=clock, secret=SECRET)
    end, got, refused = clock.now() + DAY, list[Letter](), 0
    incoming = answers(b"From: x@y.example\n\nHello\n", 0)
    number = 0
    while clock.now() < end:
        number += 1
        case = f"case-{number}"
        await store.inbox.accept(mail(number))
        message = message_of(f"To: {SUPPORT.address}\nMessage-ID: <{number}@acme.example>\n{incoming}".encode())
        identity = Identity(kind=kind_of(message), trust=Trust.VERIFIED)
        try:
            got.append(
                await letters.write_automatically(
                    replace(case_of(), id=case, message=message, identity=identity), "receipt:1", RECEIPT
                )
            )
        except (ToolRefused, TooManyLetters):
            refused += 1
        last = mail_of(got[-1], SUPPORT, clock.now()) if got else b"From: x@y.example\n\nHello\n"
        incoming = answers(last, number)
        await clock.sleep(PAUSE.total_seconds())
    await store.close()

    assert len(got) <= 2
    assert refused >= DAY / PAUSE - 2
