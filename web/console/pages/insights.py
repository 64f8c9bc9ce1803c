"""Insights: charts of a period, each with its numbers as a table and for spreadsheets."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response
from markupsafe import Markup, escape
from starlette.exceptions import HTTPException

from triage.domain.operations.insights import Chart, ChartShape
from triage.domain.text.visible import visible
from triage.services.operations.insights import PERIODS, Insight
from web.console.console import Console
from web.console.guard import Viewer
from web.console.headers import PRIVATE
from web.console.insights.spreadsheet import csv_of
from web.console.insights.svg import drawn
from web.console.insights.units import with_unit

USUAL: Final = 30
NONE: Final = "\N{EN DASH}"
Project = Annotated[str, Query(max_length=40)]


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart as the page shows it."""

    chart: Chart
    svg: Markup | None
    """None: there is nothing to draw."""
    head: str
    """What a row is."""
    rows: Markup
    """Of the table behind it; written here, as templates are slow at thousands of cells."""


pages = APIRouter()


@pages.get("/insights")
async def insights(console: Console, _: Viewer, days: int = USUAL, project: Project = "") -> Response:
    found = await console.services.insights.insight(_period(days), project)
    facts = {"seen": found, "periods": PERIODS, "pictures": tuple(map(picture, found.charts))}
    return console.page("insights/page.html", **facts, figures=_figures(found))


@pages.get("/insights/{name}.csv")
async def numbers(console: Console, _: Viewer, name: str, days: int = USUAL, project: Project = "") -> Response:
    chart = (await console.services.insights.insight(_period(days), project)).chart(name)
    if chart is None:
        raise HTTPException(404)
    file = f'attachment; filename="triage-{chart.name}-{days}-days.csv"'
    headers = {**PRIVATE, "content-disposition": file, "content-type": "text/csv; charset=utf-8; header=present"}
    return Response(csv_of(chart), headers=headers)


def picture(chart: Chart) -> Picture:
    """Draw a chart and write its table; days without a value are left out of the table."""
    if chart.is_empty:
        return Picture(chart, None, "", Markup())
    cells = zip(*(one.values for one in chart.series), strict=True)
    rows = (_row(row, values, chart.unit) for row, values in zip(chart.rows, cells, strict=True) if any(values))
    head = "Name" if chart.shape is ChartShape.BARS else "Day (UTC)"
    return Picture(chart, drawn(chart), head, Markup("".join(rows)))  # noqa: S704 - `_row` escapes names


def _row(name: str, values: Iterable[float | None], unit: str) -> str:
    numbers = (NONE if value is None else with_unit(value, unit) for value in values)
    cells = "".join(f'<td class="number">{number}</td>' for number in numbers)
    return f'<tr><th scope="row">{escape(visible(name))}</th>{cells}</tr>'


def _period(days: int) -> int:
    """Return a period that there is. Raises `HTTPException` 404."""
    if days not in PERIODS:
        raise HTTPException(404)
    return days


def _figures(seen: Insight) -> tuple[tuple[str, str], ...]:
    """Name and value of what stands above the charts."""

    def or_none(value: float | None, unit: str) -> str:
        return NONE if value is None else with_unit(value, unit)

    return (
        ("mail ended" if seen.mails == 1 else "mails ended", str(seen.mails)),
        ("left unchanged", or_none(seen.agreement, "%")),
        ("median to a ticket", or_none(seen.p50, "s")),
        ("95th percentile", or_none(seen.p95, "s")),
        ("duplicate joined" if seen.joined == 1 else "duplicates joined", str(seen.joined)),
        ("models, all projects", with_unit(seen.cost, "USD")),
    )
