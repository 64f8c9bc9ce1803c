"""Files on tickets: what every tracker must do with them."""

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import DRAFT, MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import TicketGone, TrackerRejected, WriteUnconfirmed
from triage.domain.tickets import Attached, Upload
from triage.domain.untrusted import Untrusted
from triage_sandbox.jira import Fault

LOG = Upload(name="trace.log", content_type="text/plain", content=bytes(range(256)) * 40)


class Files(TrackerCase):
    """Attached, found, refused."""

    async def test_a_file_hangs_on_a_ticket(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Byte by byte, under its name, and told as ours; again it hangs there twice."""
        before = await tracker.tickets.attached("HARB-3")
        number = await tracker.writer.attach("HARB-3", LOG)
        second = await tracker.writer.attach("HARB-3", LOG)
        after = await tracker.tickets.attached("HARB-3")
        with server.client(follow_redirects=True) as client:
            shown = client.get(f"/rest/api/2/attachment/{number}").json()
            content = client.get(shown["content"]).content

        assert [each for each in after if each not in before] == [
            Attached(id=each, name=Untrusted("trace.log"), size=len(LOG.content), ours=True)
            for each in (number, second)
        ]
        assert (shown["mimeType"], content) == ("text/plain", LOG.content)

    async def test_a_file_of_somebody_else_is_not_ours(self, tracker: JiraTracker, server: RunningJira) -> None:
        """By its author."""
        await tracker.writer.attach("HARB-3", LOG)
        db = server.app.site.db
        db.run("UPDATE attachment SET author = (SELECT id FROM account WHERE name = 'oskar.lindqvist')")

        assert [each.ours for each in await tracker.tickets.attached("HARB-3")] == [False]

    @pytest.mark.parametrize(
        ("name", "shown"),
        [
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\eve\\report.pdf", "report.pdf"),
            ("invoice\u202efdp.exe", "invoicefdp.exe"),
            ('a"b;c\r\nX-Evil: 1.txt', "a_b;c X-Evil_ 1.txt"),
            ("Übersicht 世界 😀.pdf", "Übersicht 世界 😀.pdf"),
            ("x" * 300 + ".pdf", "x" * 116 + ".pdf"),
            ("\x00\x07", "attachment"),
            ("..", "attachment"),
            ("  .hidden  ", ".hidden"),
        ],
    )
    async def test_hostile_names_are_made_harmless(self, tracker: JiraTracker, name: str, shown: str) -> None:
        """No folders, nothing that cannot be seen, 120 characters at most with the ending kept."""
        hostile = Upload(name=name, content_type="text/plain\r\nX-Evil: 1", content=b"x")
        await tracker.writer.attach("HARB-3", hostile)

        assert [each.name for each in await tracker.tickets.attached("HARB-3")] == [shown]

    async def test_a_file_that_is_too_large_is_not_sent(self, server: RunningJira) -> None:
        """The limit is read before; the message tells both numbers."""
        server.app.site.upload_limit = 100
        tracker = self.make(server)
        try:
            with pytest.raises(TrackerRejected, match="10240 bytes, and Jira takes 100 at most"):
                await tracker.writer.attach("HARB-3", LOG)
        finally:
            server.app.site.upload_limit = 10 * 1024 * 1024
            await tracker.close()

        assert server.requests("POST", "/attachments$") == []

    async def test_a_limit_that_shrank_meanwhile_is_told(self, tracker: JiraTracker, server: RunningJira) -> None:
        """The server's own refusal says the same."""
        await tracker.metadata.project()
        server.app.site.upload_limit = 100
        try:
            with pytest.raises(TrackerRejected, match="too large"):
                await tracker.writer.attach("HARB-3", LOG)
        finally:
            server.app.site.upload_limit = 10 * 1024 * 1024

        assert await tracker.tickets.attached("HARB-3") == ()

    async def test_an_upload_whose_answer_is_lost_is_unsure(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Sent once; what hangs there tells whether it arrived."""
        server.fault(Fault(do="reset_after", method="POST", path="/attachments$"))
        with pytest.raises(WriteUnconfirmed):
            await tracker.writer.attach("HARB-3", LOG)

        assert [(each.name, each.ours) for each in await tracker.tickets.attached("HARB-3")] == [("trace.log", True)]
        assert len(server.requests("POST", "/attachments$")) == 1

    async def test_files_of_nothing(self, tracker: JiraTracker, server: RunningJira) -> None:
        """The ticket is gone, or was deleted a moment ago."""
        created = await tracker.writer.create(DRAFT, MARK)
        with server.api() as api:
            api.delete(f"/issue/{created.key}").raise_for_status()
        for key in ("HARB-999999", "OTHER-1", created.key):
            with pytest.raises(TicketGone):
                await tracker.writer.attach(key, LOG)
            with pytest.raises(TicketGone):
                await tracker.tickets.attached(key)
