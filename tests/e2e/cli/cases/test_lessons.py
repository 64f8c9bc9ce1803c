"""What corrections taught, listed and taken back: `triage lessons`."""

from pathlib import Path

from tests.e2e.installation import MAILS, Installation, told

FIRST = MAILS / "01-barcode-cut-off.eml"
PROOF = b"Authentication-Results"


def later(folder: Path) -> Path:
    """Another mail of the same sender, equally proven, about something else."""
    head, _, _ = FIRST.read_bytes().partition(b"\n\n")
    lines = [
        line for line in head.split(b"\n") if not line.lower().startswith((b"subject:", b"message-id:", b"content-"))
    ]
    more = [b"Subject: Prices of next year", b"Message-ID: <later@kraftpost.example>"]
    mail = folder / "later.eml"
    mail.write_bytes(
        b"\n".join([*lines, *more]) + b"\n\nHello,\n\nhere is our list of prices for next year.\n\nJonas\n"
    )
    return mail


def test_a_lesson_is_listed_and_taken_back(installation: Installation, tmp_path: Path) -> None:
    """A later mail of the sender follows the correction until somebody takes the lesson back; the case keeps the correction."""
    mail = later(tmp_path)
    installation.triage("process", str(FIRST))
    before = told(installation.triage("lessons"))
    installation.triage("correct", "1", "--ignore")
    (lesson,) = installation.json("lessons")
    taught = told(installation.triage("process", "--dry-run", str(mail)))
    dropped = told(installation.triage("lessons", "--drop", str(lesson["id"])))
    judged = told(installation.triage("process", "--dry-run", str(mail)))
    again = installation.triage("lessons", "--drop", str(lesson["id"]))

    assert "no correction has taught anything" in before
    assert (lesson["case"], lesson["disposition"], lesson["sender"]) == (
        "case-1",
        "not_for_us",
        "jonas.keller@kraftpost.example",
    )
    assert "same sender" in taught
    assert "later mails are judged without what" in dropped
    assert "same sender" not in judged
    assert installation.json("lessons") == []
    assert [one["disposition"] for one in installation.json("show", "1")["corrections"]] == ["not_for_us"]
    assert (again.returncode, "`triage lessons` lists those that do" in told(again)) == (2, True)
