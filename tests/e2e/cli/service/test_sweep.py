"""Tickets that were made twice all the same: found by their mark, settled into the first, once."""

from tests.e2e.installation import Installation
from triage.domain.tickets import Mark, TicketDraft

MARK = Mark(label="triage-0123456789abcdef0123", case="case-7", message_hash="f00d")
DRAFT = TicketDraft(summary="Quetzal export stops", description="At line seven.", issue_type="Bug")


async def test_the_command_tells_what_it_did(installation: Installation) -> None:
    """`triage sweep` settles them now, and then has nothing to do."""
    tracker = installation.jira.tracker()
    first, second = [await tracker.writer.create(DRAFT, MARK) for _ in range(2)]
    await tracker.close()

    assert installation.json("sweep") == [{"key": second.key, "of": first.key, "trouble": ""}]
    assert b"No ticket was made twice." in installation.triage("sweep").stdout
