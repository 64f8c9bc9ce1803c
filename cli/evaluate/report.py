"""HTML reports of `triage eval`: one page without scripts or links, with tables and SVG plots.

`ReportPage` collects what a command shows, `write` stores it. A plot is a function that returns its SVG. All texts are escaped.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Final

from triage.domain.errors import SettingsInvalid
from triage.domain.text.truncation import truncated
from triage.domain.text.visible import visible

Points = Sequence[tuple[float, float]]
"""(x, y) in the order in which they are joined."""

WIDTH: Final = 640
HEIGHT: Final = 360
LEFT: Final = 64
RIGHT: Final = 16
TOP: Final = 16
BOTTOM: Final = 48
TICKS: Final = 5
COLOURS: Final = ("#2563eb", "#d97706", "#059669", "#9333ea", "#dc2626", "#475569")
BINS: Final = 10
"""Groups of predictions in a calibration plot."""
BAR: Final = 26
LABEL: Final = 190
LONGEST_LABEL: Final = 28
STYLE: Final = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#0f172a;background:#fff}"
    "table{border-collapse:collapse;margin:.5rem 0}td,th{border:1px solid #cbd5e1;padding:.2rem .6rem;text-align:right}"
    "th{background:#f1f5f9}td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}"
    "svg text{font:12px system-ui,sans-serif;fill:#334155}"
)


@dataclass(slots=True)
class ReportPage:
    """A report under construction."""

    title: str
    summary: str = ""
    """What was measured, in a sentence."""
    _parts: list[str] = field(default_factory=list)

    def table(self, heading: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Add a table; numbers have three decimals."""
        head = "".join(f"<th>{_text(name)}</th>" for name in columns)
        body = "".join(f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>" for row in rows)
        self._add(heading, f"<table><tr>{head}</tr>{body}</table>")

    def figures(self, heading: str, figures: Mapping[str, object]) -> None:
        """Add a table of names and values."""
        self.table(heading, ("figure", "value"), figures.items())

    def plot(self, heading: str, svg: str) -> None:
        """Add the result of one of the plot functions below."""
        self._add(heading, svg)

    def html(self) -> str:
        title, intro = _text(self.title), f"<p>{_text(self.summary)}</p>" if self.summary else ""
        policy = (
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        )
        head = f'<meta charset="utf-8">{policy}<title>{title}</title><style>{STYLE}</style>'
        return f'<!doctype html><html lang="en"><head>{head}</head><body><h1>{title}</h1>{intro}{"".join(self._parts)}</body></html>\n'

    def write(self, path: Path) -> None:
        """Write the page to a file. Raises `SettingsInvalid` if that is impossible."""
        try:
            path.write_text(self.html(), encoding="utf-8")
        except OSError as e:
            raise SettingsInvalid((f"{path} cannot be written: {e.strerror}",)) from e

    def _add(self, heading: str, content: str) -> None:
        self._parts.append(f"<h2>{_text(heading)}</h2>{content}")


def curve(series: Mapping[str, Points], x: str, y: str, *, top: float = 1.0) -> str:
    """Plot lines by name, such as recall by k; `y` runs from 0 to `top`."""
    axes = _Axes.of([point for points in series.values() for point in points], top)
    drawn = "".join(
        axes.line(points, colour) + "".join(axes.dot(point, colour, f"{name}: {_text(point[1])}") for point in points)
        for (name, points), colour in zip(series.items(), _colours(len(series)), strict=True)
    )
    return _svg(f"{axes.frame(x, y)}{drawn}{_legend(tuple(series))}")


def precision_by_coverage(answers: Iterable[tuple[float, bool]]) -> str:
    """Plot the precision of the surest answers by their share; an answer is (confidence, right)."""
    ordered = sorted(answers, key=lambda answer: -answer[0])
    rights = 0
    points: list[tuple[float, float]] = []
    for count, (_, right) in enumerate(ordered, 1):
        rights += right
        points.append((count / len(ordered), rights / count))
    step = max(1, len(points) // 50)
    return curve({"precision": points[step - 1 :: step]}, "share of the cases that are answered", "precision")


def calibration(answers: Iterable[tuple[float, bool]]) -> str:
    """Plot how often answers of a confidence are right; on the diagonal, a confidence says the truth."""
    groups = calibrated(answers)
    points = [(expected, came) for expected, came, _ in groups]
    axes = _Axes(0.0, 1.0, 1.0)
    dots = "".join(
        axes.dot(
            (expected, came),
            COLOURS[0],
            f"{count} answers: {expected:.2f} said, {came:.2f} right",
            3 + min(9, count**0.3),
        )
        for expected, came, count in groups
    )
    ideal = axes.line([(0.0, 0.0), (1.0, 1.0)], "#94a3b8")
    return _svg(f"{axes.frame('confidence', 'share that is right')}{ideal}{axes.line(points, COLOURS[0])}{dots}")


def calibrated(answers: Iterable[tuple[float, bool]]) -> list[tuple[float, float, int]]:
    """Group answers by tenths of confidence; return (mean confidence, share right, count) per group."""
    groups: dict[int, list[tuple[float, bool]]] = {}
    for expected, right in answers:
        groups.setdefault(min(BINS - 1, int(expected * BINS)), []).append((expected, right))
    return [
        (sum(expected for expected, _ in group) / len(group), sum(right for _, right in group) / len(group), len(group))
        for _, group in sorted(groups.items())
    ]


def bars(values: Mapping[str, float], *, top: float | None = None) -> str:
    """Plot one horizontal bar per name; `top` is the value of a bar of full length, by default the largest one."""
    most = top or max(values.values(), default=0.0) or 1.0
    room = WIDTH - LABEL - LEFT
    rows = "".join(
        f'<text x="{LABEL - 8}" y="{at * BAR + 18}" text-anchor="end">{_text(truncated(name, LONGEST_LABEL))}</text>'
        f'<rect x="{LABEL}" y="{at * BAR + 5}" width="{room * max(0.0, min(1.0, value / most)):.1f}" height="{BAR - 8}" '
        f'fill="{COLOURS[0]}"><title>{_text(name)}: {_text(value)}</title></rect>'
        f'<text x="{LABEL + room * max(0.0, min(1.0, value / most)) + 6:.1f}" y="{at * BAR + 18}">{_text(value)}</text>'
        for at, (name, value) in enumerate(values.items())
    )
    return _svg(rows, height=max(1, len(values)) * BAR + 4)


def confusion(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Return a table of expected (rows) against actual values (columns); darker means more of the row."""
    names = list(dict.fromkeys([*counts, *(name for row in counts.values() for name in row)]))
    head = "".join(f"<th>{_text(name)}</th>" for name in names)
    rows = ""
    for expected in names:
        row = counts.get(expected, {})
        total = sum(row.values()) or 1
        cells = "".join(
            f'<td style="background:rgba({"5,150,105" if name == expected else "220,38,38"},{0.7 * row.get(name, 0) / total:.2f})">'
            f"{row.get(name, 0) or ''}</td>"
            for name in names
        )
        rows += f"<tr><th>{_text(expected)}</th>{cells}</tr>"
    return f"<table><tr><th>expected \\ got</th>{head}</tr>{rows}</table>"


@dataclass(frozen=True, slots=True)
class _Axes:
    """Turns values into places in the drawing."""

    low: float
    high: float
    top: float

    @classmethod
    def of(cls, points: Points, top: float) -> "_Axes":
        low, high = min((x for x, _ in points), default=0.0), max((x for x, _ in points), default=1.0)
        return cls(low, high if high > low else low + 1.0, top)

    def place(self, point: tuple[float, float]) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * (point[0] - self.low) / (self.high - self.low)
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * point[1] / self.top
        return round(x, 1), round(y, 1)

    def line(self, points: Points, colour: str) -> str:
        placed = " ".join(f"{x},{y}" for x, y in map(self.place, points))
        return f'<polyline points="{placed}" fill="none" stroke="{colour}" stroke-width="2"/>'

    def dot(self, point: tuple[float, float], colour: str, label: str, size: float = 3) -> str:
        x, y = self.place(point)
        return f'<circle cx="{x}" cy="{y}" r="{size:.1f}" fill="{colour}"><title>{_text(label)}</title></circle>'

    def frame(self, x: str, y: str) -> str:
        """Return grid, numbers and names of the axes."""
        right, floor = WIDTH - RIGHT, HEIGHT - BOTTOM
        lines = ""
        for tick in range(TICKS + 1):
            at, up = self.low + (self.high - self.low) * tick / TICKS, self.top * tick / TICKS
            across, down = self.place((at, up))
            lines += f'<line x1="{LEFT}" x2="{right}" y1="{down}" y2="{down}" stroke="#e2e8f0"/>'
            lines += f'<text x="{LEFT - 8}" y="{down + 4}" text-anchor="end">{up:.3g}</text>'
            lines += f'<text x="{across}" y="{floor + 18}" text-anchor="middle">{at:.3g}</text>'
        middle = (TOP + floor) / 2
        return (
            f'{lines}<text x="{(LEFT + right) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{_text(x)}</text>'
            f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">{_text(y)}</text>'
        )


def _legend(names: Sequence[str]) -> str:
    """Name the lines, if there are several, below the top of the drawing on the right."""
    if len(names) <= 1:
        return ""
    return "".join(
        f'<rect x="{WIDTH - 200}" y="{HEIGHT - BOTTOM - 18 * (len(names) - at)}" width="12" height="12" fill="{colour}"/>'
        f'<text x="{WIDTH - 182}" y="{HEIGHT - BOTTOM - 18 * (len(names) - at) + 11}">{_text(truncated(name, LONGEST_LABEL))}</text>'
        for at, (name, colour) in enumerate(zip(names, _colours(len(names)), strict=True))
    )


def _svg(content: str, *, height: int = HEIGHT) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">{content}</svg>'


def _colours(count: int) -> tuple[str, ...]:
    return tuple(COLOURS[at % len(COLOURS)] for at in range(count))


def _text(value: object) -> str:
    """Escape a value for HTML; a fraction gets three decimals."""
    return escape(visible(f"{value:.3f}" if isinstance(value, float) else str(value)))
