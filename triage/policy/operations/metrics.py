"""The metrics that Prometheus reads: their names, units, labels and help, and how facts become their values.

A label is never an address, a subject or the id of a case, and has few values.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from triage.domain.operations.figures import Durations

MOST_MODELS: Final = 20
"""Models with a label of their own: a provider may answer by a new name each day."""
OTHER: Final = "other"


class MetricKind(StrEnum):
    """Type of a metric: counter, gauge or histogram."""

    COUNTER = "counter"
    """It only grows."""
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True)
class Family:
    """All series of one name."""

    kind: MetricKind
    help: str
    labels: tuple[str, ...] = ()


Values = Mapping[tuple[str, ...], float | Durations]
"""Values by the values of the labels; `Durations` in histograms."""
Measured = Mapping[str, Values]
"""Values of the families that there are at the moment, by name."""

_COUNTER, _GAUGE, _HISTOGRAM = MetricKind.COUNTER, MetricKind.GAUGE, MetricKind.HISTOGRAM
FAMILIES: Final[Mapping[str, Family]] = {
    "triage_build_info": Family(_GAUGE, "1, for the version that runs.", ("version",)),
    "triage_store_up": Family(_GAUGE, "1 if the database answers; without it only figures of the process follow."),
    # of the store: each process tells the same
    "triage_mails_accepted": Family(_COUNTER, "Mails accepted since the first one, by way in.", ("source",)),
    "triage_cases": Family(_GAUGE, "Cases by outcome, or ready, working, retrying, dead before one.", ("state",)),
    "triage_cases_ended": Family(_COUNTER, "Ends of cases since the first scrape, by outcome.", ("outcome",)),
    "triage_backlog_oldest_seconds": Family(_GAUGE, "Age of the oldest mail that has not ended; 0: there is none."),
    "triage_step_duration_seconds": Family(_HISTOGRAM, "Duration of steps since the first scrape.", ("step",)),
    "triage_model_call_duration_seconds": Family(
        _HISTOGRAM, "Duration of answers of models since the first scrape.", ("model",)
    ),
    "triage_model_tokens": Family(_COUNTER, "Tokens since the first scrape, input or output.", ("model", "direction")),
    "triage_model_cost_usd": Family(_COUNTER, "Cost of models since the first scrape.", ("model",)),
    "triage_model_month_cost_usd": Family(_GAUGE, "Cost of models in this calendar month (UTC)."),
    "triage_model_month_budget_usd": Family(_GAUGE, "MAX_COST_PER_MONTH, where it is set."),
    "triage_approvals_open": Family(_GAUGE, "Approvals that wait for a person."),
    "triage_approvals_oldest_seconds": Family(_GAUGE, "Age of the oldest of them; 0: there is none."),
    "triage_letters": Family(_GAUGE, "Letters by state.", ("state",)),
    "triage_mailbox_lag_seconds": Family(_GAUGE, "Time since all mails of a mailbox were last fetched.", ("mailbox",)),
    "triage_mailbox_trouble": Family(_GAUGE, "1 if an admin should look at the mailbox.", ("mailbox",)),
    "triage_mailbox_missing_mails": Family(
        _GAUGE, "Mails on the server that should be here and are not.", ("mailbox",)
    ),
    "triage_paused": Family(_GAUGE, "1 while a person has stopped all writing to other systems."),
    # of this process
    "triage_jira_request_duration_seconds": Family(
        _HISTOGRAM, "Duration of requests to Jira; status `lost`: no answer came.", ("method", "status")
    ),
    "triage_worker_cases": Family(_GAUGE, "Cases that the worker of this process has in hand."),
    "triage_worker_oldest_case_seconds": Family(_GAUGE, "How long it has had the oldest of them; 0: none."),
    "triage_worker_heartbeat_seconds": Family(_GAUGE, "Age of the last heartbeat in HEARTBEAT_FILE."),
}
"""All that there can be, in order; a counter's series have `_total` behind the name."""


def channel_of(source: str) -> str:
    """Return how a mail came in: `webhook:postmark`, `imap`, `file`; without the mailbox, whose name may be an address."""
    kind, _, name = source.partition(":")
    return f"{kind}:{name.partition(':')[0]}" if kind == "webhook" else kind


def distinct_names(names: Iterable[str]) -> Iterator[str]:
    """Yield the names, with a number behind one that came before: shortened addresses may be alike."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name} {seen[name]}"


def age(since: datetime | None, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds()) if since else 0.0


def model_label(name: str, known: Iterable[str]) -> str:
    """Return the label of a model: its name, or `other` once there are many."""
    known = set(known)
    return name if name in known or len(known) < MOST_MODELS else OTHER
