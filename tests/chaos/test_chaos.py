"""Kill `triage serve` and `triage work` again and again while mail comes in by four ways: none lost, none twice."""

import asyncio
import os
from pathlib import Path

import pytest
from rich.console import Console

from tests.chaos.campaign import Campaign
from tests.chaos.mails import Letters, of_folder
from tests.chaos.points import intake_points, points
from tests.servers.dovecot import Dovecot
from tests.servers.postgres import Postgres

WIDE = 110


@pytest.mark.timeout(3600)
async def test_killed_where_mail_comes_in(dovecot: Dovecot, tmp_path: Path) -> None:
    """Killed at every named point of intake and at any moment: what was sent, accepted, stored, decided and written
    in Jira are the same mails, byte for byte and once each.
    """
    campaign = Campaign(kills=15, points=intake_points(), seed=7, settling=2400)
    await campaign.run(tmp_path, dovecot, [f"sqlite:///{tmp_path}/triage.db"], [Letters.made_up(40, seed=7)])

    assert (campaign.identity.broken, campaign.missed) == ([], [])
    assert campaign.killed >= 18


@pytest.mark.chaos
@pytest.mark.timeout(0)
async def test_killed_for_long(dovecot: Dovecot, tmp_path: Path, databases: list[str]) -> None:
    """The same at every named point there is, KILLS times, with made-up mails or the MOST first of those in MAILS."""
    kills, seed, installations = asked("KILLS", 500), asked("SEED", 1), len(databases)
    letters = [Letters.made_up(4 * kills // installations, seed + n) for n in range(installations)]
    if where := os.environ.get("MAILS"):
        files = of_folder(where, asked("MOST", 0), seed)
        assert files, f"no mail file (*.eml) in {where}"
        letters = [Letters(files[n::installations], iter(())) for n in range(installations)]
    campaign = Campaign(kills=kills, points=points(), seed=seed, settling=900, console=Console(width=WIDE))
    await campaign.run(tmp_path, dovecot, databases, letters)
    campaign.print()

    assert (campaign.identity.broken, campaign.missed) == ([], [])


@pytest.fixture
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """One for each of HOUSES, of the kind that STORE says."""
    numbers = range(asked("HOUSES", 2))
    if os.environ.get("STORE") != "postgres":
        return [f"sqlite:///{tmp_path}/triage-{n}.db" for n in numbers]
    server: Postgres = request.getfixturevalue("postgres")
    for n in numbers:
        asyncio.run(server.run(f"CREATE DATABASE chaos_{n}"))
    return [server.url(f"chaos_{n}") for n in numbers]


def asked(name: str, usual: int) -> int:
    """A number that `make chaos` was given."""
    return int(os.environ.get(name) or usual)
