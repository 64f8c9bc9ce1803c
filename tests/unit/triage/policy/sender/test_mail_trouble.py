"""Mails about mail, in many languages: people are heard, programs make no tickets, programs in disguise get no answer."""

from pathlib import Path

import pytest

from cli.evaluate.mail import evaluated
from integrations.mime.message import message_of
from tests.mail_trouble import IN_DISGUISE, PEOPLE, PROGRAMS, Letter, written
from triage.domain.mail import Kind
from triage.policy.sender.kind import kind_of


@pytest.mark.parametrize("letter", PEOPLE, ids=lambda letter: letter.name)
def test_trouble_with_mail_is_a_request(letter: Letter) -> None:
    """Whoever writes about bounces and automatic replies, pastes, forwards or attaches one, is never set aside."""
    verdict = kind_of(message_of(letter.raw))

    assert (verdict.may_ticket, verdict.reason) == (True, "")
    assert verdict.kind in {Kind.HUMAN, Kind.LIST}


@pytest.mark.no_cover
def test_most_people_with_trouble_get_an_answer() -> None:
    """Words keep us from answering only where they stand as programs write them."""
    silenced = [one.name for one in PEOPLE if not kind_of(message_of(one.raw)).may_answer]

    assert len(silenced) <= len(PEOPLE) / 8


@pytest.mark.parametrize("letter", PROGRAMS, ids=lambda letter: letter.name)
def test_program_makes_no_ticket(letter: Letter) -> None:
    """Bounces, receipts, reports, list servers and vacation notices that show it by more than words."""
    verdict = kind_of(message_of(letter.raw))

    assert (verdict.may_ticket, verdict.may_answer) == (False, False)
    assert verdict.reason


@pytest.mark.parametrize("letter", PROGRAMS, ids=lambda letter: letter.name)
def test_the_same_words_from_a_person_are_heard(letter: Letter) -> None:
    """Subject and text of any program's mail, sent as an ordinary mail: words alone set nothing aside."""
    verdict = kind_of(
        message_of(Letter(letter.name, "Ina Berg <ina@harbour.example>", letter.subject, letter.text).raw)
    )

    assert (verdict.kind, verdict.may_ticket) == (Kind.HUMAN, True)


@pytest.mark.parametrize("letter", IN_DISGUISE, ids=lambda letter: letter.name)
def test_program_in_disguise_goes_on_and_gets_no_answer(letter: Letter) -> None:
    """A text that says that nobody reads answers is not answered, and not swallowed either."""
    verdict = kind_of(message_of(letter.raw))

    assert (verdict.kind, verdict.may_ticket, verdict.may_answer) == (Kind.HUMAN, True, False)
    assert verdict.evidence


@pytest.mark.no_cover
def test_the_command_says_so_too(tmp_path: Path) -> None:
    """`triage eval mail` on these mails: nobody taken for a machine, every machine found, nothing raised."""
    figures, misses = evaluated(written(tmp_path))
    kinds = figures.kind

    assert misses == []
    assert (kinds.human, kinds.false_alarms) == (len(PEOPLE), 0)
    assert (kinds.automated, kinds.found) == (len(PROGRAMS), len(PROGRAMS))
    assert len(PEOPLE) >= 60
