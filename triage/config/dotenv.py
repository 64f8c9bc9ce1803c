"""The `.env` file: quotes values so that every reader of it gets them back, and changes lines in place.

Two programs read it: Triage (python-dotenv) and Docker Compose (compose-go), which differ in escapes and in `$`.
"""

import re
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Final

from dotenv.parser import Binding, parse_stream

PLAIN: Final = re.compile(r"[A-Za-z0-9_./:@%+,=~-]+")
"""Values that need no quotes."""
UNLIKE: Final = re.compile(r"\\(?:[\\']|$)")
"""Backslashes within single quotes that the two readers take differently."""
HEADER: Final = (
    "# Written by `triage init`; run it again to change something. Every other setting: `triage doctor --settings`.\n"
)


def quoted(value: str) -> str:
    """Return the value as both readers take it. Raises `ValueError` for the few that no quotes can carry."""
    if not value or PLAIN.fullmatch(value):
        return value
    if not value.isprintable():
        raise ValueError("it has a line break or a control character")
    if not re.search(r"['\\]", value):
        return f"'{value}'"
    if "$" not in value:
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if UNLIKE.search(value):
        raise ValueError("it has a $ and a backslash that Triage and Docker Compose would read differently")
    escaped = value.replace("'", "\\'")
    return f"'{escaped}'"


def literals(text: str) -> dict[str, str]:
    """Return the values in single quotes, names in lower case: python-dotenv would replace `${NAME}` within them."""
    return {
        line.key.casefold(): line.value
        for line in parse_stream(StringIO(text))
        if line.key and line.value and "${" in line.value and _single(line)
    }


def values_in(text: str) -> dict[str, str]:
    """Return the variables that have a value, as they stand there."""
    return {line.key: line.value for line in parse_stream(StringIO(text)) if line.key and line.value}


def merged(text: str, changes: Mapping[str, str | None]) -> str:
    """Return the file with these variables set, or taken out where None; every other line stays as it is.

    A variable keeps its place; a new one stands below the comment that offers it (`# NAME=`), else at the end.
    """
    left = dict(changes)
    lines = list(_changed(text or HEADER, left))
    for name in [name for name, value in left.items() if value is not None]:
        place = _offered(lines, name)
        if place is not None:
            lines.insert(place, _line(name, left.pop(name) or ""))
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return "".join(lines) + "".join(_line(name, value) for name, value in left.items() if value is not None)


def _changed(text: str, left: dict[str, str | None]) -> Iterator[str]:
    """Yield the lines of the file, changed ones in their place; takes what it sets out of `left`."""
    done: set[str] = set()
    names = set(left)
    for line in parse_stream(StringIO(text)):
        name = (line.key or "").upper()
        if name not in names:
            yield line.original.string
            continue
        written = line.original.string
        if blank := written[: len(written) - len(written.lstrip())]:
            yield blank
        value = left.pop(name, None)
        if value is not None and name not in done:
            yield _line(name, value, _remark(written))
        done.add(name)


def _offered(lines: list[str], name: str) -> int | None:
    """Return the place below the comment that offers this variable."""
    offer = re.compile(rf"(?m)^#\s*{name}=")
    return next((place + 1 for place, line in enumerate(lines) if offer.search(line) and line.endswith("\n")), None)


def _line(name: str, value: str, remark: str = "") -> str:
    return f"{name}={quoted(value)}{remark}\n"


def _remark(text: str) -> str:
    """Return the comment at the end of a line whose value stands without quotes."""
    value = text.strip().partition("=")[2].lstrip()
    found = None if value.startswith(("'", '"')) else re.search(r"\s+#.*", value)
    return found.group() if found else ""


def _single(line: Binding) -> bool:
    return line.original.string.partition("=")[2].lstrip().startswith("'")
