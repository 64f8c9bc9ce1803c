"""The bodies of letters."""

import json
from datetime import UTC, date, datetime

import pytest

from triage.config.letters.texts import letter_texts
from triage.domain.findings import Intent
from triage.domain.letters.reply import Execution, ToolExecution
from triage.domain.mail import Address
from triage.domain.untrusted import Untrusted
from triage.policy.letters.reply.draft import (
    LONGEST_SUBJECT,
    TONES,
    DraftFacts,
    draft_of,
    framed,
    free_times,
    megabytes,
    name_of,
    subject_text,
)

LANGUAGES = ("cs", "de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt")
KINDS = (
    *("receipt", "inquiry", "complaint", "follow_up", "meeting_request"),
    *("question", "status", "rejection"),
)
NEEDY = frozenset({"question", "status", "rejection"})
"""Kinds that are never written without their facts."""
FULL = DraftFacts(
    name="Ada Byron",
    ticket="HARB-72",
    status="In Progress",
    missing=("steps", "version", "error"),
    slots=("Tue 24 Nov, 10:00",),
    zone="Europe/Prague",
    subject="Export",
    limit="25",
    opens=datetime(2026, 11, 23, 8, tzinfo=UTC),
    signature="Harbour Support",
)

HOLES = ("**", "()", "{", "None", "“”", "„“", "「」", "«»", "  ", " .", " ,", "\n\n\n")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_letter_is_whole_in_every_language(kind: str, language: str) -> None:
    """Each text has greeting, body and closing, names the ticket, and has no hole where a fact is missing that it can do without."""
    full = draft_of(kind, language, FULL, letter_texts())

    assert full.count("\n\n") >= 4
    assert ("HARB-72" in full) == (kind not in {"rejection", "meeting_request"})
    if kind not in NEEDY:
        bare = draft_of(kind, language, DraftFacts(), letter_texts())
        assert [hole for hole in HOLES if hole in bare] == []


@pytest.mark.parametrize(
    ("size", "shown"), [(25 * 1024**2, "25"), (36_000_000, "34"), (1_572_864, "1.5"), (30_000, "0.029")]
)
def test_megabytes_for_people(size: int, shown: str) -> None:
    """A limit below one megabyte is no limit of nothing."""
    assert megabytes(size) == shown


def test_a_closed_office_says_when_it_opens() -> None:
    """Out of hours a letter tells when it is read, in the words of its language."""
    body = draft_of("receipt", "de", FULL, letter_texts())

    assert "Unser Büro ist zurzeit geschlossen. Wir lesen Ihre Nachricht ab Montag, 23.11.2026, 08:00 Uhr." in body


def test_what_a_model_wrote_gets_our_frame() -> None:
    """Greeting, hours and closing stand around a model's body."""
    body = framed(" The export is back. ", "en", FULL, letter_texts())

    assert body.startswith("Hello Ada Byron,\n\nThe export is back.\n\nOur office is closed")
    assert body.endswith("Kind regards\n\nHarbour Support\n")
    assert framed("So.", "en", DraftFacts(), letter_texts()) == "Hello,\n\nSo.\n\nKind regards\n"


@pytest.mark.parametrize(
    ("name", "greeted"),
    [
        ("Ada Byron", "Ada Byron"),
        ("Dr. Žofie O'Neill-Nováková", "Dr. Žofie O'Neill-Nováková"),
        ("ada@example.com", ""),
        ("**Click** [here](http://evil.example)", ""),
        ("Ada 4", ""),
        ("A" * 70, ""),
        ("", ""),
    ],
)
def test_only_a_plain_name_is_greeted(name: str, greeted: str) -> None:
    """A name that could be markup, an address or a text is left out of the greeting."""
    assert name_of(Address(address="ada@example.com", name=Untrusted(name))) == greeted
    assert name_of(None) == ""


def test_a_foreign_subject_is_short_and_plain() -> None:
    """Marks of Markdown and length are taken off a subject before a letter repeats it."""
    assert subject_text("**Export** [x](y)\nfails") == "Export x(y) fails"
    assert len(subject_text("a" * 500)) == LONGEST_SUBJECT


def test_the_tone_follows_the_intent() -> None:
    """Professional for inquiries, empathetic for complaints, friendly for follow-ups."""
    assert [TONES[one] for one in (Intent.INQUIRY, Intent.COMPLAINT, Intent.FOLLOW_UP)] == [
        "professional",
        "empathetic",
        "friendly",
    ]


FREE = (
    '{"zone":"Europe/Prague","busy":[],"free":["Tue 2026-11-24 09:00-09:30","Tue 2026-11-24 10:00-10:30",'
    '"Wed 2026-11-25 09:00","soon"]}'
)


def times(
    result: str, language: str = "de", state: Execution = Execution.DONE, wished: tuple[date, ...] = ()
) -> tuple[tuple[str, ...], str]:
    """What a letter offers after this result."""
    execution = ToolExecution(tool="check_calendar", state=state, result=result)
    return free_times((execution,), language, letter_texts(), wished)


def test_three_times_are_offered_as_the_reader_writes_them() -> None:
    """Day and time stand as in the reader's language, with the calendar's time zone."""
    assert times(FREE) == (
        (
            "Dienstag, 24.11.2026, 09:00 Uhr\u201309:30",
            "Dienstag, 24.11.2026, 10:00 Uhr\u201310:30",
            "Mittwoch, 25.11.2026, 09:00 Uhr",
        ),
        "Europe/Prague",
    )


@pytest.mark.parametrize("result", ["", '{"zone": ', "[]", '{"busy": []}'])
def test_without_a_result_nothing_is_offered(result: str) -> None:
    """A result that was cut, empty or of another shape offers no time."""
    assert times(result) == ((), "UTC")


def test_a_calendar_that_failed_offers_nothing() -> None:
    """Only a tool that has run counts; a slot of another shape is shown as it is."""
    assert times(FREE, state=Execution.FAILED) == ((), "UTC")
    assert times('{"free": ["soon"]}')[0] == ("soon",)


def test_wished_days_come_first() -> None:
    """Times on the days that the writer named are offered before others, all in the order of time."""
    free = [f"Mon 2026-11-{day} {hour}:00-{hour}:30" for day in (23, 24, 25, 26) for hour in (10, 12)]
    told, _ = times(f'{{"free": {json.dumps(free)}}}', "en", wished=(date(2026, 11, 24), date(2026, 11, 26)))

    assert told == (
        "Tuesday, 2026-11-24, 10:00\u201310:30",
        "Tuesday, 2026-11-24, 12:00\u201312:30",
        "Thursday, 2026-11-26, 10:00\u201310:30",
    )
