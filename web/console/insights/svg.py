"""Draws a chart as SVG: bars, stacked columns, lines. Colours are classes of the style sheet; what people wrote is escaped."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final

from markupsafe import Markup, escape

from triage.domain.operations.insights import Chart, ChartShape, Series
from triage.domain.text.counts import many
from triage.domain.text.truncation import truncated
from triage.domain.text.visible import visible
from web.console.insights.units import PARTED, ceiling, with_unit

WIDTH: Final = 480
HEIGHT: Final = 200
LEFT: Final = 52
BOTTOM: Final = 22
TOP: Final = 8
NAMES: Final = 150
"""Width of the names before bars."""
ROW: Final = 24
LONGEST: Final = 22
"""Characters of a name; the whole one is told when the mouse rests there, and in the table."""


def drawn(chart: Chart) -> Markup:
    """Return the picture, with title and description for those who do not see it."""
    parts = {ChartShape.STACKED: _columns, ChartShape.LINE: _lines, ChartShape.BARS: _bars}[chart.shape](chart)
    height = ROW * len(chart.rows) + TOP if chart.shape is ChartShape.BARS else HEIGHT
    return Markup(  # noqa: S704 - numbers, and texts that `_safe` has escaped
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="{chart.name}-t {chart.name}-d">'
        f'<title id="{chart.name}-t">{_safe(chart.title)}</title>'
        f'<desc id="{chart.name}-d">{_safe(summary(chart))}</desc>{"".join(parts)}</svg>'
    )


def summary(chart: Chart) -> str:
    """Say in a sentence what the picture shows."""
    values = [value for one in chart.series for value in one.values if value is not None]
    names = ", ".join(one.name for one in chart.series)
    highest = with_unit(max(values, default=0.0), chart.unit)
    where = (
        f"{chart.rows[0]} to {chart.rows[-1]}" if chart.shape is not ChartShape.BARS else many(len(chart.rows), "name")
    )
    return f"{chart.about} {where}: {names}; the highest value is {highest}. The numbers follow as a table."


def _columns(chart: Chart) -> Iterator[str]:
    """A column a day, the first series at the bottom."""
    top = ceiling(max(_sums(chart)), chart.unit)
    yield from _frame(chart, top)
    step, names = (WIDTH - LEFT) / len(chart.rows), [_safe(one.name) for one in chart.series]
    for place, row in enumerate(chart.rows):
        below, texts, boxes = 0.0, [row], ""
        for number, one in enumerate(chart.series):
            if value := one.values[place]:
                texts.append(f"{names[number]} {with_unit(value, chart.unit)}")
                upper, lower = _y(below + value, top), _y(below, top)
                boxes += _box(number, LEFT + step * place, upper, step * 0.8, lower - upper)
                below += value
        if boxes:
            yield _group(texts, boxes)


def _lines(chart: Chart) -> Iterator[str]:
    """A line a series, broken where there is no value."""
    values = [value for one in chart.series for value in one.values if value is not None]
    top = 100.0 if chart.unit == "%" else ceiling(max(values), chart.unit)
    yield from _frame(chart, top)
    step = (WIDTH - LEFT) / len(chart.rows)
    for number, one in enumerate(chart.series):
        name = _safe(one.name)
        for stretch in _stretches(one):
            points = [(LEFT + step * (place + 0.4), _y(value, top)) for place, value in stretch]
            yield f'<polyline class="l{number}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>'
            for (x, y), (place, value) in zip(points, stretch, strict=True):
                dot = f'<circle class="c{number}" cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>'
                yield _group([chart.rows[place], f"{name} {with_unit(value, chart.unit)}"], dot)


def _stretches(one: Series) -> Iterator[list[tuple[int, float]]]:
    """Yield places and values without a gap between them."""
    stretch: list[tuple[int, float]] = []
    for place, value in enumerate(one.values):
        if value is not None:
            stretch.append((place, value))
        elif stretch:
            yield stretch
            stretch = []
    if stretch:
        yield stretch


def _bars(chart: Chart) -> Iterator[str]:
    """A bar a name, its series one behind the other, and their sum."""
    sums = _sums(chart)
    scale = (WIDTH - NAMES - 70) / max(sums)
    for place, row in enumerate(chart.rows):
        y, x = TOP + ROW * place, float(NAMES)
        texts = [_safe(row)]
        drawn = _text("end", NAMES - 8, y + 13, truncated(row, LONGEST))
        for number, one in enumerate(chart.series):
            value = one.values[place] or 0.0
            texts.append(f"{_safe(one.name)} {with_unit(value, chart.unit)}")
            drawn += _box(number, x, y, value * scale, 16)
            x += value * scale
        yield _group(texts, drawn + _text("start", x + 6, y + 13, with_unit(sums[place], chart.unit)))


def _sums(chart: Chart) -> list[float]:
    return [sum(filter(None, values)) for values in zip(*(one.values for one in chart.series), strict=True)]


def _frame(chart: Chart, top: float) -> Iterator[str]:
    """Three lines with their values, and the first, middle and last day."""
    half = (top / 2,) if chart.unit in PARTED or not top % 2 else ()  # there is no half mail
    for value in (0.0, *half, top):
        y = _y(value, top)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH}"/>'
        yield _text("end", LEFT - 6, y + 4, with_unit(value, chart.unit))
    last = len(chart.rows) - 1
    middle = LEFT + (WIDTH - LEFT) * (last // 2 + 0.4) / (last + 1)
    for anchor, x, place in (("start", LEFT, 0), ("middle", middle, last // 2), ("end", WIDTH, last)):
        yield _text(anchor, x, HEIGHT - 4, f"{date.fromisoformat(chart.rows[place]):%-d %b}")


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top


def _box(series: int, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="c{series}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def _text(anchor: str, x: float, y: float, words: str) -> str:
    return f'<text class="{anchor}" x="{x:.1f}" y="{y:.1f}">{_safe(words)}</text>'


def _group(texts: Iterable[str], parts: str) -> str:
    """Draw parts that show the same texts when the mouse rests on them; the texts are escaped already."""
    return f"<g><title>{', '.join(texts)}</title>{parts}</g>"


def _safe(text: str) -> str:
    """What people wrote, as text of a picture."""
    return str(escape(visible(text)))
