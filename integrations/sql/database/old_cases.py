"""Upgrades the JSON of a case that an older version wrote, when it is read."""

import json
from typing import Final

_ARRIVAL: Final = ("read", "identify", "restrain", "route")
_ENDING: Final = ("act", "reopen", "settle", "enclose", "review", "dispatch")
ORDERS: Final = {
    "pipeline": (*_ARRIVAL, "classify", "retrieve", *_ENDING),
    "agent": (*_ARRIVAL, "classify", *_ENDING),
}
"""Steps of each pipeline in the last version that stored their number. Frozen: stored numbers refer to these."""
COUNTED: Final = '"position":'
RENAMED: Final = {"lane": "thread_key", "apart": "foreign_thread", "ours": "replies_to_case"}
"""Fields of a case that had other names."""
OLD: Final = (COUNTED, '"lane":')
"""One of these stands in every case that an older version wrote."""


def of_today(text: str) -> str:
    """Return the JSON of a case with its steps and fields by the names of today."""
    if not any(sign in text for sign in OLD):
        return text
    case = {RENAMED.get(name, name): value for name, value in json.loads(text).items()}
    if "position" in case:
        way = (case.get("route") or {}).get("way", "pipeline")
        case["done"] = ORDERS[way][: case.pop("position")]
    return json.dumps(case)
