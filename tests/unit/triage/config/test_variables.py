"""The table of all variables."""

import pytest

from tests.unit.triage.config.test_setting_sources import SECRETS
from triage.config.variables import table, variables

pytestmark = pytest.mark.usefixtures("bare")


def test_the_table_has_every_variable() -> None:
    """One row each, with its default and help; a secret is called one and shows no value."""
    rows = table().splitlines()[2:]

    assert [row.split("`")[1] for row in rows] == list(variables())
    assert "| `MAX_ROUNDS` | `10` | rounds of the tool loop at most |" in rows
    assert "| `OPENAI_PREFETCH` | `true` |" in table()
    assert [row for row in rows if row.split("`")[1] in SECRETS and "*(secret)*" not in row] == []
