"""Builds what people ask about one case: dry runs of it with another model, agent or word of theirs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from pydantic import SecretStr

from triage.config.settings import Settings
from triage.policy.decision.run_record import is_settled
from triage.services.casework.dry_runs import DryRuns, DryRunServices, ReplayOverrides
from triage.services.intake import received_from_file

NO_MODEL: Final = "none"
PATIENCE: Final = 120.0
"""Seconds that a page waits."""
TRIES: Final = 50
PAUSE: Final = 0.2
"""Seconds between two looks at a case that waits."""


def dry_runs_of(settings: Settings, *, service: bool = False) -> DryRuns:
    """Return dry runs, each in an app of its own over a copy of the store; those of a shell may take an hour."""

    @asynccontextmanager
    async def open_dry(case: str, overrides: ReplayOverrides) -> AsyncIterator[DryRunServices]:
        from cli.wiring.app import open_app

        chosen, named = with_model(settings, overrides.model)
        async with open_app(
            chosen,
            dry_run=True,
            service=service,
            about=case or None,
            overrides=replace(overrides, model=named),
        ) as app:

            async def work(name: str) -> None:
                for _ in range(TRIES):
                    await app.worker.handle(name)
                    report = await app.reports.report(name)
                    if (report.case.outcome and is_settled(report)) or report.trouble:
                        return
                    await asyncio.sleep(PAUSE)

            async def accept(raw: bytes) -> str:
                return await app.intake.accept(received_from_file("tried", raw, app.worker.clock.now()))

            yield DryRunServices(cases=app.cases, reports=app.reports, accept=accept, work=work)

    return DryRuns(open=open_dry, seconds=PATIENCE if service else 3600.0)


def with_model(settings: Settings, model: str) -> tuple[Settings, str]:
    """Return the settings without any model for `none`, and the model that every agent is to ask, empty for its own."""
    if model != NO_MODEL:
        return settings, model
    none = {"openai_api_key": SecretStr(""), "openai_base_url": "", "anthropic_model": ""}
    return settings.model_copy(update=none), ""
