"""Builds the Email Reader: the model of its profile where one can be asked, else the rules."""

import secrets
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from triage.config.settings import Settings
from triage.services.memory.build.readers import EmailReader, RuleReader

if TYPE_CHECKING:
    from cli.wiring.agents.live_config import LiveConfig
    from integrations.sql.store import SqlStore

NAME: Final = "email_reader"
FILE: Final = f"memory/{NAME}"
MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ChosenReader:
    """The Email Reader, and what it is."""

    reader: EmailReader
    model: str = ""
    """Empty: rules."""


def reader_of(settings: Settings, store: "SqlStore", live: "LiveConfig", later: AsyncExitStack) -> ChosenReader:
    """Return the reader; `later` closes the connections of its model."""
    from cli.wiring.agents.models import Models
    from cli.wiring.operations import spending_of
    from integrations.system_clock import SystemClock
    from prompts import read
    from triage.agent.profiles import profile_of
    from triage.policy.text.untrusted import ours
    from triage.services.memory.build.model_reader import ModelReader
    from triage.toolsets.prompt import TEMPLATES

    profile, models = profile_of(NAME, read(FILE)), Models(settings, providers=live.config.providers)
    model = models(profile)
    if model is None:
        return ChosenReader(RuleReader())
    later.push_async_callback(models.close)
    reader = ModelReader(
        model=model,
        prompt=ours(TEMPLATES.from_string(profile.prompt).render()),
        rules=RuleReader(),
        used_up=spending_of(settings, store).used_up,
        clock=SystemClock(),
        log=store.answer_log,
        nonce=lambda: secrets.token_hex(4),
    )
    return ChosenReader(reader, model.name)


def price_of(settings: Settings, tokens: int) -> float | None:
    """Return what so many tokens cost at least, in US dollars, by OPENAI_PRICE_INPUT; None where it is not set."""
    price = settings.openai_price_input
    return None if price is None else round(tokens * price / MILLION, 4)
