"""Files of labelled mails."""

from pathlib import Path

import pytest

from cli.evaluate.memory.labelled import labelled_mails
from triage.domain.errors import SettingsInvalid


def test_a_wrong_record_is_named(tmp_path: Path) -> None:
    """File and record stand in the message."""
    (tmp_path / "mails.txt").write_text("== one | two")

    with pytest.raises(SettingsInvalid, match=r"mails\.txt, mail 'one \| two'"):
        labelled_mails(tmp_path)
