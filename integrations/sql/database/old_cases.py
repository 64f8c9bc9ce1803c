"""Upgrades the JSON of a case that an older version wrote, when it is read."""

import json
from typing import Final

_ARRIVAL: Final = ("read", "identify", "restrain", "route")
_ENDING: Final = ("act", "reopen", "settle", "enclose", "review", "dispatch")
ORDERS: Final = {
    "pipeline": (*_ARRIVAL, "classify", "retrieve", *_ENDING),
    "agent": (*_ARRIVAL, "classify", *_ENDING),
}
"""The steps of each way in the last version that counted them. Frozen: stored numbers mean these steps, whatever today's are."""
COUNTED: Final = '"position":'


def of_today(text: str) -> str:
    """The JSON of a case with its steps by name; older versions kept the number of those done."""
    if COUNTED not in text:
        return text
    case = json.loads(text)
    if "position" not in case:  # a tool's argument has that name
        return text
    way = (case.get("route") or {}).get("way", "pipeline")
    case["done"] = ORDERS[way][: case.pop("position")]
    return json.dumps(case)
