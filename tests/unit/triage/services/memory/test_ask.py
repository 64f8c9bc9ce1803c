"""Questions answered from the vault, the mails, the tickets: each asker from what he may see."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import pytest

from integrations.search_index.index import TantivyIndex
from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import MORNING, TICKET, HeldClock, full, opened, step
from tests.database import migrated
from tests.unit.triage.policy.memory.samples import a_note
from tests.unit.triage.services.memory.vault import notes_in
from triage.domain.cases import Outcome
from triage.domain.findings import Disposition, DispositionFinding
from triage.domain.memory.answers import Job, MemoryAnswer, MemorySource, QuotedSentence
from triage.domain.memory.notes import MemoryMail
from triage.domain.operations.forgetting import FORGOTTEN
from triage.domain.operations.tokens import AccessScope
from triage.domain.support.articles import Passage, PassageHit
from triage.domain.untrusted import Untrusted
from triage.policy.memory.asking.questions import MemoryQuestion
from triage.policy.ticket.index_entry import VERSION, entry_of
from triage.services.memory.ask import AskService, case_before

MAIL = MemoryMail(
    case="case-1",
    message_id="a@x",
    sender="Rory <rory@x.example>",
    to=(),
    subject=Untrusted("Upload stops"),
    text=Untrusted("The limit of nginx is 8 MB."),
    at=MORNING,
)


@dataclass
class Mails:
    """Mails as a store would give them."""

    mails: Sequence[MemoryMail] = (MAIL,)
    asked: list[str] = field(default_factory=list)

    async def received(self, after: str, limit: int) -> Sequence[MemoryMail]:
        """Those after a case."""
        self.asked.append(after)
        return [mail for mail in self.mails if mail.case > after][:limit]

    async def sent(self, _since: datetime, _limit: int) -> Sequence[MemoryMail]:
        """None."""
        return ()


class Articles:
    """A library with one passage."""

    async def find(self, _question: str, _limit: int = 3, _account: str = "") -> tuple[PassageHit, ...]:
        """It."""
        found = Passage(
            article="help:moorings", number=0, title="Moorings", text=Untrusted("A mooring costs 40 EUR a day.")
        )
        return (PassageHit(passage=found, similarity=0.9),)


async def asked_of(folder: Path, **changes: object) -> tuple[AskService, SqlStore]:
    """The service over a store with one mail and one ticket."""
    clock = HeldClock()
    store = await open_store(f"sqlite:///{migrated(folder / 'triage.db')}", clock)
    leased = await opened(store)
    await leased.cases.save(replace(full(await leased.cases.load()), flags=(), **changes), step())  # type: ignore[arg-type]
    await store.jobs.open(leased.lease).cases.finish()
    await store.tickets.keep([replace(TICKET, key="OPS-7", summary=Untrusted("Crane cable is worn"))])
    service = AskService(
        clock=clock,
        archive=store.archive,
        notes=notes_in(folder / "memory"),
        mails=Mails(),
        tickets=store.tickets,
        index=TantivyIndex(store.tickets, entry_of, VERSION, folder / "index"),
        projects=("OPS",),
        library=Articles(),
    )
    return service, store


async def test_answers_cite_where_they_stand(tmp_path: Path) -> None:
    """A mail, a ticket by words and by key, an article and a note answer, each as itself; figures are counted."""
    service, store = await asked_of(tmp_path)
    await service.notes.write(a_note("decisions/x", "No cameras on the quay"), "test")
    questions = ("What is the limit of nginx?", "Is the crane cable worn?", "What is OPS-7?", "What costs a mooring?")

    answers = [await service.ask(question, AccessScope.APPROVER) for question in (*questions, "What was decided?")]

    assert [answer.sentences[0].source for answer in answers] == [
        "mail:case-1",
        "ticket:OPS-7",
        "ticket:OPS-7",
        "article:help:moorings#0",
        "note:decisions/2026-11-22-no-cameras-on-the-quay",
    ]
    assert (await service.ask("What is the capital of France?", AccessScope.ADMIN)).refused
    assert (await service.ask("stats", AccessScope.VIEWER)).told == "1 note: decisions 1; active 1."
    assert case_before(0) == ""
    await store.close()


@pytest.mark.parametrize(
    "question",
    [
        "What did we promise?",
        "What are our open commitments?",
        "Was haben wir versprochen?",
        "Qu'avons-nous promis ?",
        "¿Qué hemos prometido?",
        "Che cosa abbiamo promesso?",
        "Wat hebben we beloofd?",
    ],
)
async def test_what_we_promised_is_no_customer_s_promise(tmp_path: Path, question: str) -> None:
    """Who asks what we promised is told our own people's promises, and those whose address nobody noted; who asks for promises, all."""
    service, store = await asked_of(tmp_path)
    service.domains = lambda: {"harbour.example"}
    for name, owner in (
        ("Pay by Monday", "eva@x.example"),
        ("Lower the crane", "kim@Harbour.example"),
        ("Ring back", "Ann"),
    ):
        await service.notes.write(replace(a_note("commitments/x", name), owner=owner), "test")

    ours, every = (
        await service.ask(question, AccessScope.APPROVER),
        await service.ask("Which promises are open?", AccessScope.VIEWER),
    )
    service.domains = frozenset
    unknown = await service.ask(question, AccessScope.APPROVER)

    assert {str(one.title) for one in ours.sources} == {"Lower the crane", "Ring back"}
    assert len(every.sources) == len(unknown.sources) == 3
    await store.close()


