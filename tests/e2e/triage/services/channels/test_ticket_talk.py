"""A worker keeps up the conversation by itself: proposal, command, effect and confirmation, in one process."""

from pathlib import Path

import pytest

from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import running, until
from tests.e2e.triage.services.channels.talking import account, heard, ours, parked, say, status, talking
from tests.servers.sandbox import RunningJira

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
