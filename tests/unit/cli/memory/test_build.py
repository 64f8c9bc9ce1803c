"""`triage memory build`, `refresh` and `reconcile` on an empty store."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.memory.build import progress_text
from cli.memory.command import memory
from cli.wiring.operations import open_audit
from tests.contract.store.store_samples import MORNING
from tests.unit.triage.services.memory.build.building import house
from tests.unit.triage.services.memory.build.by_model.player import Player
from triage.config.settings import load
from triage.domain.memory.builds import Build, BuildKind, BuildStage
from triage.domain.operations.audit import AuditFilter, RunAudit
from triage_sandbox.openai_app import openai_app
from triage_sandbox.server import Served

PROMISES = (
    "I will send the signed audit report by Friday.",
    "We will repaint crane four before Monday.",
    "I will call the customs office tomorrow.",
    "I will book a berth for the Lynx by Thursday.",
)


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings with a memory in a folder of the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'triage.db'}")
    monkeypatch.setenv("ENABLE_MEMORY", "true")
    return tmp_path / "triage.memory"


def test_a_build_of_nothing_is_complete(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each verb ends, says so to people and machines, and the vault is made."""
    run = CliRunner().invoke
    first, priced = run(memory, ["build"]), run(memory, ["build", "--dry-run", "--json"])
    done = [run(memory, [verb, "--json"]) for verb in ("refresh", "reconcile")]
    status = run(memory, ["build", "--status"])

    monkeypatch.setenv("MEMORY_BUILD_HOURS", "6")
    stands, machine = run(memory, ["status"]), run(memory, ["status", "--json"])

    assert "reconcile 3: complete" in stands.stdout
    assert "the schedule builds next at 20" in stands.stdout
    assert json.loads(machine.stdout)["next_at"]
    assert "build 1: complete" in first.stdout
    assert json.loads(priced.stdout) == {"mails": 0, "to_write": 0, "tokens": 0, "cost_usd": 0.0}
    assert [json.loads(one.stdout)["stage"] for one in done] == ["complete", "complete"]
    assert "reconcile 3: complete" in status.stdout
    assert vault.is_dir()


