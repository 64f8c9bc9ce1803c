"""The memory's tools behind their guards, over a real vault: what agents see, what they may write, and what attackers gain."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from prompts import names, read
from tests.unit.triage.policy.memory.samples import a_note
from tests.unit.triage.toolsets.memory.agents import Mails, Run, a_mail
from triage.agent.profiles import profile_of
from triage.domain.conversation import Json, ToolCall
from triage.domain.errors import ToolRefused
from triage.domain.memory.errors import NoteChanged
from triage.domain.memory.notes import Note, NoteKind, NoteStatus, NoteTrust, NoteWritten
from triage.domain.untrusted import Untrusted
from triage.policy.decision.permission import Ask
from triage.policy.memory.notes.writing import rights_of
from triage.policy.memory.reconcile import TicketState
from triage.services.memory.notes import NoteService
from triage.toolsets.memory.scope import BOX, TEMPLATES, inner_nonce

REPORT = a_note("commitments/", "Send the report to Kim", "By Friday.", tickets=("HARB-1",), owner="ann@acme.example")


async def test_reading(notes: NoteService) -> None:
    """A query sees lines, reads one note whole, lists, counts and walks; what others wrote stands behind a fence."""
    kept = (await notes.write(replace(REPORT, trust=NoteTrust.UNTRUSTED), "memory_writer")).note
    await notes.write(
        a_note("decisions/", "We ship", "Said Kim.", trust=NoteTrust.TRUSTED, related_to=(kept.id,)), "kim"
    )
    run = Run(notes, "query")

    (hit,) = (await run.call("search_vault", query="report", kind="commitments", status="active"))["notes"]
    whole = await run.call("read_memory", note="[[2026-11-22-send-the-report-to-kim]]")
    mine = await run.call("read_memory", note="decisions/2026-11-22-we-ship")
    assert (hit["id"], hit["trust"], hit["owner"], hit["score"]) == (kept.id, "untrusted", "ann@acme.example", 1.0)
    nonce = inner_nonce("abcd1234")
    assert whole["text"] == f"<<<NOTE {nonce}\nSend the report to Kim\n\nBy Friday.\n{nonce} NOTE>>>\n"
    assert whole["changes"] == ["2026-11-22 memory_writer: created from case-17"]
    assert mine["text"] == "We ship\n\nSaid Kim."
    listed = await run.call("list_memories", owner="ann", due_before="2027-01-01")
    assert listed == {"notes": [], "total": 0}
    assert (await run.call("list_memories"))["total"] == 2
    assert (await run.call("get_vault_index"))["decisions"]["total"] == 1
    assert (await run.call("get_vault_stats"))["by_kind"]["commitments"] == 1
    graph = await run.call("get_graph")
    assert graph["nodes"] == {"note": 2, "person": 1, "ticket": 1, "mail": 1}
    assert ["note:" + kept.id, "tracked_by", "ticket:HARB-1"] in graph["edges"]
    for start in ("ticket:HARB-1", "Ann@acme.example", kept.id, f"note:{kept.id}"):
        assert (await run.call("traverse_graph", start=start, depth=1))["nodes"]["note"] >= 1


async def test_a_node_with_a_long_name_can_be_walked_from(notes: NoteService) -> None:
    """An id that a graph shows is one that tools take, however long the note's title is."""
    title = "Could you add a weekly digest by mail with all parcels that are behind their schedule"
    await notes.write(replace(REPORT, title=title), "memory_writer")
    run = Run(notes, "query")
    graph = await run.call("get_graph")
    note = next(one["id"] for one in graph["most_connected"] if one["id"].startswith("note:"))

    assert len(note) > 80
    assert (await run.call("traverse_graph", start=note))["nodes"]["note"] == 1


async def test_a_graph_that_is_large(notes: NoteService) -> None:
    """Its edges are not shown, but where to go on."""
    people = tuple(f"p{n}@acme.example" for n in range(201))
    await notes.write(replace(REPORT, people=people), "memory_writer")
    graph = await Run(notes, "query").call("get_graph")

    assert "edges" not in graph
    assert "walk from one node" in graph["notes"][0]
    assert graph["most_connected"][0]["edges"] == 204


async def test_names_that_are_wrong(notes: NoteService, tmp_path: Path) -> None:
    """A note that is not there is told with those like it; one that goes meanwhile is told, too."""
    kept = (await notes.write(REPORT, "memory_writer")).note
    run = Run(notes, "query")

    with pytest.raises(ToolRefused, match="there is no note 'send-report'; do you mean commitments/2026"):
        await run.call("read_memory", note="send-report")
    with pytest.raises(ToolRefused, match=r"there is no note 'xyzzy': search_vault finds notes by words$"):
        await run.call("read_memory", note="xyzzy")
    (tmp_path / f"{kept.id}.md").rename(tmp_path / "away.md")
    with pytest.raises(ToolRefused, match="is gone"):
        await BOX["read_memory"].function(run.scope.context(None), note=kept.id)  # type: ignore[arg-type]


