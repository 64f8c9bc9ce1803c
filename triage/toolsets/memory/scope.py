"""Makes a run of one of the memory's agents: its prompt, its context, the resolution of names, the verdicts."""

import hashlib
from dataclasses import replace
from functools import partial
from typing import Final, NoReturn

from jinja2 import Environment, FileSystemLoader, StrictUndefined

import prompts
from triage.agent.loop import Limits
from triage.agent.run import Scope
from triage.agent.toolbox import Invocation, Toolbox
from triage.domain.conversation import Json
from triage.domain.errors import ToolRefused
from triage.domain.memory.errors import NoteNotFound
from triage.domain.memory.graph import NodeKind
from triage.domain.ports import Journal
from triage.policy.decision.permission import Ask
from triage.policy.memory.graph import person_node
from triage.policy.memory.notes.writing import WriteRights, rights_of
from triage.toolsets.memory.context import MemoryContext, Notes
from triage.toolsets.memory.rules import verdict_on
from triage.toolsets.memory.tools import MEMORY_TOOLS, NODE

BOX: Final = Toolbox(MEMORY_TOOLS)
NAMED: Final = tuple(f"{kind}:" for kind in NodeKind)
SUGGESTED: Final = 3
TEMPLATES: Final = Environment(
    loader=FileSystemLoader(prompts.HERE),
    undefined=StrictUndefined,
    autoescape=False,  # noqa: S701 - prompts are plain text, and templates never get untrusted text
)


async def _resolved(notes: Notes, noun: str, name: str) -> Json:
    """Return the note or the node of the graph that an argument names."""
    if not name or (noun == NODE and name.startswith(NAMED) and not name.startswith(NAMED[0])):
        return name
    if noun == NODE and "@" in name:
        return person_node(name)
    found = await note_named(notes, name.removeprefix(NAMED[0]))
    return f"{NAMED[0]}{found}" if noun == NODE else found


def memory_scope(at: MemoryContext, *, run: str, journal: Journal, limits: Limits | None = None) -> Scope:
    """Return the scope of a run by this context; `run` is its key in the journal.

    The rights are those of the agent's name where the context has none.
    """
    if at.rights == WriteRights():
        at = replace(at, rights=rights_of(at.agent))
    inner = replace(at, nonce=inner_nonce(at.nonce))

    async def park(invocation: Invocation, _: Ask, __: Json) -> NoReturn:
        raise ToolRefused(f"nobody decides about {invocation.tool.name}")

    return Scope(
        run=run,
        nonce=at.nonce,
        context=lambda _: inner,
        resolve=partial(_resolved, at.notes),
        judge=lambda call, history: verdict_on(call, history, inner),
        park=park,
        journal=journal,
        clock=at.clock,
        limits=limits or Limits(),
    )


def inner_nonce(nonce: str) -> str:
    """Return the suffix of fences within results, which the loop fences once more."""
    return hashlib.sha256(f"note:{nonce}".encode()).hexdigest()[:8]


async def note_named(notes: Notes, name: str) -> str:
    """Return a note's id. Raises `ToolRefused` that lists notes like it."""
    try:
        return await notes.resolve(name)
    except NoteNotFound:
        near = [hit.note.id for hit in await notes.search(name.replace("-", " "), SUGGESTED)]
        hint = f"; do you mean {', '.join(near)}?" if near else ": search_vault finds notes by words"
        raise ToolRefused(f"there is no note {name[:80]!r}{hint}") from None
