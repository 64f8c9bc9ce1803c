"""What `triage doctor` reads of a tracker and a mailbox."""

from pathlib import Path

from cli.wiring.mail import isolated_reader
from integrations.imap.login import Password
from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import ImapAccount, Tls
from tests.e2e.opened import house
from tests.servers.dovecot import PASSWORD, Person, mail
from tests.servers.sandbox import RunningJira
from triage.services.checks import MailboxCheck, TrackerCheck


async def test_a_mailbox_is_read_and_left_as_it_is(person: Person) -> None:
    """The newest headers are read, a mail that arrives is known by its id, and nothing is marked as read."""
    person.deliver(mail(1), mail(2))
    account = ImapAccount(name="support", host="127.0.0.1", port=person.server.imap, user=person.name, tls=Tls.NONE)
    reader = isolated_reader()
    check = MailboxCheck(ImapMailbox(account, Password(PASSWORD)), reader)
    next_uid = await check.open()
    headers = await check.newest_headers(next_uid)
    person.deliver(mail("probe"))
    seen = [await check.arrived("probe@", next_uid - 1, 10), await check.arrived("absent@", next_uid - 1, 0.1)]
    await check.close()
    await reader.close()

    assert (len(headers), next_uid) == (2, 3)
    assert seen == [True, False]
    assert person.flags() == [set(), set(), set()]


async def test_a_tracker_is_read(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The project, its newest ticket, and those that assignment learns from."""
    async with house(cloud_jira, tmp_path) as opened:
        check = TrackerCheck(opened.tracker)
        project, latest, assigned = await check.project(), await check.latest(), await check.recently_assigned()
        known = await opened.tracker.tickets.get(latest)

    assert (project.key, known.key, bool(assigned)) == ("HARB", latest, True)