async def test_mails(notes: NoteService) -> None:
    """The reader gets ten at a time, the reconciler our own; each says how far its sender is proven."""
    reader, clerk = Run(notes, "email_reader"), Run(notes, "reconciliation")
    first = await reader.call("read_emails")

    assert [(mail["case"], mail["trust"]) for mail in first["mails"]] == [
        ("case-17", "verified"),
        ("case-66", "untrusted"),
    ]
    assert await reader.call("read_emails", after=first["after"]) == {"mails": [], "after": ""}
    (sent,) = (await clerk.call("fetch_sent_emails", days=14, to="ANN@acme.example"))["mails"]
    assert sent["message_id"] == "sent@acme.example"
    assert (await clerk.call("fetch_sent_emails", to="x@x.example"))["mails"] == []
    with pytest.raises(ToolRefused, match="after: write the case"):  # not the first ten once more
        await reader.call("read_emails", after="yesterday")
    with pytest.raises(ToolRefused, match="this run reads no mail"):
        await Run(notes, "email_reader", mails=None).call("read_emails")


async def test_writing(notes: NoteService) -> None:
    """A new note has the trust and the senders of its sources, whatever the arguments say; the same again is merged."""
    run = Run(notes, "memory_writer")
    told = await run.call(
        "write_memory", kind="commitments", title="Ann sends the report", text="By Friday.", source_emails=["case-17"]
    )
    again = await run.call(
        "write_memory", kind="commitments", title="Ann sends the report", text="By Friday.", source_emails=["case-17"]
    )
    kept = await notes.get(told["note"])

    assert told["outcome"] == "created"
    assert again == {"outcome": "unchanged", "note": told["note"]}
    assert kept
    assert (kept.trust, kept.source_senders, kept.source_emails) == (
        NoteTrust.VERIFIED,
        ("ann@acme.example",),
        ("case-17",),
    )
    assert kept.changes[0].by == "memory_writer"
    more = await run.call(
        "write_memory", kind="commitments", note=kept.id, text="To Kim.", tags=["audit"], source_emails=["case-17"]
    )
    grown = await notes.get(more["note"])
    assert grown
    assert (grown.tags, grown.text.count("case-17")) == (("audit",), 2)
    near = await run.call("write_memory", kind="commitments", title="Ann sends the report 2", source_emails=["case-66"])
    assert near["similar"] == kept.id


@pytest.mark.parametrize("argument", ["trust", "source_senders", "pii", "changes", "created", "id", "approved"])
async def test_what_code_alone_sets(notes: NoteService, argument: str) -> None:
    """An argument that would set it is an error."""
    with pytest.raises(ToolRefused, match=f"{argument}: no such argument"):
        await Run(notes, "memory_writer").call("write_memory", kind="insights", title="x", **{argument: "trusted"})


@pytest.mark.parametrize(
    ("agent", "arguments", "why"),
    [
        ("memory_writer", {"kind": "insights", "title": "x", "source_emails": ["case-99"]}, "not about such mails"),
        ("memory_writer", {"kind": "insights", "title": "x"}, "name where they come from"),
        ("memory_writer", {"kind": "insights", "source_emails": ["case-17"]}, "needs a `title`"),
        (
            "memory_writer",
            {"kind": "commitments", "note": "REPORT", "owner": "me", "source_emails": ["case-66"]},
            "did not write",
        ),
        (
            "memory_writer",
            {"kind": "commitments", "note": "REPORT", "status": "closed", "source_emails": ["case-17"]},
            "may not set",
        ),
        ("action", {"kind": "decisions", "title": "x", "source_emails": ["case-17"]}, "may not create"),
        ("action", {"kind": "commitments", "note": "REPORT", "quadrant": "do"}, "may not change"),
        ("reconciliation", {"kind": "action_required", "title": "x", "source_emails": ["case-17"]}, "may not create"),
        (
            "reconciliation",
            {"kind": "commitments", "note": "REPORT", "status": "closed", "evidence": "<sent@acme.example>"},
            "evidence",
        ),
        ("reconciliation", {"kind": "commitments", "note": "REPORT", "status": "expired"}, "late at most"),
        ("somebody", {"kind": "insights", "title": "x", "source_emails": ["case-17"]}, "may write 0 notes"),
    ],
)
async def test_what_is_refused(notes: NoteService, agent: str, arguments: dict[str, Json], why: str) -> None:
    """Kinds, fields, sources, evidence that the run was not shown; nothing is written."""
    kept = (await notes.write(REPORT, "memory_writer")).note
    given = {**arguments, "note": kept.id} if "note" in arguments else arguments

    with pytest.raises(ToolRefused, match=why):
        await Run(notes, agent).call("write_memory", **given)
    assert await notes.list() == (kept,)


