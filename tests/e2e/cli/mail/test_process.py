"""The commands as a user has them: real processes, what they print, and the exit codes that `triage --help` promises."""

import json
import signal
import sqlite3
from contextlib import closing

import pytest

from tests.conftest import PATIENCE
from tests.e2e.installation import MAILS, Installation, told
from tests.e2e.running import running, until
from triage_sandbox.jira import Fault

NEW = MAILS / "01-barcode-cut-off.eml"
KNOWN = MAILS / "02-white-map-on-tablets.eml"
FIXED = MAILS / "09-queue-alarm-fixed.eml"
CANARY = "canary-3e8f1a"
MEBIBYTE = 1024 * 1024


def test_good_and_bad_files_side_by_side(installation: Installation) -> None:
    """Each file gets a line: a ticket for the mail; what says neither from whom, nor when, nor its id is refused and not kept."""
    (installation.folder / "empty.eml").write_bytes(b"")
    (installation.folder / "picture.eml").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(2000))
    (installation.folder / "notes.txt").write_bytes(
        b"Shopping: milk\nSubject: bread\n\nThe export crashes.\nFrom: me\n"
    )
    done = installation.triage("process", "empty.eml", str(NEW), "picture.eml", "notes.txt", "--json")
    lines = json.loads(done.stdout)

    assert (done.returncode, done.stderr) == (65, b"")
    assert [(line["mail"], line["case"], line["action"], line["ticket"]) for line in lines] == [
        ("empty.eml", "", "refused", ""),
        (str(NEW), "case-1", "ticketed", "HARB-71"),
        ("picture.eml", "", "refused", ""),
        ("notes.txt", "", "refused", ""),
    ]
    assert [bool(line["why"]) for line in lines] == [True, True, True, True]
    assert installation.created() == ["HARB-71"]


def test_a_file_with_one_field_of_a_mail_is_taken(installation: Installation) -> None:
    """One of From, Date and Message-ID is enough, whatever the rest looks like."""
    fields = ("From: a@b.example", "DATE: Mon, 16 Nov 2026 09:00:00 +0000", "Message-Id: <1@b.example>")
    for number, field in enumerate(fields):
        (installation.folder / f"{number}.eml").write_text(f"{field}\n\nExport {number} crashes.\n")
    done = installation.triage("process", "0.eml", "1.eml", "2.eml", "--json")

    assert (done.returncode, len(json.loads(done.stdout))) == (0, 3)
    assert {line["action"] for line in json.loads(done.stdout)} <= {"ticketed", "commented"}


def test_standard_input_that_is_no_mail(installation: Installation) -> None:
    """A bare text is refused as `triage pipe` does, and no case is left."""
    done = installation.triage("process", "-", stdin=b"Hello, the export crashes.\n")

    assert (done.returncode, "this is no mail" in " ".join(told(done).split())) == (65, True)
    assert "no mail yet" in told(installation.triage("cases"))


def test_a_file_that_cannot_be_taken_stops_before_the_first(installation: Installation) -> None:
    """One that is absent or too large is named with its cure, and none of the others has been taken."""
    (installation.folder / "huge.eml").write_bytes(b"Subject: huge\n\n" + b"a" * (41 * MEBIBYTE))
    absent = installation.triage("process", str(NEW), "absent.eml")
    huge = installation.triage("process", str(NEW), "huge.eml")
    listed = installation.triage("cases")

    assert (absent.returncode, "cannot read absent.eml: No such file" in told(absent)) == (2, True)
    assert (huge.returncode, "huge.eml is larger than 41,943,040 bytes" in told(huge)) == (2, True)
    assert (listed.returncode, "no mail yet" in told(listed)) == (0, True)