async def test_a_customer_s_mail_holds_no_promise_of_ours(tmp_path: Path) -> None:
    """A sentence of a mail answers what we promised only where one of us wrote it."""
    service, store = await asked_of(tmp_path)
    mail = replace(MAIL, text=Untrusted("We will raise the limit of nginx on Monday."))
    service.mails = Mails((mail,))
    service.domains = lambda: {"harbour.example"}
    theirs = await service.ask("What did we promise about the limit of nginx?", AccessScope.APPROVER)
    service.domains = lambda: {"x.example"}
    ours = await service.ask("What did we promise about the limit of nginx?", AccessScope.APPROVER)

    assert (theirs.sentences, [one.source for one in ours.sentences]) == ((), ["mail:case-1"])
    await store.close()


async def test_a_question_goes_on_from_the_one_before(tmp_path: Path) -> None:
    """It is answered with the matter of that one, names it for the next, and shows a viewer no more than a question of its own."""
    service, store = await asked_of(tmp_path)
    before = "What is the limit of nginx?"

    answer = await service.ask("And how much is it?", AccessScope.READER, after=before)

    assert [one.source for one in answer.sentences] == ["mail:case-1"]
    assert (answer.question, answer.about) == ("And how much is it?", before)
    assert (await service.ask("And how much is it?", AccessScope.VIEWER, after=before)).refused
    assert not (await service.ask("And how much is it?", AccessScope.READER)).sentences
    await store.close()


async def test_a_viewer_hears_no_words_of_mails(tmp_path: Path) -> None:
    """Who may not read mails is answered from their subjects alone."""
    service, store = await asked_of(tmp_path)

    assert (await service.ask("What is the limit of nginx?", AccessScope.VIEWER)).refused
    assert (await service.ask("Who reported that the upload stops?", AccessScope.VIEWER)).sentences
    await store.close()


@pytest.mark.parametrize(
    "gone",
    [
        {"flags": (FORGOTTEN,)},
        {"outcome": Outcome.QUARANTINED},
        {"message": None},
        {"spam": True},
    ],
)
async def test_what_is_forgotten_or_set_apart_answers_nothing(tmp_path: Path, gone: dict[str, object]) -> None:
    """A mail that was searchable and is gone since, in quarantine, or spam is quoted to nobody."""
    service, store = await asked_of(tmp_path)
    assert (await service.ask("What is the limit of nginx?", AccessScope.ADMIN)).sentences
    leased = store.jobs.open(await store.jobs.claim("case-1", "w", 60))
    if "spam" in gone:
        case = await leased.cases.load()
        found = DispositionFinding(disposition=Disposition.SPAM, confidence=1.0)
        gone = {"classification": replace(case.classification, disposition=found)}
    await leased.cases.save(replace(await leased.cases.load(), **gone), step())  # type: ignore[arg-type]

    assert (await service.ask("What is the limit of nginx?", AccessScope.ADMIN)).refused
    await store.close()


async def test_a_mail_of_a_case_that_does_not_exist_is_left_out(tmp_path: Path) -> None:
    """A store that was restored may lack a case that was read."""
    service, store = await asked_of(tmp_path)
    service.mails = Mails((replace(MAIL, case="case-5"),))

    assert (await service.ask("What is the limit of nginx?", AccessScope.ADMIN)).refused
    await store.close()


async def test_a_job_is_begun_where_it_may_be(tmp_path: Path) -> None:
    """Without a way to begin it, and for who is no admin, the answer names the command; else it is begun in the asker's name."""
    service, store = await asked_of(tmp_path)
    begun: list[tuple[Job, str]] = []

    async def run(job: Job, by: str) -> str:
        begun.append((job, by))
        return "build 1 has begun"

    assert "`triage memory build`" in (await service.ask("build", AccessScope.ADMIN)).told
    service.run = run
    assert "nothing was begun" in (await service.ask("build", AccessScope.APPROVER)).told
    assert (await service.ask("reconcile", AccessScope.ADMIN, "ann")).told == "build 1 has begun"
    assert begun == [(Job.RECONCILE, "ann")]
    await store.close()


async def test_a_model_words_what_sources_say(tmp_path: Path) -> None:
    """A model gets what was found, best first; where it has nothing, the quotations stay. Viewers are answered without it."""
    service, store = await asked_of(tmp_path)
    said: list[MemoryAnswer | None] = [
        MemoryAnswer(question="q", sentences=(QuotedSentence(text=Untrusted("8 MB."), source="mail:case-1"),), by="m"),
        None,
        None,
    ]

    async def worded(_: MemoryQuestion, sources: Sequence[MemorySource]) -> MemoryAnswer | None:
        assert {"mail:case-1", "article:help:moorings#0"} >= {source.key for source in sources}
        return said.pop(0)

    service.worded = worded
    assert (await service.ask("What is the limit of nginx?", AccessScope.ADMIN)).by == "m"
    assert (await service.ask("What is the limit of nginx?", AccessScope.ADMIN)).by == ""
    assert (await service.ask("What is the capital of France?", AccessScope.ADMIN)).refused
    assert (await service.ask("What is the limit of nginx?", AccessScope.VIEWER)).by == ""
    assert said == []
    await store.close()
