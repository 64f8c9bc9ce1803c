"""Reads the JSON object that a model answers."""

import json
import re
from collections.abc import Mapping
from typing import Final

from triage.domain.conversation import Json

NO_JSON: Final = "the answer is no JSON: one object and nothing around it"
_FENCED: Final = re.compile(r"^\s*```(?:json)?\s*|\s*```\s*$")


def object_in(text: str, fields: frozenset[str]) -> Mapping[str, Json]:
    """Return the object, which has exactly these fields. Raises `ValueError` with a sentence that the model can act on."""
    try:
        read = json.loads(_FENCED.sub("", text))
    except (ValueError, RecursionError) as e:
        raise ValueError(NO_JSON) from e
    if not isinstance(read, dict):
        raise ValueError(NO_JSON)  # noqa: TRY004 - to the caller it is a value
    return exactly(read, fields, "the object")


def exactly(read: Mapping[str, Json], fields: frozenset[str], what: str) -> Mapping[str, Json]:
    """Return the object. Raises `ValueError` where a field is missing or unknown."""
    if missing := sorted(fields - read.keys()):
        raise ValueError(f"{what} has no field {missing[0]}")
    if unknown := sorted(read.keys() - fields):
        raise ValueError(f"{what}: there is no field {unknown[0][:40]}")
    return read
