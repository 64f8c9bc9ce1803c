"""Checks Jira's create forms: fields on the screen, required fields, and the settings that fill them. `Visit` is the input of all checks of a Jira."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from cli.doctor.findings import Finding, State

if TYPE_CHECKING:
    from integrations.jira.diagnostics.inspection import JiraFacts
    from integrations.jira.issue.screen import IssueScreen, ScreenField
    from triage.config.settings import Settings
    from triage.config.triage_yaml import Config

ROLE: Final = (
    "a project's administrator grants it to the role of our account: in the permission scheme, or where the team "
    "manages the project under Access"
)


@dataclass(frozen=True, slots=True)
class Visit:
    """What the checks of a Jira read: the facts that the probe found, the settings and triage.yaml."""

    facts: "JiraFacts"
    settings: "Settings"
    config: "Config"


OURS: Final = ("labels", "priority", "components", "assignee", "description", "duedate", "parent")
"""Fields that our tickets may set beside the summary."""
_MISSED: Final = frozenset({"labels", "priority", "components", "assignee", "description"})
_NEEDS: Final = {"assignee": "ASSIGN_ISSUES"}
"""Jira hides the field without this permission; another check reports that."""
_SHOWN: Final = 8
_EXAMPLES: Final = {
    "number": "0",
    "date": '"2026-12-31"',
    "datetime": '"2026-12-31T12:00:00.000+0000"',
    "user": '"somebody@example.com"',
}


def forms(visit: Visit) -> Iterator[Finding]:
    """Report the fields of the create forms, grouped by equal forms, and where the mark goes."""
    if unread := visit.facts.unread.get("types"):
        cure = "Data Center must be 8.4 or newer; our account needs Create Issues"
        yield Finding("forms", "fail", f"cannot be read, so no ticket can be fitted to them: {unread.detail}", cure)
    elif not visit.facts.screens:
        none = "no type of ticket can be made by our account"
        yield Finding("forms", "fail", none, f"it needs Create Issues: {ROLE}")
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, screen in visit.facts.screens.items():
        alike[tuple(each for each in OURS if _on(screen, each))].append(name)
    for there, names in alike.items():
        yield _form(names, there, visit.facts.rights)


def _form(names: list[str], there: tuple[str, ...], rights: Mapping[str, bool]) -> Finding:
    """Report what alike forms have and lack."""
    missing = [each for each in OURS if each not in there]
    missed = sorted(each for each in _MISSED & set(missing) if rights.get(_NEEDS.get(each, ""), True))
    detail = f"{', '.join(there) or 'the summary alone'}; {_mark(there)}"
    if missing:
        detail += f"; not there and left out: {', '.join(missing)}"
    unmarked = not {"labels", "description"} & set(there)
    state: State = "fail" if unmarked else "warn" if missed else "ok"
    cure = f"add to the create screen: {', '.join(missed)}" if missed else ""
    return Finding(f"form {', '.join(names)}", state, detail, cure)


def _on(screen: "IssueScreen", name: str) -> bool:
    """Whether the form has the field; an epic is `parent` on Cloud and a custom field on Data Center."""
    from integrations.jira.issue.screen import EPIC_LINK

    return name in screen or (name == "parent" and screen.of_kind(EPIC_LINK) is not None)


def _mark(there: Iterable[str]) -> str:
    if "labels" in there:
        return "our mark stands in a label"
    if "description" in there:
        return "our mark stands in the description's last line, as there are no labels"
    return "our mark has no place that a search finds: a lost answer may make a second ticket"


# --- what Jira demands ------------------------------------------------------------------------
def required(visit: Visit) -> Iterator[Finding]:
    """Report required fields of new tickets that nothing fills, with lines to paste."""
    found = unfilled_in(visit)
    for each, names in found:
        detail = f"Jira demands it for {', '.join(names)}, and nobody fills it: such tickets are refused"
        yield Finding(f"field {each.name}", "fail", detail, lines_for([each]))
    if visit.facts.screens and not found:
        yield Finding("required fields", "ok", "all are filled")


def unfilled_in(visit: Visit) -> "tuple[tuple[ScreenField, list[str]], ...]":
    """Return the required fields that nothing fills, each with the forms that demand it."""
    from integrations.jira.project.project import unfilled

    facts, given = visit.facts, visit.config.jira_fields
    screens = dict(facts.screens)
    if facts.request_form is not None:
        screens[f"request type {facts.request_form.type_name}"] = facts.request_form
    found: dict[str, tuple[ScreenField, list[str]]] = {}
    for name, screen in screens.items():
        for each in unfilled(screen, given):
            found.setdefault(each.id, (each, []))[1].append(name)
    return tuple(found.values())


def choices_of(field: "ScreenField") -> tuple[str, ...]:
    """Return the names of the values that a field takes; none: any."""
    from integrations.jira.issue.screen import name_of

    return tuple(name_of(value) for value in field.allowed)


def demands(visit: Visit) -> Iterator[Finding]:
    """Report required fields of transitions, except the resolution, which Triage chooses itself."""
    given = {name.casefold() for name in visit.config.jira_fields}
    found: dict[str, tuple[ScreenField, dict[str, None]]] = {}
    for stand in visit.facts.stands:
        for way in stand.ways:
            for each in way.demands:
                if each.id != "resolution" and not given & {each.id.casefold(), each.name.casefold()}:
                    found.setdefault(each.id, (each, {}))[1][way.to] = None
    for each, targets in found.values():
        detail = f"Jira demands it on the way to {', '.join(targets)}, and nobody fills it: such moves are refused"
        yield Finding(f"field {each.name}", "warn", detail, lines_for([each]))


def lines_for(fields: Iterable["ScreenField"]) -> str:
    """Return lines to paste into triage.yaml."""
    lines = ["write into triage.yaml, with the value that fits:", "jira:", "  fields:"]
    return "\n".join((*lines, *(f"    {_quoted(each.name)}: {_example(each)}" for each in fields)))


def _example(field: "ScreenField") -> str:
    names = [_quoted(name) for name in choices_of(field)]
    kind = field.items if field.type == "array" else field.type
    value = names[0] if names else _EXAMPLES.get(kind, '"…"')
    value = f"[{value}]" if field.type == "array" else value
    others = ", ".join(names[1:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
    return f"{value}  # or {others}" if others else value


def _quoted(text: str) -> str:
    """Quote text for YAML; every JSON string is one."""
    return json.dumps(text, ensure_ascii=False)


# --- what the settings say --------------------------------------------------------------------
def configured(visit: Visit) -> Iterator[Finding]:
    """Report fields and values under `jira.fields` that this Jira does not know."""
    given: Mapping[str, object] = visit.config.jira_fields
    wrong = [finding for name, value in given.items() for finding in _configured(visit, name, value)]
    yield from wrong
    if given and not wrong:
        yield Finding("jira.fields", "ok", f"{', '.join(given)}: known, with values that Jira takes")


def left_to_the_mail(visit: Visit) -> Iterator[Finding]:
    """Report fields and values under `fields` that this Jira does not know, or the values that mails may give."""
    from integrations.jira.project.custom_fields import custom_fields, field_problems, number_field

    wanted, screens, counts = visit.config.fields, visit.facts.screens, visit.config.count_field
    if not screens:
        return
    if counts and not number_field(screens.values(), counts):
        detail = "is no field of numbers on a form of this project: reports are not counted"
        yield Finding(
            f"jira.count_field, {counts}", "warn", detail, "add the field to the screens, or correct its name"
        )
    for name, problem in field_problems(screens.values(), wanted):
        yield Finding(f"fields, {name}", "fail", problem, "correct or remove it under `fields` in triage.yaml")
    for each in custom_fields(screens.values(), wanted):
        yield Finding(f"fields, {each.name}", "ok", f"mails choose: {', '.join(each.values) or 'any text'}")


def _configured(visit: Visit, name: str, value: object) -> Iterator[Finding]:
    from integrations.jira.issue.fitting import NEVER

    facts = visit.facts
    what = f"jira.fields, {name}"
    screens = [*facts.screens.values(), *([facts.request_form] if facts.request_form else [])]
    on_forms = {each.id: each for screen in screens if (each := screen.called(name))}
    if on_forms.keys() & NEVER:
        yield Finding(what, "warn", "is not ours to set: it is Jira's or the mail's to say", "take the line out")
        return
    if not on_forms:
        yield _unknown(visit, what, name)
    for each in on_forms.values():
        if problem := _problem(visit, each, value):
            yield Finding(what, "fail", problem, lines_for([each]))


def _unknown(visit: Visit, what: str, name: str) -> Finding:
    """Judge a field that is on no form: a field of transitions, known elsewhere in this Jira, or misspelt."""
    facts = visit.facts
    wanted = name.strip().casefold()
    ways = (each for stand in facts.stands for way in stand.ways for each in way.demands)
    if any(wanted in {each.id.casefold(), each.name.casefold()} for each in ways):
        return Finding(what, "ok", "is asked for by a transition")
    if wanted in {*map(str.casefold, facts.fields), *map(str.casefold, facts.fields.values())}:
        detail = "stands on no form for new tickets of this project: the value is not used"
        return Finding(what, "warn", detail, "add the field to the create screen, or take the line out")
    names = {each.name.casefold(): each.name for screen in facts.screens.values() for each in screen.fields.values()}
    near = [names[each] for each in get_close_matches(wanted, names)]
    cure = f"is it {' or '.join(near)}?" if near else f"there are: {', '.join(sorted(names.values()))}"
    return Finding(what, "fail", "there is no such field", cure)


def _problem(visit: Visit, field: "ScreenField", value: object) -> str:
    from integrations.jira.issue.values import shaped
    from integrations.jira.shapes import Site

    server = visit.facts.server
    try:
        shaped(field, value, Site(cloud=server.cloud, url=server.url), visit.facts.people)
    except ValueError as e:
        return str(e)
    return ""
