"""Says what a step has changed in a case, as the per-step log of answers keeps it: cut short, without addresses and secrets."""

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.text.truncation import truncated
from triage.policy.privacy.secrets import masked

LONGEST: Final = 200
"""Characters of a text that a snapshot shows."""
MOST: Final = 5
"""Entries of a list that a snapshot shows."""
DEEPEST: Final = 4
SKIPPED: Final = frozenset({"done"})
_ADDRESS: Final = re.compile(r"[\w.+'-]+@([\w-]+(?:\.[\w-]+)+)")


def trace_of(before: Case, after: Case, order: int) -> dict[str, Json]:
    """Return the snapshots of what a step read and wrote, with the run that groups them and the step's place in it."""
    changed = [
        name
        for name in (each.name for each in fields(Case))
        if name not in SKIPPED and getattr(before, name) != getattr(after, name)
    ]
    return {
        "trace": after.run_id,
        "order": order,
        "input": {name: redacted(getattr(before, name)) for name in changed},
        "output": {name: redacted(getattr(after, name)) for name in changed},
    }


def redacted(value: Any, depth: int = 0) -> Json:
    """Return a value as JSON that a log may hold: texts cut, addresses down to their domain, empty values left out."""
    if is_dataclass(value) and not isinstance(value, type):
        value = {each.name: getattr(value, each.name) for each in fields(value)}
    if isinstance(value, Mapping):
        if depth >= DEEPEST:
            return "…"
        return {
            str(name): redacted(inner, depth + 1) for name, inner in value.items() if inner not in (None, "", (), 0.0)
        }
    if isinstance(value, (list, tuple, set, frozenset)):
        return [redacted(inner, depth + 1) for inner in list(value)[:MOST]]
    if isinstance(value, str):
        return _cut(value)
    return value if isinstance(value, (bool, int, float)) or value is None else _cut(str(value))


def _cut(text: str) -> str:
    return truncated(_ADDRESS.sub(r"…@\1", masked(text)), LONGEST)
