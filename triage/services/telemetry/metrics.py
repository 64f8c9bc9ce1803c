"""Computes metrics for Prometheus on request: sums of the store, and figures of this process."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from triage.domain.cases import Outcome
from triage.domain.errors import StoreDown
from triage.domain.letters import LetterState
from triage.domain.operations.figures import Durations, Growth
from triage.domain.ports import Archive, Clock, Figures
from triage.policy.case_lists.query import UNFINISHED
from triage.policy.operations.metrics import Measured, Values, age, channel_of, distinct_names, model_label
from triage.services.operations.status import InstallationStatus, StatusService

SETTLED: Final = timedelta(seconds=2)
"""Age from which rows are counted: of two that are written at the same time the later may become visible first."""

STATES: Final = (*UNFINISHED, *Outcome)
"""Of a case."""
Numbers = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessGauges:
    """Sources of this process's figures; each is optional."""

    requests: Callable[[], Mapping[tuple[str, ...], Durations]] = dict
    """Requests to the tracker by method and status."""
    running: Callable[[], Mapping[str, datetime]] | None = None
    """Cases that its worker runs, and since when."""
    heartbeat: Callable[[], float | None] = lambda: None
    """Seconds since the worker's last heartbeat."""


@dataclass(slots=True)
class MetricSums:
    """What the store has got since the first scrape; of mails since the first one."""

    until: datetime
    mails: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    steps: defaultdict[str, Durations] = field(default_factory=lambda: defaultdict(Durations))
    models: defaultdict[str, Durations] = field(default_factory=lambda: defaultdict(Durations))
    tokens: Counter[tuple[str, str]] = field(default_factory=Counter)
    cost: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, growth: Growth, until: datetime) -> None:
        """Add what came in up to this moment."""
        self.until = until
        for source, n in growth.mails.items():
            self.mails[channel_of(source)] += n
        self.ended.update(growth.ended)
        for step in growth.steps:
            self.steps[step.name].merge(step.within, step.count, step.seconds)
        for used in growth.models:
            model = model_label(used.name, self.models)
            self.models[model].merge(used.within, used.count, used.seconds)
            self.tokens[model, "input"] += used.input_tokens
            self.tokens[model, "output"] += used.output_tokens
            self.cost[model] += used.cost_usd


@dataclass(slots=True, kw_only=True)
class MetricsService:
    """Called at each scrape; costs nothing in between. A store that is down is a figure, not an error."""

    status: StatusService
    figures: Figures
    archive: Archive
    clock: Clock
    version: str
    process: ProcessGauges
    _sums: MetricSums | None = None
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def read(self) -> Measured:
        """Return the value of each metric that there is now."""
        measured: dict[str, Values] = {"triage_build_info": {(self.version,): 1.0}, **self._of_process()}
        try:
            async with self._turn:
                return {**measured, "triage_store_up": _one(1), **await self._of_store()}
        except StoreDown:
            return {**measured, "triage_store_up": _one(0)}

    def _of_process(self) -> Measured:
        now, running, beat = self.clock.now(), self.process.running, self.process.heartbeat()
        found: dict[str, Values] = {"triage_jira_request_duration_seconds": dict(self.process.requests())}
        if running is not None:
            begun = tuple(running().values())
            found["triage_worker_cases"] = _one(len(begun))
            found["triage_worker_oldest_case_seconds"] = _one(age(min(begun, default=None), now))
        if beat is not None:
            found["triage_worker_heartbeat_seconds"] = _one(beat)
        return found

    async def _of_store(self) -> Measured:
        sums, status = await self._grown(), await self.status.now()
        return {
            "triage_mails_accepted": _by_name(sums.mails),
            "triage_cases": _by_name(await self.archive.counts(), STATES),
            "triage_cases_ended": _by_name(sums.ended, Outcome),
            "triage_step_duration_seconds": {(name,): one for name, one in sums.steps.items()},
            "triage_model_call_duration_seconds": {(name,): one for name, one in sums.models.items()},
            "triage_model_tokens": {key: float(n) for key, n in sums.tokens.items()},
            "triage_model_cost_usd": _by_name(sums.cost),
            "triage_letters": _by_name(await self.figures.letters(), LetterState),
            **_of_status(status),
        }

    async def _grown(self) -> MetricSums:
        """Read what was added since the last scrape."""
        until = self.clock.now() - SETTLED
        if self._sums is None:
            sums = MetricSums(until)
            for source, n in (await self.figures.sources(until)).items():
                sums.mails[channel_of(source)] += n
            self._sums = sums
        elif until > self._sums.until:
            self._sums.add(await self.figures.growth(self._sums.until, until), until)
        return self._sums


def _of_status(status: InstallationStatus) -> Measured:
    boxes = status.mailboxes
    labels = [(name,) for name in distinct_names(box.public_name for box in boxes)]
    budget = status.budget
    return {
        "triage_backlog_oldest_seconds": _one(age(status.backlog.oldest, status.at)),
        "triage_approvals_open": _one(status.approvals_open),
        "triage_approvals_oldest_seconds": _one(age(status.oldest_approval, status.at)),
        "triage_model_month_cost_usd": _one(budget.spent_usd),
        "triage_model_month_budget_usd": {} if budget.cap_usd is None else _one(budget.cap_usd),
        "triage_mailbox_lag_seconds": dict(
            zip(labels, (age(box.cursor.complete_at, status.at) for box in boxes), strict=True)
        ),
        "triage_mailbox_trouble": dict(zip(labels, (float(bool(box.trouble)) for box in boxes), strict=True)),
        "triage_mailbox_missing_mails": dict(zip(labels, (float(box.cursor.missing) for box in boxes), strict=True)),
        "triage_paused": _one(status.pause is not None),
    }


def _one(value: float) -> Values:
    return {(): float(value)}


def _by_name(values: Numbers, always: Iterable[str] = ()) -> Values:
    """Return values by their label; what `always` names is 0 and not missing, so that a dashboard shows 0 and `rate` sees the first one."""
    return {(str(name),): float(value) for name, value in {**dict.fromkeys(always, 0.0), **values}.items()}