@pytest.mark.heavy
def test_a_large_mail_is_taken(installation: Installation) -> None:
    """A mail just below the limit becomes a ticket like any other."""
    body = b"From: a@b.example\nSubject: The export crashes\nContent-Type: text/plain\n\nIt crashes.\n"
    (installation.folder / "large.eml").write_bytes(
        body + b"x" * 79 + b"\n" + (b"y" * 79 + b"\n") * (39 * MEBIBYTE // 80)
    )
    done = installation.triage("process", "large.eml", "--json")

    assert (done.returncode, json.loads(done.stdout)[0]["action"]) == (0, "ticketed")


def test_standard_input_and_the_same_mail_again(installation: Installation) -> None:
    """`-` reads a mail from standard input; the same file a second time is the same case and the same ticket."""
    piped = installation.triage("process", "-", stdin=NEW.read_bytes())
    again = installation.triage("process", "-", "--json", stdin=NEW.read_bytes())

    assert (piped.returncode, "ticketed HARB-71" in told(piped).replace("│", " ")) == (0, True)
    assert (again.returncode, json.loads(again.stdout)[0]["case"]) == (0, "case-1")
    assert installation.created() == ["HARB-71"]


def test_a_dry_run_leaves_no_trace(installation: Installation) -> None:
    """It says what would be done and writes neither to Jira nor to the database."""
    (installation.folder / "triage.db").unlink()
    done = installation.triage("process", str(NEW), str(KNOWN), "--dry-run", "--json")

    assert [line["action"] for line in json.loads(done.stdout)] == ["ticketed", "commented"]
    assert (done.returncode, installation.created(), installation.comments("HARB-12")) == (0, [], [])
    assert list(installation.folder.glob("*.db*")) == []


def test_a_database_that_is_none(installation: Installation) -> None:
    """A file of something else is told as such and left as it is."""
    junk = installation.folder / "triage.db"
    junk.write_bytes(b"not a database at all\n" * 100)
    done = installation.triage("cases")

    assert (done.returncode, "file is not a database" in told(done)) == (3, True)
    assert junk.read_bytes() == b"not a database at all\n" * 100


def test_while_jira_is_away_the_mail_waits(installation: Installation) -> None:
    """Exit code 3, the mail is kept with the reason, and `triage work` finishes it later."""
    installation.jira.fault(Fault(do="answer", status=503, count=0))
    waiting = installation.triage("process", str(NEW), "--json")
    (line,) = json.loads(waiting.stdout)
    installation.jira.app.faults.clear()
    worked = installation.triage("work", "--until-idle")

    assert (waiting.returncode, line["action"], "Jira does not answer" in line["why"]) == (3, "retrying", True)
    assert (worked.returncode, installation.json("cases")["counts"]) == (0, {"ticketed": 1})


def test_a_lost_database_makes_no_second_ticket(installation: Installation) -> None:
    """With TRIAGE_SECRET kept, the mails of a lost database that come again find the tickets they made."""
    installation.extra = {"TRIAGE_SECRET": "kept elsewhere, 32 bytes at least"}
    installation.triage("process", str(NEW))
    for path in installation.folder.glob("triage.db*"):
        path.unlink()
    done = installation.triage("process", str(KNOWN), str(NEW), "--json")
    line = json.loads(done.stdout)[1]

    assert (line["case"], line["action"], line["ticket"]) == ("case-2", "ticketed", "HARB-71")
    assert "was made from this mail before" in line["why"]
    assert (installation.created(), installation.comments("HARB-71")) == (["HARB-71"], [])


def test_no_secret_leaves_its_place(with_model: Installation) -> None:
    """After runs that log everything, no secret stands in an output, a log, the database or what the model was sent."""
    secrets = {
        "OPENAI_API_KEY": f"{CANARY}-model",
        "WEBHOOK_SECRET": f"{CANARY}-webhook-0123456789",
        "POSTMARK_USER": "postmark",
        "POSTMARK_PASSWORD": f"{CANARY}-postmark-0123456789",
        "TRIAGE_SECRET": f"{CANARY}-marks",
    }
    with_model.extra = {**secrets, "LOG_LEVEL": "DEBUG"}
    runs = [
        with_model.triage("process", str(NEW), str(FIXED)),
        with_model.triage("doctor"),
        with_model.triage("show", "1", "--prompt"),
        with_model.triage("process", str(KNOWN), JIRA_API_TOKEN=f"{CANARY}-wrong"),
        with_model.triage("cases", MAX_ROUNDS="0"),
    ]
    written = b"".join(path.read_bytes() for path in with_model.folder.iterdir() if path.is_file())
    sent = "".join(json.dumps(asked.body) for asked in with_model.asked)

    assert [run.returncode for run in runs] == [1, 0, 0, 3, 2]
    assert [run.args for run in runs if CANARY in (run.stdout + run.stderr).decode()] == []
    assert (CANARY.encode() in written, with_model.jira.token.encode() in written, len(written) > 10_000) == (
        False,
        False,
        True,
    )
    assert (CANARY in sent, len(sent) > 1000) == (False, True)


def test_a_bug_report_that_names_a_version(installation: Installation) -> None:
    """Its ticket has it as affected version, not the one in which it worked; the panel quotes the words."""
    mail = (
        b"From: ines@kestrel.example\nDate: Mon, 16 Nov 2026 09:00:00 +0000\nMessage-Id: <v@kestrel.example>\n"
        b"Subject: Manifest printing crashes\n\nSince 2026.10 the driver app crashes when I print. In 2026.9 it worked.\n"
    )
    (line,) = json.loads(installation.triage("process", "-", "--json", stdin=mail).stdout)
    with installation.jira.api() as api:
        fields = api.get(f"/issue/{line['ticket']}", params={"fields": "versions,fixVersions,description"}).json()[
            "fields"
        ]

    assert [each["name"] for each in fields["versions"]] == ["2026.10"]
    assert fields["fixVersions"] == []
    assert "Since 2026.10" in json.dumps(fields["description"]).rpartition("Affected version")[2]


def _claimed(installation: Installation) -> bool:
    """Whether a worker has said where it writes to."""
    with closing(sqlite3.connect(installation.folder / "triage.db", timeout=PATIENCE)) as store:
        return bool(store.execute("SELECT * FROM tracker_claims").fetchall())


def test_the_shadow_beside_a_service_that_writes(installation: Installation) -> None:
    """A worker might take the mail and write its ticket: the command is refused with the cure; alone it decides and writes nothing."""
    with running(installation, "serve", WEBHOOK_SECRET="whsec_" + "A" * 32, PORT="0") as service:
        until(lambda: service.url and _claimed(installation), service)
        refused = installation.triage("process", str(NEW), SHADOW="true")
        dry = installation.triage("process", "--dry-run", str(NEW), SHADOW="true")
        service.ended()
    alone = json.loads(installation.triage("process", str(NEW), "--json", SHADOW="true").stdout)

    assert (refused.returncode, dry.returncode) == (2, 0)
    assert all(words in told(refused) for words in ("SHADOW=true", "HARB at http", "--dry-run", "DATABASE_URL"))
    assert ([line["action"] for line in alone], installation.created()) == (["shadowed"], [])


@pytest.mark.parametrize(("sign", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_who_stops_it_hears_what_is_left(installation: Installation, sign: signal.Signals, code: int) -> None:
    """Ctrl-C and SIGTERM say how many of the mails are stored without an end, and `triage work` then ends them, once."""
    installation.jira.fault(Fault(do="delay", method="POST", path="/issue$", seconds=2.0))
    with running(installation, "process", str(NEW), str(KNOWN)) as process:
        until(lambda: installation.jira.requests("POST", "/issue$"), process)
        ended = process.ended(sign)
    installation.end_leases()
    installation.triage("work", "--until-idle")

    assert ended == code, process.said
    left = "stored and not yet done: 2 of 2 mails; `triage work --until-idle` goes on"
    assert process.said == f"triage: stopped; {left}\n"
    assert installation.json("cases")["counts"] == {"commented": 1, "ticketed": 1}
    assert installation.created() == ["HARB-71"]
