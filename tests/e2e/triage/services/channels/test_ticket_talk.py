"""A worker keeps up the conversation by itself: proposal, command, effect and confirmation, in one process."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from cli.wiring.app import App
from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import running, until
from tests.e2e.triage.services.channels.talking import account, heard, ours, parked, say, status, talk_of, talking
from tests.servers.sandbox import RunningJira
from triage.services.channels.ticket_notes import ProposalNotes

NADIA = "nadia.ferreira"


def test_a_worker_and_a_person_in_jira(installation: Installation) -> None:
    """The person only writes comments: what waits is asked, done, and confirmed on the ticket."""
    jira = installation.jira
    config = Path(installation.folder) / "triage.yaml"
    config.write_text(f"approvals: {{approvers: {{people: ['{account(jira, NADIA)}']}}}}\n")
    installation.extra = {"TRIAGE_CONFIG": str(config), "ENABLE_JIRA_APPROVALS": "true", "JIRA_POLL_SECONDS": "1"}
    installation.triage("process", str(MAILS / "09-queue-alarm-fixed.eml"))
    with running(installation, "work") as work:
        until(lambda: ours(jira), work)
        say(jira, NADIA, "/triage yes")
        until(lambda: status(jira) == "Done", work)
        until(lambda: "Accepted by Nadia Ferreira: done" in ours(jira)[0], work)

    assert len(ours(jira)) == 1


@dataclass
class AnsweredAtOnce:
    """Notes that somebody answers as soon as they stand there, before the turn is over."""

    notes: ProposalNotes
    app: App
    jira: RunningJira
    answered: bool = False

    async def look(self) -> None:
        """As the notes do it."""
        await self.notes.look()

    async def write(self) -> None:
        """As the notes do it; the first time somebody answers, and the store learns of it."""
        await self.notes.write()
        if not self.answered:
            self.answered = True
            say(self.jira, NADIA, "/triage yes")
            await self.app.ticket_index_syncs[0].sync(0)


async def test_an_answer_within_the_first_turn_is_heard(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Whoever answers the very first proposal while the first turn is under way is heard: it is no comment of before."""
    people = f"people: ['{account(cloud_jira, NADIA)}']"
    async with talking(cloud_jira, tmp_path, people) as app:
        await parked(app)
        talk = talk_of(app)
        hasty = AnsweredAtOnce(talk.notes, app, cloud_jira)
        await replace(talk, notes=hasty).run_once()  # type: ignore[arg-type] # it does what they do, and is answered
        await app.worker.drain()

    assert status(cloud_jira) == "Done"


async def test_in_a_pause_nothing_is_said(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """While a person has paused all writing no note appears on a ticket; afterwards it does."""
    async with talking(cloud_jira, tmp_path, "roles: [Administrators]") as app:
        await parked(app)
        await app.store.kill_switch.pause("grace", "")
        await heard(app)
        silent = ours(cloud_jira)
        await app.store.kill_switch.resume()
        await heard(app)

    assert (silent, len(ours(cloud_jira))) == ([], 1)


@pytest.mark.parametrize(("shadow", "writers"), [("false", 5), ("true", 0)])
async def test_in_the_shadow_nobody_writes(tmp_path: Path, cloud_jira: RunningJira, shadow: str, writers: int) -> None:
    """With SHADOW nothing runs that writes to Jira, sends mail or queues letters for later; without it all of it does."""
    config = tmp_path / "letters.yaml"
    config.write_text("approvals: {approvers: {people: [ada@x.example]}, letters: true}\nletters: {status: true}\n")
    letters = {"SMTP_HOST": "127.0.0.1", "SMTP_TLS": "none", "MAIL_FROM": "support@harbourline.example"}
    more = {"SHADOW": shadow, "TRIAGE_CONFIG": str(config), **letters}
    async with talking(cloud_jira, tmp_path, "roles: [Administrators]", **more) as app:
        (syncing,) = app.ticket_index_syncs
        running = (app.sweepers, app.talk, app.approval_letters, app.letter_sender, syncing.changed)

    assert sum(map(bool, running)) == writers
