"""A run that is about no case writes nothing, whatever its tools try."""

import pytest

from triage.domain.effects import Effect, Reports
from triage.domain.errors import ToolRefused
from triage.services.mcp.tickets import NoLedger


async def test_nothing_is_written() -> None:
    """Intents and results are refused, and nothing is known."""
    ledger, effect = NoLedger(), Effect(key="mcp:create:1", kind="create")
    for write in (ledger.intend, ledger.settle):
        with pytest.raises(ToolRefused, match="only a case writes"):
            await write(effect)
    await ledger.saw("OPS", 3)

    assert await ledger.effects() == ()
    assert (await ledger.attached("OPS-1", "x"), await ledger.highest("OPS")) == (False, 0)
    assert await ledger.reports("OPS-1") == Reports()
