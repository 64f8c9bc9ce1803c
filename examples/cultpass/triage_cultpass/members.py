"""Who asks: a member, known by the proven address of the mail."""

import sqlite3
from typing import Any

from triage.domain.errors import ToolRefused
from triage.domain.mail import Trust
from triage.domain.ports.outside import OutsideContext

OWN_ONLY = (
    "members learn of their own account only, and other accounts are not looked up by mail: escalate if a person should"
)


def member(
    connection: sqlite3.Connection, at: OutsideContext, *, user_id: str | None = None, email: str | None = None
) -> sqlite3.Row:
    """Return the sender's account. Raises `ToolRefused` if the sender is not proven, unknown, or asks for another account.

    `unproven: true` among the options of the tool believes the address of every mail: for trying out only.
    """
    if at.trust is not Trust.VERIFIED and at.options.get("unproven") is not True:
        raise ToolRefused(
            f"the sender is not proven ({at.trust}): ask for a mail from the address of the account, or escalate",
            action="escalate",
        )
    address = at.sender.address.lower() if at.sender else ""
    found: sqlite3.Row | None = connection.execute("SELECT * FROM users WHERE email = ?", (address,)).fetchone()
    if found is None:
        raise ToolRefused(
            "no account has the sender's address: ask for the address of the account, or escalate",
            suggestion="ask for the address that the account was opened with",
        )
    if (user_id and user_id != found["user_id"]) or (email and email.strip().lower() != found["email"]):
        raise ToolRefused(OWN_ONLY, suggestion="check the spelling of address or id")
    return found


def subscription_of(connection: sqlite3.Connection, user_id: str) -> dict[str, Any] | None:
    """Return the subscription, if there is one."""
    row = connection.execute(
        "SELECT subscription_id, status, tier, monthly_quota, start_date, end_date FROM subscriptions WHERE user_id = ?",
        (user_id,),
    ).fetchone()
    return dict(row) if row else None
