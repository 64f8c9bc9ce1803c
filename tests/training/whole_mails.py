"""Reads the whole mails that classifiers are trained with: fictitious ones of our own, `mails/whole/*.jsonl`, a mail a line.

Each says what it `is` (the classes of dispositions) and, if it is for us, of which `type` and `priority`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cli.evaluate.data_files import rows_of

FOLDER: Final = Path(__file__).parent / "mails" / "whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeMail:
    """A mail as it arrives, and what a calm dispatcher makes of it."""

    subject: str
    text: str
    label: str
    """Its class: `mail`, `talk`, `done`, …"""
    type: str
    """Empty for what is not for us, as is the priority."""
    priority: str


def whole_mails(folder: Path = FOLDER) -> Iterator[WholeMail]:
    """Yield the mails of all files, in the order of the files' names."""
    for path in sorted(folder.glob("*.jsonl")):
        for _, row in rows_of(path):
            yield WholeMail(
                subject=row["subject"],
                text=row["text"],
                label=row["is"],
                type=row.get("type", ""),
                priority=row.get("priority", ""),
            )
