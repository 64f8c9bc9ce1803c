"""Holds a box of a drug for a customer, and lets it go again."""

import hashlib
import sqlite3
from datetime import datetime, timedelta
from typing import Any, Final

from triage.domain.errors import ToolRefused
from triage_pharmacy.catalogue import drugs_like, names_near
from triage_pharmacy.database import folded

HELD_FOR: Final = timedelta(days=2)
MOST_HELD: Final = 3
"""Reservations that one customer may hold at a time."""
LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without those that are misread."""


def create(
    connection: sqlite3.Connection, owner: str, drug_name: str, pharmacy: str | None, key: str, now: datetime
) -> dict[str, Any]:
    """Hold one box. Raises `ToolRefused` that tells the model what to ask or do instead."""
    drug = _drug(connection, drug_name)
    if drug["prescription"]:
        raise ToolRefused(f"{drug['name']} needs a prescription: it cannot be reserved by mail, escalate")
    if len(_held(connection, owner)) >= MOST_HELD:
        raise ToolRefused(f"this customer holds {MOST_HELD} reservations already")
    at = _pharmacy_with(connection, drug, pharmacy)
    connection.execute("UPDATE stock SET boxes = boxes - 1 WHERE pharmacy = ? AND drug = ?", (at["id"], drug["id"]))
    code, until = _code(key), f"{now + HELD_FOR:%Y-%m-%d %H:%M}"
    connection.execute(
        "INSERT INTO reservations VALUES (?, ?, ?, ?, 'held', ?)", (code, owner, at["id"], drug["id"], until)
    )
    return {"created": _told(_by_code(connection, code))}


def check(connection: sqlite3.Connection, owner: str, asked: str) -> dict[str, Any]:
    """Return the customer's reservations of this drug, or the one of this code; of others nothing."""
    return {"reservations": [_told(row) for row in _named(connection, owner, asked)]}


def cancel(connection: sqlite3.Connection, owner: str, asked: str) -> dict[str, Any]:
    """Let the box go. Raises `ToolRefused` if there is none, or more than one to choose from."""
    held = [row for row in _named(connection, owner, asked) if row["state"] == "held"]
    if len(held) != 1:
        codes = ", ".join(row["code"] for row in held)
        raise ToolRefused(f"name one of the codes {codes}" if held else "this customer holds no such reservation")
    connection.execute("UPDATE reservations SET state = 'cancelled' WHERE code = ?", (held[0]["code"],))
    connection.execute(
        "UPDATE stock SET boxes = boxes + 1 WHERE pharmacy = ? AND drug = ?", (held[0]["pharmacy"], held[0]["drug"])
    )
    return {"cancelled": _told(_by_code(connection, held[0]["code"]))}


def _drug(connection: sqlite3.Connection, name: str) -> sqlite3.Row:
    found = drugs_like(connection, name, 5)
    exact = [row for row in found if folded(row["name"]) == folded(name).strip()] or found
    if len(exact) == 1:
        return exact[0]
    names = [row["name"] for row in exact] or names_near(connection, name)
    raise ToolRefused(f"name one drug exactly: {', '.join(names)}" if names else f"there is no drug {name!r}")


def _pharmacy_with(connection: sqlite3.Connection, drug: sqlite3.Row, pharmacy: str | None) -> sqlite3.Row:
    """Return the pharmacy; without one the only one that has the drug."""
    rows = connection.execute(
        "SELECT p.*, s.boxes FROM stock s JOIN pharmacies p ON p.id = s.pharmacy WHERE s.drug = ? AND s.boxes > 0",
        (drug["id"],),
    )
    having: dict[str, sqlite3.Row] = {row["id"]: row for row in rows}
    if pharmacy in having:
        return having[pharmacy]
    if not having:
        raise ToolRefused(f"{drug['name']} is out of stock everywhere")
    if pharmacy is None and len(having) == 1:
        return next(iter(having.values()))
    raise ToolRefused(
        f"{drug['name']} is in stock at: {', '.join(having)}; ask the customer which, and give pharmacy_id"
    )


def _code(key: str) -> str:
    """Make a code that nobody guesses from another one; the same for the same call."""
    number = int.from_bytes(hashlib.sha256(f"reservation:{key}".encode()).digest()[:8])
    return "R-" + "".join(LETTERS[(number >> 5 * place) & 31] for place in range(8))


def _held(connection: sqlite3.Connection, owner: str) -> list[sqlite3.Row]:
    return list(connection.execute("SELECT code FROM reservations WHERE owner = ? AND state = 'held'", (owner,)))


def _named(connection: sqlite3.Connection, owner: str, asked: str) -> list[sqlite3.Row]:
    return list(
        connection.execute(
            f"{_ALL} WHERE r.code = ? OR (r.owner = ? AND instr(folded(d.name || ' ' || d.substance), ?) > 0) ORDER BY r.rowid",
            (asked.strip().upper(), owner, folded(asked).strip()),
        )
    )


def _by_code(connection: sqlite3.Connection, code: str) -> sqlite3.Row:
    found: sqlite3.Row = connection.execute(f"{_ALL} WHERE r.code = ?", (code,)).fetchone()
    return found


_ALL: Final = (
    "SELECT r.*, d.name AS drug_name, d.price_czk, p.name AS pharmacy_name, p.city FROM reservations r"
    " JOIN drugs d ON d.id = r.drug JOIN pharmacies p ON p.id = r.pharmacy"
)


def _told(row: sqlite3.Row) -> dict[str, Any]:
    return {
        "code": row["code"],
        "state": row["state"],
        "drug": row["drug_name"],
        "price_czk": row["price_czk"],
        "pharmacy_id": row["pharmacy"],
        "pharmacy": f"{row['pharmacy_name']}, {row['city']}",
        "held_until": row["held_until"],
    }
