"""The revisions of the database are one chain, in the order of their numbers, and end where the code says."""

import re

from integrations.sql import migrations
from tests.conftest import ROOT

REVISION = re.compile(r'^(down_)?revision = (?:"(\d{4})"|None)$', re.MULTILINE)


def test_revisions_are_one_chain() -> None:
    """Each number once, each after the one before: two people who add one at the same time meet here."""
    files = sorted((ROOT / "integrations" / "sql" / "migrations" / "versions").glob("r*.py"))
    found = [dict(REVISION.findall(path.read_text(encoding="utf-8"))) for path in files]

    assert [one[""] for one in found] == sorted({one[""] for one in found})
    assert [one["down_"] for one in found] == ["", *(one[""] for one in found[:-1])]
    assert (found[0][""], found[-1][""]) == (migrations.OLDEST, migrations.HEAD)
