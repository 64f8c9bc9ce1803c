"""Five hundred runs: killed at any point, the line cut at any step, both at once; then counted by the mail server's list."""

import os
import random
from pathlib import Path

import pytest

from tests.e2e.triage.services.letters.killed import CUTS, POINTS, Fate, fates
from tests.servers.mail.smtp import MailServer
from triage.domain.letters import LetterState

RUNS = int(os.environ.get("RUNS", "500"))


@pytest.mark.chaos
@pytest.mark.timeout(0)
def test_letters_under_fire(tmp_path: Path, mail_server: MailServer) -> None:
    """0 letters twice, 0 accepted answers lost: each has left, or a person is told that it may not have."""
    dice = random.Random(11)
    found: list[Fate] = []
    for number in range(RUNS):
        folder = tmp_path / f"run{number}"
        folder.mkdir()
        point = dice.choice(("", *POINTS))
        cuts = tuple(dice.choices(CUTS, k=dice.randrange(0, 3)))
        mail_server.accepted.clear()
        found += fates(folder, mail_server, point, cuts)
    acknowledgements = [one for one in found if one.letter.automatic]
    answers = [one for one in found if not one.letter.automatic]
    states = {state: sum(one.letter.state is state for one in found) for state in LetterState}
    print(f"\n{RUNS} runs, {len(found)} letters: " + ", ".join(f"{state} {n}" for state, n in states.items() if n))
    print(f"acknowledgements twice: {sum(one.twice for one in acknowledgements)}")
    print(f"answers twice: {sum(one.twice for one in answers)}; lost: {sum(one.lost for one in answers)}")
    print(f"called sent that did not leave: {sum(one.untrue for one in found)}")

    assert [one for one in found if one.twice or one.lost or one.untrue] == []
