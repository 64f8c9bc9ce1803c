"""Upgrades the JSON of a case that an older version wrote, when it is read."""

import json
import re
from typing import Final

_ARRIVAL: Final = ("read", "identify", "restrain", "route")
_ENDING: Final = ("act", "reopen", "settle", "enclose", "review", "dispatch")
ORDERS: Final = {
    "pipeline": (*_ARRIVAL, "classify", "retrieve", *_ENDING),
    "agent": (*_ARRIVAL, "classify", *_ENDING),
}
"""Steps of each pipeline in the last version that stored their number. Frozen: stored numbers refer to these."""
RENAMED: Final = {"lane": "thread_key", "apart": "foreign_thread", "ours": "replies_to_case", "enclosed": "attached"}
"""Fields of a case that had other names."""
_PIPELINE: Final = re.compile(r'"way":( ?"(?:pipeline|agent|support)")')
"""A route's pipeline by its old name; a quote in a text of the case is escaped."""
_IDENTITY: Final = (
    "kind",
    "trust",
    "trust_because",
    "joined",
    "participant",
    "foreign_thread",
    "succeeds",
    "follow_up",
)
RECORDS: Final = {
    "identity": (*_IDENTITY, "replies_to_case", "thread_key"),
    "classification": ("cues",),
    "retrieval": ("candidates", "proposals", "left_out", "searched"),
}
"""Fields that stood in the case itself, by the record that holds them now."""
LIKE: Final = 0.55
"""Score from which an older version commented by likeness alone; a case that it began ends as it would have ended it."""
BY_LIKENESS: Final = "likeness, by the older version's rule"
TODAY: Final = re.compile(r'[^{}]*"identity": ?{')
"""The beginning of every case that this version wrote: no other field before the identity has fields of its own."""


def of_today(text: str) -> str:
    """Return the JSON of a case with its steps, fields and records by the names of today."""
    text = _PIPELINE.sub(r'"pipeline":\1', text)
    if TODAY.match(text, 1):
        return text
    case = {RENAMED.get(name, name): value for name, value in json.loads(text).items()}
    if "position" in case:
        pipeline = (case.get("route") or {}).get("pipeline", "pipeline")
        case["done"] = ORDERS[pipeline][: case.pop("position")]
    for candidate in case.get("candidates", ()):
        score = candidate.pop("score", 0.0)
        candidate.setdefault("probability", score)
        candidate.setdefault("certain", BY_LIKENESS if score >= LIKE else "")
    for record, names in RECORDS.items():
        case.setdefault(record, {name: case[name] for name in names if name in case})
    return json.dumps(case)
