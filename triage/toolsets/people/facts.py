"""Who could do the work: what a prompt says of it, and what a case's end does."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.effects import Effect
from triage.domain.findings import Suggestion
from triage.domain.untrusted import Untrusted
from triage.policy.decision.permission import RunHistory
from triage.policy.decision.resolution import Live
from triage.policy.text.untrusted import word
from triage.toolsets.toolset import PromptFacts, Subject

POINTS: Final = 3


def people_facts(about: Subject) -> PromptFacts:
    """The proposals with their points, and the ids to write."""
    proposals = about.case.proposals
    if not proposals:
        return PromptFacts()
    return PromptFacts(
        sections={"PEOPLE": Untrusted("\n".join(map(_line, proposals)))},
        found={"proposals": [[p.person.id, p.score, p.person.name] for p in proposals if writable(p)]},
    )


def people_shown(case: Case, history: RunHistory) -> RunHistory:
    """The history with those who are proposed."""
    return history.saw(Live.PERSON, {suggestion.person.id: True for suggestion in case.proposals})


def writable(proposal: Suggestion) -> bool:
    """An id that is no word could not be read back as it is, and stays out."""
    return word(proposal.person.id) == proposal.person.id


def why_theirs(case: Case, _: Sequence[Effect]) -> Iterator[str]:
    """Why the new ticket is whose it is, as far as we have proposed it; or that it is nobody's against our wish."""
    runs = [run for run in case.result.tool_calls if isinstance(run.result, Mapping)] if case.result else []
    for made in (run for run in runs if run.result.get("status") == "created"):
        name = (made.result.get("written") or {}).get("assignee")
        for one in case.proposals:
            if one.person.name == name:
                yield f"{name} has {one.score:g} points: {', '.join(point.why for point in one.points[:2])}."
        again = sum(run.tool == made.tool for run in runs) > 1
        if case.proposals and not name and ("assignee" in made.result.get("refused", ()) or again):
            yield f"It is nobody's: {case.proposals[0].person.name} cannot have it."


def _line(proposal: Suggestion) -> str:
    """Somebody on one line, with the points."""
    points = "; ".join(f"{point.value:+.0f} {point.why}" for point in proposal.points[:POINTS] if point.value >= 1)
    line: dict[str, Json] = {"name": proposal.person.name, "points": points}
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))
