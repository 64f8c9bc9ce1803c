"""Proposed assignees in the prompt, and the reason for the assignee in a case's outcome."""

from collections.abc import Iterator, Sequence
from typing import Final

from triage.domain.cases import Case
from triage.domain.effects import Effect
from triage.domain.findings import Suggestion
from triage.domain.untrusted import Untrusted
from triage.policy.decision.permission import RunHistory
from triage.policy.decision.resolution import Live
from triage.policy.text.untrusted import word
from triage.toolsets.toolset import PromptFacts, PromptInput

CHANCE: Final = 0.05
"""Probability from which somebody beside the best one is worth a line of the prompt."""


def people_facts(about: PromptInput) -> PromptFacts:
    """Return the proposals with their points, and the ids that the playbook may write."""
    proposals = about.case.retrieval.proposals
    if not proposals:
        return PromptFacts()
    return PromptFacts(
        sections={"PEOPLE": Untrusted("\n".join(_lines(proposals)))},
        found={"proposals": [[p.person.id, p.score, p.person.name] for p in proposals if p.proposed and writable(p)]},
    )


def people_shown(case: Case, history: RunHistory) -> RunHistory:
    return history.saw(Live.PERSON, {suggestion.person.id: True for suggestion in case.retrieval.proposals})


def writable(proposal: Suggestion) -> bool:
    """Tell whether the id survives as one word in a prompt; others cannot be read back, so they are left out."""
    return word(proposal.person.id) == proposal.person.id


def why_theirs(case: Case, _: Sequence[Effect]) -> Iterator[str]:
    """Name the points of the assignee whom we proposed, or say that Jira rejected our proposal."""
    for made in (run for run in case.calls if run.facts.get("status") == "created"):
        name = (made.facts.get("written") or {}).get("assignee")
        for one in case.retrieval.proposals:
            if one.person.name == name:
                sure = f"has {one.score:g} points" if one.probability is None else f"is right at {one.probability:.0%}"
                yield f"{name} {sure}: {', '.join(one.reasons[:2]) or 'such work is mostly hers or his'}."
        again = sum(run.tool == made.tool for run in case.calls) > 1
        if case.retrieval.proposals and not name and ("assignee" in made.facts.get("refused", ()) or again):
            yield f"It is nobody's: {case.retrieval.proposals[0].person.name} cannot have it."


def _lines(proposals: Sequence[Suggestion]) -> Iterator[str]:
    """Yield a line for the best one with the best reason; if that one is unsure, the names of others with a chance, too."""
    best, *others = proposals
    yield f"{_chance(best)} {''.join(best.reasons[:1])}".strip()
    if not best.proposed:
        yield from (_chance(one) for one in others if one.probability is None or one.probability >= CHANCE)


def _chance(one: Suggestion) -> str:
    sure = f"{one.score:.0f} points" if one.probability is None else f"{one.probability:.0%}"
    return f"{' '.join(one.person.name.split())} ({sure}{'' if one.proposed else ', unsure'})"
