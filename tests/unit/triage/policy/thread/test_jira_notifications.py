"""Answers to Jira's own notifications are known by the millisecond in the Message-ID."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from triage.domain.mail import Message
from triage.policy.thread.jira_notifications import answers_notification, may_answer_notification

CREATED = datetime(2026, 11, 24, 16, 30, 12, 345_000, tzinfo=timezone(timedelta(hours=1)))
MOMENT = 1795534212345
SENT = f"<JIRA.48213.{MOMENT}.77.1795541412000@jira.example>"


def answer(*ids: str, references: tuple[str, ...] = ()) -> Message:
    """A mail that answers these."""
    return Message(in_reply_to=ids, references=references)


@pytest.mark.parametrize(
    ("mail", "answers"),
    [
        (answer(SENT), True),
        (answer(SENT.strip("<>").lower()), True),
        (answer(f"<JIRA.48213.{MOMENT}@Atlassian.JIRA>"), True),
        (answer(references=("<1@a.example>", SENT)), True),
        (answer(references=(SENT, "<1@a.example>")), False),
        (answer("<1@a.example>", SENT), False),
        (answer(f"<JIRA.48213.{MOMENT + 1}@jira.example>"), False),
        (answer(f"<JIRA.48213.{MOMENT}0@jira.example>"), False),
        (answer(f"<x.JIRA.48213.{MOMENT}@jira.example>"), False),
        (answer(), False),
    ],
)
def test_only_the_right_millisecond_is_an_answer(mail: Message, answers: bool) -> None:  # noqa: FBT001 - from the table
    """Of the mail that is answered, or the last of the references; further ids could be guesses."""
    assert answers_notification(mail, CREATED) is answers


def test_a_ticket_without_a_time_is_not_answered() -> None:
    """The id alone still tells that Jira may have written what is answered, in whatever zone the time is."""
    assert may_answer_notification(answer(SENT))
    assert not answers_notification(answer(SENT), None)
    assert answers_notification(answer(SENT), CREATED.astimezone(UTC))
    assert not may_answer_notification(answer("<1@a.example>"))
