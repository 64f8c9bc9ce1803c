"""`triage eval capacity`: a line for each number of mails, and the same for machines."""

import json

from typer.testing import CliRunner

from cli.evaluate.command import evaluate
from tests.conftest import ROOT


def test_lines() -> None:
    """Each number has its line, and the most that Jira allows is told."""
    told = CliRunner().invoke(
        evaluate, ["capacity", "1000", "10000000", "--jira-per-second", "50"], env={"COLUMNS": "200"}
    )

    assert told.exit_code == 0
    assert "10,000,000" in told.stdout
    assert "processor" in told.stdout
    assert "Jira and the model allow 1,285,714 mails a day" in told.stdout


def test_for_machines() -> None:
    """Figures are numbers; with a model its calls and tokens count."""
    told = CliRunner().invoke(evaluate, ["capacity", "100000", "--model-calls", "1.2", "--tokens", "2800", "--json"])
    found = json.loads(told.stdout)

    assert found["needs"][0]["tokens"] == 280_000_000
    assert found["needs"][0]["first"] == "model"
    assert round(found["most_mails"]) == 178_571


def test_the_page_says_what_the_command_reckons() -> None:
    """The table of `docs/operations/scale.md` has the cores and processes that come from the costs it names."""
    told = CliRunner().invoke(evaluate, ["capacity", "100000", "10000000", "--json"])
    page = (ROOT / "docs" / "operations" / "scale.md").read_text(encoding="utf-8")
    rows = {
        row[1].strip(): [cell.strip() for cell in row] for row in (x.split("|") for x in page.splitlines()) if row[2:]
    }

    for needs in json.loads(told.stdout)["needs"]:
        cells = rows[f"{needs['mails']:,.0f}"]
        assert float(cells[3]) == float(f"{needs['cores']:.2g}")
        assert int(cells[4].split(";")[0]) == needs["workers"]
