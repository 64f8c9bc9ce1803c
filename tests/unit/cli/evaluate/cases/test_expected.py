"""Files of expectations: what is absent is not judged, what is misspelt is named."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from cli.evaluate.cases.expected import EXPECTED, MailCase, cases_of
from triage.domain.errors import SettingsInvalid


def written(folder: Path, text: str, name: str = "01-fire") -> Path:
    """A mail with this expectation."""
    (folder / f"{name}.eml").write_bytes(b"From: a@example.com\n\nIt burns.")
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_values_and_lists(tmp_path: Path) -> None:
    """A value or a list of accepted ones, a date as YAML writes it; the mail's bytes as they are."""
    (case,) = cases_of(
        written(tmp_path, "action: ticketed\ntype: [Bug, Task]\ndue_date: 2026-11-27\ndisposition: work\n")
    )

    assert (case.name, case.raw) == ("01-fire", b"From: a@example.com\n\nIt burns.")
    assert (case.expected.action, case.expected.type, case.expected.priority) == (("ticketed",), ("Bug", "Task"), ())
    assert case.expected.due_date == (date(2026, 11, 27),)


def test_other_names_are_known(tmp_path: Path) -> None:
    """What the table of dispositions in triage.yaml calls an action, and what people call work, is understood."""
    (case,) = cases_of(written(tmp_path, "action: [ticket, person]\ndisposition: [incident, status_report]\n"))

    assert case.expected.action == ("ticketed", "waiting")
    assert case.expected.disposition == ("work", "status")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "01-fire.yaml: all: "),
        ("action: [", "01-fire.yaml: cannot be read"),
        ("action: created", "01-fire.yaml: action.0: "),
        ("action: ticketed\nprio: High", "01-fire.yaml: prio: "),
        ("action: ticketed\ndisposition: worse", "01-fire.yaml: disposition.0: "),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, hint: str) -> None:
    """All mistakes of a folder at once, each with its file and field."""
    written(tmp_path, "action: nonsense", "02-flood")
    with pytest.raises(SettingsInvalid) as refused:
        cases_of(written(tmp_path, text))

    assert hint in str(refused.value)
    assert "02-flood.yaml: action" in str(refused.value)


def test_a_mail_without_expectation_and_a_folder_without_mails(tmp_path: Path) -> None:
    """Both are mistakes, not an evaluation of nothing."""
    with pytest.raises(SettingsInvalid, match="there are no mails"):
        cases_of(tmp_path)
    written(tmp_path, "action: ticketed")
    (tmp_path / "01-fire.yaml").unlink()
    with pytest.raises(SettingsInvalid, match=r"needs its NAME\.yaml"):
        cases_of(tmp_path)


@pytest.mark.parametrize(
    ("head", "received"),
    [
        ("Date: Sun, 22 Nov 2026 08:15:00 +0100", datetime(2026, 11, 22, 7, 15, tzinfo=UTC)),
        ("Date: Sun, 22 Nov 2026 08:15:00 -0000", datetime(2026, 11, 22, 8, 15, tzinfo=UTC)),
        ("Date: Sun, 22 Nov 2037 08:15:00 +0100", datetime(2026, 11, 28, tzinfo=UTC)),
        ("Date: soon", datetime(2026, 11, 28, tzinfo=UTC)),
        ("Subject: x", datetime(2026, 11, 28, tzinfo=UTC)),
    ],
)
def test_a_saved_mail_is_judged_by_its_own_days(head: str, received: datetime) -> None:
    """It came when it was sent, so that a day which has passed meanwhile was still to come; a mail without a date comes now."""
    mail = MailCase(name="01", raw=f"{head}\n\nHi".encode(), expected=EXPECTED.validate_python({"action": "ticketed"}))

    assert mail.received(datetime(2026, 11, 28, tzinfo=UTC)) == received
