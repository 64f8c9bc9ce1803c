"""The pharmacy's tools: what they find, what they change, once, and what they refuse."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from triage.domain.errors import ToolRefused
from triage.domain.mail import Address, Trust
from triage.domain.ports.outside import HttpAnswer, OutsideContext
from triage_pharmacy import TOOLS
from triage_pharmacy.database import opened

NOW = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
TOOL = {tool.name: tool for tool in TOOLS}


class Fixed:
    """A clock that stands."""

    def now(self) -> datetime:
        """The time."""
        return NOW

    async def sleep(self, seconds: float) -> None:
        """Nobody sleeps here."""


@dataclass
class Answers:
    """A web that gives one answer and keeps what it was asked."""

    answer: HttpAnswer = field(default_factory=lambda: HttpAnswer(200, b'{"results": []}'))
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)

    async def request(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> HttpAnswer:
        """The answer."""
        self.asked.append((f"{method} {url}", params or {}))
        return self.answer


@pytest.fixture
def at(tmp_path: Path) -> OutsideContext:
    """A call for a mail of Jana."""
    return OutsideContext(
        case="case-7",
        sender=Address(address="jana@patient.example"),
        trust=Trust.VERIFIED,
        once="case-7:outside:1",
        data_dir=tmp_path,
        clock=Fixed(),
        http=Answers(),
    )


async def call(at: OutsideContext, name: str, **arguments: Any) -> Any:
    """Call a tool as Triage does."""
    return await TOOL[name].function(at, **arguments)


def boxes(at: OutsideContext, pharmacy: str, drug: str) -> int:
    """What is in stock."""
    with opened(at.data_dir) as connection:
        found = connection.execute("SELECT boxes FROM stock WHERE pharmacy = ? AND drug = ?", (pharmacy, drug))
        return int(found.fetchone()[0])


async def test_drugs_are_found_by_name_substance_and_without_accents(at: OutsideContext) -> None:
    """Every word must fit; what is in stock comes with the pharmacy, most boxes first, empty shelves not at all."""
    [found] = (await call(at, "search_drugs", query="horecin 500"))["drugs"]
    by_substance = (await call(at, "search_drugs", query="PARACETAMOL", limit=5))["drugs"]

    assert (found["name"], found["needs_prescription"]) == ("Horečin 500", False)
    assert [shelf["pharmacy_id"] for shelf in found["in_stock"]] == ["brno-most", "brno-lipa"]
    assert {drug["name"] for drug in by_substance} == {"Horečin 500", "Horečin sirup"}
    assert len((await call(at, "search_drugs", query="tablets", limit=2))["drugs"]) == 2


async def test_a_slip_of_the_pen_is_asked_back(at: OutsideContext) -> None:
    """Where nothing fits, near names are offered; where nothing is near, none."""
    assert await call(at, "search_drugs", query="bolestall") == {"drugs": [], "did_you_mean": ["Bolestal 400"]}
    assert await call(at, "search_drugs", query="qqqq") == {"drugs": []}


async def test_a_reservation_takes_one_box_once(at: OutsideContext) -> None:
    """The same call again answers the same and takes nothing more; another call takes another box."""
    before = boxes(at, "brno-lipa", "bolestal-400")
    first = await call(at, "manage_reservation", action="create", drug_name="Bolestal 400", pharmacy_id="brno-lipa")
    again = await call(at, "manage_reservation", action="create", drug_name="Bolestal 400", pharmacy_id="brno-lipa")
    other = await call(
        replace(at, once="case-7:outside:2"),
        "manage_reservation",
        action="create",
        drug_name="bolestal",
        pharmacy_id="brno-lipa",
    )

    assert (first, first["created"]["held_until"]) == (again, "2026-11-25 09:00")
    assert first["created"]["code"] != other["created"]["code"]
    assert boxes(at, "brno-lipa", "bolestal-400") == before - 2


async def test_many_at_once_take_no_box_that_is_not_there(at: OutsideContext) -> None:
    """Of eight customers who want the last box at the same time one gets it."""

    def one(number: int) -> bool:
        import asyncio

        own = replace(at, once=f"{number}", sender=Address(address=f"{number}@patient.example"))
        try:
            asyncio.run(
                call(own, "manage_reservation", action="create", drug_name="Bolestal 400", pharmacy_id="ostrava-hut")
            )
        except ToolRefused:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(one, range(8)))

    assert (sum(got), boxes(at, "ostrava-hut", "bolestal-400")) == (1, 0)


async def test_a_cancelled_box_is_back(at: OutsideContext) -> None:
    """Cancelling by drug or by code puts the box back, once."""
    before = boxes(at, "brno-most", "alergin-10")
    made = await call(at, "manage_reservation", action="create", drug_name="Alergin 10")
    code = made["created"]["code"]
    seen = await call(at, "manage_reservation", action="check", drug_name="alergin")
    gone = await call(replace(at, once="2"), "manage_reservation", action="cancel", drug_name=code.lower())

    assert [one["code"] for one in seen["reservations"]] == [code]
    assert (gone["cancelled"]["state"], boxes(at, "brno-most", "alergin-10")) == ("cancelled", before)
    with pytest.raises(ToolRefused, match="no such reservation"):
        await call(replace(at, once="3"), "manage_reservation", action="cancel", drug_name=code)


async def test_customers_see_their_own_reservations_only(at: OutsideContext) -> None:
    """Another sender learns of a reservation by its code alone; all who come through one help desk are apart, too."""
    made = await call(at, "manage_reservation", action="create", drug_name="Alergin 10")
    eve = replace(at, sender=Address(address="eve@evil.example"))
    desk = replace(
        at, sender=Address(address="desk@help.example"), options={"forwarders": "desk@help.example"}, once="d"
    )
    await call(desk, "manage_reservation", action="create", drug_name="Alergin 10")
    other = replace(desk, case="case-8")
    nobody = replace(at, sender=None, case="case-9")

    for stranger in (eve, other, nobody):
        assert await call(stranger, "manage_reservation", action="check", drug_name="alergin") == {"reservations": []}
    by_code = await call(eve, "manage_reservation", action="check", drug_name=made["created"]["code"])
    assert len(by_code["reservations"]) == 1
    assert len((await call(desk, "manage_reservation", action="check", drug_name="alergin"))["reservations"]) == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"drug_name": "Infekton"}, "needs a prescription"),
        ({"drug_name": "Horečin"}, "name one drug exactly: Horečin 500, Horečin sirup"),
        ({"drug_name": "bolestall"}, "name one drug exactly: Bolestal 400"),
        ({"drug_name": "qqqq"}, "there is no drug 'qqqq'"),
        ({"drug_name": "Bolestal 400"}, "is in stock at: brno-lipa, ostrava-hut, praha-vez"),
        ({"drug_name": "Bolestal 400", "pharmacy_id": "brno-most"}, "is in stock at"),
    ],
)
async def test_what_cannot_be_reserved_is_told(at: OutsideContext, arguments: Mapping[str, str], told: str) -> None:
    """A refusal says what to ask or to do instead, and changes nothing."""
    with pytest.raises(ToolRefused, match=told):
        await call(at, "manage_reservation", action="create", **arguments)
    with opened(at.data_dir) as connection:
        assert connection.execute("SELECT count(*) FROM reservations").fetchone()[0] == 0


async def test_a_customer_holds_three_at_most(at: OutsideContext) -> None:
    """Nobody empties the shelves by mail; what is out of stock is told as such."""
    for number in range(3):
        await call(
            replace(at, once=f"{number}"),
            "manage_reservation",
            action="create",
            drug_name="Horečin 500",
            pharmacy_id="brno-most",
        )
    with pytest.raises(ToolRefused, match="holds 3 reservations already"):
        await call(replace(at, once="4"), "manage_reservation", action="create", drug_name="Alergin 10")
    with pytest.raises(ToolRefused, match="name one of the codes"):
        await call(replace(at, once="5"), "manage_reservation", action="cancel", drug_name="Horečin")


async def test_the_last_box_is_out_of_stock(at: OutsideContext) -> None:
    """Where no pharmacy has a box, the model is told so."""
    with opened(at.data_dir) as connection:
        connection.execute("UPDATE stock SET boxes = 0 WHERE drug = 'alergin-10'")
    with pytest.raises(ToolRefused, match="out of stock everywhere"):
        await call(at, "manage_reservation", action="create", drug_name="Alergin 10")


async def test_the_web_is_asked_at_the_named_endpoint_only(at: OutsideContext) -> None:
    """Without an endpoint the search is off; with one, five results come back cut to size, and an error is told."""
    with pytest.raises(ToolRefused, match="off"):
        await call(at, "web_search", query="paracetamol")
    pages = ", ".join(f'{{"title": "{n}", "url": "https://a.example/{n}", "content": "{"x" * 900}"}}' for n in range(9))
    web = Answers(HttpAnswer(200, f'{{"results": [{pages}]}}'.encode()))
    on = replace(at, options={"endpoint": "https://search.partner.example/"}, http=web)
    found = (await call(on, "web_search", query="paracetamol & co"))["results"]

    assert web.asked == [("GET https://search.partner.example/search", {"q": "paracetamol & co", "format": "json"})]
    assert ([page["title"] for page in found], len(found[0]["content"])) == (["0", "1", "2", "3", "4"], 500)
    with pytest.raises(ToolRefused, match="503"):
        await call(replace(on, http=Answers(HttpAnswer(503, b""))), "web_search", query="x")
