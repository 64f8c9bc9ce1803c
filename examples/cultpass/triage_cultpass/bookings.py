"""Experiences, reservations and refunds."""

import sqlite3
from datetime import datetime
from typing import Any, Final

from triage.domain.errors import ToolRefused
from triage_cultpass.database import folded

MOST: Final = 10


def experiences(
    connection: sqlite3.Connection, query: str, *, premium: bool | None, first: str, last: str
) -> list[dict[str, Any]]:
    """Return experiences with every word of the query, on days of the range, soonest first."""
    words = folded(query).split()
    fits = " AND ".join(["instr(folded(title || ' ' || description), ?) > 0"] * len(words)) or "1"
    rows = connection.execute(
        f"SELECT * FROM experiences WHERE {fits} AND (? IS NULL OR is_premium = ?) AND day BETWEEN ? AND ? ORDER BY day LIMIT ?",  # noqa: S608 - words are bound
        (*words, premium, premium, first, last, MOST),
    )
    return [{**dict(row), "is_premium": bool(row["is_premium"])} for row in rows]


def reservations(connection: sqlite3.Connection, user_id: str) -> list[dict[str, Any]]:
    """Return the member's reservations, newest first."""
    rows = connection.execute(
        "SELECT r.reservation_id, r.experience_id, e.title AS experience_title, e.day, r.status, r.reserved_at"
        " FROM reservations r JOIN experiences e USING (experience_id) WHERE r.user_id = ? ORDER BY r.reserved_at DESC",
        (user_id,),
    )
    return [dict(row) for row in rows]


def cancel(connection: sqlite3.Connection, user_id: str, reservation_id: str, now: datetime) -> dict[str, Any]:
    """Cancel a confirmed reservation before its day; its slot is free again. Raises `ToolRefused`."""
    found = _confirmed(connection, user_id, reservation_id)
    if found["day"] <= f"{now:%Y-%m-%d}":
        raise ToolRefused(
            f"{reservation_id} is on {found['day']}: it is too late to cancel, escalate", action="escalate"
        )
    _ended(connection, found, "cancelled")
    return {"cancelled": reservation_id, "reservations": reservations(connection, user_id)}


def refund(
    connection: sqlite3.Connection, user_id: str, reservation_id: str, reason: str, now: datetime
) -> dict[str, Any]:
    """Refund a confirmed reservation, once. Raises `ToolRefused`."""
    found = _confirmed(connection, user_id, reservation_id)
    _ended(connection, found, "refunded")
    connection.execute(
        "INSERT INTO refunds VALUES (?, ?, ?, ?)", (reservation_id, found["price_eur"], reason, f"{now:%Y-%m-%d %H:%M}")
    )
    return {"refund_status": "processed", "message": f"{found['price_eur']} EUR for {found['title']}"}


def _confirmed(connection: sqlite3.Connection, user_id: str, reservation_id: str) -> sqlite3.Row:
    found: sqlite3.Row | None = connection.execute(
        "SELECT r.*, e.title, e.day, e.price_eur FROM reservations r JOIN experiences e USING (experience_id)"
        " WHERE r.reservation_id = ? AND r.user_id = ?",
        (reservation_id, user_id),
    ).fetchone()
    if found is None:
        raise ToolRefused(
            f"this member has no reservation {reservation_id}",
            suggestion="list the reservations and take an id of the list",
        )
    if found["status"] != "confirmed":
        raise ToolRefused(f"{reservation_id} is {found['status']}")
    return found


def _ended(connection: sqlite3.Connection, row: sqlite3.Row, status: str) -> None:
    connection.execute("UPDATE reservations SET status = ? WHERE reservation_id = ?", (status, row["reservation_id"]))
    connection.execute(
        "UPDATE experiences SET available_slots = available_slots + 1 WHERE experience_id = ?", (row["experience_id"],)
    )
