"""Killed at every point of a letter's way: acknowledgements at most once, accepted answers never lost silently."""

from pathlib import Path

import pytest

from tests.e2e.triage.services.letters.killed import POINTS, fates
from tests.servers.mail.smtp import MailServer


@pytest.mark.parametrize("point", POINTS)
def test_killed(tmp_path: Path, mail_server: MailServer, point: str) -> None:
    """No letter goes twice, none is lost without a person being told, none is called sent that did not leave."""
    found = list(fates(tmp_path, mail_server, point))

    assert len(found) == 2
    assert [one for one in found if one.twice or one.lost or one.untrue] == []
