"""The culture pass's tools: a member learns of the own account, cancels once, and gets no refund without a person."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from triage.domain.conversation import Grant
from triage.domain.errors import ToolRefused
from triage.domain.mail import Address, Trust
from triage.domain.ports.outside import HttpAnswer, OutsideContext
from triage_cultpass import TOOLS
from triage_cultpass.database import opened

NOW = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
TOOL = {tool.name: tool for tool in TOOLS}


class Fixed:
    """A clock that stands."""

    def now(self) -> datetime:
        """The time."""
        return NOW

    async def sleep(self, seconds: float) -> None:
        """Nobody sleeps here."""


class NoWeb:
    """No tool of this package asks the web."""

    async def request(self, *_: Any, **__: Any) -> HttpAnswer:
        """Fail."""
        raise AssertionError


@pytest.fixture
def at(tmp_path: Path) -> OutsideContext:
    """A call for a proven mail of Alma."""
    return OutsideContext(
        case="case-7",
        sender=Address(address="Alma@members.example"),
        trust=Trust.VERIFIED,
        once="case-7:outside:1",
        data_dir=tmp_path,
        clock=Fixed(),
        http=NoWeb(),
    )


async def call(at: OutsideContext, name: str, **arguments: Any) -> Any:
    """Call a tool as Triage does."""
    return await TOOL[name].function(at, **arguments)


def status(at: OutsideContext, reservation: str) -> str:
    """What the data says of a reservation."""
    with opened(at.data_dir) as connection:
        row = connection.execute("SELECT status FROM reservations WHERE reservation_id = ?", (reservation,)).fetchone()
        return str(row[0])


async def test_a_member_is_known_by_the_proven_address(at: OutsideContext) -> None:
    """Account and subscription are those of whoever wrote, with or without naming them."""
    told = await call(at, "user_lookup")

    assert told == {
        "user_id": "u-001",
        "full_name": "Alma Reyes",
        "email": "alma@members.example",
        "is_blocked": False,
        "subscription": {"status": "active", "tier": "premium", "monthly_quota": 8},
    }
    assert told == await call(at, "user_lookup", email="alma@members.example", user_id="u-001")
    assert (await call(at, "subscription_management", user_id="u-001"))["end_date"] == "2027-01-31"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("user_lookup", {"email": "bruno@members.example"}),
        ("user_lookup", {"user_id": "u-002"}),
        ("subscription_management", {"user_id": "u-002"}),
        ("reservation_management", {"user_id": "u-002", "action": "list"}),
        ("reservation_management", {"user_id": "u-002", "action": "cancel", "reservation_id": "r-502"}),
        ("refund_processing", {"user_id": "u-002", "reservation_id": "r-502", "reason": "ill", "approved": True}),
    ],
)
async def test_nobody_else_is_served(at: OutsideContext, name: str, arguments: dict[str, Any]) -> None:
    """Another account is refused to a proven member; an unproven or unknown sender is refused any."""
    with pytest.raises(ToolRefused, match="own account only"):
        await call(at, name, **arguments)
    own = {**arguments, **({"user_id": "u-001"} if "user_id" in arguments else {"email": "alma@members.example"})}
    with pytest.raises(ToolRefused, match="not proven"):
        await call(replace(at, trust=Trust.UNVERIFIED), name, **own)
    for sender in (None, Address(address="eve@evil.example")):
        with pytest.raises(ToolRefused, match="no account has the sender's address"):
            await call(replace(at, sender=sender), name, **own)
    assert status(at, "r-502") == "confirmed"


async def test_an_installation_to_try_out_believes_addresses(at: OutsideContext) -> None:
    """With `unproven: true` the address of the mail is enough, and only with it."""
    unproven = replace(at, trust=Trust.UNVERIFIED, options={"unproven": True})

    assert (await call(unproven, "user_lookup"))["user_id"] == "u-001"
    with pytest.raises(ToolRefused, match="not proven"):
        await call(replace(unproven, options={"unproven": "yes"}), "user_lookup")


async def test_a_member_without_a_subscription(at: OutsideContext) -> None:
    """It is told, not guessed."""
    dana = replace(at, sender=Address(address="dana@members.example"))

    assert (await call(dana, "user_lookup"))["subscription"] is None
    with pytest.raises(ToolRefused, match="no subscription"):
        await call(dana, "subscription_management", user_id="u-004")


async def test_experiences_are_found_by_words_days_and_premium(at: OutsideContext) -> None:
    """Words fit without accents and case, days include both ends, soonest first."""

    async def titles(**arguments: Any) -> list[str]:
        found = await call(at, "experience_search", **arguments)
        return [one["experience_id"] for one in found["experiences"]]

    assert await titles(search_query="HARBOUR") == ["e-100"]
    assert await titles(search_query="", is_premium=True) == ["e-101", "e-104"]
    assert await titles(search_query="", date_range=["2026-12-04", "2026-12-13"]) == ["e-100", "e-101", "e-102"]
    assert await titles(search_query="no such thing") == []


async def test_a_reservation_is_cancelled_once(at: OutsideContext) -> None:
    """Its slot is free again; the same call again changes nothing; what is not confirmed any more is refused."""
    own = {"user_id": "u-001", "action": "cancel", "reservation_id": "r-500"}
    first = await call(at, "reservation_management", **own)
    again = await call(at, "reservation_management", **own)
    with opened(at.data_dir) as connection:
        slots = connection.execute("SELECT available_slots FROM experiences WHERE experience_id = 'e-101'").fetchone()[
            0
        ]

    assert (first, status(at, "r-500"), slots) == (again, "cancelled", 4)
    assert {one["status"] for one in first["reservations"]} == {"cancelled"}
    with pytest.raises(ToolRefused, match="r-500 is cancelled"):
        await call(replace(at, once="2"), "reservation_management", **own)
    with pytest.raises(ToolRefused, match="no reservation r-502"):
        await call(replace(at, once="3"), "reservation_management", **{**own, "reservation_id": "r-502"})
    with pytest.raises(ToolRefused, match="give the reservation_id"):
        await call(replace(at, once="4"), "reservation_management", user_id="u-001", action="cancel")
    assert len((await call(at, "reservation_management", user_id="u-001", action="list"))["reservations"]) == 2


async def test_it_is_too_late_on_the_day(at: OutsideContext) -> None:
    """A reservation of today stays."""
    with opened(at.data_dir) as connection:
        connection.execute("UPDATE experiences SET day = '2026-11-23' WHERE experience_id = 'e-101'")
    with pytest.raises(ToolRefused, match="too late"):
        await call(at, "reservation_management", user_id="u-001", action="cancel", reservation_id="r-500")


@pytest.mark.parametrize("approved", [True, False])
async def test_a_refund_asks_a_person_whatever_the_arguments_say(at: OutsideContext, approved: bool) -> None:
    """The tool says in code that a person decides each call; accepted, it refunds once."""
    tool = TOOL["refund_processing"]
    wanted = {"user_id": "u-001", "reservation_id": "r-500", "reason": "ill", "approved": approved}
    first, again = await call(at, "refund_processing", **wanted), await call(at, "refund_processing", **wanted)

    assert (tool.grant, tool.asks) == (Grant.WRITE, True)
    assert first == again == {"refund_status": "processed", "message": "60 EUR for Night at the opera"}
    assert status(at, "r-500") == "refunded"
    with pytest.raises(ToolRefused, match="r-500 is refunded"):
        await call(replace(at, once="2"), "refund_processing", **wanted)


async def test_errors_say_what_to_do_next(at: OutsideContext) -> None:
    """A mistake has a suggestion, what only a person can mend asks for one."""
    with pytest.raises(ToolRefused) as stranger:
        await call(replace(at, sender=Address(address="eve@evil.example")), "user_lookup")
    with pytest.raises(ToolRefused) as unproven:
        await call(replace(at, trust=Trust.UNVERIFIED), "user_lookup")
    with pytest.raises(ToolRefused) as gone:
        await call(replace(at, data_dir=at.data_dir / "gone"), "user_lookup")
    (at.data_dir / "cultpass.db").write_bytes(b"no database at all, but text")
    with pytest.raises(ToolRefused) as damaged:
        await call(at, "user_lookup")

    assert "address" in stranger.value.suggestion
    assert [one.value.action for one in (unproven, gone, damaged)] == ["escalate"] * 3
