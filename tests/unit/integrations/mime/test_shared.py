"""The shared mails: none raises, none loses its text, replies and kinds are recognised as often as promised."""

from pathlib import Path

import pytest

from cli.evaluate.mail import MailFigures, evaluated

FOLDERS = ("mail-auto", "mail-mime", "mail-replies", "mail-spam", "mail-threads", "mail-tickets")


@pytest.fixture(scope="module")
def figures(shared_data: Path) -> dict[str, MailFigures]:
    """What reading all of them comes to."""
    return {name: evaluated(shared_data / name / "manifest.jsonl")[0] for name in FOLDERS}


def test_nothing_is_raised_and_nothing_is_lost(figures: dict[str, MailFigures]) -> None:
    """Every mail is read and keeps its text."""
    assert sum(one.messages for one in figures.values()) > 850
    assert {name: (one.raised, one.text_lost) for name, one in figures.items()} == dict.fromkeys(FOLDERS, (0, 0))


def test_headers_are_those_expected(figures: dict[str, MailFigures]) -> None:
    """Senders, subjects and ids; what we read otherwise is UTF-7, which we refuse, and bytes that others give up on."""
    threads, mime, tickets = (figures[name].headers for name in ("mail-threads", "mail-mime", "mail-tickets"))

    assert threads.exact == threads.checked
    assert (mime.exact or 0) >= 0.9 * (mime.checked or 0) > 0
    assert (tickets.exact or 0) >= 0.9 * (tickets.checked or 0) > 0


def test_replies_are_exact(figures: dict[str, MailFigures]) -> None:
    """At least 97 in 100 are what the sender wrote, and none is empty that should not be."""
    replies = figures["mail-replies"].reply

    assert (replies.exact or 0) >= 0.97 * (replies.cases or 0) > 0
    assert replies.empty == 0


def test_automatic_mail_is_found_and_people_are_not_taken_for_it(figures: dict[str, MailFigures]) -> None:
    """Every bounce, report and vacation notice; no alarm on lists and on people."""
    auto = figures["mail-auto"].kind

    assert (auto.found, auto.false_alarms) == (auto.automated, 0)
    assert figures["mail-threads"].kind.false_alarms == 0
    assert figures["mail-tickets"].kind.false_alarms == 0


def test_threads_are_those_of_the_headers(figures: dict[str, MailFigures]) -> None:
    """Mails that share ids are one thread, others are not."""
    threads = figures["mail-threads"].threads

    assert (threads.precision, threads.recall) == (1.0, 1.0)
