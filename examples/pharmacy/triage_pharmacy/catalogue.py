"""Finds drugs, pharmacies and what is in stock."""

import sqlite3
from difflib import get_close_matches
from typing import Any

from triage_pharmacy.database import folded


def drugs_like(connection: sqlite3.Connection, query: str, limit: int) -> list[sqlite3.Row]:
    """Return drugs whose name, substance or form has every word of the query, best names first."""
    words = folded(query).split() or [""]
    fits = " AND ".join(["instr(folded(name || ' ' || substance || ' ' || form), ?) > 0"] * len(words))
    order = "instr(folded(name), ?) = 0, name"
    found = connection.execute(f"SELECT * FROM drugs WHERE {fits} ORDER BY {order} LIMIT ?", (*words, words[0], limit))  # noqa: S608 - words are bound
    return list(found)


def described(connection: sqlite3.Connection, drug: sqlite3.Row) -> dict[str, Any]:
    """Describe a drug and where it is in stock."""
    stock = connection.execute(
        "SELECT p.id, p.name, p.city, p.opens, s.boxes FROM stock s JOIN pharmacies p ON p.id = s.pharmacy"
        " WHERE s.drug = ? AND s.boxes > 0 ORDER BY s.boxes DESC, p.id",
        (drug["id"],),
    )
    return {
        "name": drug["name"],
        "substance": drug["substance"],
        "form": drug["form"],
        "needs_prescription": bool(drug["prescription"]),
        "price_czk": drug["price_czk"],
        "in_stock": [
            {
                "pharmacy_id": at["id"],
                "pharmacy": at["name"],
                "city": at["city"],
                "opens": at["opens"],
                "boxes": at["boxes"],
            }
            for at in stock
        ],
    }


def names_near(connection: sqlite3.Connection, query: str) -> list[str]:
    """Return names that a query with a slip of the pen may mean."""
    known = {
        folded(word): row["name"]
        for row in connection.execute("SELECT name, substance FROM drugs")
        for word in (*row["name"].split(), row["substance"])
    }
    found = (
        known[word] for asked in folded(query).split() for word in get_close_matches(asked, known, n=2, cutoff=0.75)
    )
    return list(dict.fromkeys(found))
