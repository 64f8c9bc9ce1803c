"""The service that forgets, over a real store; its whole way is told in tests/e2e/cli/operations/test_forget.py."""

from dataclasses import replace
from pathlib import Path

from integrations.sql.store import SqlStore
from tests.contract.store.operations.forget_store import HERS, ended, lived
from tests.contract.store.store_samples import MORNING, mail
from tests.contract.store.store_tickets import ticket
from tests.unit.triage.policy.memory.samples import a_note
from tests.unit.triage.services.memory.vault import notes_in
from triage.domain.errors import StoreDown
from triage.domain.operations.audit import AuditFilter
from triage.domain.operations.mcp import McpCall
from triage.domain.ports import Progress
from triage.services.operations.forgetting import NOT_SHREDDED, ForgetService


class Index:
    """An index that only hears of rebuilds; may be in use by another process."""

    def __init__(self, *, busy: bool = False) -> None:
        self.rebuilt: list[str] = []
        self.busy = busy

    async def rebuild(self, project: str, progress: Progress) -> int:
        """Remember it."""
        del progress
        if self.busy:
            raise StoreDown("another process writes the ticket index")
        self.rebuilt.append(project)
        return 0


def service(store: SqlStore, index: Index) -> ForgetService:
    """The service."""
    return ForgetService(
        store=store.forgetting,
        copies=store.tickets,
        deeds=store.deeds,
        index=index,  # type: ignore[arg-type]  # it asks for nothing else
        page=lambda key: f"https://jira.example/browse/{key}",
    )


async def test_a_plan_changes_nothing_and_names_all(store: SqlStore) -> None:
    """Cases, tickets with their pages, other people's cases that name the address, and what only others can change."""
    await store.tickets.keep([ticket(42, "Export"), ticket(9, "Import", f"as {HERS} says")])
    await ended(store, 1)
    await store.inbox.accept(mail(2))
    found = await service(store, Index()).plan(f" {HERS.upper()} ")

    assert (found.address, found.dry_run, found.done) == (HERS, True, False)
    assert [one.case for one in found.cases] == ["case-1"]
    assert [one.url for one in found.tickets] == [f"https://jira.example/browse/OPS-{n}" for n in (42, 9)]
    assert found.mentions == ()
    assert any("backup" in place for place in found.outside)
    assert len(await store.tickets.tickets(["OPS-42", "OPS-9"])) == 2


async def test_an_address_with_a_plus_is_the_same_person(store: SqlStore) -> None:
    """As for the limits: both are one mailbox."""
    await ended(store, 1)
    found = await service(store, Index()).plan(HERS.replace("@", "+news@"))

    assert [one.case for one in found.cases] == ["case-1"]


async def test_copies_of_her_tickets_go_too(store: SqlStore) -> None:
    """Those that she worded or that name her are withheld and the index is built anew; a second run finds nothing more to do."""
    await store.tickets.keep([ticket(42, "Export"), ticket(9, "Import", f"as {HERS} says"), ticket(5, "Labels")])
    await ended(store, 1)
    index = Index()
    done = await service(store, index).forget(HERS, by="ada")
    again = await service(store, index).forget(HERS, by="ada")

    changes = await store.deeds.deeds(AuditFilter(), 9, people=True)

    assert (done.done, done.troubles, again.done, again.cases) == (True, (), True, ())
    assert [(one.kind, one.by, one.detail) for one in changes][-1] == ("person_forgotten", "ada", "1 case")
    assert [one.key for one in await store.tickets.tickets(["OPS-42", "OPS-9", "OPS-5"])] == ["OPS-5"]
    assert index.rebuilt == ["OPS", "OPS"]


async def test_the_ticket_of_a_case_under_way_stays(store: SqlStore) -> None:
    """Its copy is needed until the case is over."""
    await store.tickets.keep([ticket(42, "Export")])
    await lived(store)
    done = await service(store, Index()).forget(HERS, by="ada")

    assert not done.done
    assert "a worker" in done.cases[0].under_way
    assert len(await store.tickets.tickets(["OPS-42"])) == 1


