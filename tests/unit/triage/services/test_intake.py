"""Intake: stored, then rung, and what a file is called."""

from datetime import UTC, datetime
from typing import Any, cast

import pytest

from integrations.local_notifier import LocalNotifier
from triage.domain.errors import StoreDown, TooLarge
from triage.domain.mail import Received
from triage.services.intake import Intake, received_from_file

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
MAIL = Received(source="file", source_id="a", raw=b"Subject: x\r\n\r\n", at=NOON)


class Diary:
    """Store, doorbell and landmarks that write down the order of things."""

    def __init__(self, *, down: bool = False) -> None:
        self.lines: list[str] = []
        self.down = down

    async def accept(self, received: Received) -> str:
        """The store."""
        if self.down:
            raise StoreDown("locked")
        self.lines.append(f"stored {len(received.raw)}")
        return "case-1"

    async def notify(self, case: str) -> None:
        """The doorbell."""
        self.lines.append(f"rang {case}")

    def passed(self, name: str) -> None:
        """The landmarks."""
        self.lines.append(name)

    def intake(self, limit: int = 100) -> Intake:
        """An intake in front of it all."""
        anything = cast("Any", self)
        return Intake(anything, anything, anything, limit, self.passed)


async def test_order() -> None:
    """The doorbell rings for what is on the disk, never before."""
    diary = Diary()

    assert await diary.intake().accept(MAIL) == "case-1"
    assert diary.lines == ["stored 14", "rang case-1", "intake.notified"]


async def test_too_large() -> None:
    """A mail over the limit is refused with both numbers, and nothing happens."""
    diary = Diary()

    with pytest.raises(TooLarge) as caught:
        await diary.intake(limit=13).accept(MAIL)
    assert (caught.value.size, caught.value.limit) == (14, 13)
    assert diary.lines == []


async def test_store_down() -> None:
    """What could not be stored is not rung for, and who brought it hears so."""
    diary = Diary(down=True)

    with pytest.raises(StoreDown):
        await diary.intake().accept(MAIL)
    assert diary.lines == []


async def test_without_landmarks() -> None:
    """In everyday life landmarks are nothing."""
    diary = cast("Any", Diary())

    assert await Intake(diary, LocalNotifier(), diary, 100).accept(MAIL) == "case-1"


@pytest.mark.parametrize(
    ("name", "raw", "same"),
    [
        ("mail.eml", b"one", True),
        ("./mail.eml", b"one", True),
        ("/elsewhere/mail.eml", b"one", True),
        ("other.eml", b"one", False),
        ("mail.eml", b"two", False),
        ("-", b"one", False),
        ("caf\udce9.eml", b"one", False),
    ],
)
def test_file_names(name: str, raw: bytes, same: bool) -> None:  # noqa: FBT001 - a column of the table
    """The same file is the same delivery wherever it is named from; another name or other bytes are another one."""
    first = received_from_file("mail.eml", b"one", NOON)
    received = received_from_file(name, raw, NOON)

    assert (received.source_id == first.source_id) is same
    assert (received.source, received.raw, received.at) == ("file", raw, NOON)
