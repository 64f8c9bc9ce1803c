"""Ranks tickets by the calibrated probability that they are about the same matter as a mail, with the shipped model."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple, Self

import numpy as np

from triage.config.model_files import FOLDER, read_model
from triage.domain.errors import SettingsInvalid
from triage.domain.tickets import Ticket
from triage.policy.ranking.columns import Columns
from triage.policy.ranking.documents import Document, Numbers, packed_document
from triage.policy.ranking.features import FEATURES, Circumstances, features_of

KIND: Final = "duplicates"
VERSION: Final = 1
SHIPPED: Final = FOLDER / "duplicates.npz"
DAY: Final = 86_400.0
ABSOLUTE: Final = (
    *("coverage", "titles", "theirs", "ours", "union", "title_grams", "grams", "ours_lacking", "theirs_lacking"),
    *("age", "untouched", "open", "codes", "quotes", "conflict", "mail_title", "mail_text"),
)
"""Features that say how much is shared at all, whatever the other tickets share."""
PLACES: Final = [FEATURES.index(name) for name in ABSOLUTE]
CALIBRATED: Final = ("score", "share", "lead", *ABSOLUTE)


class Contender(NamedTuple):
    """A ticket that a search found, as far as the ranking needs it."""

    key: str
    words: bytes
    """A packed document."""
    open: bool
    created: int
    """Seconds since 1970, 0 if unknown; `updated`, too."""
    updated: int
    place: int | None = None
    """Its place in the answer of the ticket index, from 0; None if only Jira's search found it."""

    @classmethod
    def of(cls, ticket: Ticket, hit: "Contender | None" = None) -> Self:
        """Make a contender of a whole ticket; `hit` is what the index holds of it."""
        return cls(
            key=ticket.key,
            words=hit.words if hit else packed_document(ticket.summary, ticket.description),
            open=ticket.open,
            created=seconds_of(ticket.created),
            updated=seconds_of(ticket.updated),
            place=hit.place if hit else None,
        )


class Ranked(NamedTuple):
    """A contender's probability to be about the same matter."""

    key: str
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankingModel:
    """Two linear functions: the first orders the tickets, the second gives its scores a probability."""

    weights: Numbers
    """By `FEATURES`, in units of the feature; larger sums stand first."""
    calibration: Numbers
    """By `CALIBRATED`, on the logistic scale."""
    bias: float

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a model file. Raises `SettingsInvalid` if it is none, or was made for other features."""
        file = read_model(path, KIND, VERSION)
        try:
            weights, calibration = file.arrays["weights"], file.arrays["calibration"]
            known = (tuple(file.about["features"]), len(weights), len(calibration) - 1)
        except (KeyError, TypeError) as e:
            raise SettingsInvalid((f"{path}: lacks {e}; train it again",)) from e
        if known != (FEATURES, len(FEATURES), len(CALIBRATED)):
            raise SettingsInvalid((f"{path}: was trained for other features; train it again",))
        return cls(weights=weights, calibration=calibration[:-1], bias=float(calibration[-1]))

    def scores(self, rows: Numbers) -> Numbers:
        """Return what orders the tickets."""
        found: Numbers = rows @ self.weights
        return found

    def probabilities(self, rows: Numbers, scores: Numbers) -> Numbers:
        """Return the probability of each ticket to be about the same matter."""
        logits = calibrated_rows(rows, scores) @ self.calibration + self.bias
        found: Numbers = 1 / (1 + np.exp(-logits))
        return found


def calibrated_rows(rows: Numbers, scores: Numbers) -> Numbers:
    """Return a row of `CALIBRATED` for each ticket: its score, its share among all, its lead, and its features."""
    best = float(scores.max())
    share = scores - best - np.log(np.exp(scores - best).sum())
    lead = scores - best
    if len(scores) > 1:
        lead[scores.argmax()] = best - np.partition(scores, -2)[-2]
    return np.column_stack((scores, share, lead, rows[:, PLACES]))


@lru_cache(maxsize=1)
def shipped_model() -> RankingModel:
    """Return the model that Triage comes with."""
    return RankingModel.read(SHIPPED)


def ranked(
    mail: Document, at: datetime | None, contenders: Sequence[Contender], model: RankingModel | None = None
) -> tuple[Ranked, ...]:
    """Return all contenders, most probable first; `at` is the mail's date.

    None is more probable than one before it: the order is learnt over candidates of one mail, the probability over mails.
    """
    if not contenders:
        return ()
    model = model or shipped_model()
    rows = rows_of(mail, at, contenders)
    scores = model.scores(rows)
    order = np.argsort(-scores, kind="stable")
    falling = np.minimum.accumulate(model.probabilities(rows, scores)[order])
    return tuple(
        Ranked(contenders[row].key, share) for row, share in zip(order.tolist(), falling.tolist(), strict=True)
    )


def rows_of(mail: Document, at: datetime | None, contenders: Sequence[Contender]) -> Numbers:
    """Return a row of `FEATURES` for each contender (at least one) when a mail of this date comes."""
    return features_of(mail, Columns.read([one.words for one in contenders]), circumstances(contenders, at))


def circumstances(contenders: Sequence[Contender], at: datetime | None) -> Circumstances:
    """Return what is known of tickets besides their words when a mail of this date comes."""
    last = len(contenders)
    return Circumstances(
        place=np.array([last if one.place is None else one.place for one in contenders], dtype=np.float64),
        open=np.array([one.open for one in contenders], dtype=np.float64),
        days_old=_days([one.created or one.updated for one in contenders], at),
        days_untouched=_days([one.updated or one.created for one in contenders], at),
    )


def _days(then: Sequence[int], at: datetime | None) -> Numbers:
    """Days from these seconds to a time; 0 where one of them is unknown."""
    seconds, now = np.array(then, dtype=np.float64), seconds_of(at)
    return np.maximum(0.0, np.where(seconds > 0, now - seconds, 0.0)) / DAY


def seconds_of(at: datetime | None) -> int:
    """Seconds since 1970, 0 if unknown; a time without zone counts as UTC."""
    return 0 if at is None else int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp())
