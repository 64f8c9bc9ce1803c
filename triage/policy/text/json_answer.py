"""Reads the JSON that a model answers, and asks again where it does not fit."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from triage.domain.conversation import ChatMessage, Json, Messages, Role
from triage.policy.text.untrusted import facts, ours

Shape = Literal["object", "list"]
PROBLEMS: Final = 10
"""Problems that one repair tells the model."""
_FENCED: Final = re.compile(r"^\s*```(?:json)?\s*|\s*```\s*$")


def json_in(text: str, shape: Shape) -> Json:
    """Return the value, read without the fence that models like to put around JSON. Raises `ValueError` where it is none.

    `shape` is what was asked for; that it came is left to the caller to check.
    """
    try:
        return json.loads(_FENCED.sub("", text))
    except (ValueError, RecursionError) as e:
        raise ValueError(no_json(shape)) from e


def no_json(shape: Shape) -> str:
    """Return the sentence for an answer that is something else."""
    return f"the answer is no JSON: one {shape} and nothing around it"


def object_in(text: str, fields: frozenset[str]) -> Mapping[str, Json]:
    """Return the object, which has exactly these fields. Raises `ValueError` with a sentence that the model can act on."""
    read = json_in(text, "object")
    if not isinstance(read, dict):
        raise ValueError(no_json("object"))  # noqa: TRY004 - to the caller it is a value
    return exactly(read, fields, "the object")


def exactly(read: Mapping[str, Json], fields: frozenset[str], what: str) -> Mapping[str, Json]:
    """Return the object. Raises `ValueError` where a field is missing or unknown."""
    if missing := sorted(fields - read.keys()):
        raise ValueError(f"{what} has no field {missing[0]}")
    if unknown := sorted(read.keys() - fields):
        raise ValueError(f"{what}: there is no field {unknown[0][:40]}")
    return read


def asked_again(opening: Messages, answer: str, problems: Sequence[str], shape: Shape) -> Messages:
    """Return the conversation in which the model answered, with what is wrong and the request to answer again."""
    request = ours("Your answer does not fit the schema: ") + facts({"problems": list(problems[:PROBLEMS])})
    request += ours(f". Answer again with the whole {shape}, and nothing around it.\n")
    return *opening, ChatMessage(role=Role.ASSISTANT, text=answer or "(no answer)"), ChatMessage.user(request)
