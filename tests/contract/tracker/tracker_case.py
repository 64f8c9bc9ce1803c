"""What all parts of the tracker's contract share: a server, an adapter, a draft and a mark."""

from collections.abc import AsyncIterator

import pytest

from integrations.jira.tracker import JiraTracker
from tests.servers.sandbox import RunningJira
from triage.domain.tickets import Mark, TicketDraft

MARK = Mark(label="triage-0123456789abcdef0123", case="case-7", message_hash="f00d")
DRAFT = TicketDraft(
    summary="Zeppelin export fails",
    description="The export of **zeppelin** runs stops at 99 %.\n\n```\nORA-00942 in line 7\n```",
    issue_type="Bug",
    priority="High",
    labels=("mail",),
    components=("Invoicing",),
)
HOSTILE = (
    "[~triage.bot] {code}x{code} {panel}y{panel} !http://evil.example/p.png! ||a||b|| h1. Big\n"
    "h1. Big\n# one\n* two\n\\[~accountid:1] {noformat} ^up^ ~down~ ??said?? -gone- +new+ C:\\temp\\{x} &#123;x&#125;"
)
HOSTILE_WORDS = [
    '"',
    "\\",
    '\\"',
    '") OR project = OTHER OR (text ~ "x',
    "AND",
    "OR NOT",
    "*",
    "?x",
    "x*",
    "~",
    "a:b",
    "[1 TO 2]",
    "\x00",
    "\u2028",
    "😀",
    "l'été",
    "ORA-00942",
    "x" * 5000,
    "EMPTY",
    "currentUser()",
]


class TrackerCase:
    """A subclass gives `server` and `make`; tickets of the server are those of the demo's company."""

    @pytest.fixture
    def server(self) -> RunningJira:
        """The server behind the adapter, as seeded."""
        pytest.fail("the subclass names its server")

    def make(self, server: RunningJira, **options: object) -> JiraTracker:
        """The adapter, connected to it."""
        raise AssertionError("the subclass makes its adapter")

    @pytest.fixture
    async def tracker(self, server: RunningJira) -> AsyncIterator[JiraTracker]:
        """The adapter under test."""
        tracker = self.make(server)
        yield tracker
        await tracker.close()

    def person(self, server: RunningJira) -> str:
        """Somebody who can be given work, as this server names people."""
        return "712020:60d17be2-f95a-4c33-88ae-2f7d0c915be4" if server.cloud else "oskar.lindqvist"
