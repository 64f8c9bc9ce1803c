"""What came with a mail and where it went: files, ties, people in copy, on Cloud and on Data Center."""

import base64
import json
import random
import signal
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from tests.database import migrated
from tests.e2e.installation import MAILS, Installation
from tests.servers.sandbox import RunningJira
from triage_sandbox.jira import Fault

LOG = b"2026-11-20 08:13 ORA-00942 in line 7\n" * 40
SHOT = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 60
LOGO = b"\x89PNG\r\n\x1a\n" + bytes(range(100))
KNOWN = MAILS / "02-white-map-on-tablets.eml"


@pytest.fixture
def house(tmp_path: Path, any_jira: RunningJira) -> Installation:
    """Over either Jira, decided by the playbook."""
    migrated(tmp_path / "triage.db")
    return Installation(folder=tmp_path, jira=any_jira)


def mail(folder: Path, text: str = "The quetzal export stops at line seven.", **headers: str) -> Path:
    """A mail with a log, a screen shot and a logo inside its text."""
    made = EmailMessage()
    named = {"From": "Ada Byron <ada@example.com>", "Subject": "Quetzal export stops", "Message-ID": "<1@example.com>"}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    for name, value in named.items():
        made[name] = value
    made.set_content(text)
    made.add_attachment(LOG, maintype="text", subtype="x-log", filename="../../etc/export.log")
    made.add_attachment(SHOT, maintype="image", subtype="png", filename="screen.png", disposition="inline")
    made.add_attachment(LOGO, maintype="image", subtype="png", filename="logo.png", disposition="inline", cid="<l@x>")
    path = folder / f"{named['Message-ID'].strip('<>')}.eml"
    path.write_bytes(made.as_bytes())
    return path


def issue(house: Installation, key: str, fields: str = "attachment,issuelinks,watches") -> Any:
    """The ticket's fields, as Jira has them."""
    with house.jira.api() as api:
        return api.get(f"/issue/{key}", params={"fields": fields}).raise_for_status().json()["fields"]


def hanging(house: Installation, key: str) -> dict[str, bytes]:
    """Names and contents of the ticket's files."""
    with house.jira.client() as client:
        return {
            each["filename"]: client.get(each["content"], follow_redirects=True).raise_for_status().content
            for each in issue(house, key)["attachment"]
        }


def test_files_go_along_byte_for_byte(house: Installation) -> None:
    """Under names without folders, without the logo; a second mail of the thread brings the same ones no second time."""
    path = mail(house.folder)
    assert house.triage("process", str(path)).returncode == 0
    (key,) = house.created()
    answer = mail(house.folder, "And again today.", Message_ID="<2@example.com>", In_Reply_To="<1@example.com>")
    assert house.triage("process", str(answer)).returncode == 0

    assert house.json("cases")["counts"] == {"commented": 1, "ticketed": 1}
    assert hanging(house, key) == {"export.log": LOG, "screen.png": SHOT}
    assert house.json("show", "1")["case"]["attached"] == ["attached export.log", "attached screen.png"]


def test_a_kind_of_file_that_the_team_does_not_want(house: Installation) -> None:
    """It stays out of Jira, as a file and inside the mail that is attached beside it, and the case says so."""
    (house.folder / "triage.yaml").write_text("attachments: {never: [log]}\n")
    house.extra = {"TRIAGE_CONFIG": str(house.folder / "triage.yaml"), "ATTACH_RAW_MAIL": "always"}
    assert house.triage("process", str(mail(house.folder))).returncode == 0
    (key,) = house.created()
    files = hanging(house, key)

    assert files.keys() == {"screen.png", "case-1.txt"}
    assert LOG not in files["case-1.txt"]
    assert (
        "not attached: export.log: triage.yaml attaches no log (attachments.never)"
        in house.json("show", "1")["case"]["attached"]
    )


def test_a_secret_reaches_no_ticket_and_no_report(house: Installation) -> None:
    """A password in a mail stands in no field of the ticket, no file, no report; with MASK_SECRETS=false it does."""
    told = "Reply-To me.\n\nMy password: Qu3tzal!77 is refused by the export.\n\nOn Monday Ada wrote:\n> old\n"
    path = mail(house.folder, told)
    assert house.triage("process", str(path)).returncode == 0
    (key,) = house.created()

    report = house.triage("show", "1", "--json").stdout.decode()
    assert "Qu3tzal!77" not in json.dumps(issue(house, key, "*all")) + report
    assert "password masked" in json.dumps(issue(house, key, "description"))
    assert not any(b"Qu3tzal!77" in content for content in hanging(house, key).values())
    assert b"Qu3tzal!77" in house.triage("show", "1", "--raw").stdout
    house.extra["MASK_SECRETS"] = "false"
    assert (
        house.triage("process", str(mail(house.folder, told, Message_ID="<2@example.com>", Subject="Other"))).returncode
        == 0
    )
    assert "Qu3tzal!77" in house.triage("show", "2", "--json").stdout.decode()


