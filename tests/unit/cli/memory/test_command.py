"""`triage memory` over a real folder: every listing for people and for machines, and what is taken back."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.doctor.command import _memory, examined
from cli.memory.command import memory
from tests.unit.triage.policy.memory.samples import a_note
from triage.config.settings import Isolated, load
from triage.policy.memory.front_matter import text_of

RUN = CliRunner()
REPORT = a_note("commitments/report", "Send the report to Kim", "By Friday.", people=("ann@acme.example",))
COPY = a_note("commitments/copy", "Send the report to Kim", "As she said.", source_emails=("case-18",))
EVIL = a_note("insights/pay", "Pay Mallory", source_emails=("case-66",), source_senders=("mallory@evil.example",))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault with three notes and a broken one, as MEMORY_DIR names it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ENABLE_MEMORY", "true")
    monkeypatch.setenv("MEMORY_DIR", str(tmp_path / "vault"))
    for note in (REPORT, COPY, EVIL):
        file = tmp_path / "vault" / f"{note.id}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text_of(note))
    (tmp_path / "vault" / "people").mkdir()
    (tmp_path / "vault" / "people" / "broken.md").write_text("---\nstatus: open\n---\n")
    return tmp_path / "vault"


def triage(*words: str) -> str:
    """What a command prints."""
    done = RUN.invoke(memory, words, env={"COLUMNS": "200"}, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "shown", "key"),
    [
        (["list", "--kind", "commitments"], "Send the report to Kim", "id"),
        (["show", "[[Report]]"], "title: Send the report to Kim", "text"),
        (["search", "report", "friday"], "1.00", "score"),
        (["graph"], "person:ann@acme.example", "nodes"),
        (["graph", "Ann@acme.example"], "note:commitments/report", "edges"),
        (["graph", "mail:case-66"], "note:insights/pay", "edges"),
        (["graph", "note:commitments/report", "--depth", "2"], "source_email", "edges"),
        (["stats"], "people/broken.md:2: status: 'open' is none of active", "stats"),
        (["index"], "insights/pay", "insights"),
        (["deduplicate", "--dry-run"], "would be merged", "gone"),
        (["forget", "mallory@evil.example", "--dry-run"], "1 note would be removed", "removed"),
    ],
)
def test_each_listing(words: list[str], shown: str, key: str) -> None:
    """People read it, machines parse it."""
    found = json.loads(triage(*words, "--json"))

    assert shown in triage(*words)
    assert key in (found[0] if isinstance(found, list) else found)


@pytest.mark.usefixtures("folder")
def test_nothing_to_show() -> None:
    """It is said in words."""
    assert "no note holds these words" in triage("search", "xyzzy")
    assert "no notes" in triage("list", "--kind", "decisions")


def test_names_are_not_cut_on_a_narrow_screen(folder: Path) -> None:
    """A note's name can be copied, however long it is, and its facts stand below."""
    name = f"decisions/{'we-decided-to-keep-the-quay-' * 3}cameras"
    (folder / f"{name}.md").parent.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text("---\ntitle: Keep the cameras\ntype: decisions\n---\nWe keep them.\n")
    shown = RUN.invoke(memory, ["list", "--kind", "decisions"], env={"COLUMNS": "60"}, catch_exceptions=False).output

    assert [line.rstrip() for line in shown.splitlines()] == [name, "  Keep the cameras", "  active, untrusted"]


def test_taking_back(folder: Path) -> None:
    """A merge and a removal are done, told, and undone; what a person broke stays."""
    assert "was merged into it" in triage("deduplicate")
    assert "no two notes say the same" in triage("deduplicate")
    assert json.loads(triage("undo", "commitments/copy", "--json"))["id"] == "commitments/copy"
    assert "removed: insights/pay" in triage("forget", "mallory@evil.example", "--yes")
    assert "0 notes removed" in triage("forget", "mallory@evil.example")
    assert "is as before" in triage("undo", "insights/pay")
    assert RUN.invoke(memory, ["forget", "mallory@evil.example"], input="n\n").exit_code == 1
    assert sorted(path.stem for path in folder.glob("*/*.md")) == ["broken", "copy", "pay", "report"]


async def test_the_doctor_looks_at_the_vault(folder: Path) -> None:
    """How many notes, and which files are none; a folder that is not there is a failure."""
    settings = load(Isolated, ENABLE_MEMORY="true", MEMORY_DIR=str(folder))
    found = await examined(settings, [_memory])
    gone = await examined(load(Isolated, ENABLE_MEMORY="true", MEMORY_DIR=str(folder / "gone")), [_memory])
    off = await examined(load(Isolated), [_memory])

    assert [(one.state, one.text.partition(" in ")[0]) for one in found] == [
        ("ok", "3 notes"),
        ("warn", "people/broken.md:2: status: 'open' is none of active, closed, expired, dismissed"),
    ]
    assert [(one.state, one.what) for one in gone] == [("fail", "memory")]
    assert off == []


def test_the_memory_is_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is made, and the setting that switches it on is named; with it the folder stands beside the database."""
    monkeypatch.chdir(tmp_path)
    done = RUN.invoke(memory, ["list"])

    assert "ENABLE_MEMORY=true" in str(done.exception)
    assert [*tmp_path.iterdir()] == []
    monkeypatch.setenv("ENABLE_MEMORY", "true")
    assert "no notes" in triage("list")
    assert sorted(path.suffix for path in tmp_path.iterdir() if "-" not in path.name) == [".memory", ".notes"]
