"""Our note about a proposal is written once, whatever happens on the way, and stays where customers never see it."""

from dataclasses import replace
from pathlib import Path

from tests.e2e.triage.services.channels.talking import TICKET, heard, ours, parked, talk_of, talking
from tests.servers.sandbox import RunningJira
from triage.domain.channels.ticket_notes import TicketNote
from triage.services.channels.ticket_notes import ProposalNotes
from triage_sandbox.jira import Fault

NOBODY = "people: [nobody@example.org]"


async def test_the_answer_to_the_comment_is_lost(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A comment whose answer was lost is found by its mark, not written again."""
    async with talking(cloud_jira, tmp_path, NOBODY) as app:
        await parked(app)
        cloud_jira.fault(Fault(do="reset_after", method="POST", path="/comment$"))
        await heard(app)
        async with talking(cloud_jira, tmp_path, NOBODY) as later:
            clock = talk_of(later).notes.clock
            for note in await later.store.ticket_notes.standing():
                await later.store.ticket_notes.later(note, clock.now())
            await talk_of(later).notes.write()
            (known,) = await later.store.ticket_notes.standing()

    assert len(ours(cloud_jira)) == 1
    assert len(cloud_jira.requests("POST", f"/issue/{TICKET}/comment$")) == 1
    assert known.comment


async def test_two_processes_write_one_note(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """However many look at the same time."""
    async with talking(cloud_jira, tmp_path, NOBODY) as app, talking(cloud_jira, tmp_path, NOBODY) as other:
        await parked(app)
        for turn in (app, other, app, other):
            await heard(turn)

    assert len(ours(cloud_jira)) == 1


async def test_a_ticket_that_is_gone(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """It is left alone: the proposal can be answered elsewhere, and others are written all the same."""
    async with talking(cloud_jira, tmp_path, NOBODY) as app:
        await app.store.ticket_notes.want(
            TicketNote(key="approval 77", ticket="HARB-99999", body="May it?", final=True)
        )
        await parked(app)
        await heard(app)

    assert len(ours(cloud_jira)) == 1


async def test_customers_see_no_note(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """In a service project a note is internal, also where JIRA_PUBLIC_COMMENTS lets customers read our comments."""
    cloud_jira.agent("HELP")
    async with talking(cloud_jira, tmp_path, NOBODY, JIRA_PROJECT_KEY="HELP", JIRA_PUBLIC_COMMENTS="true") as app:
        notes: ProposalNotes = replace(talk_of(app).notes)
        await app.store.ticket_notes.want(TicketNote(key="approval 1", ticket="HELP-1", body="May it?", final=True))
        await notes.write()
        with cloud_jira.api("3") as api:
            (last, *_) = api.get("/issue/HELP-1/comment", params={"orderBy": "-created"}).json()["comments"]

    assert last["jsdPublic"] is False
