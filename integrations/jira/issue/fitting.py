"""Fits a draft to the create form: drops fields that are not on the screen, fills required ones."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from integrations.jira.issue.draft import EMPTY, Attempt
from integrations.jira.issue.screen import EPIC_NAME, Field, Screen
from integrations.jira.issue.shapes import Site
from integrations.jira.issue.values import shaped
from integrations.jira.markup.text import one_line
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected
from triage.domain.tickets import Mark, Person, TicketDraft

CURE: Final = "set it under `jira.fields` in triage.yaml"

NEVER: Final = frozenset({"reporter", "security", "project", "issuetype"})
"""Who reports and who may see is Jira's to say; where and what is the draft's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitter:
    """What a draft is fitted with."""

    site: Site
    defaults: Mapping[str, Json] = field(default_factory=dict)
    """Values of our settings by the field's name or id."""
    people: Sequence[Person] = ()

    def fit(self, draft: TicketDraft, mark: Mark, screen: Screen) -> Attempt:
        """The first attempt. Raises `TrackerRejected` with every field that Jira demands and nobody fills."""
        attempt = Attempt(draft, mark, screen=screen)
        if "description" not in screen:
            attempt = replace(attempt, described=False)
        held = [name for name, empty in EMPTY.items() if getattr(draft, name) != empty]
        attempt = _allowed(_lesser(attempt, [name for name in held if attempt.id_of(name) not in screen]))
        if "labels" not in screen:
            attempt = attempt.minus("marker")
        filled = attempt.fields(self.site).keys()
        more, problems = self._more(attempt, filled)
        problems |= dict(_missing(attempt, filled | more.keys(), problems))
        if problems:
            raise TrackerRejected(problems=problems)
        return replace(attempt, more=more)

    def defaults_for(self, fields: Sequence[Field]) -> dict[str, Json]:
        """Our settings' values for these, by id; one that fits none of the allowed ones is left to Jira's refusal."""
        found: dict[str, Json] = {}
        form = Screen(type_id="", type_name="", fields={each.id: each for each in fields})
        for name, value in self.defaults.items():
            if known := form.called(name):
                with suppress(ValueError):
                    found[known.id] = shaped(known, value, self.site, self.people)
        return found

    def _more(self, attempt: Attempt, filled: AbstractSet[str]) -> tuple[dict[str, Json], dict[str, str]]:
        """Our settings' values for fields that are on the form and that the draft leaves open."""
        more: dict[str, Json] = {}
        problems: dict[str, str] = {}
        for name, value in self.defaults.items():
            known = attempt.screen.called(name)
            if known is None or known.id in filled or known.id in NEVER:
                continue
            try:
                more[known.id] = shaped(known, value, self.site, self.people)
            except ValueError as e:
                problems[known.told] = f"{e}; {CURE}"
        epic_name = attempt.screen.of_kind(EPIC_NAME)
        if epic_name and epic_name.required and epic_name.id not in more:
            more[epic_name.id] = one_line(attempt.draft.summary)
        return more, problems


def _missing(attempt: Attempt, filled: AbstractSet[str], known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for each in attempt.screen.fields.values():
        if each.required and each.id not in filled and each.id not in NEVER and each.told not in known:
            yield each.told, demanded(each, f"for {attempt.screen.type_name}")


def demanded(field_: Field, where: str) -> str:
    """What a person has to know about a field that nobody fills."""
    allowed = f"; allowed: {field_.choices}" if field_.allowed else ""
    return f"Jira demands it {where}{allowed}" + ("" if field_.id == "summary" else f"; {CURE}")


def _lesser(attempt: Attempt, names: Sequence[str]) -> Attempt:
    """Without these at all: a description that is off the screen is not worth shortening."""
    bare = replace(attempt.draft, **{name: EMPTY[name] for name in names})
    return replace(attempt, draft=bare, dropped=(*attempt.dropped, *names))


def _allowed(attempt: Attempt) -> Attempt:
    """Without a priority or components that the form does not offer; those that it does offer stay."""
    screen, draft = attempt.screen, attempt.draft
    offered = screen.fields.get("priority")
    if draft.priority and offered and offered.allowed and offered.choice(draft.priority) is None:
        attempt = _lesser(attempt, ["priority"])
    parts = screen.fields.get("components")
    if parts and parts.allowed and (known := tuple(c for c in draft.components if parts.choice(c))) != draft.components:
        attempt = _lesser(attempt, ["components"])
        attempt = replace(attempt, draft=replace(attempt.draft, components=known))
    return attempt
