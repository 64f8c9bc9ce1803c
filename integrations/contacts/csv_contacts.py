"""The port `Contacts` over a CSV table of customers: one line per address, or per domain."""

import asyncio
import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from triage.domain.calendar.contacts import Contact
from triage.domain.errors import SettingsInvalid, SourceDown

COLUMNS: Final = ("address", "domain", "name", "organisation", "level", "contract", "note")
LONGEST: Final = 500
"""Characters of a value."""


class CsvContacts:
    """Reads the file again when it has changed."""

    def __init__(self, path: Path) -> None:
        """Raises `SettingsInvalid` for a file that has no such columns."""
        self._path, self._seen, self._found = path, -1, dict[str, Contact]()
        try:
            self._read()
        except SourceDown as e:
            raise SettingsInvalid((f"contacts.csv: {e.detail}",)) from e

    async def find(self, address: str) -> Contact | None:
        """Find the address, else its domain. Raises `SourceDown`."""
        await asyncio.to_thread(self._read)
        address = address.strip().casefold()
        return self._found.get(address) or self._found.get(address.rpartition("@")[2])

    def _read(self) -> None:
        """Read the table if it is new. Raises `SourceDown`."""
        try:
            changed = self._path.stat().st_mtime_ns
            if changed == self._seen:
                return
            with self._path.open(encoding="utf-8-sig", newline="") as file:
                table = csv.DictReader(file, dialect=_dialect(file.readline()))
                file.seek(0)
                self._found = dict(map(self._entry, _checked(table, self._path)))
        except (OSError, UnicodeDecodeError, csv.Error) as e:
            raise SourceDown("contacts.csv", f"{self._path} cannot be read: {e}") from e
        self._seen = changed

    def _entry(self, row: Mapping[str, str]) -> tuple[str, Contact]:
        values = {name: (row.get(name) or "").strip()[:LONGEST] for name in COLUMNS}
        domain = values.pop("domain").casefold().removeprefix("@")
        values["address"] = values["address"].casefold()
        return values["address"] or domain, Contact(**values, source=self._path.name)


def _dialect(first: str) -> type[csv.Dialect]:
    """Return the dialect of the first line: spreadsheets of many countries write semicolons."""
    return _Semicolons if first.count(";") > first.count(",") else csv.excel


class _Semicolons(csv.excel):
    delimiter = ";"


def _checked(table: "csv.DictReader[str]", path: Path) -> list[dict[str, str]]:
    """Return the rows. Raises `SourceDown` for a table without address and domain, or with unknown columns."""
    names = [name.strip().casefold() for name in table.fieldnames or ()]
    unknown = [name for name in names if name not in COLUMNS]
    if unknown or not {"address", "domain"} & set(names):
        problem = f"unknown columns {', '.join(unknown)}" if unknown else "no column address or domain"
        raise SourceDown("contacts.csv", f"{path} has {problem}; the first line names some of {', '.join(COLUMNS)}")
    table.fieldnames = names
    return [row for row in table if any(row.values())]
