"""A store with answers of models in its journal, for the services that count them."""

from collections.abc import Sequence
from dataclasses import replace

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import OPENING, TURN, opened
from triage.domain.conversation import Usage


async def answered(store: SqlStore, number: int, costs: Sequence[float | None], profile: str = "jira") -> str:
    """A case whose run got these answers, each at its cost; return the case."""
    leased = await opened(store, number)
    case = leased.lease.case
    await leased.journal.keep_opening(f"{case}/1", profile, OPENING)
    for place, cost in enumerate(costs):
        turn = replace(TURN, usage=Usage(input_tokens=100, output_tokens=10, cost_usd=cost))
        await leased.journal.keep_turn(f"{case}/1", place + 1, turn, 12.0)
    return case
