"""The agent that words a note of a build: it gives words, and the observation gives all else."""

from datetime import date

import pytest

from tests.unit.triage.toolsets.memory.agents import ANN, Run
from triage.domain.errors import ToolRefused
from triage.domain.memory.notes import NoteKind, NoteTrust, Observation
from triage.domain.untrusted import Untrusted
from triage.services.memory.notes import NoteService

OBSERVED = Observation(
    kind=NoteKind.COMMITMENT,
    title="Ann sends the report",
    text="Ann sends the report by 27 November 2026.",
    source_email="case-17",
    sender="ann@acme.example",
    owner="ann@acme.example",
    people=("kim@acme.example",),
    deadline=date(2026, 11, 27),
    tickets=("HARB-1",),
    quote=Untrusted("I will send the report by Friday"),
    trust=NoteTrust.VERIFIED,
)


def writer(notes: NoteService) -> Run:
    """The Memory Writer of a build, about one observation."""
    return Run(notes, "memory_writer", facts={"case-17/1": ANN}, observed={"case-17/1": OBSERVED})


async def test_the_writer_of_a_build_gives_words_and_nothing_else(notes: NoteService) -> None:
    """Owner, people, day, ticket, quotation, source and trust are the observation's, whatever the call says."""
    words = {"title": "Ann sends Kim the report by 27 November", "text": "Kim needs it.", "tags": ["report"]}
    more = {"owner": "ceo@acme.example", "deadline": "2027-01-01", "people": ["x@x.example"], "tickets": ["OTHER-1"]}
    told = await writer(notes).call("write_memory", kind="commitments", source_emails=["case-17/1"], **words, **more)
    note = await notes.get(told["note"])

    assert note
    assert (note.owner, note.people, note.tickets) == ("ann@acme.example", ("kim@acme.example",), ("HARB-1",))
    assert (str(note.deadline), str(note.created)) == ("2026-11-27", "2026-11-21")
    assert (note.source_emails, note.trust, note.tags) == (("case-17",), NoteTrust.VERIFIED, ("report",))
    assert note.text == "Kim needs it.\n\n“I will send the report by Friday”"


async def test_the_writer_of_a_build_names_its_observation(notes: NoteService) -> None:
    """Without a source, or with another one, there is no note."""
    for sources in ([], ["case-17"], ["case-17/1", "case-17/1"]):
        with pytest.raises(ToolRefused, match="names the one observation"):
            await writer(notes).call("write_memory", kind="commitments", title="x", source_emails=sources)
