"""`triage eval duplicates` as it is called."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.__main__ import app

ROWS = [
    {"id": "A-1", "summary": "Barcode is cut off", "description": "On Zebra printers.", "created": "2026-01-01T10:00:00Z"},
    {"id": "A-2", "summary": "Login page is slow", "description": "A minute.", "created": "2026-01-02T10:00:00Z"},
    {
        "id": "A-3", "summary": "Barcodes cut off on labels", "description": "Zebra.", "created": "2026-01-03T10:00:00Z",
        "dup_of": ["A-1"],
    },
    {"id": "A-4", "summary": "Export lacks a column", "description": "", "created": "2026-01-04T10:00:00Z"},
]  # fmt: skip


@pytest.mark.parametrize("live", ["relevance", "newest"])
def test_figures_and_a_page(tmp_path: Path, live: str) -> None:
    """The keys of `--json`, and a page with the plots, for both orders of the live search."""
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    page = tmp_path / "page.html"
    words = [
        "eval",
        "duplicates",
        str(tmp_path / "a.jsonl"),
        "--live",
        live,
        "--limit",
        "2",
        "--json",
        "--html",
        str(page),
    ]
    told = CliRunner().invoke(app, words)
    figures = json.loads(told.stdout)

    assert told.exit_code == 0
    assert (figures["queries"], figures["recall_at_1"], figures["non_duplicates"]) == (1, 1.0, 2)
    assert figures["wrong_comment_rate"] == 0.0
    assert page.read_text(encoding="utf-8").count("<svg") == 3
