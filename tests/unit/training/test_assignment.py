"""Training of the models for people and components on a tracker's history."""

from pathlib import Path

from cli.evaluate.history import read_past
from tests.training import assignment
from tests.unit.cli.evaluate.test_history import row, written
from triage.policy.classifiers.choice_model import read_choice_model

WORK = (
    ("ada", "Export", "Invoice export stops"),
    ("bob", "Web", "Login page is slow"),
    ("eve", "Mail", "Letter is lost"),
)


def test_both_models_are_written(tmp_path: Path) -> None:
    """From the earlier part alone: the last fifth is never asked about; twice the same files."""
    rows = [
        row(1, f"{WORK[n % 3][2]} {n}", WORK[n % 3][0], id=f"OPS-{n}", component=[WORK[n % 3][1]],
            created=f"2026-{1 + n // 28:02}-{1 + n % 28:02}T08:00:00Z", resolved=f"2026-{1 + n // 28:02}-{1 + n % 28:02}T09:00:00Z")
        for n in range(150)
    ]  # fmt: skip
    path = written(tmp_path / "past.jsonl", rows)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        assignment.main(path, tmp_path / folder, first=20, every=1)
    asked = assignment.questions_of(read_past([path]), 20, 1)

    assert (asked[0], asked[-1], len(asked)) == ("OPS-20", "OPS-119", 100)
    for name in ("assignment.npz", "components.npz"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        assert 0 <= read_choice_model(tmp_path / "a" / name).threshold(0.75) <= 1
