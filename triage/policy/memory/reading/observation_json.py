"""Observations as JSON, and the schema that is published as `docs/reference/observation.schema.json`.

What a model answers is checked by this before anything is made of it: unknown fields, kinds and mails are refused by name.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

from triage.domain.conversation import Json
from triage.domain.memory.notes import (
    CommitmentStatus,
    MemoryMail,
    NoteKind,
    NoteStatus,
    NoteTrust,
    Observation,
    Quadrant,
)
from triage.domain.untrusted import Untrusted

LONGEST: Final = {"title": 200, "text": 2_000, "owner": 200, "priority_justification": 500, "quote": 1_000}
"""Most characters of each text."""
MOST: Final = 20
"""Most people, tickets and sources of an observation."""
_LISTS: Final = ("people", "tickets", "source_emails", "source_memories")
_CHOICES: Final[Mapping[str, type[NoteKind | Quadrant | NoteStatus | CommitmentStatus]]] = {
    "kind": NoteKind,
    "quadrant": Quadrant,
    "status": NoteStatus,
    "commitment_status": CommitmentStatus,
}
_OURS: Final = frozenset({"sender", "trust", "source_emails"})
_NEEDED: Final = ("kind", "title", "text", "source_emails")


def schema() -> dict[str, Json]:
    """Return the JSON Schema of the Email Reader's answer: a list of observations."""
    texts = {name: {"type": "string", "maxLength": most} for name, most in LONGEST.items()}
    lists = {name: {"type": "array", "maxItems": MOST, "items": {"type": "string"}} for name in _LISTS}
    choices = {name: {"enum": [one.value for one in kind]} for name, kind in _CHOICES.items()}
    day = {"deadline": {"type": "string", "format": "date"}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Observations of the Email Reader",
        "type": "array",
        "items": {
            "type": "object",
            "properties": {**choices, **texts, **day, **lists},
            "required": list(_NEEDED),
            "additionalProperties": False,
        },
    }


def problems_of(value: object, cases: Collection[str]) -> tuple[str, ...]:
    """Return what is wrong with an answer about these mails, each in a sentence that the model can act on."""
    if not isinstance(value, list):
        return ("the answer is no list of observations",)
    return tuple(problem for number, one in enumerate(value, 1) for problem in _problems(number, one, cases))


def _problems(number: int, one: object, cases: Collection[str]) -> Iterator[str]:
    where = f"observation {number}"
    if not isinstance(one, dict):
        yield f"{where} is no object"
        return
    known = {*_CHOICES, *LONGEST, *_LISTS, "deadline"}
    yield from (f"{where} has no field {name}" for name in _NEEDED if name not in one)
    yield from (f"{where}: there is no field {str(name)[:40]!r}" for name in one if name not in known)
    for name, value in one.items():
        if name in known and not _fits(name, value):
            yield f"{where}: {name} does not fit the schema"
    sources = one.get("source_emails")
    if isinstance(sources, list) and (len(sources) != 1 or str(sources[0]) not in cases):
        yield f"{where}: source_emails names exactly one of the mails"


def _fits(name: str, value: object) -> bool:
    if name in _CHOICES:
        return isinstance(value, str) and value in {one.value for one in _CHOICES[name]}
    if name in _LISTS:
        return isinstance(value, list) and len(value) <= MOST and all(isinstance(one, str) for one in value)
    if not isinstance(value, str):
        return False
    return _is_day(value) if name == "deadline" else len(value) <= LONGEST[name]


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def observations_of(value: Sequence[Mapping[str, Any]], mails: Mapping[str, MemoryMail]) -> tuple[Observation, ...]:
    """Return the observations of a checked answer; sender and trust are the mail's, whatever the answer says."""
    return tuple(_observation(one, mails[one["source_emails"][0]]) for one in value)


def proven(observations: Sequence[Observation], mails: Mapping[str, MemoryMail]) -> tuple[Observation, ...]:
    """Return those whose quote stands in their mail: what no word of it says was made up."""
    return tuple(
        one
        for one in observations
        if one.quote.strip() and _squeezed(one.quote) in _squeezed(mails[one.source_email].text)
    )


def _squeezed(text: str) -> str:
    return " ".join(text.split()).casefold()


def _observation(one: Mapping[str, Any], mail: MemoryMail) -> Observation:
    return replace(_stored(one), sender=mail.sender, trust=mail.trust)


def to_json(observations: Sequence[Observation]) -> str:
    return json.dumps([_json(one) for one in observations], ensure_ascii=False)


def shown(one: Observation) -> dict[str, Json]:
    """Return an observation as JSON for a model, without what code alone decides."""
    return {name: value for name, value in _json(one).items() if value and name not in _OURS}


def read(text: str) -> tuple[Observation, ...]:
    return tuple(replace(_stored(one), sender=one["sender"], trust=NoteTrust(one["trust"])) for one in json.loads(text))


def _json(one: Observation) -> dict[str, Json]:
    choices = {"quadrant": one.quadrant, "commitment_status": one.commitment_status}
    return {
        "kind": one.kind.value,
        "title": one.title,
        "text": one.text,
        "source_emails": [one.source_email],
        "people": list(one.people),
        "owner": one.owner,
        "tickets": list(one.tickets),
        "quote": one.quote,
        "priority_justification": one.priority_justification,
        "sender": one.sender,
        "trust": one.trust.value,
        **{name: choice.value for name, choice in choices.items() if choice},
        **({"deadline": one.deadline.isoformat()} if one.deadline else {}),
    }


def _stored(one: Mapping[str, Any]) -> Observation:
    status = one.get("commitment_status")
    return Observation(
        kind=NoteKind(one["kind"]),
        title=one["title"],
        text=one["text"],
        source_email=one["source_emails"][0],
        people=tuple(one.get("people", ())),
        owner=one.get("owner", ""),
        deadline=date.fromisoformat(one["deadline"]) if one.get("deadline") else None,
        quadrant=Quadrant(one["quadrant"]) if one.get("quadrant") else None,
        priority_justification=one.get("priority_justification", ""),
        commitment_status=CommitmentStatus(status) if status else None,
        tickets=tuple(one.get("tickets", ())),
        quote=Untrusted(one.get("quote", "")),
    )
