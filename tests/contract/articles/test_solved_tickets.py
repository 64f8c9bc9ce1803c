"""The port `ArticleSource` over solved tickets: what everybody may read of them, masked."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from integrations.articles.solved_tickets import SolvedTicketsSource
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import MORNING, HeldClock
from tests.database import empty_store
from triage.domain.channels.ticket_notes import TicketComment
from triage.domain.errors import TicketGone, TrackerDown
from triage.domain.support.articles import Article
from triage.domain.support.errors import ArticlesDown
from triage.domain.support.readings import Unchanged
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.privacy.redaction import masked

SOLUTION = "Open Settings > Users and choose the role Reader for the person; then save."
DONE = Ticket(
    key="HARB-1",
    summary=Untrusted("Read-only access"),
    status="Done",
    category="done",
    issue_type="Task",
    url="https://jira.example/browse/HARB-1",
    description=Untrusted("How do I give read-only rights? Mail kim@shop.example, phone +49 40 555 0199."),
    components=("Accounts",),
    updated=MORNING,
    done_at=MORNING,
)


@dataclass
class Talk:
    """What people said, by ticket."""

    comments: dict[str, Sequence[TicketComment]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    down: bool = False

    async def latest(self, key: str, limit: int) -> tuple[TicketComment, ...]:
        """The comments."""
        self.asked.append(key)
        if self.down:
            raise TrackerDown("no answer")
        if key not in self.comments:
            raise TicketGone(key)
        return tuple(self.comments[key])[:limit]


def comment(text: str, *, public: bool = True, by_colleague: bool = True, ours: bool = False) -> TicketComment:
    """What somebody said."""
    return TicketComment(
        id="1", author=None, words=text, ours=ours, text=text, public=public, by_colleague=by_colleague
    )


@pytest.fixture
async def store() -> AsyncIterator[SqlStore]:
    """An empty database."""
    async with empty_store(HeldClock()) as opened:
        yield opened


def source_of(store: SqlStore, talk: Talk) -> SolvedTicketsSource:
    """Of the last thirty days."""
    return SolvedTicketsSource(
        name="solved",
        project="HARB",
        store=store.tickets,
        latest=talk.latest,
        clock=HeldClock(),
        masked=masked,
        days=30,
    )


async def test_a_solved_ticket_is_an_article(store: SqlStore) -> None:
    """Question and what colleagues told everybody; internal words, customers' and ours are not in it, nor whom to call."""
    await store.tickets.keep([DONE])
    said = [
        comment("Internal: the customer is difficult, whatever he says to us.", public=False),
        comment("It still does not work for me, please look again, thank you.", by_colleague=False),
        comment("This mail was filed by a program that has nothing to say.", ours=True),
        comment(SOLUTION),
    ]
    talk = Talk({"HARB-1": said})
    [article] = [found async for found in source_of(store, talk).articles({})]
    [again] = [found async for found in source_of(store, talk).articles({"solved:HARB-1": MORNING.isoformat()})]

    assert isinstance(article, Article)
    assert (article.title, article.url, article.tags) == ("Read-only access", DONE.url, ("Accounts",))
    assert article.text == (
        f"How do I give read-only rights? Mail [EMAIL_1], phone [PHONE_1].\n\n## Solution\n\n{SOLUTION}"
    )
    assert again == Unchanged("solved:HARB-1")
    assert talk.asked == ["HARB-1"]


async def test_other_tickets_are_none(store: SqlStore) -> None:
    """Open ones, old ones, those without an answer and those that are gone; a silent one is asked for once."""
    await store.tickets.keep(
        [
            replace(DONE, key="HARB-2", category="new"),
            replace(DONE, key="HARB-3", done_at=MORNING - timedelta(days=31)),
            replace(DONE, key="HARB-4"),
            replace(DONE, key="HARB-5", description=Untrusted("")),
        ]
    )
    talk = Talk({"HARB-4": [comment("Done.")], "HARB-5": [comment(SOLUTION)]})
    source = source_of(store, talk)
    found = [[one async for one in source.articles({})] for _ in range(2)]

    assert [[one.text for one in turn if isinstance(one, Article)] for turn in found] == [[SOLUTION], [SOLUTION]]
    assert talk.asked == ["HARB-4", "HARB-5", "HARB-5"]
    talk.down = True
    with pytest.raises(ArticlesDown, match="no answer"):
        _ = [one async for one in source.articles({})]