async def test_what_cannot_be_finished_is_told(store: SqlStore) -> None:
    """A busy index, or an open page of the database: the cases are redacted, and the report says to run it again."""
    await store.tickets.keep([ticket(42, "Export")])
    await ended(store, 1)
    busy = await service(store, Index(busy=True)).forget(HERS, by="ada")
    reading = ForgetService(store=Reading(store), copies=store.tickets, deeds=store.deeds)  # type: ignore[arg-type]  # one method differs
    unshredded = await reading.forget(HERS, by="ada")

    assert (busy.done, busy.troubles) == (False, ("another process writes the ticket index",))
    assert (unshredded.done, unshredded.troubles) == (False, (NOT_SHREDDED,))


class Reading:
    """A store whose old pages somebody reads."""

    def __init__(self, store: SqlStore) -> None:
        self.of_person, self.naming = store.forgetting.of_person, store.forgetting.naming
        self.forget, self.forget_calls = store.forgetting.forget, store.forgetting.forget_calls

    async def shred(self) -> bool:
        """Never."""
        return False


async def test_what_clients_asked_about_her_goes(store: SqlStore, tmp_path: Path) -> None:
    """Calls of MCP clients that name her by address, by name, or by a note that came from her mails; the plan counts them."""
    await ended(store, 1)
    notes = notes_in(tmp_path / "memory")
    await notes.write(a_note("insights/", "Call back", source_emails=("case-1",), source_senders=()), "memory_writer")
    await store.mcp_log.begin("mcp-1", "mcp:memory", "shell ann", MORNING)
    asked = (HERS.upper(), "Quackenbush, Wilma", "insights/2026-11-22-call-back", "Wilma")
    for number, words in enumerate(asked, 1):
        facts = {"server": "memory", "client": "shell ann", "tool": "search_vault", "outcome": "ok, 5 characters"}
        await store.mcp_log.keep(McpCall(run="mcp-1", number=number, at=MORNING, arguments=words, **facts))
    forgetting = replace(service(store, Index()), notes=notes)
    plan, done = await forgetting.plan(HERS), await forgetting.forget(HERS, by="ada")

    assert (plan.mcp_calls, done.mcp_calls) == (3, 3)
    assert [one.arguments for one in await store.audit.mcp_calls(AuditFilter(), 9)] == ["Wilma", "", "", ""]


async def test_notes_of_the_person_go(store: SqlStore, tmp_path: Path) -> None:
    """By address and by case; the plan names them first, others that name her stay, and a vault that is gone is told."""
    await ended(store, 1)
    notes = notes_in(tmp_path / "memory")
    for one in (
        a_note("insights/", "Her wishes", source_emails=("case-9",), source_senders=(HERS,)),
        a_note("insights/", "Call her", source_emails=("case-1",), source_senders=()),
        a_note("decisions/", "We write to her", people=(HERS,)),
    ):
        await notes.write(one, "memory_writer")
    forgetting = replace(service(store, Index()), notes=notes)
    plan, done = await forgetting.plan(HERS), await forgetting.forget(HERS, by="ada")
    (tmp_path / "memory").rename(tmp_path / "unmounted")

    assert plan.notes == done.notes == ("insights/2026-11-22-call-her", "insights/2026-11-22-her-wishes")
    assert (done.done, done.troubles, done.notes_naming) == (True, (), ("decisions/2026-11-22-we-write-to-her",))
    assert "Her wishes" not in "".join(
        path.read_text() for path in (tmp_path / "unmounted").rglob("*") if path.is_file()
    )
    gone = await forgetting.forget(HERS, by="ada")
    assert (gone.done, [trouble.partition(":")[0] for trouble in gone.troubles]) == (
        False,
        ["The vault cannot be read"],
    )
