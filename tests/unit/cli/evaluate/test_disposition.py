"""`triage eval disposition` counts what becomes of mails."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import typer

from cli.evaluate.disposition import disposition
from triage.domain.errors import SettingsInvalid

SCAM = (
    "Dear friend, I am the lawyer of a late client who left eleven million dollars. I need your help to transfer the funds, "
    "send me your bank details and telephone number, strictly confidential. You will receive forty percent."
)
REPORT = "Nobody can save an order since this morning, the page shows an internal error. Please have a look."


def told(capsys: pytest.CaptureFixture[str], *files: Path) -> Any:
    """What the command prints for machines."""
    with pytest.raises(typer.Exit):
        disposition(list(files), limit=0, as_json=True, show=False)
    return json.loads(capsys.readouterr().out)


def test_lines_with_title_and_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is a mail of an unknown sender: business mail, or spam where its label says so."""
    rows = [
        {"id": "1", "summary": "Saving fails", "description": REPORT},
        {"id": "2", "title": "Proposal", "body": SCAM, "label": "spam"},
        {"id": "3", "subject": "Proposal", "text": SCAM},
    ]
    file = tmp_path / "rows.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    total = told(capsys, file)["total"]

    assert (total["mails"], total["spam"], total["spam_ticketed"]) == (3, 1, 0)
    assert (total["business"], total["business_lost"]) == (2, 1)
    assert total["business_lost_share"] == 0.5


def test_mails_of_a_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Labels come from the manifest; bounces count as neither."""
    (tmp_path / "files").mkdir()
    head = "From: eve@unknown.example\nTo: desk@us.example\nSubject: Proposal\nMessage-ID: <1@x.example>\n\n"
    for name, text in (("scam.eml", SCAM), ("work.eml", REPORT)):
        (tmp_path / "files" / name).write_text(head + text)
    rows = [
        {"file": "scam.eml", "kind": "spam", "expect": {"spam": True}},
        {"file": "work.eml", "kind": "ticket"},
        {"file": "work.eml", "kind": "bounce"},
        {"file": "gone.eml", "kind": "ticket"},
    ]
    (tmp_path / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    total = told(capsys, tmp_path)["total"]

    assert (total["mails"], total["spam"], total["business"]) == (3, 1, 1)
    assert (total["spam_ticketed"], total["business_lost"]) == (0, 0)


@pytest.mark.parametrize("line", ["no json", "[1]", '{"id": 1}'])
def test_a_line_that_is_no_mail(line: str, tmp_path: Path) -> None:
    """It is named with its number."""
    file = tmp_path / "rows.jsonl"
    file.write_text(line)

    with pytest.raises(SettingsInvalid, match="line 1"):
        disposition([file], limit=0, as_json=True, show=False)
