"""Agents: model, tools and budget of each profile, its prompt, and who may make it do what."""

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from fastapi import APIRouter, Response

from triage.agent.profiles import Profile
from triage.policy.decision.rights import Standing
from triage.services.operations.agents import Permission
from web.console.console import Console
from web.console.guard import Viewer


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentView:
    """One profile."""

    profile: Profile
    model: str
    tools: tuple[str, ...]
    off: tuple[str, ...]
    """Tools that it names and that are switched off."""
    matrix: tuple[tuple[str, tuple[Permission, ...]], ...]
    """Tool → what it may do for whom."""


pages = APIRouter(prefix="/agents")


@pages.get("")
async def agents(console: Console, visitor: Viewer) -> Response:
    """Show all profiles; prompts only to readers."""
    book, rows = console.services.system.rulebook(), console.services.permissions()
    views = tuple(
        view_of(profile, book.granted[name], book.default_model, [one for one in rows if one.agent == name])
        for name, profile in book.profiles.items()
    )
    facts = {"agents": views, "standings": tuple(Standing), "limits": book.limits, "words": visitor.may("reader")}
    return console.page("agents/page.html", **facts)


def view_of(profile: Profile, granted: tuple[str, ...], default: str, rows: list[Permission]) -> AgentView:
    return AgentView(
        profile=profile,
        model=profile.model or default,
        tools=granted,
        off=tuple(name for name in profile.tools if name not in granted),
        matrix=tuple((tool, tuple(of_tool)) for tool, of_tool in groupby(rows, attrgetter("tool"))),
    )
