"""The port `Contacts`, by a table of customers and by a real CardDAV server."""

import os
from pathlib import Path

import pytest

from integrations.contacts.carddav_contacts import CardDavContacts
from integrations.contacts.csv_contacts import CsvContacts
from integrations.contacts.directories import Directories
from integrations.dav.http_source import HttpSource
from tests.servers.radicale import PASSWORD, radicale
from triage.domain.calendar.contacts import Contact
from triage.domain.errors import SettingsInvalid, SourceDown

CARD = """BEGIN:VCARD
VERSION:3.0
UID:{uid}
FN:{name}
N:{name};;;;
ORG:Harbour Café;Sales
EMAIL;TYPE=work:{address}
CATEGORIES:gold
END:VCARD
"""


def _table(path: Path, text: str) -> CsvContacts:
    path.write_text(text, encoding="utf-8")
    return CsvContacts(path)


async def test_a_table_knows_addresses_and_domains(tmp_path: Path) -> None:
    """The very address wins over its domain; others are unknown; semicolons and a byte order mark do no harm."""
    text = "\N{ZERO WIDTH NO-BREAK SPACE}Address;Domain;Name;Level\nKim@Shop.example;;Kim;gold\n;@shop.example;Shop;silver\n"
    table = _table(tmp_path / "customers.csv", text)

    assert await table.find("kim@shop.example") == Contact(
        address="kim@shop.example", name="Kim", level="gold", source="customers.csv"
    )
    assert await table.find("lee@SHOP.example") == Contact(name="Shop", level="silver", source="customers.csv")
    assert await table.find("lee@other.example") is None


async def test_a_changed_table_is_read_again(tmp_path: Path) -> None:
    """Who edits the table need not restart anything; a table that is broken meanwhile is told, not forgotten."""
    path = tmp_path / "customers.csv"
    table = _table(path, "address,name\nkim@shop.example,Kim\n")
    path.write_text("address,name\nkim@shop.example,Kim Lee\n", encoding="utf-8")
    os.utime(path, ns=(1, 1))
    found = await table.find("kim@shop.example")
    path.write_text("who\nkim\n", encoding="utf-8")
    os.utime(path, ns=(2, 2))

    assert found
    assert found.name == "Kim Lee"
    with pytest.raises(SourceDown, match="unknown columns who"):
        await table.find("kim@shop.example")


@pytest.mark.parametrize(("text", "cure"), [("name\nKim\n", "no column address or domain"), ("", "no column")])
def test_a_table_without_addresses(tmp_path: Path, text: str, cure: str) -> None:
    """At start a table that cannot be used is refused with the columns that it may have."""
    with pytest.raises(SettingsInvalid, match=cure):
        _table(tmp_path / "customers.csv", text)


async def test_a_carddav_server_knows_its_cards(tmp_path: Path) -> None:
    """The card of the very address is found, and asked for once; the table before it is asked first."""
    with radicale(tmp_path) as server:
        url = server.collection("people", book=True)
        server.put(url, "kim.vcf", CARD.format(uid="1", name="Kim", address="kim@shop.example"))
        server.put(url, "ann.vcf", CARD.format(uid="2", name="Ann", address="ann.kim@shop.example"))
        cards = CardDavContacts(HttpSource(name="contacts.carddav", url=url, user="ada", password=PASSWORD))

        kim = await cards.find("Kim@shop.example")
        nobody = await cards.find("kim@other.example")

    table = _table(tmp_path / "customers.csv", "address,name\nlee@shop.example,Lee\n")
    both = Directories([table, cards])
    assert kim == Contact(
        address="kim@shop.example",
        name="Kim",
        organisation="Harbour Café, Sales",
        level="gold",
        source="contacts.carddav",
    )
    assert nobody is None
    assert await both.find("kim@shop.example") == kim
    assert (await both.find("lee@shop.example")) == Contact(
        address="lee@shop.example", name="Lee", source="customers.csv"
    )
