"""What the agent may call; each tool serves the member whose proven address wrote the mail, and nobody else."""

import sqlite3
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from triage.agent.toolbox import tool
from triage.domain.conversation import Grant, Json
from triage.domain.errors import ToolRefused
from triage.domain.ports.outside import OutsideContext
from triage_cultpass import bookings
from triage_cultpass.database import once, opened
from triage_cultpass.members import member, subscription_of

Id = Annotated[str, Field(min_length=1, max_length=50)]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]


@tool(Grant.READ)
async def user_lookup(
    at: OutsideContext, email: Annotated[str, Field(max_length=200)] | None = None, user_id: Id | None = None
) -> Mapping[str, Json]:
    """Look up the account of the member who wrote: id, name, whether it is blocked, subscription."""
    with opened(at.data_dir) as connection:
        user = member(connection, at, email=email, user_id=user_id)
        subscription = subscription_of(connection, user["user_id"])
    named = ("status", "tier", "monthly_quota")
    return {
        **{name: user[name] for name in ("user_id", "full_name", "email")},
        "is_blocked": bool(user["is_blocked"]),
        "subscription": subscription and {name: subscription[name] for name in named},
    }


@tool(Grant.READ)
async def subscription_management(at: OutsideContext, user_id: Id) -> Mapping[str, Json]:
    """Tell the member's subscription: status, tier, monthly quota, first and last day."""
    with opened(at.data_dir) as connection:
        found = subscription_of(connection, member(connection, at, user_id=user_id)["user_id"])
    if found is None:
        raise ToolRefused("this member has no subscription")
    return found


@tool(Grant.READ)
async def experience_search(
    at: OutsideContext,
    search_query: Annotated[str, Field(max_length=200)],
    is_premium: bool | None = None,
    date_range: Annotated[list[Day], Field(min_length=2, max_length=2, description="first and last day")] | None = None,
) -> Mapping[str, Json]:
    """Search the experiences that members can book: title, day, free slots, price, whether they are for premium members."""
    first, last = date_range or ("0001-01-01", "9999-12-31")
    with opened(at.data_dir) as connection:
        return {
            "experiences": bookings.experiences(connection, search_query, premium=is_premium, first=first, last=last)
        }


@tool(Grant.WRITE, repeatable=True, reads=lambda given: given["action"] == "list")
async def reservation_management(
    at: OutsideContext, user_id: Id, action: Literal["list", "cancel"], reservation_id: Id | None = None
) -> Mapping[str, Json]:
    """List the member's reservations, or cancel one of them before its day."""
    if action == "list":
        with opened(at.data_dir) as connection:
            return {
                "reservations": bookings.reservations(connection, member(connection, at, user_id=user_id)["user_id"])
            }
    if reservation_id is None:
        raise ToolRefused("give the reservation_id of the reservation to cancel")

    def change(connection: sqlite3.Connection) -> Mapping[str, Json]:
        user = member(connection, at, user_id=user_id)["user_id"]
        return bookings.cancel(connection, user, reservation_id, at.clock.now())

    answer: Mapping[str, Json] = once(at.data_dir, at.once, change)
    return answer


@tool(Grant.WRITE, repeatable=True, asks=True, refunds=True)
async def refund_processing(
    at: OutsideContext,
    user_id: Id,
    reservation_id: Id,
    reason: Annotated[str, Field(min_length=1, max_length=500)],
    approved: bool = False,
) -> Mapping[str, Json]:
    """Ask for the refund of a member's reservation: a person decides, whatever `approved` says."""
    del approved  # the document's argument; who approves is no matter of an argument

    def change(connection: sqlite3.Connection) -> Mapping[str, Json]:
        user = member(connection, at, user_id=user_id)["user_id"]
        return bookings.refund(connection, user, reservation_id, reason, at.clock.now())

    answer: Mapping[str, Json] = once(at.data_dir, at.once, change)
    return answer
