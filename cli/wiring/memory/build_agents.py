"""Builds the agents of a build: those of a model where one can be asked for their profiles, else rules."""

import secrets
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cli.wiring.agents.live_config import LiveConfig
from integrations.sql.store import SqlStore
from triage.config.settings import Settings
from triage.domain.ports import Failpoint
from triage.policy.text.untrusted import ours
from triage.services.memory.build.reading import EmailReader, RuleReader
from triage.services.memory.notes import NoteService
from triage.toolsets.prompt import TEMPLATES

if TYPE_CHECKING:
    from triage.services.memory.build.actions import Planner
    from triage.services.memory.build.by_model.agent import BuildAgent
    from triage.services.memory.build.reconciling import Reconciler
    from triage.services.memory.build.writing import NoteWriter

READER: Final = "email_reader"
MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenAgents:
    """The agents of a build; None: its rules alone."""

    reader: EmailReader
    model: str = ""
    """The Email Reader's; empty: rules."""
    writer: "NoteWriter | None" = None
    planner: "Planner | None" = None
    reconciler: "Reconciler | None" = None


def agents_of(
    settings: Settings,
    store: SqlStore,
    live: LiveConfig,
    notes: NoteService,
    failpoint: Failpoint,
    later: AsyncExitStack,
) -> ChosenAgents:
    """Return the agents; `later` closes the connections of their models."""
    from cli.wiring.agents.models import Models
    from cli.wiring.memory.agents import memory_agents
    from cli.wiring.operations import spending_of
    from triage.services.memory.build.by_model.agent import BuildAgent
    from triage.services.memory.build.by_model.planner import ModelPlanner
    from triage.services.memory.build.by_model.reconciler import ModelReconciler
    from triage.services.memory.build.by_model.writer import ModelWriter

    agents, models = memory_agents(), Models(settings, providers=live.config.providers)
    clock, used_up = store.clock, spending_of(settings, store).used_up

    def agent(name: str) -> "BuildAgent | None":
        profile = agents.profiles[name]
        model = models(profile)
        if model is None:
            return None
        return BuildAgent(
            model=model,
            profile=profile,
            tools=agents.toolbox,
            notes=notes,
            used_up=used_up,
            clock=clock,
            log=store.answer_log,
            failpoint=failpoint,
            nonce=lambda: secrets.token_hex(4),
        )

    reads, writes, plans, reconciles = map(agent, (READER, "memory_writer", "action", "reconciliation"))
    if reads is None:
        return ChosenAgents(reader=RuleReader())
    later.push_async_callback(models.close)
    return ChosenAgents(
        reader=_reader_of(reads),
        model=reads.model.name,
        writer=ModelWriter(agent=writes, notes=notes) if writes else None,
        planner=ModelPlanner(agent=plans, notes=notes, domains=lambda: live.current()[1].domains) if plans else None,
        reconciler=ModelReconciler(agent=reconciles) if reconciles else None,
    )


def _reader_of(agent: "BuildAgent") -> EmailReader:
    from triage.services.memory.build.model_reader import ModelReader

    return ModelReader(
        model=agent.model,
        prompt=ours(TEMPLATES.from_string(agent.profile.prompt).render()),
        rules=RuleReader(),
        used_up=agent.used_up,
        clock=agent.clock,
        log=agent.log,
        nonce=agent.nonce,
    )


def price_of(settings: Settings, tokens: int) -> float | None:
    """Return what so many tokens cost at least, in US dollars, by OPENAI_PRICE_INPUT; None where it is not set."""
    price = settings.openai_price_input
    return None if price is None else round(tokens * price / MILLION, 4)
