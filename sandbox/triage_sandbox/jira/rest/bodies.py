"""Reads the body of a write request by a table of its keys: column, type and limits of each."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from triage_sandbox.jira.call import Call, JiraError
from triage_sandbox.jira.ground.stamps import day_of


class Wrong(Exception):  # noqa: N818 - caught in this module: the message about one field
    """The error message for one field of a body."""


Read: TypeAlias = Callable[[Call, Any], Any]
Parts: TypeAlias = Mapping[str, tuple[str, Read]]
"""By its name in the body: the column, and how to read it."""


def taken(call: Call, data: dict[str, Any], parts: Parts) -> dict[str, Any]:
    """Return the columns that a body sets. Raises `JiraError` 400 with every error."""
    columns: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for name, (column, read) in parts.items():
        if name in data:
            try:
                columns[column] = read(call, data[name])
            except Wrong as e:
                errors[name] = str(e)
    if errors:
        raise JiraError(400, errors=errors)
    return columns


def words(limit: int = 255, empty: str = "") -> Read:
    """Return a check of text; `empty` is the error if it is required and missing."""

    def read(_: Call, value: Any) -> str:
        text = value if isinstance(value, str) else ""
        if value is not None and not isinstance(value, str):
            raise Wrong("A string is expected.")
        if empty and not text.strip():
            raise Wrong(empty)
        if len(text) > limit:
            raise Wrong(f"The text must not exceed {limit} characters in length.")
        return text.strip() if empty else text

    return read


def flag(_: Call, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Wrong("true or false is expected.")
    return value


def day(_: Call, value: Any) -> str | None:
    """Check an ISO day or null."""
    if value is None or value == "":
        return None
    found = day_of(value)
    if found is None:
        raise Wrong("Error parsing date string: " + str(value))
    return found


def one_of(*choices: str) -> Read:
    """Return a check that a value is one of these words."""

    def read(_: Call, value: Any) -> str:
        if value not in choices:
            raise Wrong(f"The value must be one of {', '.join(choices)}.")
        return str(value)

    return read


def person(call: Call, value: Any) -> str | None:
    """Resolve an account by the deployment's id, or null."""
    if value is None or value == "":
        return None
    row = call.account(value) if isinstance(value, str) else None
    if row is None or not row["active"]:
        raise Wrong(f"The user {value} does not exist.")
    return str(row["id"])


def somebody(words: str) -> Read:
    """Return a check that resolves an account; `words` is the error if there is none."""

    def read(call: Call, value: Any) -> str:
        found = person(call, value)
        if found is None:
            raise Wrong(words)
        return found

    return read


ASSIGNING: Final = one_of("PROJECT_DEFAULT", "COMPONENT_LEAD", "PROJECT_LEAD", "UNASSIGNED")
