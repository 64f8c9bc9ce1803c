"""Rules: the routing table, what corrections taught, what is switched on, and another triage.yaml tried on the latest mails."""

import re
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Annotated, Final

from fastapi import APIRouter, Form, Path, Response

from triage.config.routing.rule import RoutingRule
from triage.domain.errors import SettingsInvalid
from web.console.console import Console
from web.console.guard import Approver, Viewer
from web.console.render import after

LATEST: Final = 100
"""Mails that another triage.yaml is tried on."""
NOT_CONDITIONS: Final = frozenset({"name", "pipeline", "profile", "project", "labels", "unproven"})
Lesson = Annotated[int, Path(ge=1, le=2_000_000_000)]
Text = Annotated[str, Form(max_length=1_000_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleView:
    """One row of the routing table."""

    rule: RoutingRule
    conditions: tuple[tuple[str, str], ...]
    """Name and wanted value; all must hold."""


pages = APIRouter(prefix="/rules")


@pages.get("")
async def rules(console: Console, visitor: Viewer) -> Response:
    """Show the table; the file's text only to readers."""
    book = console.services.system.rulebook()
    views = tuple(view_of(rule) for rule in book.rules)
    words = visitor.may("reader")
    lessons = await console.services.cases.lessons() if words else ()
    return console.page("rules/page.html", book=book, rules=views, words=words, lessons=lessons)


@pages.post("/lessons/{number}/drop")
async def drop(console: Console, who: Approver, number: Lesson) -> Response:
    """Judge later mails without what this correction taught."""
    gone = await console.services.cases.unlearn(number, who.approver.identity)
    return after("/rules", f"Later mails are judged without what {gone.by} said of {gone.case}.")


@pages.get("/trial")
async def form(console: Console, _: Approver) -> Response:
    """Show the form with the present file."""
    return console.page(
        "rules/trial.html", text=console.services.system.rulebook().text, trial=None, problems=(), latest=LATEST
    )


@pages.post("/trial")
async def trial(console: Console, _: Approver, text: Text) -> Response:
    """Try another text on the latest mails; nothing is kept."""
    try:
        found = await console.services.system.rule_trial.of(text, LATEST)
    except SettingsInvalid as e:
        return console.page("rules/trial.html", 422, text=text, trial=None, problems=e.problems, latest=LATEST)
    return console.page("rules/trial.html", text=text, trial=found, problems=(), latest=LATEST)


def view_of(rule: RoutingRule) -> RuleView:
    found = [("every mail", "")] if rule.all else []
    for one in fields(rule):
        value = getattr(rule, one.name)
        if one.name not in {*NOT_CONDITIONS, "all"} and value not in ("", (), None, False):
            found.append((one.name.replace("_", " "), _words(value)))
    if rule.has_attachment is False:
        found.append(("has attachment", "no"))
    return RuleView(rule=rule, conditions=tuple(found))


def _words(value: object) -> str:
    match value:
        case True:
            return "yes"
        case StrEnum():
            return value.value
        case re.Pattern():
            return str(value.pattern)
        case tuple():
            return (": " if isinstance(value[-1], re.Pattern) else ", ").join(map(_words, value))
    return str(value)
