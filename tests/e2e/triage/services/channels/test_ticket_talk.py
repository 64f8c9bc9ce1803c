"""A worker keeps up the conversation by itself: proposal, command, effect and confirmation, in one process."""

from pathlib import Path

from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import running, until
from tests.e2e.triage.services.channels.talking import account, ours, say, status

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
