"""`triage eval assignment`: figures for people and for machines, and a page."""

import json
from pathlib import Path

from typer.testing import CliRunner

from cli.evaluate.command import evaluate
from tests.unit.cli.evaluate.test_history import PAST, written


def test_the_figures_are_printed(tmp_path: Path) -> None:
    """Each figure has its row; `--json` prints numbers, and `--html` writes a page."""
    file, html = str(written(tmp_path / "past.jsonl", PAST)), tmp_path / "page.html"
    asked = ["assignment", file, "--project", "OPS", "--last", "2"]
    shown = CliRunner().invoke(evaluate, [*asked, "--html", str(html)], env={"COLUMNS": "200"})
    figures = json.loads(CliRunner().invoke(evaluate, [*asked, "--json"]).stdout)

    assert (shown.exit_code, figures["cases"], figures["top1"]) == (0, 2, 1.0)
    assert "top1" in shown.stdout
    assert "<svg" in html.read_text(encoding="utf-8")
