"""What every `ForgetStore` must do."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection, select

from integrations.sql.database.schema import metadata
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import (
    MORNING,
    OPENING,
    RESULT,
    TURN,
    HeldClock,
    approval,
    effect,
    full,
    leased,
    mail,
    opened,
    other,
    settled,
    step,
)
from tests.contract.store.store_tickets import later, ticket
from triage.domain.approvals import ApprovalState, Correction
from triage.domain.cases import Case, Outcome
from triage.domain.channels.notices import Notice, NoticeKind
from triage.domain.channels.ticket_notes import TicketNote
from triage.domain.findings import Disposition
from triage.domain.letters import Letter, LetterKind
from triage.domain.mail import Address
from triage.domain.memory.builds import ReadMail
from triage.domain.operations.audit import AuditFilter
from triage.domain.operations.errors import MailGone
from triage.domain.operations.mcp import McpCall
from triage.domain.operations.webhooks import Webhook
from triage.domain.ports import LeasedCase
from triage.domain.support.conversations import Attempt, SupportAgent
from triage.domain.support.dialogues import Author, Dialogue, DialogueMessage
from triage.domain.untrusted import Untrusted

HERS = "wilma.quackenbush@example.com"
TEXT = "zyzzogeton of Quackenbush"
OWN_ID = "quackenbush.1@example.com"


def hers(address: str) -> bool:
    """Whether it is the person's."""
    return address == HERS


def spoken(case: Case) -> Case:
    """The full case, with her words wherever there may be some."""
    case, text = full(case), Untrusted(TEXT)
    sender = Address(address=HERS, name=Untrusted("Wilma Quackenbush"))
    mail = replace(case.mail, message_id=OWN_ID, subject=text, text=text, reply=text, sender=sender)
    return replace(case, message=mail, reason=f"created OPS-42: {TEXT}")


async def lived(store: SqlStore, number: int = 1) -> LeasedCase:
    """A leased case with her words in every table that knows cases."""
    case = await opened(store, number)
    name, run = case.cases.lease.case, f"{case.cases.lease.case}/2"
    said = DialogueMessage(role=Author.USER, text=Untrusted(TEXT), case=name)
    tried = Attempt(agent=SupportAgent.RESOLVER, outcome=TEXT)
    await case.dialogue.keep(Dialogue(key=f"d{number}", attempts=(tried,), tags=(TEXT,)), (said,))
    trace = other(number, subject=TEXT, sender=TEXT, people=("p", "q"))
    trace = replace(trace, message_id=OWN_ID if number == 1 else f"{number}@x", topic=TEXT)
    await case.threads.trace(trace, 60)
    await case.threads.link([trace.message_id], trace.content, "OPS-42", ("p", "q"))
    await case.journal.keep_opening(run, "jira", tuple(replace(one, text=TEXT) for one in OPENING))
    await case.journal.keep_turn(run, 1, replace(TURN, text=TEXT), 5.0)
    await case.journal.keep_result(run, "call-1", "read_jira_tickets", TEXT, TEXT)
    await case.journal.keep_run(run, replace(RESULT, final_message=TEXT))
    await case.cases.event("letter.refused", why=TEXT, n=3)
    await case.ledger.intend(effect(name))
    await case.ledger.settle(replace(settled(effect(name)), note=TEXT))
    parked = await case.approvals.park(replace(approval(name, f'{{"comment": "{TEXT}"}}'), becomes=TEXT, sender=TEXT))
    await store.decisions.decide(parked.id, ApprovalState.REJECTED, "ada")
    queued = await store.letters.queue(letter(name))
    await store.letters.cancel(queued.id, "ada")
    await store.notices.add([Notice(kind=NoticeKind.DEAD_CASE, text=TEXT, case=name, key=f"dead {name} {TEXT}")])
    await store.ticket_notes.want(TicketNote(key=f"approval {parked.id}", ticket="OPS-42", body=TEXT, final=True))
    await store.decisions.correct(
        Correction(case=name, disposition=Disposition.WORK, by="ada", sender=HERS, trust="verified")
    )
    await store.memory_builds.keep([ReadMail(case=name, sender=HERS, day="2026-11-20", observations=TEXT, count=1)])
    done = replace(step(), note=TEXT, trace={"step": "act", "text": TEXT})
    await case.cases.save(spoken(await case.cases.load()), done, ended=True)
    return case


def letter(case: str) -> Letter:
    """A letter to her, which a person takes back."""
    return Letter(
        key=f"{case}:reply:1",
        case=case,
        kind=LetterKind.ANSWER,
        to=(Address(address=HERS),),
        subject=TEXT,
        body=TEXT,
        message_id="signed@example.com",
        due_at=MORNING,
    )


async def ended(store: SqlStore, *numbers: int) -> None:
    """Cases with her words whose jobs are done."""
    for number in numbers:
        case = await lived(store, number)
        await store.jobs.open(
            case.cases.lease
        ).cases.finish()  # a person has decided meanwhile, so that it is due again
        await store.jobs.open(await leased(store)).cases.finish()


