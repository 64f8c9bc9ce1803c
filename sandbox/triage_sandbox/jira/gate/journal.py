"""Keeps a journal of API requests, so that tests can see what a client asked."""

import json
import re
from collections import deque
from dataclasses import dataclass
from typing import Any, Final

_MOST_ENTRIES: Final = 20_000


@dataclass(slots=True)
class Entry:
    """One request."""

    method: str
    path: str
    query: str
    body: bytes
    status: int = 0
    """Status of the response; 0 if none was sent."""

    @property
    def json(self) -> Any:
        """The body as JSON, as text where it is none."""
        try:
            return json.loads(self.body) if self.body else None
        except ValueError:
            return self.body.decode(errors="replace")


class Journal:
    """The latest requests to the API, oldest first."""

    def __init__(self) -> None:
        self.entries: deque[Entry] = deque(maxlen=_MOST_ENTRIES)

    def matching(self, method: str = "*", path: str = ".*") -> list[Entry]:
        return [entry for entry in list(self.entries) if method in {"*", entry.method} and re.search(path, entry.path)]
