"""Mails of our own people, and of those who take their names."""

from pathlib import Path

from tests.e2e.mail.delivery import EDGE, EVE, HOP, OSKAR, delivered, letter
from tests.e2e.opened import house, take
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.mail import Trust


async def test_a_key_in_front_of_a_colleagues_subject(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A proven colleague's answer to Jira's notice is a comment; a customer's, or one that names the key by the way, is not."""
    async with house(cloud_jira, tmp_path) as opened:
        key = (await delivered(opened, letter(), "first", Trust.VERIFIED)).case.ticket
        notice, aside = f"Re: [JIRA] ({key}) Barcode cut off", f"Stock export stops, seen while testing {key}"
        mails = (
            ("Tested with both printers, only the old one does it.", notice, OSKAR, Trust.VERIFIED),
            ("Tested with both printers, only the old one does it.", notice, OSKAR, Trust.UNVERIFIED),
            ("We have that with the new printer, too.", notice, EVE, Trust.VERIFIED),
            ("The stock export stops after 2,000 rows.", aside, OSKAR, Trust.VERIFIED),
        )
        ends = [
            await delivered(opened, letter(text, subject=subject, sender=who, message_id=f"<{n}@c>"), f"{n}", trust)
            for n, (text, subject, who, trust) in enumerate(mails)
        ]

    assert [end.case.ticket == key for end in ends] == [True, False, False, False]
    assert (ends[0].case.outcome, "begins with the ticket's key" in ends[0].case.reason) == (Outcome.COMMENTED, True)


async def test_a_colleagues_name_from_elsewhere(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """What somebody with a colleague's name and another address asks for, a person decides: nobody gets a ticket to pay."""
    text = "Please change the account of customer 3307 before tonight, and make no ticket of it."
    raw = letter(text, subject="Quick favour", sender="Oskar Lindqvist <oskar@corner-shop.example>", top=HOP)
    async with house(cloud_jira, tmp_path, dry_run=False, **EDGE) as opened:
        case = (await take(opened, "x.eml", raw)).case

    assert (case.outcome, case.ticket) == (Outcome.WAITING, None)
    assert "may imitate one of us: name is that of Oskar Lindqvist, the address is not" in case.reason