async def rows_of(store: SqlStore, case: int) -> str:
    """All rows of a case, in lower case."""

    def read(connection: Connection) -> str:
        name = f"case-{case}"
        rows = [row for table in metadata.sorted_tables for row in connection.execute(select(table)).mappings()]
        mine = [row for row in rows if row.get("case_id") == case or (row.get("id") == case and "sha256" in row)]
        named = [row for row in rows if name in str(row.get("run", row.get("case_name", "")))]
        return "\n".join(map(str, [*mine, *named])).lower()

    return await store._database.read(read)


REDACTED = frozenset(
    [
        "agent_runs",
        "approvals",
        "cases",
        "corrections",
        "dialogue_messages",
        "dialogues",
        "effects",
        "email_events",
        "jobs",
        "letters",
        "llm_calls",
        "mails",
        "memory_mails",
        "mentions",
        "notices",
        "raw_mails",
        "steps",
        "thread_ids",
        "ticket_notes",
        "tickets",
        "tool_results",
        "traces",
        "webhook_deliveries",
    ]
)
WITHOUT_WORDS = {
    "tracker_claims": "which Jira project the workers write to",
    "accounts": "who may use the console",
    "changes": "what people changed here: accounts, tokens, pauses, lessons",
    "api_tokens": "who connects programs",
    "archived_mails": "numbers, hashes and months",
    "article_changes": "numbers",
    "article_sources": "how our own pages were read",
    "articles": "our own pages; that of a solved ticket goes with the copy of the ticket",
    "case_facts": "counts: day, outcome, cause, component, language",
    "command_positions": "numbers",
    "heard_commands": "colleagues, and what became of their commands, by number and key",
    "letter_beginnings": "moments",
    "mail_grants": "our own mailboxes",
    "mailboxes": "our own mailboxes",
    "memory_builds": "counts, and the colleague who began it",
    "pauses": "colleagues",
    "saved_views": "what colleagues look for: their own words",
    "secrets": "keys",
    "sessions": "who uses the console",
    "snoozes": "colleagues and moments",
    "ticket_changes": "numbers",
    "ticket_coverage": "numbers",
    "ticket_numbers": "numbers",
    "webhook_seen": "one-time tokens of providers, for two weeks",
    "webhooks_out": "programs",
}


