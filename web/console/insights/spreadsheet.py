"""A chart as CSV whose cells no spreadsheet takes for a formula."""

import csv
from io import StringIO
from typing import Final

from triage.domain.operations.insights import Chart, ChartShape
from triage.domain.text.visible import visible

STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "|", "%")
"""First characters by which spreadsheets begin a formula or a command (OWASP, CSV injection)."""


def csv_of(chart: Chart) -> str:
    """Return a line for each row; numbers are whole, not as charts write them."""
    out = StringIO()
    write = csv.writer(out, lineterminator="\r\n")
    head = "name" if chart.shape is ChartShape.BARS else "day (UTC)"
    write.writerow([head, *(inert(f"{one.name} ({chart.unit})") for one in chart.series)])
    for place, row in enumerate(chart.rows):
        values = (one.values[place] for one in chart.series)
        write.writerow([inert(row), *("" if value is None else f"{value:.6g}" for value in values)])
    return out.getvalue()


def inert(text: str) -> str:
    """Return the text as a cell that is shown as it stands."""
    shown = visible(text)
    return f"'{shown}" if shown.lstrip().startswith(STARTS) else shown