def test_it_is_off_until_it_is_switched_on(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the setting."""
    monkeypatch.delenv("ENABLE_MEMORY")

    assert "ENABLE_MEMORY" in str(CliRunner().invoke(memory, ["build"]).exception)
    assert not vault.exists()


async def test_a_killed_process_leaves_no_half_and_no_double_note(vault: Path) -> None:
    """SIGKILL between a note and its commit; the next build writes what is missing."""
    async with house(vault.parent / "unused", f"sqlite:///{vault.parent / 'triage.db'}") as at:
        await at.mail(1, "I will send the signed audit report by Friday. Please order two ribbons.")
    command = [sys.executable, "-m", "cli", "memory", "build", "--json"]
    killed = subprocess.run(command, env=os.environ | {"TRIAGE_CRASH_AT": "memory.note"}, check=False)
    half = [path.name for path in vault.rglob("*.md")]
    async with house(vault.parent / "unused", f"sqlite:///{vault.parent / 'triage.db'}") as at:
        build = await at.store.memory_builds.latest()
        assert build is not None
    async with house(vault, f"sqlite:///{vault.parent / 'triage.db'}") as at:
        await at.clock.sleep((build.beat_at - at.clock.now()).total_seconds() + 60)
        done = await at.builds.run(BuildKind.BUILD, "ada")
        titles = [note.title for note in await at.notes.list()]

    assert (killed.returncode, len(half), build.stage) == (-signal.SIGKILL, 1, BuildStage.WRITE)
    assert (done.id, done.stage) == (build.id, BuildStage.COMPLETE)
    assert sorted(titles) == [
        "I will send the signed audit report by Friday",
        "Keep the promise: I will send the signed audit report by Friday",
        "Please order two ribbons",
    ]


def test_somebody_edits_the_vault_during_a_build(vault: Path) -> None:
    """The build ends, what an editor saved meanwhile stays in each note, and no note is half written or there twice."""
    asyncio.run(mailed(vault, *PROMISES))
    edits = (
        f"mkdir -p {vault}/insights; cd {vault}; while :; do echo mine > insights/x.md; rm insights/x.md; "
        "for f in commitments/*.md; do grep -q Ann: $f && continue; "
        "cp $f .new && echo 'Ann: seen.' >> .new && mv .new $f && echo $f >> .edited; done; done 2>/dev/null"
    )
    with subprocess.Popen(["bash", "-c", edits]) as editor:
        try:
            done = CliRunner().invoke(memory, ["build", "--json"])
        finally:
            editor.kill()
    stats = json.loads(CliRunner().invoke(memory, ["stats", "--json"]).stdout)["stats"]
    edited = set((vault / ".edited").read_text().split())

    assert json.loads(done.stdout)["stage"] == "complete"
    assert (stats["by_kind"]["commitments"], stats["problems"]) == (len(PROMISES), 0)
    assert edited
    assert all("Ann: seen." in (vault / name).read_text() for name in edited)


def test_a_vault_that_cannot_be_written(vault: Path) -> None:
    """The build says what stands in the way and what was read is not lost: the next one says that it writes it, without reading it again."""
    asyncio.run(mailed(vault, "I will send the signed audit report by Friday."))
    vault.mkdir()
    (vault / "commitments").write_text("no folder")
    failed = CliRunner().invoke(memory, ["build"])
    (vault / "commitments").unlink()
    priced = CliRunner().invoke(memory, ["build", "--dry-run"])
    done = json.loads(CliRunner().invoke(memory, ["build", "--json"]).stdout)
    after = CliRunner().invoke(memory, ["build", "--dry-run"])

    assert failed.exit_code == 1
    left = "0 mails to read, and the notes of 1 to write that an earlier build has read, by rules, without cost"
    assert left in " ".join(priced.stdout.split())
    assert "0 mails to read, by rules, without cost" in after.stdout
    assert "failed (1 mails, 1 observations)" in failed.stdout
    assert "Not a" in failed.stdout
    assert (done["stage"], done["figures"].get("mails", 0), done["figures"]["created"]) == ("complete", 0, 1)


def test_a_model_builds_over_the_wire(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The four agents ask a server of OpenAI's shape; the cost is told before, each answer is counted as its agent's."""
    asyncio.run(mailed(vault, "I will send the signed audit report by Friday."))
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    monkeypatch.setenv("JIRA_EMAIL", "bot@acme.example")
    with Served(openai_app(Player())) as served:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{served.url}/v1")
        priced = json.loads(CliRunner().invoke(memory, ["build", "--dry-run", "--json"]).stdout)
        done = json.loads(CliRunner().invoke(memory, ["build", "--json"]).stdout)
    titles = sorted(path.parent.name + "/" + path.stem[11:] for path in vault.rglob("*.md"))

    assert (priced["mails"], priced["tokens"]) == (1, 36_900)
    assert (done["stage"], done["figures"]["created"], done["figures"]["actions"]) == ("complete", 1, 1)
    assert titles[-1] == "commitments/noted-ann-i-will-send-the-signed-audit-report-by-friday"
    assert {run.profile for run in asyncio.run(counted())} == {"email_reader", "memory_writer", "action"}


async def mailed(vault: Path, *texts: str) -> None:
    """Ended cases of these mails in the vault's store."""
    async with house(vault.parent / "unused", f"sqlite:///{vault.parent / 'triage.db'}") as at:
        for number, text in enumerate(texts, start=1):
            await at.mail(number, text)


async def counted() -> tuple[RunAudit, ...]:
    """The runs of the audit."""
    async with open_audit(load()) as audit:
        return await audit.log.runs(AuditFilter(), 5)


def test_how_far_a_build_is(vault: Path) -> None:
    """Stage, numbers and trouble stand in one line."""
    del vault
    build = Build(
        id=7,
        kind=BuildKind.BUILD,
        by="ada",
        stage=BuildStage.READ,
        done=3,
        total=9,
        figures={"mails": 3, "noise": 0},
        trouble="slow",
        started_at=MORNING,
        beat_at=MORNING,
    )

    assert progress_text(build) == "build 7: read 3 of 9 (3 mails): slow"
