"""`triage eval knowledge` as a person and a program call it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.evaluate.command import evaluate

RUN = CliRunner()
HELP = Path(__file__).parents[5] / "sandbox" / "triage_sandbox" / "company" / "help"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """One article and two questions."""
    (tmp_path / "articles").mkdir()
    (tmp_path / "articles" / "refunds.md").write_text("# Refunds\n\n## How do I get a refund?\n\nWrite to the desk.\n")
    questions = tmp_path / "q.jsonl"
    questions.write_text(
        '{"question": "How do I get a refund from the desk?", "article": "refunds"}\n'
        '{"question": "Will zebras sing?", "article": null}\n'
    )
    return str(tmp_path / "articles"), str(questions)


def test_for_machines(files: tuple[str, str]) -> None:
    """The keys are those that are documented."""
    told = json.loads(RUN.invoke(evaluate, ["knowledge", *files, "--json"]).stdout)

    assert {key: told[key] for key in ("queries", "recall_at_1", "recall_at_3", "recall_at_5", "mrr")} == {
        "queries": 2,
        "recall_at_1": 1.0,
        "recall_at_3": 1.0,
        "recall_at_5": 1.0,
        "mrr": 1.0,
    }
    assert (told["answered"], told["supported"], told["refused_right"]) == (1.0, 1.0, 1.0)
    assert told["p95_ms"] > 0


def test_for_people(files: tuple[str, str], tmp_path: Path) -> None:
    """A table, each answer with its citations, and a report."""
    shown = RUN.invoke(evaluate, ["knowledge", *files, "--show", "--html", str(tmp_path / "r.html")])

    assert "recall_at_3" in shown.stdout
    assert "Write to the desk.  [refunds#0]" in shown.stderr
    assert "refused" in shown.stderr
    assert "<svg" in (tmp_path / "r.html").read_text()


def test_a_help_centre(shared_data: Path, tmp_path: Path) -> None:
    """On a real help centre the right article is among the first three, and answers say what their passages say."""
    questions = tmp_path / "q.jsonl"
    base = shared_data / "kb-plausible"
    lines = (base / "questions.jsonl").read_text().splitlines()
    questions.write_text("\n".join(lines[::9]))

    told = json.loads(RUN.invoke(evaluate, ["knowledge", str(base / "articles"), str(questions), "--json"]).stdout)

    assert told["recall_at_3"] >= 0.96
    assert told["supported"] >= 0.97
    assert told["answered"] >= 0.9


def test_questions_of_other_languages() -> None:
    """Forty questions in five languages find their English article among three; of twenty that nothing answers at most one is not refused."""
    here = Path(__file__).parent
    told = json.loads(
        RUN.invoke(evaluate, ["knowledge", str(HELP), str(here / "other_languages.jsonl"), "--json"]).stdout
    )

    assert told["recall_at_3"] >= 0.9
    assert told["refused_right"] >= 0.95
