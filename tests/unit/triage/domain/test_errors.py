"""Errors: the type says who acts, the message says what happened and which one it was."""

import pytest

from triage.domain import errors
from triage.domain.channels import errors as of_channels
from triage.domain.errors import (
    CaseNotFound,
    Permanent,
    Refused,
    ReworkSpent,
    SettingsInvalid,
    ToolRefused,
    TrackerBusy,
    TrackerDenied,
    TrackerDown,
    TrackerRejected,
    Transient,
    TriageError,
)
from triage.domain.letters import errors as of_letters
from triage.domain.memory.errors import NoteNotFound
from triage.domain.operations import errors as of_operations
from triage.domain.operations.checks import SettingProblem
from triage.domain.support import errors as of_support

KINDS = (Transient, Permanent, Refused)
ALL = [
    e
    for e in {
        **vars(errors),
        **vars(of_channels),
        **vars(of_letters),
        **vars(of_operations),
        **vars(of_support),
    }.values()
    if isinstance(e, type) and issubclass(e, TriageError) and e not in {TriageError, *KINDS}
]


@pytest.mark.parametrize("error", ALL, ids=lambda e: e.__name__)
def test_every_error_says_who_acts(error: type[TriageError]) -> None:
    """Each is of exactly one kind, and its docstring is the sentence that people read."""
    assert [issubclass(error, kind) for kind in KINDS].count(True) == 1
    assert (error.__doc__ or "").splitlines()[0].endswith(".")


def test_the_message_is_made_of_words_and_fields() -> None:
    """Fields that say something follow the sentence; empty ones are left out."""
    assert str(TrackerBusy(retry_after=2.496751)) == "Jira asked us to slow down (retry_after=2.5)"
    assert str(TrackerBusy()) == "Jira asked us to slow down"
    assert str(TrackerRejected({"priority": "is none", "sprint": "is full"})) == (
        "Jira refused the values we sent (priority: is none; sprint: is full)"
    )
    assert str(TrackerDown("HTTP 503")) == "Jira does not answer, or not as Jira (HTTP 503)"
    assert str(CaseNotFound("case-9")) == "There is no such case: `triage cases` lists them (case=case-9)"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            NoteNotFound("action/call-ada"),
            "There is no such note, or nothing of it to undo: `triage memory list` lists the notes.",
        ),
        (ReworkSpent(3), "It was worked over as often as `approvals.rework` allows: accept it, edit it or reject it."),
        (TrackerDown("HTTP 503"), "Jira does not answer, or not as Jira: HTTP 503."),
        (
            TrackerDenied(401, "HTTP 401"),
            "Jira does not accept our account: check JIRA_EMAIL and JIRA_API_TOKEN, then run `triage doctor` (HTTP 401).",
        ),
        (TrackerRejected({"priority": "no such value"}), "Jira refused the values we sent: priority: no such value."),
        (
            of_operations.PasswordWeak("it is among the most common ones."),
            "This password is not taken: it is among the most common ones.",
        ),
        (ToolRefused("search first"), "search first"),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, Exception) else "",
)
def test_people_read_no_names_of_fields(error: TriageError, sentence: str) -> None:
    """A page shows the sentence and what was wrong; names of fields and numbers of objects are for logs and shells."""
    assert error.sentence() == sentence


def test_some_speak_for_themselves() -> None:
    """What is wrong with settings and calls is the message, nothing around it."""
    assert str(SettingsInvalid(("A: x", "B: y"))) == "A: x\nB: y"
    placed, unplaced = SettingProblem("PORT", "is no number", ".env, line 4"), SettingProblem("HOST", "missing")
    assert str(SettingsInvalid(settings=(placed, unplaced))) == "PORT (.env, line 4): is no number\nHOST: missing"
    assert str(ToolRefused("search first")) == "search first"
    assert str(of_operations.GrantRefused("sign in again")) == "sign in again"


def test_an_error_without_a_docstring_has_its_name() -> None:
    """Even then something stands there."""

    class Odd(Transient):
        pass

    Odd.__doc__ = None

    assert str(Odd()) == "Odd"
