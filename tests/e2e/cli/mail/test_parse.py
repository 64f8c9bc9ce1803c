"""`triage parse` as a person and a script use it, in its own process."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE, ROOT
from tests.e2e.launcher import run

CORPUS = ROOT / "tests" / "corpus"
KEYS = {
    "file", "ok", "flags", "message_id", "in_reply_to", "references", "subject", "from", "to", "cc", "date", "text",
    "reply", "quoted", "attachments", "kind", "kind_evidence", "hidden_text", "hops",
}  # fmt: skip


def triage(*arguments: str | bytes, given: bytes = b"", cwd: Path = ROOT) -> subprocess.CompletedProcess[bytes]:
    """The command's answer."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    return run(["parse", *map(os.fsdecode, arguments)], environment, cwd, given)


def objects(answer: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    """One JSON object per line."""
    return [json.loads(line) for line in answer.stdout.decode("utf-8").splitlines()]


def test_each_mail_is_one_line_of_json(tmp_path: Path) -> None:
    """A folder gives one object per mail, with all keys that are promised."""
    for mail in CORPUS.glob("*.eml"):
        shutil.copy(mail, tmp_path)
    answer = triage("--json", str(tmp_path))
    told = objects(answer)

    assert answer.returncode == 0, answer.stderr
    assert len(told) == len(list(CORPUS.glob("*.eml")))
    assert all(one.keys() >= KEYS for one in told)


def test_json_says_what_was_read() -> None:
    """The fields of one mail, in the types that are promised."""
    (told,) = objects(triage("--json", str(CORPUS / "inline_image.eml")))

    assert told["ok"] is True
    assert told["from"] == "Ada Byron <ada@example.com>"
    assert told["cc"] == ["Grace H. <grace@example.com>", "ops@example.com"]
    assert told["date"] == "2026-03-07T20:45:00+00:00"
    assert told["in_reply_to"] is None
    assert told["attachments"] == [{"name": "chart.png", "content_type": "image/png", "size": 48, "inline": True}]
    assert (told["kind"], told["kind_evidence"], told["hidden_text"]) == ("human", [], False)


def test_way_of_a_mail_is_told() -> None:
    """The hops stand in the JSON, the last server first, with host, time, delay and defect, and a person sees them, too."""
    lines = (
        b"Received: from mx.example.org by in.example.org; 2 Jun 2026 08:00:03 +0000\n"
        b"Received: from out.example.net by mx.example.org with ESMTPS; 2 Jun 2026 08:00:05 +0000\n"
        b"Received: from desk by out.example.net; 2 Jun 2026 08:00:02 +0000\n"
        b"Received: from (desk by far.example; 2 Jun 2026 08:00:00 +0000\nFrom: ada@example.net\n\nhi"
    )
    (told,) = objects(triage("--json", "-", given=lines))
    early, top, middle, broken = told["hops"]
    assert top == {
        "from": "out.example.net",
        "by": "mx.example.org",
        "with": "ESMTPS",
        "at": "2026-06-02T08:00:05+00:00",
        "delay": 3,
        "defect": None,
    }
    assert (early["delay"], middle["by"], middle["delay"], broken["defect"]) == (
        -2,
        "out.example.net",
        None,
        "unclosed-comment",
    )
    assert told["flags"] == ["received-defects"]
    shown = triage("-", given=lines).stdout.decode()
    assert "Way         in.example.org (-2 s) <- mx.example.org (+3 s) <- out.example.net <- unclosed-comment" in shown


def test_kind_comes_with_its_evidence() -> None:
    """A bounce is one, and says by which signs."""
    (told,) = objects(triage("--json", str(CORPUS / "bounce.eml")))

    assert (told["kind"], told["may_ticket"]) == ("bounce", False)
    assert "From: mailer-daemon" in told["kind_evidence"]


def test_standard_input_is_read() -> None:
    """A dash takes one mail from a pipe."""
    (told,) = objects(triage("--json", "-", given=(CORPUS / "two_senders.eml").read_bytes()))

    assert (told["file"], told["flags"]) == ("-", ["many-from"])


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    """A missing file, a picture and an empty file do not stop the others; the exit code says that something failed."""
    (tmp_path / "picture.eml").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    (tmp_path / "empty.eml").write_bytes(b"")
    names = ["missing.eml", "picture.eml", "empty.eml", str(CORPUS / "two_senders.eml")]
    answer = triage("--json", *names, cwd=tmp_path)
    told = objects(answer)

    assert (answer.returncode, answer.stderr) == (1, b"")
    assert [one["ok"] for one in told] == [False, False, False, True]
    assert [bool(one.get("error")) for one in told] == [True, True, True, False]
    assert all(one.keys() >= KEYS for one in told)


def test_person_reads_head_and_text() -> None:
    """Without --json the mail is shown, its history below, and nothing of it is taken for markup."""
    answer = triage(str(CORPUS / "polish_gmail_reply.eml"), str(CORPUS / "forward_with_a_word.eml"), "nowhere.eml")
    shown = answer.stdout.decode("utf-8")

    assert answer.returncode == 1
    assert "Kasia <kasia@sklep.example>" in shown
    assert "Dalej nie działa" in shown
    assert "stops after 1000 rows" in shown
    assert "cannot be read: No such file or directory" in shown


@pytest.mark.skipif(sys.platform == "win32", reason="names of bytes are of Unix")
def test_name_that_is_no_text_is_no_trouble(tmp_path: Path) -> None:
    """File names are bytes; ours of the answer are text all the same."""
    name = os.fsencode(tmp_path) + b"/caf\xe9.eml"
    with open(name, "wb") as file:  # noqa: PTH123 - a name of bytes
        file.write(b"From: a@b.example\n\nhi")
    (told,) = objects(triage("--json", name))

    assert (told["ok"], told["text"]) == (True, "hi")


def test_listener_may_leave(shared_data: Path) -> None:
    """`triage parse … | head -1` ends without a traceback."""
    command = f"'{Path(sys.executable).parent / 'triage'}' parse --json '{shared_data / 'mail-auto'}' | head -1"
    answer = subprocess.run(["sh", "-c", command], capture_output=True, check=True, timeout=PATIENCE)

    assert (answer.stdout.count(b"\n"), answer.stderr) == (1, b"")


def test_all_shared_mails_are_read(shared_data: Path) -> None:
    """Every third of the real mails and of the bare bodies beside them: none fails."""
    files = sorted(path for path in shared_data.glob("mail-*/files/*") if path.is_file())[::3]
    answer = triage("--json", *map(str, files))
    told = objects(answer)

    assert (answer.returncode, answer.stderr) == (0, b"")
    assert len(told) == len(files) > 254
    assert not [one["file"] for one in told if one["text"].strip() and not (one["reply"] + one["quoted"]).strip()]
