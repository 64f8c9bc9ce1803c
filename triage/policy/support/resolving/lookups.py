"""Plans without a model which tools of an agent look data up: calls that only read, whose arguments code knows."""

from collections.abc import Iterator, Mapping
from typing import Final

from triage.domain.conversation import Json

MOST: Final = 6
"""Look-ups about one mail."""
LEARNT: Final = frozenset({"user_id", "customer_id", "member_id", "account_id", "subscription_id"})
"""Values of a result that later calls may take, by the names that tools have for them."""


def arguments_of(schema: Mapping[str, Json], known: Mapping[str, Json]) -> Iterator[dict[str, Json]]:
    """Yield the calls that these values allow: none if a required argument is unknown, one per choice of an enumeration."""
    shapes = schema.get("properties", {})
    required = tuple(schema.get("required", ()))
    given = {name: known[name] for name in shapes if name in known}
    open_choices = [name for name in required if name not in given]
    if not open_choices:
        yield given
    elif len(open_choices) == 1 and (choices := shapes[open_choices[0]].get("enum")):
        yield from ({**given, open_choices[0]: choice} for choice in choices)


def learnt_of(result: Json) -> dict[str, Json]:
    """Return the values of a result that later calls may take."""
    facts = result.get("result", result) if isinstance(result, Mapping) else {}
    if not isinstance(facts, Mapping):
        return {}
    return {name: value for name, value in facts.items() if name in LEARNT and isinstance(value, str)}


def read_of(results: Mapping[str, Json]) -> dict[str, Json]:
    """Return the results that are no errors, by tool."""
    found: dict[str, Json] = {}
    for tool, result in results.items():
        facts = result.get("result", result) if isinstance(result, Mapping) else result
        if isinstance(facts, Mapping) and "error" not in facts and "waiting" not in facts:
            found[tool] = facts
    return found
