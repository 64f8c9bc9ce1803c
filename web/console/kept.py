"""Keeps the text of a form over a sign-in, where the session had ended."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request

from triage.policy.operations.sign_in import safe_path
from web.console.guard import FORM_KEY

MOST: Final = 256 * 1024
"""Characters of all fields together."""
_OF_PAGES: Final = re.compile(r"[\w.:/@+=-]{0,100}", re.ASCII)
"""Values that pages send along: names, numbers, hashes. Whatever else was written by a person."""
FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")


@dataclass(frozen=True, slots=True)
class Kept:
    """A form whose sender was signed out: its fields are carried through the sign-in, so that nothing has to be written again."""

    to: str
    """Path that it goes to."""
    fields: tuple[tuple[str, str], ...]

    @property
    def written(self) -> tuple[tuple[str, str], ...]:
        """Fields that a person may have written."""
        return tuple(field for field in self.fields if _written(field[1]))

    @property
    def unseen(self) -> tuple[tuple[str, str], ...]:
        """Fields that pages send along."""
        return tuple(field for field in self.fields if not _written(field[1]))

    @property
    def text(self) -> str:
        """As the sign-in carries it."""
        return json.dumps([self.to, self.fields])


async def kept_of(http: Request) -> Kept | None:
    """Return the fields of a posted form; None for other requests, or if nobody has written into it. Files are not kept."""
    if not http.headers.get("content-type", "").startswith(FORMS):
        return None
    fields = tuple(
        (name, value)
        for name, value in (await http.form()).multi_items()
        if isinstance(value, str) and name != FORM_KEY and "password" not in name
    )
    fits = sum(len(name) + len(value) for name, value in fields) <= MOST
    return Kept(safe_path(http.url.path), fields) if fits and any(_written(value) for _, value in fields) else None


def kept_in(text: str) -> Kept | None:
    """Parse the text that the sign-in has carried; None if it is no such text."""
    try:
        made: Any = json.loads(text) if len(text) <= 4 * MOST else None
        to, fields = made
        return Kept(safe_path(str(to)), tuple((str(name), str(value)) for name, value in fields))
    except (ValueError, TypeError, RecursionError):
        return None


def _written(value: str) -> bool:
    return _OF_PAGES.fullmatch(value) is None
