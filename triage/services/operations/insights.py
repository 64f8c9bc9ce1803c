"""Insights: how mails went over days, as charts; each counted by the store and kept while its day is over."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType
from typing import Final, TypeVar

from cachetools import TTLCache

from triage.domain.operations.audit import AuditFilter
from triage.domain.operations.insights import Chart, ChartShape, Count, Facet, PersonLoad, Series
from triage.domain.ports import AuditLog, Clock, Insights
from triage.policy.cues.language import NAMES
from triage.policy.operations.charts import MOST_ROWS, bucket, by_day, percentile, share, top
from triage.policy.operations.metrics import age, distinct_names
from triage.services.health import HealthService

K = TypeVar("K")

PERIODS: Final = (7, 30, 90)
"""Days of history that people may see."""
KEPT_SECONDS: Final = 3_600.0
"""How long the sums of a day that is over are kept: a mail that is decided again later shows after this time."""
MOVING: Final = 2
"""Days, including today, that are counted anew at each read."""
ALL: Final = ""
"""Stands for all projects together."""
OUTCOMES: Final = ("ticketed", "commented", "updated", "answered", "ignored", "waiting")
"""Drawn from below in this order."""


@dataclass(slots=True)
class Day:
    """Counts, durations and costs of one day (UTC)."""

    counts: Mapping[Facet, defaultdict[str, Counter[str]]] = field(
        default_factory=lambda: {facet: defaultdict(Counter) for facet in Facet}
    )
    """By facet, project and key; the project `ALL` has the sums of all."""
    paces: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    """Buckets of the time to the first ticket, by project, and of all."""
    costs: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    """USD by model."""

    def count(self, facet: Facet, project: str) -> Counter[str]:
        """Return the counts of one facet; of a project without mails there are none."""
        return self.counts[facet].get(project, Counter())


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """All charts of a period."""

    days: int
    project: str
    """`ALL`, or its key."""
    projects: tuple[str, ...]
    mails: int
    agreement: float | None
    """Percentage of the ended mails that were not corrected; None: there are none."""
    p50: float | None
    p95: float | None
    """Seconds to the first ticket that half of all, or all but a twentieth, took at most."""
    joined: int
    """Mails that joined a ticket as duplicates."""
    cost: float
    charts: tuple[Chart, ...]

    def chart(self, name: str) -> Chart | None:
        return next((one for one in self.charts if one.name == name), None)


@dataclass(slots=True, kw_only=True)
class InsightsService:
    """Called by the console. Raises `StoreDown`."""

    store: Insights
    log: AuditLog
    health: HealthService
    clock: Clock
    project: str
    """JIRA_PROJECT_KEY: what cases without a project of their own belong to."""
    _kept: TTLCache[date, Day] = field(default_factory=lambda: TTLCache(maxsize=max(PERIODS), ttl=KEPT_SECONDS))
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def insight(self, days: int, project: str = ALL) -> Insight:
        """Return the charts of the last `days` days (UTC), of one project or of all."""
        today = self.clock.now().astimezone(UTC).date()
        period = tuple(today - timedelta(days=ago) for ago in reversed(range(days)))
        async with self._turn:
            by_date = await self._days(period)
        return await _Look(self, period, by_date, project).insight()

    async def _days(self, period: tuple[date, ...]) -> Mapping[date, Day]:
        """Return the sums of these days; only those that are not known are read."""
        found = {day: self._kept[day] for day in period[:-MOVING] if day in self._kept}
        missing = [day for day in period if day not in found]
        read = await self._read(missing[0], missing[-1])
        for day in missing:
            found[day] = self._kept[day] = read.get(day, Day())
        return found

    async def _read(self, first: date, last: date) -> Mapping[date, Day]:
        read: defaultdict[date, Day] = defaultdict(Day)
        for one in await self.store.ended(first, last):
            for project in {ALL, self.named(one.project)}:
                day = read[one.day]
                day.paces[project].update(map(bucket, one.seconds))
                for facet, found in one.counts.items():
                    day.counts[facet][project].update(found)
        since = datetime.combine(first, time(), UTC)
        until = datetime.combine(last + timedelta(days=1), time(), UTC)
        for spent in await self.log.spending(AuditFilter(since=since, until=until)):
            read[spent.day].costs[spent.model] += spent.cost_usd
        return read

    def named(self, project: str) -> str:
        """Return the project's key; empty stands for the installation's own project."""
        return project or self.project


@dataclass(frozen=True, slots=True)
class _Look:
    """Computes the charts of one period, from the cached sums of each day and from what is not cached by day."""

    at: InsightsService
    period: tuple[date, ...]
    days: Mapping[date, Day]
    project: str

    async def insight(self) -> Insight:
        corrected = await self._corrected()
        paces = {day: self.days[day].paces.get(self.project, Counter[int]()) for day in self.period}
        every = _added(paces.values())
        ended = self._sum(Facet.OUTCOME).total()
        return Insight(
            days=len(self.period),
            project=self.project,
            projects=tuple(sorted({one for day in self.days.values() for one in day.counts[Facet.OUTCOME]} - {ALL})),
            mails=ended,
            agreement=share(ended - sum(one.n for one in corrected), ended),
            p50=percentile(every, 0.5),
            p95=percentile(every, 0.95),
            joined=self._sum(Facet.JOINED)["duplicate"],
            cost=sum(sum(day.costs.values()) for day in self.days.values()),
            charts=await self._charts(paces, corrected),
        )

    async def _corrected(self) -> list[Count]:
        return [
            one
            for one in await self.at.store.corrected()
            if one.day >= self.period[0] and self.project in {ALL, self.at.named(one.project)}
        ]

    async def _charts(self, paces: Mapping[date, Counter[int]], corrected: list[Count]) -> tuple[Chart, ...]:
        """Return the charts, in the order of the page."""
        store, first = self.at.store, self.period[0]
        return (
            self._daily("outcomes", "Mails by outcome", "Ended mails by the day on which they came in.", Facet.OUTCOME),
            self._pace_chart(paces),
            self._agreement(corrected),
            self._stacked(
                "decisions",
                "What people decided about approvals",
                "Accepted as proposed, edited, rejected, answered with an instruction, or expired; of all projects.",
                "decisions",
                await store.decided(first),
            ),
            self._daily(
                "joined", "New tickets, threads, duplicates", "Mails with a ticket, by how they got it.", Facet.JOINED
            ),
            self._top("components", "Components", "Of the tickets that mails have made.", Facet.COMPONENT),
            self._top("causes", "Causes", "Kind of each mail, or the program that sent the alert.", Facet.CAUSE),
            self._top("languages", "Languages", "Of the mails, by their words.", Facet.LANGUAGE, NAMES),
            self._cost(),
            _load(await store.loads(MOST_ROWS)),
            self._stacked(
                "held",
                "Throttled mails",
                "Mails collected in the ticket of a flood's first mail; of all projects.",
                "mails",
                await store.held(first),
            ),
            await self._lag(),
        )

    def _of(self, facet: Facet) -> Iterator[tuple[date, str, int]]:
        """Yield day, key and number."""
        for day in self.period:
            yield from ((day, key, n) for key, n in self.days[day].count(facet, self.project).items())

    def _sum(self, facet: Facet) -> Counter[str]:
        return _added(self.days[day].count(facet, self.project) for day in self.period)

    @property
    def _rows(self) -> tuple[str, ...]:
        return tuple(map(str, self.period))

    def _daily(self, name: str, title: str, about: str, facet: Facet) -> Chart:
        first = OUTCOMES if facet is Facet.OUTCOME else ()
        series = by_day(self.period, self._of(facet), first)
        return Chart(
            name=name, title=title, about=about, shape=ChartShape.STACKED, unit="mails", rows=self._rows, series=series
        )

    def _stacked(self, name: str, title: str, about: str, unit: str, counts: tuple[Count, ...]) -> Chart:
        series = by_day(self.period, ((one.day, one.key, one.n) for one in counts))
        return Chart(
            name=name, title=title, about=about, shape=ChartShape.STACKED, unit=unit, rows=self._rows, series=series
        )

    def _pace_chart(self, paces: Mapping[date, Counter[int]]) -> Chart:
        parts = (("median", 0.5), ("95 of 100", 0.95))
        return Chart(
            name="pace",
            title="Time to the first ticket",
            about="From the mail to its ticket, people's decisions included; 95 of 100 mails were faster than the upper line.",
            shape=ChartShape.LINE,
            unit="s",
            rows=self._rows,
            series=tuple(
                Series(name, tuple(percentile(paces[day], part) for day in self.period)) for name, part in parts
            ),
        )

    def _agreement(self, corrected: list[Count]) -> Chart:
        """Percent by day; a day without mails has none."""
        wrong, ended = Counter[date](), Counter[date]()
        for one in corrected:
            wrong[one.day] += one.n
        for day, _, n in self._of(Facet.OUTCOME):
            ended[day] += n
        left = tuple(share(ended[day] - wrong[day], ended[day]) for day in self.period)
        return Chart(
            name="agreement",
            title="Agreement with people",
            about="Ended mails that nobody has corrected since.",
            shape=ChartShape.LINE,
            unit="%",
            rows=self._rows,
            series=(Series("left unchanged", left),),
        )

    def _top(
        self, name: str, title: str, about: str, facet: Facet, names: Mapping[str, str] = MappingProxyType({})
    ) -> Chart:
        found = top(self._sum(facet))
        return Chart(
            name=name,
            title=title,
            about=about,
            shape=ChartShape.BARS,
            unit="mails",
            rows=tuple(names.get(key, key) for key in found),
            series=(Series("mails", tuple(map(float, found.values()))),),
        )

    def _cost(self) -> Chart:
        costs = ((day, model, usd) for day in self.period for model, usd in self.days[day].costs.items())
        return Chart(
            name="cost",
            title="Cost of models",
            about="By day (UTC) and model; of all projects.",
            shape=ChartShape.STACKED,
            unit="USD",
            rows=self._rows,
            series=by_day(self.period, costs),
        )

    async def _lag(self) -> Chart:
        boxes, now = await self.at.health.mailboxes(), self.at.clock.now()
        return Chart(
            name="lag",
            title="Mailbox lag",
            about="Time since all mails of a mailbox were last fetched; now.",
            shape=ChartShape.BARS,
            unit="s",
            rows=tuple(distinct_names(box.public_name for box in boxes)),
            series=(Series("lag", tuple(age(box.cursor.complete_at, now) for box in boxes)),),
        )


def _added(counters: Iterable[Counter[K]]) -> Counter[K]:
    """Add counters; `sum` would copy all that it has added so far, for each of them."""
    whole = Counter[K]()
    for one in counters:
        whole.update(one)
    return whole


def _load(people: tuple[PersonLoad, ...]) -> Chart:
    return Chart(
        name="load",
        title="Load per person",
        about=f"Open tickets of the {MOST_ROWS} who have most, as of the last look at Jira; of all projects.",
        shape=ChartShape.BARS,
        unit="tickets",
        rows=tuple(distinct_names(one.name for one in people)),
        series=(
            Series("waiting", tuple(float(one.waiting) for one in people)),
            Series("in progress", tuple(float(one.in_progress) for one in people)),
        ),
    )
