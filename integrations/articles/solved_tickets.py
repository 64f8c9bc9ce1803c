"""The port `ArticleSource` over solved tickets: what colleagues said to everybody on them, with the question above."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from triage.domain.channels.ticket_notes import TicketComment
from triage.domain.errors import TicketGone, TriageError
from triage.domain.ports import Clock, TicketStore
from triage.domain.support.articles import SHARED, Article
from triage.domain.support.errors import ArticlesDown
from triage.domain.support.readings import Found, Unchanged
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted

AT_ONCE: Final = 200
ENDLESS: Final = 2**31 - 1
"""No ticket has this number."""
COMMENTS: Final = 20
"""Latest comments that are looked at."""
SHORTEST: Final = 40
"""Characters; less than that says no solution."""
LONGEST: Final = 4_000
"""Characters of the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedTicketsSource:
    """Tickets of the stored copy that are done; comments that are kept to agents are never read into an article.

    A ticket on which no colleague has said anything to everybody is no article.
    """

    name: str
    project: str
    store: TicketStore
    latest: Callable[[str, int], Awaitable[tuple[TicketComment, ...]]]
    """`Comments.latest`."""
    clock: Clock
    masked: Callable[[str], str]
    """Replaces addresses, numbers and names of people."""
    days: int = 365
    account: str = SHARED
    tags: tuple[str, ...] = ()
    _silent: dict[str, str] = field(default_factory=dict, init=False, repr=False)
    """Revision of tickets without a solution, by key, so that Jira is not asked for them at each reading."""

    async def articles(self, known: Mapping[str, str]) -> AsyncIterator[Found]:
        """An article for each solved ticket, the oldest first. Raises `ArticlesDown`."""
        keys = await self.store.between(self.project, 1, ENDLESS)
        since = self.clock.now() - timedelta(days=self.days)
        for start in range(0, len(keys), AT_ONCE):
            for ticket in await self.store.tickets(keys[start : start + AT_ONCE]):
                done = ticket.done_at or ticket.updated
                if ticket.open or done is None or done < since:
                    continue
                if found := await self._found(ticket, known):
                    yield found

    async def _found(self, ticket: Ticket, known: Mapping[str, str]) -> Found | None:
        article = self._id(ticket)
        revision = ticket.updated.isoformat() if ticket.updated else ""
        if revision and known.get(article) == revision:
            return Unchanged(article)
        if revision and self._silent.get(ticket.key) == revision:
            return None
        solution = await self._solution(ticket.key)
        if len(solution) < SHORTEST:
            self._silent[ticket.key] = revision
            return None
        return self._article(ticket, solution, revision)

    def _id(self, ticket: Ticket) -> str:
        return f"{self.name}:{ticket.key}"

    def _article(self, ticket: Ticket, solution: str, revision: str) -> Article:
        question = ticket.description[:LONGEST].strip()
        text = f"{question}\n\n## Solution\n\n{solution}" if question else solution
        return Article(
            id=self._id(ticket),
            title=self.masked(ticket.summary),
            text=Untrusted(self.masked(text)),
            source=self.name,
            url=ticket.url,
            account=self.account,
            tags=tuple(dict.fromkeys((*self.tags, *ticket.components))),
            revision=revision,
            changed_at=ticket.updated,
        )

    async def _solution(self, key: str) -> str:
        """Return what colleagues said to everybody, as nobody else has changed it. Raises `ArticlesDown`."""
        try:
            comments = await self.latest(key, COMMENTS)
        except TicketGone:
            return ""
        except TriageError as e:
            raise ArticlesDown(self.name, str(e)) from e
        texts = (one.text.strip() for one in comments if one.public and one.by_colleague and not one.ours)
        return "\n\n".join(filter(None, texts))
