"""The port `Contacts` over one address book of a CardDAV server (RFC 6352)."""

from typing import Final
from xml.sax.saxutils import escape

from cachetools import TTLCache
from icalendar.parser import Contentlines

from integrations.dav.http_source import HttpSource, texts_in
from triage.domain.calendar.contacts import Contact

FRESH: Final = 300.0
LONGEST: Final = 500
QUERY: Final = """<?xml version="1.0" encoding="utf-8"?>
<C:addressbook-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav">
  <D:prop><C:address-data/></D:prop>
  <C:filter><C:prop-filter name="EMAIL">
    <C:text-match collation="i;unicode-casemap" match-type="equals">{address}</C:text-match>
  </C:prop-filter></C:filter>
</C:addressbook-query>"""


class CardDavContacts:
    """Asks the server for one address at a time; answers are kept for five minutes."""

    def __init__(self, source: HttpSource) -> None:
        self._source = source
        self._kept: TTLCache[str, Contact | None] = TTLCache(maxsize=1000, ttl=FRESH)

    async def find(self, address: str) -> Contact | None:
        """Find the card of this very address. Raises `SourceDown`."""
        address = address.strip().casefold()
        if address not in self._kept:
            headers = {"Depth": "1", "Content-Type": "application/xml; charset=utf-8"}
            query = QUERY.format(address=escape(address))
            _, body, _ = await self._source.ask("REPORT", body=query, headers=headers)
            cards = texts_in(self._source.name, body, "{urn:ietf:params:xml:ns:carddav}address-data")
            found = (_contact(card.decode(), address, self._source.name) for card in cards)
            self._kept[address] = next((one for one in found if one), None)
        return self._kept[address]


def _contact(card: str, address: str, source: str) -> Contact | None:
    """Read a vCard; None if it does not hold the address, whatever the server's filter thought."""
    fields: dict[str, list[str]] = {}
    for line in Contentlines.from_ical(card):  # type: ignore[no-untyped-call]  # the library's
        name, _, value = line.parts() if line else ("", {}, "")
        fields.setdefault(name.upper().rpartition(".")[2], []).append(str(value).strip()[:LONGEST])
    if address not in {one.casefold() for one in fields.get("EMAIL", ())}:
        return None
    organisation = fields.get("ORG", [""])[0].replace("\\\\;", ";").strip(";").replace(";", ", ")
    return Contact(
        address=address,
        name=fields.get("FN", [""])[0],
        organisation=organisation,
        level=fields.get("CATEGORIES", [""])[0],
        note=fields.get("NOTE", [""])[0],
        source=source,
    )
