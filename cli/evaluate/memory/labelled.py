"""Reads labelled mails: `== number | date | sender > recipients | subject`, the text, and `-- kind | owner | deadline | words`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from triage.domain.errors import SettingsInvalid
from triage.domain.memory.notes import MemoryMail, NoteKind, NoteTrust
from triage.domain.untrusted import Untrusted
from triage.policy.text.author_text import author_text

KINDS: Final = {
    "commitment": NoteKind.COMMITMENT,
    "action": NoteKind.ACTION,
    "decision": NoteKind.DECISION,
    "insight": NoteKind.INSIGHT,
    "person": NoteKind.PERSON,
}
T = TypeVar("T")
HEAD: Final = "== "
LABEL: Final = "-- "
SHAPE: Final = "== number | 2026-11-02 09:12 +0100 | ann@acme.example > tom@acme.example | subject"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLabel:
    """What a mail says, by a person."""

    kind: NoteKind
    owner: str
    """Empty where the label does not say who."""
    deadline: date | None
    words: str
    """A part of the sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledMail:
    """A mail with everything that it says."""

    file: str
    mail: MemoryMail
    labels: tuple[MemoryLabel, ...]


def labelled_mails(folder: Path) -> tuple[LabelledMail, ...]:
    """Return the mails of all `.txt` files of a folder. Raises `SettingsInvalid` with file and record where one cannot be read."""
    files = sorted(path for path in folder.glob("*.txt") if path.read_text("utf-8").startswith(HEAD))
    if not files:
        raise SettingsInvalid((f"{folder}: no .txt file begins with a mail: {SHAPE}",))
    return tuple(mail for file in files for mail in records(file, "mail", SHAPE, partial(_mail, file.stem)))


def records(file: Path, noun: str, shape: str, read: Callable[[list[str]], T]) -> Iterator[T]:
    """Yield what `read` makes of each record's lines; a record begins as `shape` does. Raises `SettingsInvalid` that names it.

    `read` raises `ValueError`, `KeyError` or `StopIteration` where lines are wrong or missing.
    """
    head = shape.split(" ", 1)[0]
    for record in f"\n{file.read_text('utf-8')}".split(f"\n{head} ")[1:]:
        try:
            one = read(record.splitlines())
        except (ValueError, KeyError, StopIteration) as e:
            raise SettingsInvalid((f"{file.name}, {noun} {record[:60]!r}: {e!r}; write it as {shape}",)) from None
        yield one


def _mail(file: str, lines: list[str]) -> LabelledMail:
    number, sent, people, subject = (part.strip() for part in lines[0].split(" | ", 3))
    sender, _, recipients = people.partition(" > ")
    text = "\n".join(line for line in lines[1:] if not line.startswith(LABEL))
    mail = MemoryMail(
        case=f"case-{int(number)}",
        message_id=f"{number}@corpus.example",
        sender=sender,
        to=tuple(one.strip() for one in recipients.split(",")),
        subject=Untrusted(subject),
        text=Untrusted(author_text(text)),
        at=datetime.strptime(sent, "%Y-%m-%d %H:%M %z"),
        trust=NoteTrust.VERIFIED,
    )
    labels = tuple(_label(line) for line in lines[1:] if line.startswith(LABEL))
    return LabelledMail(file=file, mail=mail, labels=labels)


def _label(line: str) -> MemoryLabel:
    kind, owner, day, words = (part.strip() for part in line.removeprefix(LABEL).split(" | ", 3))
    return MemoryLabel(
        kind=KINDS[kind],
        owner="" if owner == "-" else owner,
        deadline=None if day == "-" else date.fromisoformat(day),
        words=words,
    )
