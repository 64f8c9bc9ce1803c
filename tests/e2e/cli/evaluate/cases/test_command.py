"""`triage eval cases` as an admin runs it: against the sandbox or the own Jira, with rules, a model or recorded answers."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from tests.e2e.installation import MAILS, Installation

PAIR = ("01-barcode-cut-off", "05-signature-upload-detail")
"""A new matter, and a mail that asks for the ticket of another one, which is not in this folder."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two mails with what must become of them."""
    made = tmp_path / "cases"
    made.mkdir()
    for name in PAIR:
        shutil.copy(MAILS / f"{name}.eml", made)
    _expect(made, PAIR[0], action="ticketed", ticket="new", type="Bug", priority=["Medium", "High"], verdict="verified")
    _expect(made, PAIR[1], action=["ticketed", "commented"], ticket="new")
    return made


def _expect(folder: Path, name: str, **told: Any) -> None:
    (folder / f"{name}.yaml").write_text(yaml.safe_dump(told), encoding="utf-8")


def run(at: Installation, folder: Path, *words: str) -> tuple[int, dict[str, Any], str]:
    """Exit code, figures, and what was said on standard error."""
    done = at.triage("eval", "cases", str(folder), "--json", *words)
    return done.returncode, json.loads(done.stdout or b"{}"), done.stderr.decode()


def test_rules_against_the_sandbox(installation: Installation, folder: Path, tmp_path: Path) -> None:
    """Without a model the rules decide, over a sandbox of its own: exit code 0, the keys of the issue, a page to look at."""
    code, figures, said = run(installation, folder, "--model", "none", "--html", str(tmp_path / "page.html"))

    assert (code, said) == (0, "")
    assert set(figures) == {"cases", "right", "confusion", "cost", "per_case"}
    assert (figures["cases"], figures["right"], figures["cost"]["model_calls"] > 0) == (2, 2, True)
    assert (figures["per_case"][0]["case"], figures["per_case"][0]["got"]["type"]) == (PAIR[0], "Bug")
    assert "2 of 2 mails ended as expected" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert installation.created() == []


def test_what_ends_otherwise_is_named(installation: Installation, folder: Path) -> None:
    """Each field that differs is told, and the exit code is 1."""
    _expect(folder, PAIR[0], action="commented", type="Story", priority="Low", component="Customs", due_date="none")
    code, figures, _ = run(installation, folder, "--model", "none")

    assert (code, figures["right"]) == (1, 1)
    assert {"action", "type", "priority", "component"} <= set(figures["per_case"][0]["wrong"])
    assert "due_date" not in figures["per_case"][0]["wrong"]


def test_the_own_jira_is_only_read(installation: Installation, folder: Path) -> None:
    """With --jira the tickets are drafts: judged by the same fields, and nothing is written."""
    code, figures, said = run(installation, folder, "--jira")
    writes = [entry for entry in installation.jira.requests("*") if entry.method in {"POST", "PUT"}]

    assert (code, said, figures["right"]) == (0, "", 2)
    assert figures["per_case"][0]["got"]["ticket"] == "new"
    assert [entry.path for entry in writes if "search" not in entry.path] == []


def test_a_recording_is_replayed_without_the_model(with_model: Installation, folder: Path) -> None:
    """Recorded with a model, replayed without one and without a key: the same ends from the same answers, until the mail changes."""
    recorded = run(with_model, folder, "--record")
    asked = len(with_model.asked)
    with_model.model_url = ""
    replayed = run(with_model, folder, "--replay")
    mail = folder / f"{PAIR[0]}.eml"
    mail.write_bytes(mail.read_bytes().replace(b"about 4 mm", b"about 5 mm"))
    code, _, said = run(with_model, folder, "--replay")

    assert (recorded[0], asked > 0, len(with_model.asked)) == (0, True, asked)
    assert replayed[0] == 0, replayed
    assert [x["got"] for x in replayed[1]["per_case"]] == [x["got"] for x in recorded[1]["per_case"]]
    assert (code, "01-barcode-cut-off.json" in said, "changed: message 2 (user)" in said) == (2, True, True), said


def test_wrong_use(installation: Installation, folder: Path) -> None:
    """An expectation that nobody understands, and options that exclude each other, are refused with their cure."""
    _expect(folder, PAIR[0], action="created", prio="High")
    broken = run(installation, folder)
    both = run(installation, folder, "--record", "--replay")

    assert (broken[0], both[0]) == (2, 2)
    assert "01-barcode-cut-off.yaml: prio" in broken[2]
    assert "choose one" in both[2]


def test_the_examples_are_cases(installation: Installation) -> None:
    """The folder that the README shows can be run as it is: every expectation is understood, every mail comes to an end."""
    code, figures, said = run(installation, ROOT / "examples" / "cases", "--model", "none")
    ends = {line["got"]["action"] for line in figures["per_case"]}

    assert (figures["cases"] >= 12, said, code in {0, 1}) == (True, "", True)
    assert ends <= {"ticketed", "commented", "ignored", "waiting"}