@pytest.mark.parametrize(
    "point", ["effect.intent", "effect.on_wire", "effect.answered", "effect.committed", "step.review"]
)
def test_files_hang_once_whatever_happens(installation: Installation, point: str) -> None:
    """Killed at each point of hanging it there, the ticket has the file once."""
    text = KNOWN.read_text()
    path = installation.folder / "known.eml"
    boundary = "b0undary"
    head, _, body = text.partition("\n\n")
    kept = "\n".join(line for line in head.splitlines() if not line.lower().startswith(("content-", "mime-")))
    path.write_text(
        f"{kept}\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary={boundary}\n\n--{boundary}\n"
        f"Content-Type: text/plain; charset=utf-8\n\n{body}\n--{boundary}\nContent-Type: text/x-log; name=export.log\n"
        f"Content-Transfer-Encoding: base64\n\n{base64.encodebytes(LOG).decode()}\n--{boundary}--\n"
    )
    commented = installation.triage("process", str(path), TRIAGE_CRASH_AT="step.attach")
    died = installation.triage("work", "--until-idle", TRIAGE_CRASH_AT=point)
    done = installation.triage("work", "--until-idle")

    assert (commented.returncode, died.returncode, done.returncode) == (-signal.SIGKILL, -signal.SIGKILL, 0)
    assert installation.json("cases")["counts"] == {"commented": 1}
    assert len(installation.comments("HARB-12")) == 1
    assert hanging(installation, "HARB-12") == {"export.log": LOG}


def test_what_jira_refuses_stays_behind_and_is_told(house: Installation) -> None:
    """A file that Jira will not have costs neither the ticket nor the other files."""
    house.jira.fault(Fault(do="answer", status=413, method="POST", path="/attachments$"))
    assert house.triage("process", str(mail(house.folder))).returncode == 0
    (key,) = house.created()
    first, second = house.json("show", "1")["case"]["attached"]

    assert first.startswith("not attached export.log: ")
    assert second == "attached screen.png"
    assert list(hanging(house, key)) == ["screen.png"]


@pytest.mark.parametrize("limit", [10_485_760, 41_943_040])
def test_thirty_megabytes(installation: Installation, limit: int) -> None:
    """They hang on the ticket byte for byte where Jira takes so much; where not, they cost no ticket and no request."""
    large = random.Random(1).randbytes(30_000_000)
    made = EmailMessage()
    made["From"], made["Subject"], made["Message-ID"] = "Ada <ada@example.com>", "Quetzal dump", "<3@example.com>"
    made.set_content("The import of the enclosed quetzal dump fails with an error at line seven.")
    made.add_attachment(large, maintype="application", subtype="octet-stream", filename="dump.bin")
    path = installation.folder / "large.eml"
    path.write_bytes(made.as_bytes())
    installation.jira.app.site.upload_limit = limit
    done = installation.triage("process", str(path), MAX_MAIL_BYTES="60000000")
    (key,) = installation.created()
    takes = limit > len(large)
    (told,) = installation.json("show", "1")["case"]["attached"]

    assert done.returncode == 0, done.stderr.decode()
    assert told == "attached dump.bin" if takes else told.startswith("not attached: dump.bin")
    assert hanging(installation, key) == ({"dump.bin": large} if takes else {})
    assert len(installation.jira.requests("POST", "/attachments$")) == takes


def test_a_long_mail_goes_along_whole(house: Installation) -> None:
    """Where the ticket cannot tell all of it, the mail as it came hangs there."""
    path = mail(house.folder, "The quetzal export stops. " * 500)
    house.triage("process", str(path))
    (key,) = house.created()

    assert hanging(house, key)["case-1.eml"] == path.read_bytes()


def test_a_mail_goes_along_where_lines_are_left_out(house: Installation) -> None:
    """The history of an answer is in no comment: the mail hangs there, and the report shows what was left out."""
    quoted = "It stops again.\n\nOn 9 Mar 2026, at 17:02, Ben <ben@example.com> wrote:\n> the quetzal is fed\n"
    path = mail(house.folder, quoted, Subject="Re: Quetzal export stops")
    house.triage("process", str(path))
    (key,) = house.created()

    assert hanging(house, key)["case-1.eml"] == path.read_bytes()
    assert b"> the quetzal is fed" in house.triage("show", "1").stdout


def test_the_way_of_a_mail_is_shown(installation: Installation) -> None:
    """The report tells each hop, through the reader behind glass and the database, and which line cannot be read."""
    lines = b"Received: from out.example.net by mx.example.org; 2 Jun 2026 08:00:05 +0000\nReceived: from (desk by x\n"
    path = mail(installation.folder)
    path.write_bytes(lines + path.read_bytes())
    installation.triage("process", str(path))

    shown = installation.triage("show", "1").stdout.decode()
    assert "Way      mx.example.org from out.example.net\n         unclosed-comment\n" in shown
    assert "its Received lines cannot all be read" in shown
