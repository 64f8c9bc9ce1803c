"""The contact tool looks up the mail's sender, and nobody else."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from triage.domain.calendar.contacts import Contact
from triage.domain.cases import Case
from triage.domain.errors import SourceDown
from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted
from triage.toolsets.contacts.tools import get_contact

CASE = Case(
    id="case-1",
    source="file",
    received_at=datetime(2026, 11, 20, tzinfo=UTC),
    message=Message(sender=Address(name=Untrusted("Kim"), address="Kim@shop.example"), subject=Untrusted("it")),
)


@dataclass
class Directory:
    """Knows one address, or is down."""

    down: bool = False
    asked: list[str] = field(default_factory=list)

    async def find(self, address: str) -> Contact | None:
        """The contact of the one address."""
        self.asked.append(address)
        if self.down:
            raise SourceDown("contacts.carddav", "answers 503")
        return Contact(address="kim@shop.example", name="Kim", level="gold") if address == "Kim@shop.example" else None


@dataclass
class At:
    """What the tool reads."""

    case: Case
    contacts: Directory | None


async def test_the_sender_is_known() -> None:
    """What the directory holds is told with the trust in the address; empty fields are left out."""
    told = await get_contact.function(At(CASE, Directory()))

    assert told == {"known": True, "trust": "unverified", "address": "kim@shop.example", "name": "Kim", "level": "gold"}
    assert not get_contact.spec.parameters["properties"]


async def test_the_sender_is_unknown() -> None:
    """Another address, a mail without a sender, and no directory at all are not known."""
    other = replace(CASE, message=replace(CASE.mail, sender=Address(name=Untrusted(""), address="lee@shop.example")))
    nobody = replace(CASE, message=replace(CASE.mail, sender=None))

    for at in (At(other, Directory()), At(nobody, Directory()), At(CASE, None)):
        assert await get_contact.function(at) == {"known": False, "trust": "unverified"}


async def test_a_directory_that_is_down() -> None:
    """The model reads that it could not be asked."""
    assert "503" in (await get_contact.function(At(CASE, Directory(down=True))))["error"]