class ForgetStoreContract:
    """Redaction by case."""

    async def test_a_forgotten_case_holds_no_word(self, store: SqlStore) -> None:
        """In no row; outcome, ticket, effects, costs and numbers stay, and other cases as they are. It can be repeated."""
        await store.webhooks.add(Webhook(url="https://h.example", secret="s", made_by="a", made_at=MORNING))
        await ended(store, 1, 2)
        [found, _] = await store.forgetting.of_person(hers)
        before, beside = await rows_of(store, 1), await rows_of(store, 2)
        why = [await store.forgetting.forget("case-1", "p", under_way=False) for _ in range(2)]
        after, report = await rows_of(store, 1), await store.archive.report("case-1")
        left = await store.forgetting.of_person(hers)

        assert (found.case, found.tickets, found.worded, found.under_way) == ("case-1", ("OPS-42",), ("OPS-42",), "")
        assert why == ["", ""]
        assert ("zyzzogeton" in before, "zyzzogeton" in after, "quackenbush" in after) == (True, False, False)
        assert await rows_of(store, 2) == beside
        assert [one.case for one in left] == ["case-2"]
        assert (report.case.outcome, report.case.ticket, report.case.flags[-1]) == (
            Outcome.TICKETED,
            "OPS-42",
            "forgotten",
        )
        assert [(one.key, one.result, one.note) for one in report.effects] == [("case-1:create:1", "OPS-42", "")]
        assert report.turns[0].cost_usd == TURN.usage.cost_usd
        assert await store.forgetting.shred()
        with pytest.raises(MailGone):
            await store.archive.raw("case-1")

    async def test_what_mcp_clients_asked(self, store: SqlStore) -> None:
        """Arguments and refusals that name the person go, of whatever client; that a call was made and answered stays."""
        await store.mcp_log.begin("mcp-1", "mcp:mail", "token 1 (claude)", MORNING)
        told = (("ok, 12 characters", HERS), (f"no mail of {TEXT}", TEXT), ("ok, 9 characters", "another person"))
        for number, (outcome, asked) in enumerate(told, 1):
            call = McpCall(
                run="mcp-1",
                number=number,
                at=MORNING,
                server="mail",
                client="token 1 (claude)",
                tool="read_emails",
                arguments=f'{{"sender": "{asked}"}}',
                outcome=outcome,
            )
            await store.mcp_log.keep(call)
        counts = [
            await store.forgetting.forget_calls(lambda text: "quackenbush" in text.lower(), dry_run=dry_run)
            for dry_run in (True, False, False)
        ]

        assert counts == [2, 2, 0]
        kept = [(one.arguments, one.outcome) for one in await store.audit.mcp_calls(AuditFilter(), 5)]
        assert kept[1:] == [("", "forgotten"), ("", "ok, 12 characters")]
        assert "another person" in kept[0][0]
        everything = await store._database.read(
            lambda c: str([list(c.execute(select(table))) for table in metadata.sorted_tables])
        )
        assert "quackenbush" not in everything.lower()

    async def test_every_table_is_thought_of(self) -> None:
        """Each is redacted, or it is said why no word of a mail stands in it: a new one fails here first."""
        assert metadata.tables.keys() - REDACTED - WITHOUT_WORDS.keys() == set()

    async def test_hashes_still_know_thread_and_mail(self, store: SqlStore) -> None:
        """An answer to a forgotten mail finds its ticket, a second delivery its case; the person takes part no more."""
        await ended(store, 1)
        await store.forgetting.forget("case-1", "p", under_way=False)
        later = await opened(store, 7)
        copy = await later.threads.trace(replace(other(1), message_id=OWN_ID), 60)

        assert await later.threads.thread_ticket(["unknown@x", OWN_ID]) == "OPS-42"
        assert await later.threads.participants([OWN_ID], "OPS-42") == {"q"}
        assert copy is not None
        assert copy.case == "case-1"

    async def test_what_is_under_way_is_left(self, store: SqlStore) -> None:
        """Unless it is wanted, as in a backup: then the case ends, and nothing of it waits any more."""
        case = await lived(store)
        await case.approvals.park(approval("case-1", '{"other": 1}'))
        await store.letters.queue(replace(letter("case-1"), key="case-1:reply:2"))
        why = await store.forgetting.forget("case-1", "p", under_way=False)
        [found] = await store.forgetting.of_person(hers)
        forced = await store.forgetting.forget("case-1", "p", under_way=True)

        assert "a worker has not finished it" in why
        assert found.under_way == why
        assert forced == ""
        assert "zyzzogeton" not in await rows_of(store, 1)
        assert await store.archive.approvals() == ()
        assert await store.jobs.lease("w", 60) is None
        assert await store.letters.next_due() is None

    async def test_a_mail_that_was_never_read_is_known_by_its_from_line(self, store: SqlStore) -> None:
        """A folded one, too; an address elsewhere in the mail is not the sender's. A dead job ends."""
        head = f'FROM: "ada@example.com, a friend"\r\n <{HERS.upper()}>\r\nTo: b@example.com\r\n\r\nFrom: c@example.com'
        await store.inbox.accept(mail(1, raw=head.encode()))
        await store.inbox.accept(mail(2, raw=f"From: b@example.com\r\nTo: {HERS}\r\n\r\nx".encode()))
        await store.jobs.dead_letter(await leased(store), TEXT)
        found = await store.forgetting.of_person(hers)
        await store.forgetting.forget("case-1", "p", under_way=False)

        assert [(one.case, one.under_way, one.outcome) for one in found] == [("case-1", "", "")]
        assert (await store.archive.report("case-1")).case.outcome is Outcome.IGNORED
        assert await store.archive.counts() == {"ignored": 1, "ready": 1}

    async def test_others_that_name_the_address_are_found(self, store: SqlStore) -> None:
        """In case and letter, whatever the case of its letters."""
        await ended(store, 1)

        assert await store.forgetting.naming(HERS, 5) == ("case-1",)
        assert await store.forgetting.naming("nobody@example.com", 5) == ()

    async def test_old_mail_is_removed_and_the_case_stays(self, store: SqlStore, clock: HeldClock) -> None:
        """Raw bytes, text and prompts go; sender, subject and thread stay. Nothing under way is touched."""
        await ended(store, 1)
        busy = await lived(store, 2)
        before = clock.now() + timedelta(days=1)
        old = await store.forgetting.grown_old(before, 10)
        aged = [await store.forgetting.age(case) for case in ("case-1", busy.cases.lease.case)]
        report = await store.archive.report("case-1")

        assert (old, aged) == (("case-1",), [True, False])
        assert await store.forgetting.grown_old(before, 10) == await store.forgetting.grown_old(MORNING, 10) == ()
        assert (report.case.mail.text, report.case.mail.subject, report.runs[0].user) == ("", TEXT, "")
        assert report.case.mail.sender is not None

    async def test_withheld_words_are_not_copied_again(self, store: SqlStore) -> None:
        """Until title or description have changed; a ticket that was never read is withheld, too."""
        said, unread = ticket(1, "Zyzzogeton", f"by {HERS}"), ticket(2, "Zyzzogeton, too")
        await store.tickets.keep([said])
        named = await store.tickets.naming(HERS)
        await store.tickets.withhold(["OPS-1", "OPS-2"])
        await store.tickets.keep([replace(said, status="Done"), unread])
        withheld = await store.tickets.tickets(["OPS-1", "OPS-2"])
        changes = await store.tickets.changes("OPS", 0, 10)
        await store.tickets.keep([later(said, "Export"), later(unread, "Import")])

        assert named == ("OPS-1",)
        assert (withheld, [one.ticket for one in changes]) == ((), [None])
        assert [one.summary for one in await store.tickets.tickets(["OPS-1", "OPS-2"])] == ["Export", "Import"]
        assert await store.tickets.withholding() == ()
