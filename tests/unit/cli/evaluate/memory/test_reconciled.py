"""Files of labelled notes."""

from pathlib import Path

import pytest

from cli.evaluate.memory.reconciled import closed_by_anyone, judged, labelled_notes
from tests.unit.triage.policy.memory.observed import CORPUS
from triage.domain.errors import SettingsInvalid

NOTE = """## 1 | action | ann@acme.example | 2026-11-03 | - | eva@x.example | - | 2026-11-12
Please order two ribbons.
>> 2026-11-05 | ann@acme.example > eva@x.example | Ribbons
I have ordered two ribbons.
=> active
"""


def test_a_false_closing_is_counted(tmp_path: Path) -> None:
    """A note that is closed although the label says that it is open."""
    folder = tmp_path / "reconciliation"
    folder.mkdir()
    (folder / "notes.txt").write_text(NOTE)

    assert len(judged(labelled_notes(tmp_path)).false_closings) == 1


def test_a_wrong_record_is_named(tmp_path: Path) -> None:
    """File and record stand in the message."""
    folder = tmp_path / "reconciliation"
    folder.mkdir()
    (folder / "notes.txt").write_text(NOTE.replace("=> active", ""))

    with pytest.raises(SettingsInvalid, match=r"notes\.txt, note '1 \| action"):
        labelled_notes(tmp_path)


def test_an_agent_that_closes_everything() -> None:
    """It could close nearly all done notes of the corpus, and none that is open."""
    assert closed_by_anyone(labelled_notes(CORPUS)) == (13, 0)
