"""Explains to people why a ticket was created or commented on."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.effects import Effect
from triage.domain.findings import NOT_READ
from triage.policy.decision.playbook import REQUESTS, jira_types_of
from triage.policy.text.word_patterns import ended

LIKE: Final = 0.1
"""Probability below which no ticket is worth a look: one of ten that are named so is of the same matter."""


def why_there(case: Case, effects: Sequence[Effect]) -> Iterator[str]:
    """Yield the reason that code found: same thread, similarity, or cues."""
    done = {effect.kind: effect for effect in effects}
    spoken = next((done[kind] for kind in ("comment", "transition", "change", "sprint") if kind in done), None)
    if "create" not in done:
        near = next((one for one in case.retrieval.candidates if spoken and one.ticket.key == spoken.target), None)
        if near and near.evidence == ("same thread",):
            yield "Same thread."
        elif near:
            shared = "; ".join(near.evidence) or "words in common"
            same = near.certain or f"{near.percent} likely the same matter: {shared}"
            yield ended(f"{same[:1].upper()}{same[1:]}")
        return
    if case.support and case.support.escalation:
        yield ended(f"Given to a person, {case.support.escalation.priority}: {case.support.why_a_person}")
        return
    if not case.retrieval.searched:
        return
    made = [run.facts for run in case.calls if run.facts.get("status") == "created"][:1]
    why = f"; priority from: {', '.join(case.cues.priority.evidence)}" if case.cues.priority.evidence else ""
    sentence = f"{_kind(case, made)}{_nearest(case, made)}{why}"
    yield ended(f"{sentence[:1].upper()}{sentence[1:]}")


def _kind(case: Case, made: Sequence[Mapping[str, Json]]) -> str:
    """Say how the words were read; nothing where a model has given the ticket another type."""
    cue = case.cues.type.value
    given = {(one.get("written") or {}).get("type") for one in made}
    of_others = {name for kind in REQUESTS if kind != cue for name in jira_types_of(kind)} - {*jira_types_of(cue)}
    if given & of_others and cue in REQUESTS:
        return ""
    unread = " in a language without word lists" if cue == NOT_READ else ""
    return f"Read as {REQUESTS.get(cue, 'a request')}{unread}; "


def _nearest(case: Case, made: Sequence[Mapping[str, Json]]) -> str:
    """Name the ticket that the agent has found to be of the same matter, else the most similar one."""
    if related := next((one["related"] for one in made if "related" in one), ""):
        return f"the same matter as {related}, by comparison"
    best = [one for one in case.retrieval.candidates[:1] if one.probability >= LIKE]
    if (alike := case.retrieval.alike) and not (best and best[0].ticket.key == alike.key):
        return f"{alike.key} means nearly the same"
    return f"most similar: {best[0].ticket.key} ({best[0].percent})" if best else "no similar ticket"
