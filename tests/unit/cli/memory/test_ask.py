"""`triage ask` on a small memory."""

import asyncio
import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cli.memory.ask import ask
from cli.wiring.operations import open_audit
from triage.config.settings import load
from triage.domain.conversation import ToolCall, Turn
from triage.domain.operations.audit import AuditFilter, RunAudit
from triage_sandbox.openai_app import Script, openai_app
from triage_sandbox.server import Served

NOTE = """---
title: "Send the report"
type: action_required
owner: Ann
deadline: 2020-01-02
---
The auditor waits.
"""
app = typer.Typer()
app.command()(ask)


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings with a memory of one note."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'triage.db'}")
    monkeypatch.setenv("MEMORY_DIR", str(tmp_path / "memory"))
    monkeypatch.setenv("ENABLE_MEMORY", "true")
    (tmp_path / "memory" / "action_required").mkdir(parents=True)
    (tmp_path / "memory" / "action_required" / "report.md").write_text(NOTE, "utf-8")
    return tmp_path / "memory"


def test_an_answer_has_its_sources(vault: Path) -> None:
    """People get numbered sentences, programs the same as JSON; who asks for what nobody knows is told by the exit code."""
    run, known = CliRunner().invoke, "action_required/report"
    said, told = run(app, ["What is overdue?"]), run(app, ["What is overdue?", "--json"])
    unknown = run(app, ["What is the capital of France?"])

    assert "Action: Send the report; owner Ann, by 2 January 2020; active. [1]" in said.stdout
    assert f"[1] note {known}: Send the report" in said.stdout
    assert json.loads(told.stdout)["answer"][0]["source"] == f"note:{known}"
    assert (said.exit_code, unknown.exit_code, "I do not know" in unknown.stdout) == (0, 1, True)
    assert (vault / f"{known}.md").read_text("utf-8") == NOTE


def test_a_model_words_the_answer(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the wire it reads the note and is cited; what the note does not say is dropped, and the answer is counted."""
    assert vault.is_dir()
    read = ToolCall(id="1", name="read_memory", arguments='{"note": "action_required/report"}')
    words = "The auditor waits for the report [action_required/report]. He is furious [action_required/report]."
    script = Script(Turn(text="", calls=(read,)), Turn(text=words))
    with Served(openai_app(script)) as served:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{served.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "x")
        told = json.loads(CliRunner().invoke(app, ["Who waits for the report?", "--json"]).stdout)
    runs = asyncio.run(counted())

    note = "note:action_required/report"
    assert told["answer"] == [{"text": "The auditor waits for the report", "source": note}]
    assert told["by"]
    assert [(run.profile, run.iterations) for run in runs] == [("query", 2)]


async def counted() -> tuple[RunAudit, ...]:
    """The runs of the audit."""
    async with open_audit(load()) as audit:
        return await audit.log.runs(AuditFilter(), 5)


def test_it_is_off_until_it_is_switched_on(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the setting."""
    monkeypatch.delenv("ENABLE_MEMORY")

    assert vault.is_dir()
    assert "ENABLE_MEMORY" in str(CliRunner().invoke(app, ["What is overdue?"]).exception)
