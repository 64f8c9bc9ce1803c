"""What every store must do with conversations of the support hub."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import mail, step
from triage.domain.conversation import Json
from triage.domain.operations.forgetting import aged_case
from triage.domain.support.conversations import Attempt, Support, SupportAgent, SupportStatus
from triage.domain.support.dialogues import Author, Dialogue, DialogueMessage
from triage.domain.untrusted import Untrusted

DUE = datetime(2026, 11, 24, 9, tzinfo=UTC)
TRIED = Attempt(agent=SupportAgent.RESOLVER, outcome="answered", issue_type="billing", answered=True)


def said(role: Author, text: str, case: str) -> DialogueMessage:
    """A message of a case."""
    return DialogueMessage(role=role, text=Untrusted(text), case=case)


class DialogueContract:
    """Ports `CaseDialogue` and `Dialogues`."""

    async def test_a_conversation_goes_on_over_cases(self, store: SqlStore) -> None:
        """The second case finds what the first one left, by the key; a repeated step replaces its message."""
        first, second = [
            store.jobs.open(await store.jobs.claim(await store.inbox.accept(mail(n)), "w", 60)) for n in (1, 2)
        ]
        one, two = first.lease.case, second.lease.case
        assert await first.dialogue.dialogue("k") is None
        await first.dialogue.keep(Dialogue(key="k", attempts=(TRIED,)), (said(Author.USER, "How?", one),))
        await first.dialogue.keep(Dialogue(key="k", attempts=(TRIED,)), (said(Author.AI, "So.", one),))
        await first.dialogue.keep(Dialogue(key="k", attempts=(TRIED,)), (said(Author.AI, "So!", one),))
        known = await second.dialogue.dialogue("k")
        await second.dialogue.keep(Dialogue(key="k", status=SupportStatus.RESOLVED), (said(Author.USER, "And?", two),))

        assert await second.dialogue.asked_before("k") == ("How?",)
        assert await first.dialogue.asked_before("k") == await second.dialogue.asked_before("other") == ()
        assert known
        assert known.attempts == (TRIED,)
        assert [(one.role, one.text, one.case) for one in await store.dialogues.messages(known.id)] == [
            (Author.USER, "How?", one),
            (Author.AI, "So!", one),
            (Author.USER, "And?", two),
        ]
        assert await store.dialogues.openings([known.id, 999]) == {known.id: "How?"}
        found = await store.dialogues.of_case(two)
        assert found
        assert (found.id, found.status, found.opened_at) == (known.id, SupportStatus.RESOLVED, known.opened_at)
        assert await store.dialogues.of_case("case-999") is None
        assert await store.dialogues.dialogue(found.id) == found
        assert await store.dialogues.dialogue(0) is None

    async def test_what_tools_brought_is_known_to_later_cases(self, store: SqlStore) -> None:
        """A later case of the conversation reads the results of the earlier ones, the latest first, as long as these are kept."""
        leased = [store.jobs.open(await store.jobs.claim(await store.inbox.accept(mail(n)), "w", 60)) for n in range(5)]
        results: list[dict[str, Json] | None] = [
            {"user_lookup": {"user_id": "u-1"}},
            None,
            {"plan": {"tier": "gold"}},
            {"other": {}},
            None,
        ]
        for number, (one, came) in enumerate(zip(leased, results, strict=True)):
            key = "other" if came == {"other": {}} else "k"
            await one.dialogue.keep(Dialogue(key=key), (said(Author.USER, f"{number}", one.lease.case),))
            await one.dialogue.keep(Dialogue(key=key), (said(Author.AI, "So.", one.lease.case),))
            support = Support(tool_results=came) if number != 1 else None
            await one.cases.save(replace(await one.cases.load(), support=support), step())
        before = await leased[4].dialogue.looked_up_before("k")
        for one in leased[:3]:
            await one.cases.save(aged_case(await one.cases.load()), step("age"))

        assert before == ({"plan": {"tier": "gold"}}, {"user_lookup": {"user_id": "u-1"}})
        assert await leased[4].dialogue.looked_up_before("k") == ()
        assert await leased[0].dialogue.looked_up_before("k") == ()

    async def test_conversations_are_listed_and_answered(self, store: SqlStore) -> None:
        """By status, the latest first; a response time can be moved, and runs until somebody has answered."""
        leased = store.jobs.open(await store.jobs.claim(await store.inbox.accept(mail(1)), "w", 60))
        await leased.dialogue.keep(Dialogue(key="a"))
        await leased.dialogue.keep(Dialogue(key="b", status=SupportStatus.ESCALATED, priority="P2", respond_by=DUE))
        waiting = await store.dialogues.waiting()
        listed = await store.dialogues.dialogues()
        await store.dialogues.respond_by(waiting[0].id, DUE + timedelta(hours=1))
        moved = await store.dialogues.waiting()
        await store.dialogues.respond_by(waiting[0].id, None)

        assert [(one.key, one.respond_by) for one in (*waiting, *moved)] == [
            ("b", DUE),
            ("b", DUE + timedelta(hours=1)),
        ]
        assert [one.key for one in listed] == ["b", "a"]
        assert [one.key for one in await store.dialogues.dialogues(SupportStatus.NEW, 5)] == ["a"]
        assert await store.dialogues.waiting() == ()

    async def test_a_forgotten_case_leaves_no_words_in_its_conversation(self, store: SqlStore) -> None:
        """Messages are empty, attempts and tags are gone; the conversation itself stays."""
        leased = store.jobs.open(await store.jobs.claim(await store.inbox.accept(mail(1)), "w", 60))
        case = leased.lease.case
        await leased.dialogue.keep(
            Dialogue(key="k", attempts=(TRIED,), tags=("opera",)), (said(Author.USER, "Hm", case),)
        )
        await store.jobs.open(leased.lease).cases.finish()
        await store.forgetting.forget(case, "somebody", under_way=False)
        known = await store.dialogues.of_case(case)

        assert known
        assert (known.attempts, known.tags) == ((), ())
        assert [one.text for one in await store.dialogues.messages(known.id)] == [""]
