"""The table of all variables."""

from pathlib import Path

import pytest

from triage.config.setting_sources import is_secret
from triage.config.variables import table, variables

SECRETS = tuple(name for name, field in variables().items() if is_secret(field))


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty folder and an environment without any variable of ours."""
    monkeypatch.chdir(tmp_path)
    for name in variables():
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)


def test_the_table_has_every_variable() -> None:
    """One row each, with its default and help; a secret is called one and shows no value."""
    rows = table().splitlines()[2:]

    assert [row.split("`")[1] for row in rows] == list(variables())
    assert "| `MAX_ROUNDS` | `10` | rounds of the tool loop at most |" in rows
    assert "| `OPENAI_PREFETCH` | `true` |" in table()
    assert [row for row in rows if row.split("`")[1] in SECRETS and "*(secret)*" not in row] == []
