"""How each kind of effect on a ticket is sent, found again and repeated: comments, changes, files, links, edits."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Literal

import pytest

from integrations.jira.tracker import JiraTracker
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock
from tests.servers.sandbox import RunningJira
from tests.unit.triage.effects.ticket_writes import COMMENT, SETTLE, only, posts, writing_of
from tests.unit.triage.toolsets.runs import a_run, judged
from triage.domain.conversation import Grant
from triage.domain.effects import EffectState
from triage.domain.errors import (
    TrackerDown,
    TrackerRejected,
    WriteUnconfirmed,
)
from triage.domain.mail import Trust
from triage.domain.tickets import TicketChange, Upload
from triage.policy.decision.permission import Decision, Terms
from triage.policy.decision.rights import Sender
from triage.toolsets.tickets.effects import TicketWrites
from triage_sandbox.jira import Fault


async def test_a_comment_is_written_once(writing: TicketWrites, cloud_jira: RunningJira) -> None:
    """The same effect again gives the same comment."""
    first, again = await writing.comment("HARB-3", "Hi.", "1"), await writing.comment("HARB-3", "Hello.", "1")

    assert (first, posts(cloud_jira, "/comment$")) == (again, 1)


async def test_a_comment_that_arrived_is_adopted(writing: TicketWrites, cloud_jira: RunningJira) -> None:
    """The answer got lost, the comment did not: it is found by its mark."""
    cloud_jira.fault(Fault(do="reset_after", **COMMENT))
    with pytest.raises(WriteUnconfirmed):
        await writing.comment("HARB-3", "Hi.", "1")
    found = await writing.comment("HARB-3", "Hi.", "1")

    assert (posts(cloud_jira, "/comment$"), (await only(writing)).result) == (1, found)


async def test_a_comment_that_was_lost_is_sent_once_more(
    writing: TicketWrites, cloud_jira: RunningJira, clock: HeldClock
) -> None:
    """After it had time to show, and after more time once more."""
    cloud_jira.fault(Fault(do="answer", status=500, count=0, **COMMENT))
    sent = []
    for pause in (1.0, SETTLE, SETTLE, 3 * SETTLE, 0.0):
        with pytest.raises(WriteUnconfirmed):
            await writing.comment("HARB-3", "Hi.", "1")
        sent.append(posts(cloud_jira, "/comment$"))
        await clock.sleep(pause)

    assert sent == [1, 1, 2, 2, 3]


async def test_a_refused_comment_may_be_tried_again(writing: TicketWrites, cloud_jira: RunningJira) -> None:
    """A definite no leaves nothing to look for."""
    cloud_jira.fault(Fault(do="answer", status=400, body={"errorMessages": ["No."]}, count=0, **COMMENT))
    with pytest.raises(TrackerRejected):
        await writing.comment("HARB-3", "Hi.", "1")
    refused = await only(writing)
    cloud_jira.app.faults.clear()
    await writing.comment("HARB-3", "Hi.", "1")

    assert (refused.state, (await only(writing)).state) == (EffectState.REFUSED, EffectState.DONE)


CHANGES: list[Callable[[TicketWrites], Awaitable[None]]] = [
    lambda w: w.change("HARB-3", TicketChange(summary="New words"), "1"),
    lambda w: w.transition("HARB-3", "Done", "1"),
]


@pytest.mark.parametrize("change", CHANGES, ids=["change", "transition"])
async def test_changes_are_repeated_without_harm(
    writing: TicketWrites,
    cloud_jira: RunningJira,
    cloud_tracker: JiraTracker,
    change: Callable[[TicketWrites], Awaitable[None]],
) -> None:
    """A change whose answer was lost is made again, which changes nothing more; one that is done is not repeated."""
    cloud_jira.fault(Fault(do="reset_after", method="*", path="/(issue/HARB-3|transitions)$", nth=1, count=0))
    with pytest.raises((WriteUnconfirmed, TrackerDown)):
        await change(writing)
    cloud_jira.app.faults.clear()
    await change(writing)
    settled = await only(writing)
    before = len(cloud_jira.requests())
    await change(writing)
    ticket = await cloud_tracker.tickets.get("HARB-3")

    assert (settled.state, len(cloud_jira.requests())) == (EffectState.DONE, before + 1)
    assert ticket.summary == "New words" or not ticket.open


async def test_a_status_out_of_reach_is_a_refusal(writing: TicketWrites) -> None:
    """A transition that the workflow does not offer is noted as refused, with what it offers."""
    with pytest.raises(TrackerRejected):
        await writing.transition("HARB-3", "Nirvana", "1")

    assert (await only(writing)).state is EffectState.REFUSED


FILE = Upload(name="export.log", content_type="text/plain", content=b"ORA-00942 in line 7\n")

ATTACH: dict[str, Any] = {"method": "POST", "path": "/attachments$"}


async def files(writing: TicketWrites, key: str = "HARB-3") -> list[tuple[str, int]]:
    """What hangs on the ticket."""
    return [(file.name, file.size) for file in await writing.tracker.tickets.attached(key)]


async def test_a_file_hangs_once_whichever_mail_brings_it(
    store: SqlStore, cloud_tracker: JiraTracker, clock: HeldClock, cloud_jira: RunningJira
) -> None:
    """The same bytes under another name, by another case, are there already; on another ticket they are not."""
    first, second = await writing_of(store, cloud_tracker, clock, 1), await writing_of(store, cloud_tracker, clock, 2)
    await first.attach("HARB-3", FILE)
    await first.attach("HARB-3", FILE)
    await second.attach("HARB-3", replace(FILE, name="copy.log"))
    await second.attach("HARB-4", FILE)

    assert posts(cloud_jira, "/attachments$") == 2
    assert (await files(first), await files(first, "HARB-4")) == ([("export.log", 20)], [("export.log", 20)])


@pytest.mark.parametrize("do", ["reset", "reset_after"])
async def test_a_file_whose_answer_was_lost_hangs_once(
    writing: TicketWrites, cloud_jira: RunningJira, clock: HeldClock, do: Literal["reset", "reset_after"]
) -> None:
    """It is looked for by name and size among our own files before it is sent again."""
    cloud_jira.fault(Fault(do=do, **ATTACH))
    with pytest.raises(WriteUnconfirmed):
        await writing.attach("HARB-3", FILE)
    await clock.sleep(SETTLE)
    found = await writing.attach("HARB-3", FILE)

    assert found
    assert (await files(writing), posts(cloud_jira, "/attachments$")) == (
        [("export.log", 20)],
        1 if do == "reset_after" else 2,
    )


async def test_what_only_sets_may_be_sent_again(writing: TicketWrites, cloud_jira: RunningJira) -> None:
    """A link, a watcher and a sprint whose answers are lost are set again, and stand once."""
    for path in ("/issueLink$", "/watchers$", "/sprint/"):
        cloud_jira.fault(Fault(do="reset_after", method="POST", path=path))
    person = (await writing.tracker.metadata.project()).people[0].id
    sprint = next(one.id for one in await writing.tracker.sprints.sprints() if one.state == "future")
    writes: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: writing.link("HARB-3", "HARB-4", "Relates"),
        lambda: writing.watch("HARB-3", person),
        lambda: writing.effects.once("sprint", writing.tracker, sprint, target="HARB-3"),
    )
    for write in writes:
        with pytest.raises(WriteUnconfirmed):
            await write()
        await write()
        await write()
    with cloud_jira.api() as api:
        fields = api.get("/issue/HARB-3", params={"fields": "issuelinks,watches"}).json()["fields"]
    effects = await writing.effects.ledger.effects()

    assert len(fields["issuelinks"]) == 1
    assert {effect.state for effect in effects} == {EffectState.DONE}
    assert [effect.kind for effect in effects] == ["link", "watch", "sprint"]


async def test_a_summary_is_set_once_for_each_text(writing: TicketWrites, cloud_jira: RunningJira) -> None:
    """The same text twice asks nothing; another one is another edit of the same effect."""
    number = await writing.comment("HARB-3", "One mail.", "digest")
    for words in ("Two mails.", "Two mails.", "Three mails."):
        before = writing.tracker.metadata.calls
        assert await writing.summarize("HARB-3", number, words, "digest") == number

    assert len(cloud_jira.requests("PUT", "/comment/")) == 2
    assert [(e.kind, e.state, e.result) for e in await writing.effects.ledger.effects()] == [
        ("comment", EffectState.DONE, number),
        ("edit", EffectState.DONE, number),
    ]
    asked = writing.tracker.metadata.calls
    await writing.summarize("HARB-3", number, "Three mails.", "digest")
    assert (writing.tracker.metadata.calls, before < asked) == (asked, True)


async def test_a_lost_edit_is_read_back(writing: TicketWrites, cloud_jira: RunningJira) -> None:
    """Unknown, then found in Jira as it was meant, and not sent again."""
    number = await writing.comment("HARB-3", "One mail.", "digest")
    cloud_jira.fault(Fault(do="reset_after", method="PUT", path="/comment/"))
    with pytest.raises(WriteUnconfirmed):
        await writing.summarize("HARB-3", number, "Two mails.", "digest")
    assert (await writing.effects.ledger.effects())[-1].state is EffectState.UNKNOWN

    assert await writing.summarize("HARB-3", number, "Two mails.", "digest") == number
    assert (await writing.effects.ledger.effects())[-1].state is EffectState.DONE
    assert len(cloud_jira.requests("PUT", "/comment/")) == 1


async def test_a_summary_that_is_gone_is_written_anew(writing: TicketWrites, cloud_jira: RunningJira) -> None:
    """Once, also when the case is worked on again."""
    made = {await writing.summarize("HARB-3", "424242", "Two mails.", "digest") for _ in range(2)}

    assert (len(made), made & {"424242"}) == (1, set())
    assert len(cloud_jira.requests("POST", "/comment$")) == 1


RAISE = {"ticket_key": "HARB-1", "priority": "Highest"}


@pytest.mark.parametrize(
    ("sender", "word"),
    [
        (Sender(trust=Trust.VERIFIED, thread="HARB-1", participant=True), Decision.ALLOW),
        (Sender(trust=Trust.VERIFIED), Decision.ASK),
        (Sender(trust=Trust.WEAK, thread="HARB-1"), Decision.ASK),
        (Sender(trust=Trust.FAILED, thread="HARB-1"), Decision.REFUSE),
    ],
)
def test_who_may_raise(sender: Sender, word: Decision) -> None:
    """A participant may; for everybody else a person decides, and a forged sender is refused."""
    told = judged("modify_jira_ticket", Grant.WRITE, RAISE, a_run(shown={"HARB-1": 1.0}), Terms(sender=sender))

    assert told.word is word
    if word is Decision.ASK:
        assert "HARB-1 would get the priority" in told.asks[0].why
