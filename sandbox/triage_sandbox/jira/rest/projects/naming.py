"""Endpoints that check keys and names of new projects and suggest free ones."""

import re
from itertools import count
from typing import Any, Final

from triage_sandbox.jira.call import API, Answer, Call, Route

_KEY: Final = re.compile(r"[A-Z][A-Z0-9_]{1,9}")
_KEY_WORDS: Final = (
    "The project key must start with an uppercase letter, followed by one or more uppercase alphanumeric characters."
)
_LONGEST: Final = 80


def key_trouble(call: Call, key: Any, but: int = 0) -> str | None:
    """Return why a project cannot have this key; empty if it can."""
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        return _KEY_WORDS
    other = call.db.one("SELECT name FROM project WHERE key = ? AND id <> ?", key, but)
    return None if other is None else f"Project '{other['name']}' uses this project key."


def name_trouble(call: Call, name: Any, but: int = 0) -> str | None:
    """Return why a project cannot have this name; empty if it can."""
    if not isinstance(name, str) or not name.strip():
        return "You must specify a valid project name."
    if len(name) > _LONGEST:
        return f"The project name must not exceed {_LONGEST} characters in length."
    if call.db.one("SELECT 1 FROM project WHERE name = ? AND id <> ?", name.strip(), but):
        return "A project with that name already exists."
    return None


def check_key(call: Call) -> Answer:
    """Answer 200 with the errors of a key, if any."""
    words = key_trouble(call, call.query("key"))
    return Answer({"errorMessages": [], "errors": {"projectKey": words} if words else {}})


def valid_key(call: Call) -> Answer:
    """Return this key, or the next free one, as a bare string."""
    wished = re.sub("[^A-Z0-9]", "", call.query("key").upper()).lstrip("0123456789")[:8] or "PROJECT"
    tries = (wished + (str(number) if number else "") for number in count())
    return Answer(next(key for key in tries if len(key) > 1 and key_trouble(call, key) is None))


def valid_name(call: Call) -> Answer:
    """Return this name, or one with a number appended, as a bare string."""
    wished = call.query("name").strip()[: _LONGEST - 4] or "Project"
    tries = (wished + (f" {number}" if number else "") for number in count())
    return Answer(next(name for name in tries if name_trouble(call, name) is None))


_VALID: Final = f"{API}/projectvalidate"

ROUTES: Final = (
    Route("GET", f"{_VALID}/key", check_key),
    Route("GET", f"{_VALID}/validProjectKey", valid_key),
    Route("GET", f"{_VALID}/validProjectName", valid_name),
)
