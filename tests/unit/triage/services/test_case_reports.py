"""What commands may read of cases."""

from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from triage.domain.errors import CaseNotFound
from triage.domain.ports import Archive
from triage.services.case_reports import CaseReports


@dataclass
class Shelf:
    """An archive that notes what it is asked."""

    asked: list[tuple[Any, ...]] = field(default_factory=list)

    async def cases(self, *asked: Any) -> tuple[Any, ...]:
        """As the port says."""
        self.asked.append(("cases", *asked))
        return ()

    async def counts(self) -> dict[str, int]:
        """As the port says."""
        return {"ticketed": 3}

    async def floods(self, limit: int) -> tuple[Any, ...]:
        """As the port says."""
        self.asked.append(("floods", limit))
        return ()

    async def report(self, case: str) -> Any:
        """As the port says."""
        self.asked.append(("report", case))

    async def raw(self, case: str) -> bytes:
        """As the port says."""
        self.asked.append(("raw", case))
        return b"raw"


@pytest.mark.parametrize(("given", "asked"), [(None, None), ("17", "case-17"), ("case-17", "case-17")])
async def test_a_page_takes_the_case_as_people_write_it(given: str | None, asked: str | None) -> None:
    """`17` and `case-17` are the same case, and the page has counts of all cases."""
    shelf = Shelf()
    page = await CaseReports(archive=cast("Archive", shelf)).page(5, "waiting", given)

    assert shelf.asked == [("cases", 5, "waiting", asked), ("floods", 5)]
    assert page.counts == {"ticketed": 3}


async def test_a_report_takes_the_case_as_people_write_it() -> None:
    """So do a report and the raw mail; what is no case is not asked for."""
    shelf = Shelf()
    reports = CaseReports(archive=cast("Archive", shelf))
    await reports.report("17")

    assert await reports.raw(" CASE-17 ") == b"raw"
    assert shelf.asked == [("report", "case-17"), ("raw", "case-17")]
    with pytest.raises(CaseNotFound):
        await reports.report("../17")
