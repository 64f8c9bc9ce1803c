"""Proposed assignees in the prompt, and the reason for the assignee in a case's outcome."""

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
    """Return the proposals with their points, and the ids that the playbook may write."""
    proposals = about.case.retrieval.proposals
    if not proposals:
        return PromptFacts()
    return PromptFacts(
        sections={"PEOPLE": Untrusted("\n".join(map(_line, proposals)))},
        found={"proposals": [[p.person.id, p.score, p.person.name] for p in proposals if p.proposed and writable(p)]},
    )


def people_shown(case: Case, history: RunHistory) -> RunHistory:
    """Return the history with the proposed people shown."""
    return history.saw(Live.PERSON, {suggestion.person.id: True for suggestion in case.retrieval.proposals})


def writable(proposal: Suggestion) -> bool:
    """Tell whether the id survives as one word in a prompt; others cannot be read back, so they are left out."""
    return word(proposal.person.id) == proposal.person.id


def why_theirs(case: Case, _: Sequence[Effect]) -> Iterator[str]:
    """Name the points of the assignee whom we proposed, or say that Jira rejected our proposal."""
    runs = [run for run in case.result.tool_calls if isinstance(run.result, Mapping)] if case.result else []
    for made in (run for run in runs if run.result.get("status") == "created"):
        name = (made.result.get("written") or {}).get("assignee")
        for one in case.retrieval.proposals:
            if one.person.name == name:
                yield f"{name} has {one.score:g} points: {', '.join(point.why for point in one.points[:2])}."
        again = sum(run.tool == made.tool for run in runs) > 1
        if case.retrieval.proposals and not name and ("assignee" in made.result.get("refused", ()) or again):
            yield f"It is nobody's: {case.retrieval.proposals[0].person.name} cannot have it."


def _line(proposal: Suggestion) -> str:
    """Format a proposal as one line of JSON with its points."""
    points = "; ".join(f"{point.value:+.0f} {point.why}" for point in proposal.points[:POINTS] if point.value >= 1)
    line: dict[str, Json] = {"name": proposal.person.name, "points": points}
    if proposal.probability is not None:
        line["right"] = f"{proposal.probability:.0%}"
    if not proposal.proposed:
        line["unsure"] = True
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))
