"""The context of a case whose ledger is a real database."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest

from integrations.sql.store import open_store
from tests.contract.store.store_samples import HeldClock, mail
from tests.database import migrated
from tests.unit.triage.toolsets.outside.shop import CALLS
from triage.domain.cases import Case
from triage.domain.findings import Identity
from triage.domain.mail import Address, Message, Trust
from triage.domain.untrusted import Untrusted
from triage.effects.kinds import by_name
from triage.effects.writer import EffectWriter
from triage.toolsets.context import Context
from triage.toolsets.outside.effects import EFFECTS


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[Context]:
    """The context of a case whose ledger is a real database."""
    CALLS.clear()
    store = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", HeldClock())
    await store.inbox.accept(mail())
    lease = await store.jobs.lease_case("case-1", "test", 0)
    assert lease
    effects = EffectWriter(
        ledger=store.jobs.open(lease).ledger,
        kinds=by_name(*EFFECTS),
        clock=HeldClock(),
        case="case-1",
        secret=b"s",
        fingerprint="f",
    )
    message = Message(sender=Address(address="ann@shop.example"), subject=Untrusted("A boat"))
    case = Case(
        id="case-1",
        source="test",
        received_at=HeldClock().now(),
        message=message,
        identity=Identity(trust=Trust.WEAK),
    )
    unused = cast("Any", None)
    yield Context(
        case=case,
        tracker=unused,
        ticket_store=unused,
        index=unused,
        people_index=unused,
        effects=effects,
        clock=HeldClock(),
    )
    await store.close()
