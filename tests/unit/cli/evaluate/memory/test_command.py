"""`triage eval memory` on a small folder."""

import json
from pathlib import Path

from typer.testing import CliRunner

from cli.evaluate.command import evaluate

MAILS = """== 1 | 2026-11-02 09:12 +0100 | ann@acme.example > tom@acme.example | List
I will send the list by Friday. I will call Eva. Please wait for it.
-- commitment | ann@acme.example | 2026-11-06 | send the list
-- decision | - | - | nobody said so
"""


def test_figures_are_told(tmp_path: Path) -> None:
    """What was found rightly, wrongly and not at all stands in JSON, in the table, and in plots."""
    (tmp_path / "mails.txt").write_text(MAILS)

    as_json = CliRunner().invoke(evaluate, ["memory", str(tmp_path), "--json"])
    page = tmp_path / "report.html"
    table = CliRunner().invoke(evaluate, ["memory", str(tmp_path), "--html", str(page)])

    told = json.loads(as_json.stdout)
    assert told["kinds"]["commitments"] == {"labels": 1, "found": 2, "right": 1, "precision": 0.5, "recall": 1.0}
    assert told["kinds"]["decisions"]["recall"] == 0
    assert (told["owners"], told["false_closings"]) == (1.0, 0)
    assert {one["what"] for one in told["differences"]} == {
        "nobody said so",
        "I will call Eva (List)",
        "Please wait for it (List)",
    }
    assert (told["agent_closings"], told["agent_false_closings"]) == (1.0, 0)
    assert "closed wrongly" in table.stdout
    assert page.read_text().count("<svg") == 3


def test_a_folder_without_mails_is_refused(tmp_path: Path) -> None:
    """The message shows how a mail is written."""
    result = CliRunner().invoke(evaluate, ["memory", str(tmp_path)])

    assert "no .txt file begins with a mail: == number" in str(result.exception)
