"""A proven sender's mail goes to the ticket that he means: at once where the ticket names his organisation, else after a person's word."""

from pathlib import Path

import pytest

from tests.e2e.mail.delivery import EVE, delivered, letter
from tests.e2e.opened import house
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.findings import Disposition
from triage.domain.mail import Trust

SHOP = "Dora <dora@corner-shop.example>"
REPORT = "Our printer at Corner-Shop Harbour prints labels whose barcode is cut off on the right."
OURS = "<7@harbourline.example>"


@pytest.mark.parametrize(
    ("subject", "sender", "trust", "quotes", "ended"),
    [
        ("Re: [{}] Barcode cut off", SHOP, Trust.VERIFIED, False, Outcome.COMMENTED),
        ("{} - and with the new printer", SHOP, Trust.VERIFIED, False, Outcome.COMMENTED),
        ("Re: Your printers", SHOP, Trust.VERIFIED, True, Outcome.COMMENTED),
        ("Re: [{}] Barcode cut off", EVE, Trust.VERIFIED, False, Outcome.WAITING),
        ("Re: Your printers", EVE, Trust.VERIFIED, True, Outcome.WAITING),
        ("Re: Barcode cut off", SHOP, Trust.VERIFIED, False, Outcome.COMMENTED),
        ("Re: [{}] Barcode cut off", SHOP, Trust.UNVERIFIED, False, Outcome.TICKETED),
        ("Stock export stops, seen while testing {}", SHOP, Trust.VERIFIED, False, Outcome.TICKETED),
    ],
)
async def test_an_outsider_means_a_ticket(
    tmp_path: Path,
    cloud_jira: RunningJira,
    subject: str,
    sender: str,
    trust: Trust,
    ended: Outcome,
    *,
    quotes: bool,
) -> None:
    """The key leads the subject, or stands alone in our mail that is answered; who is not proven, or names it by the way, gets a ticket."""
    async with house(cloud_jira, tmp_path) as opened:
        key = (await delivered(opened, letter(REPORT, message_id="<1@elsewhere.example>"), "first")).case.ticket or ""
        quote = f"\n\nOn Friday Oskar wrote:\n> Dear all, please try both printers for {key}.\n" if quotes else ""
        text = f"Tested with both printers, only the old one does it, and only with the long labels.{quote}"
        raw = letter(
            text,
            subject=subject.format(key),
            sender=sender,
            message_id="<2@x>",
            thread=OURS if quotes else f"<jira.{key}.1795@jira.harbourline.example>",
        )
        case = (await delivered(opened, raw, "second", trust)).case

    assert case.outcome is ended
    assert (case.ticket == key) == (ended is Outcome.COMMENTED)
    finding = case.classification.disposition
    assert finding
    assert (finding.disposition is Disposition.ADDITION) == (ended is not Outcome.TICKETED)
    assert ended is not Outcome.WAITING or f"{key} would get a comment" in case.reason


async def test_the_table_says_what_becomes_of_additions(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Where triage.yaml hands additions to a person, one that is found by its key waits, too."""
    rules = tmp_path / "triage.yaml"
    rules.write_text("dispositions:\n  addition: person\n", encoding="utf-8")
    async with house(cloud_jira, tmp_path, TRIAGE_CONFIG=str(rules)) as opened:
        key = (await delivered(opened, letter(REPORT, message_id="<1@elsewhere.example>"), "first")).case.ticket or ""
        raw = letter("Only the old printer does it.", subject=f"Re: [{key}] Barcode", sender=SHOP, message_id="<2@x>")
        case = (await delivered(opened, raw, "second", Trust.VERIFIED)).case

    assert (case.outcome, case.ticket) == (Outcome.WAITING, None)
    assert f"about {key}: it names the ticket" in case.reason
