"""The demo's own mails as a newcomer gets them: from a real mailbox, with settings that say nothing of who checks senders."""

import os
from pathlib import Path

from cli.demo.outcomes import judged
from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
from tests.conftest import ROOT
from tests.e2e.launcher import run
from tests.servers.dovecot import PASSWORD, Person
from tests.servers.sandbox import RunningJira
from triage.domain.findings import Joined
from triage_sandbox.company import mails

NEW_TOPIC = "35-new-topic-in-old-thread"
"""Nobody is proven by default, and whose part in a thread is not proven brings no topic of its own there."""
THREAD = ("05-signature-upload-detail", "13-signature-upload-answer", "26-signature-upload-works")


async def test_the_mails_of_the_demo(tmp_path: Path, person: Person, cloud_jira: RunningJira) -> None:
    """Fetched by IMAP and worked with default settings, every mail but one ends as in the demo and the thread is one ticket."""
    given = {
        "JIRA_BASE_URL": cloud_jira.url,
        "JIRA_PROJECT_KEY": "HARB",
        "JIRA_EMAIL": cloud_jira.login[0],
        "JIRA_API_TOKEN": cloud_jira.token,
        "DATABASE_URL": f"sqlite:///{tmp_path}/triage.db",
        "IMAP_HOST": "127.0.0.1",
        "IMAP_PORT": str(person.server.imap),
        "IMAP_TLS": "none",
        "IMAP_USER": person.name,
        "IMAP_PASSWORD": PASSWORD,
    }

    def triage(*words: str) -> None:
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), **given}
        told = run(words, env, tmp_path)
        assert told.returncode == 0, told.stderr

    triage("watch", "--once")
    letters = mails()
    person.deliver(*(letter.raw for letter in letters))
    triage("watch", "--once")
    triage("work", "--until-idle")
    store = await open_store(given["DATABASE_URL"], SystemClock())
    reports = [await store.archive.report(f"case-{number}") for number in range(1, len(letters) + 1)]
    await store.close()

    lines = judged(letters, reports)
    assert {line.mail: line.action for line in lines if line.expected} == {NEW_TOPIC: "commented"}
    joined = {letter.name: report.case.identity.joined for letter, report in zip(letters, reports, strict=True)}
    assert {joined[name] for name in THREAD} == {Joined.REFERENCES}
    assert {report.case.identity.participant for report in reports} == {False}