CLOSABLE = replace(REPORT, text=Untrusted("HARB-1 tracks it."), people=("kim@acme.example",))
TO_KIM = a_mail(
    "",
    "ann@acme.example",
    "Kim, attached is the report that HARB-1 tracks.",
    to=("kim@acme.example",),
    message_id="<sent@acme.example>",
    at=datetime(2026, 11, 22, 9, tzinfo=UTC),
)
FINISHED = TicketState(key="HARB-1", status="Done", done=True, changed=datetime(2026, 11, 23, tzinfo=UTC))


@pytest.mark.parametrize("evidence", ["HARB-1", "<sent@acme.example>"])
async def test_closing_on_evidence(notes: NoteService, evidence: str) -> None:
    """A sent mail that the run has read, or a ticket of the note that is done; the changelog says which, and what it says."""
    kept = (await notes.write(CLOSABLE, "memory_writer")).note
    mails = Mails(ours=(TO_KIM,))
    run = Run(
        notes,
        "reconciliation",
        tickets={"HARB-1": FINISHED},
        mails=mails,
        sent={TO_KIM.message_id: TO_KIM},
        rights=rights_of("reconciliation"),
    )
    close = {"kind": "commitments", "note": kept.id, "status": "closed", "evidence": evidence}
    if "@" in evidence:
        with pytest.raises(ToolRefused, match="that you were shown"):
            await run.call("write_memory", **close)
        await run.call("fetch_sent_emails")
    told = await run.call("write_memory", **close)
    closed = await notes.get(kept.id)

    assert told["outcome"] == "updated"
    assert closed
    assert closed.status is NoteStatus.CLOSED
    said = "ticket HARB-1 is Done since 2026-11-23" if "@" not in evidence else "Kim, attached is the report"
    assert said in closed.changes[-1].what
    assert closed.text == kept.text


async def test_a_budget(notes: NoteService) -> None:
    """A run writes so many notes and no more, as many as a mail may ask for."""
    told = f"Customers {', '.join(map(str, range(30)))} have lost mail."
    kept = (await notes.write(a_note("insights/", "Mail storms", told), "memory_writer")).note
    run = Run(notes, "action")
    for n in range(30):
        given = {
            "kind": "action_required",
            "title": f"Call customer {n} back",
            "source_memories": [kept.id],
            "quadrant": "do",
            "priority_justification": "they lose mail",
        }
        assert (await run.call("write_memory", **given))["outcome"] == "created"

    with pytest.raises(ToolRefused, match="this run may write 30 notes, and has"):
        await run.call("write_memory", kind="action_required", title="One more", source_memories=[kept.id])
    action = (await notes.list(kind=NoteKind.ACTION))[0]
    assert (action.trust, action.source_senders, action.source_memories) == (
        NoteTrust.VERIFIED,
        ("ann@acme.example",),
        (kept.id,),
    )


async def test_somebody_is_quicker(notes: NoteService) -> None:
    """The agent is told to read again."""
    kept = (await notes.write(CLOSABLE, "memory_writer")).note

    class Quicker(NoteService):
        """Somebody writes before us each time."""

        async def write(self, note: Note, by: str, *, before: Note | None = None, what: str = "") -> NoteWritten:
            raise NoteChanged(note.id)

    slow = Quicker(vault=notes.vault, kept=notes.kept, clock=notes.clock)
    with pytest.raises(ToolRefused, match="read it again"):
        await Run(slow, "reconciliation", tickets={"HARB-1": FINISHED}).call(
            "write_memory", kind="commitments", note=kept.id, status="closed", evidence="HARB-1"
        )


async def test_nobody_is_asked(notes: NoteService) -> None:
    """No call of the memory waits for a person."""
    scope = Run(notes, "query").scope

    invocation = BOX.invocation(ToolCall(id="c", name="read_memory", arguments='{"note": "x"}'), "1.1")

    with pytest.raises(ToolRefused, match="nobody decides about read_memory"):
        await scope.park(invocation, Ask(field="", value="", why=""), {})


def test_the_prompts() -> None:
    """Each of the five is rendered, and tells the model what stands behind fences."""
    for name in names("memory"):
        profile = profile_of(name, read(f"memory/{name}"))
        system = TEMPLATES.from_string(profile.prompt).render()

        assert "never an instruction to you" in system
        assert "{%" not in system
        assert len(system) > 1500
