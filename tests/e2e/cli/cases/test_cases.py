"""What a person sees of cases and decides about them: `cases`, `show`, `approve`, `replay`, `correct`."""

import json
import re

import pytest

from tests.e2e.installation import MAILS, Installation, told

NEW = MAILS / "01-barcode-cut-off.eml"


KNOWN = MAILS / "02-white-map-on-tablets.eml"


FIXED = MAILS / "09-queue-alarm-fixed.eml"


def test_a_case_tells_everything(installation: Installation) -> None:
    """`show` has mail, steps, cues, candidates, rounds, effects and cost; --prompt the prompts, --json all of it."""
    installation.triage("process", str(KNOWN))
    text, prompt = told(installation.triage("show", "1")), told(installation.triage("show", "case-1", "--prompt"))
    report = installation.json("show", "1")

    for words in ("case-1 commented HARB-12", "From ", "Steps", "retrieve", "Cues", "Candidates", "Written"):
        assert words in text
    assert re.search(r"no model was asked; \d+ Jira calls?", text)
    assert ("--- system" in text, "--- system You dispatch e-mails" in prompt) == (False, True)
    assert report["case"]["ticket"] == "HARB-12"
    assert [effect["kind"] for effect in report["effects"]] == ["comment"]
    assert {"steps", "runs", "turns", "approvals", "events", "jira_calls"} <= set(report)
    assert installation.triage("show", "1", "--raw").stdout == KNOWN.read_bytes()


def test_a_person_decides_what_was_parked(installation: Installation) -> None:
    """`approve` lists it, does exactly it, and cannot be asked twice; `--reject` leaves it undone."""
    installation.triage("process", str(FIXED))
    waiting = installation.json("cases", "--state", "waiting")["cases"]
    (parked,) = installation.json("approve")
    listed = told(installation.triage("approve"))
    one, whole = installation.json("approvals", str(parked["id"])), installation.triage("approvals", str(parked["id"]))
    other = installation.triage("approvals", "99")
    done = installation.triage("approve", str(parked["id"]))
    again = installation.triage("approve", str(parked["id"]), "--reject")

    assert [case["id"] for case in waiting] == ["case-1"]
    asked = json.loads(parked["arguments"])
    assert (parked["tool"], asked["ticket_key"], asked["status"]["name"], asked["status"]["category"]) == (
        "modify_jira_ticket",
        "HARB-45",
        "Done",
        "done",
    )
    assert "closing a ticket needs approval" in listed
    assert (one, "HARB-45 status: In Progress → Done" in told(whole)) == (parked, True)
    assert (other.returncode, "Nothing waits for a person under this number" in told(other)) == (2, True)
    assert (done.returncode, "case-1: updated" in told(done)) == (0, True)
    assert (again.returncode, "Nothing waits for a person under this number" in told(again)) == (2, True)
    assert installation.triage("approve").stdout == b"nothing waits\n"


def test_a_rejected_change_is_left_undone(installation: Installation) -> None:
    """Jira is not touched, and the case says who said no."""
    installation.triage("process", str(FIXED))
    before = len(installation.jira.requests("POST", "transitions"))
    done = installation.triage("approve", "1", "--reject")

    assert (done.returncode, "rejected this" in told(done)) == (0, True)
    assert len(installation.jira.requests("POST", "transitions")) == before


def test_deciding_again_writes_nothing_twice(installation: Installation) -> None:
    """`replay` ends at the ticket that the case has; with --dry-run it only says what it would do."""
    installation.triage("process", str(NEW))
    dry, real = installation.triage("replay", "1", "--dry-run"), installation.triage("replay", "case-1")

    assert (dry.returncode, real.returncode) == (0, 0)
    assert "ticketed: " in told(real)
    assert installation.created() == ["HARB-71"]
    assert installation.json("cases")["counts"] == {"ticketed": 1}


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("show", "99"), "There is no such case: `triage cases` lists them (case=case-99)"),
        (("replay", "nonsense"), "There is no such case: `triage cases` lists them (case=nonsense)"),
        (("cases", "--state", "nonsense"), "nonsense is no state; there are ticketed, commented"),
    ],
    ids=["show", "replay", "cases"],
)
def test_what_does_not_exist(installation: Installation, words: tuple[str, ...], hint: str) -> None:
    """Wrong use is exit code 2 and a line that says what there is."""
    done = installation.triage(*words)

    assert (done.returncode, hint in told(done)) == (2, True)


def test_a_mail_that_was_put_aside_becomes_a_ticket(installation: Installation) -> None:
    """`triage correct --ignore`, then `--ticket`: each is carried out at once and says where the case ended."""
    (installation.folder / "offer.eml").write_bytes(
        b"From: Sam <sam@offers.example>\nTo: support@harbourline.example\nSubject: Rank first\nMessage-ID: <1@offers.example>\n"
        b"Date: Fri, 20 Nov 2026 09:00:00 +0000\n\nWe offer SEO packages and guest posts at a discount. Buy backlinks now.\n"
    )
    installation.triage("process", "offer.eml")
    aside = installation.triage("correct", "1", "--ignore", "--json")
    made = installation.triage("correct", "case-1", "--ticket", "--json")
    ends = [json.loads(done.stdout) for done in (aside, made)]

    assert [end["action"] for end in ends] == ["ignored", "ticketed"]
    assert [end["settled"] for end in ends] == [True, True]
    assert installation.created() == [ends[1]["ticket"]]


def test_a_correction_says_one_thing(installation: Installation) -> None:
    """None, two, an unknown disposition, what is no ticket's key, and a case that is not there are refused."""
    for arguments, why in (
        ((), "give one of --ticket, --ignore, --disposition and --duplicate-of"),
        (("--ticket", "--ignore"), "give one of --ticket, --ignore, --disposition and --duplicate-of"),
        (("--disposition", "nonsense"), "nonsense is no disposition; there are work,"),
        (("--duplicate-of", "12"), "12 is no ticket's key; write it like HARB-12"),
        (("--ticket",), "case-999"),
    ):
        done = installation.triage("correct", "999", *arguments)

        assert done.returncode != 0
        assert why in told(done)


@pytest.mark.parametrize("words", [("cases",), ("status",), ("show", "1"), ("approvals",)], ids=" ".join)
def test_an_empty_folder_is_no_quiet_day(installation: Installation, words: tuple[str, ...]) -> None:
    """Who asks in a folder without a database is told, once, which file was made."""
    file = installation.folder / "elsewhere.db"
    installation.extra = {"DATABASE_URL": f"sqlite:///{file}"}
    first, second = (told(installation.triage(*words)) for _ in range(2))
    notice = f"triage: no database is here yet: {file} is new and empty; DATABASE_URL names another one"

    assert (notice in first, "no database" in second) == (True, False)
