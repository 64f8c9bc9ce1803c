"""Fits a draft to the create form: drops fields that are not on the screen, fills required ones."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from integrations.jira.issue.draft import EMPTY, CreateAttempt
from integrations.jira.issue.screen import EPIC_NAME, IssueScreen, ScreenField
from integrations.jira.issue.values import shaped
from integrations.jira.markup.text import one_line
from integrations.jira.shapes import Site
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected
from triage.domain.tickets import Mark, Person, TicketDraft

CURE: Final = "set it under `jira.fields` in triage.yaml"

NEVER: Final = frozenset({"reporter", "security", "project", "issuetype"})
"""Fields that settings never fill: Jira sets reporter and security, the draft project and issue type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitter:
    """Fits drafts to forms, with the values of our settings."""

    site: Site
    defaults: Mapping[str, Json] = field(default_factory=dict)
    """Our settings' values by field name or id."""
    people: Sequence[Person] = ()

    def fit(self, draft: TicketDraft, mark: Mark, screen: IssueScreen) -> CreateAttempt:
        """Return the first attempt. Raises `TrackerRejected` with every required field that nothing fills."""
        attempt = CreateAttempt(draft, mark, screen=screen)
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
        left = tuple(each.name for each in draft.fields if each.id not in more)
        return replace(attempt, more=more, dropped=(*attempt.dropped, *left))

    def defaults_for(self, fields: Sequence[ScreenField]) -> dict[str, Json]:
        """Return our settings' values for these fields, by id; invalid ones are left out, so that Jira refuses."""
        found: dict[str, Json] = {}
        form = IssueScreen(type_id="", type_name="", fields={each.id: each for each in fields})
        for name, value in self.defaults.items():
            if known := form.called(name):
                with suppress(ValueError):
                    found[known.id] = shaped(known, value, self.site, self.people)
        return found

    def _more(self, attempt: CreateAttempt, filled: AbstractSet[str]) -> tuple[dict[str, Json], dict[str, str]]:
        """Return our settings' values for fields on the form that the draft does not fill, and the problems with them."""
        more = self.chosen(attempt)
        problems: dict[str, str] = {}
        for name, value in self.defaults.items():
            known = attempt.screen.called(name)
            if known is None or known.id in filled | more.keys() or known.id in NEVER:
                continue
            try:
                more[known.id] = shaped(known, value, self.site, self.people)
            except ValueError as e:
                problems[known.label] = f"{e}; {CURE}"
        epic_name = attempt.screen.of_kind(EPIC_NAME)
        if epic_name and epic_name.required and epic_name.id not in more:
            more[epic_name.id] = one_line(attempt.draft.summary)
        return more, problems

    def chosen(self, attempt: CreateAttempt) -> dict[str, Json]:
        """Return the draft's values of custom fields that the form has and takes."""
        found: dict[str, Json] = {}
        for each in attempt.draft.fields:
            if each.id in attempt.screen:
                with suppress(ValueError):
                    found[each.id] = shaped(attempt.screen.fields[each.id], each.value, self.site, self.people)
        return found


def _missing(attempt: CreateAttempt, filled: AbstractSet[str], known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for each in attempt.screen.fields.values():
        if each.required and each.id not in filled and each.id not in NEVER and each.label not in known:
            yield each.label, demanded(each, f"for {attempt.screen.type_name}")


def demanded(field_: ScreenField, where: str) -> str:
    """Describe a required field that nothing fills, with its allowed values and the cure."""
    allowed = f"; allowed: {field_.choices}" if field_.allowed else ""
    return f"Jira demands it {where}{allowed}" + ("" if field_.id == "summary" else f"; {CURE}")


def _lesser(attempt: CreateAttempt, names: Sequence[str]) -> CreateAttempt:
    """Drop these fields; unlike `Attempt.minus`, drop a description at once instead of shortening it first."""
    bare = replace(attempt.draft, **{name: EMPTY[name] for name in names})
    return replace(attempt, draft=bare, dropped=(*attempt.dropped, *names))


def _allowed(attempt: CreateAttempt) -> CreateAttempt:
    """Drop a priority, components or versions that the form does not offer."""
    screen, draft = attempt.screen, attempt.draft
    offered = screen.fields.get("priority")
    if draft.priority and offered and offered.allowed and offered.choice(draft.priority) is None:
        attempt = _lesser(attempt, ["priority"])
    for name in ("components", "affects_versions"):
        parts, wanted = screen.fields.get(attempt.id_of(name)), getattr(draft, name)
        if parts and parts.allowed and (known := tuple(each for each in wanted if parts.choice(each))) != wanted:
            attempt = _lesser(attempt, [name])
            fewer: dict[str, Json] = {name: known}
            attempt = replace(attempt, draft=replace(attempt.draft, **fewer))
    return attempt
