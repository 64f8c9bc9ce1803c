"""Delays the search index: a new issue is found by key at once and by search later."""

import random
from dataclasses import dataclass
from typing import Final, Literal

from triage_sandbox.jira.ground.database import Database

Way = Literal["fixed", "jitter", "flicker"]
_BLINK: Final = 400
"""Milliseconds for which a flickering issue stays as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lag:
    """How far the search index lags. With `flicker` an issue that was found can vanish again, as seen on real sites."""

    way: Way = "fixed"
    milliseconds: int = 0
    """fixed: of every issue; jitter: at most; flicker: until it stays."""
    seed: int = 1

    def __bool__(self) -> bool:
        return self.milliseconds > 0

    def visible(self, issue: int, created: int, now: int) -> bool:
        """Tell whether a search finds an issue at this moment."""
        age = now - created
        if age >= self.milliseconds:
            return True
        if self.way == "fixed":
            return False
        if self.way == "jitter":
            return age >= self._chance(issue) * self.milliseconds
        # Likelier with age, but settled anew with every blink.
        return age / self.milliseconds > self._chance(issue, now // _BLINK)

    def hidden(self, db: Database, now: int) -> set[int]:
        """Return the issues that no search shows yet."""
        rows = db.all("SELECT id, created FROM issue WHERE created > ?", now - self.milliseconds)
        return {issue for issue, created in rows if not self.visible(issue, created, now)}

    def _chance(self, *parts: int) -> float:
        return random.Random(repr((self.seed, *parts))).random()  # noqa: S311 - a stand-in's whims, not a secret
