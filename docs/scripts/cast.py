"""Draws what a terminal showed as an SVG that plays: text, colours and two animations, no script and no font of others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from rich.text import Text

COLUMNS: Final = 92
ROWS: Final = 28
CELL: Final = 7.7
"""Width of a letter in pixels; the height of a line is 17."""
LINE: Final = 17
EDGE: Final = 16
HOLD: Final = 6.0
"""Seconds that the last picture stays."""
INK: Final = "#d6dde6"
COLOURS: Final = {
    f"color({number})": ink
    for number, ink in enumerate(("#8b96a5", "#f08a8a", "#8fd19e", "#e8c97a", "#8ab8f0", "#d7a1e8", "#7fd4d4"))
}
"""The first colours of a terminal, as rich names them."""


@dataclass(frozen=True, slots=True)
class Shot:
    """So many lines are there at this second."""

    at: float
    lines: int


def svg(lines: Sequence[str], shots: Sequence[Shot], title: str) -> str:
    """Draw the lines (with ANSI colours), revealed shot by shot; who wants no motion sees the last one."""
    seconds = shots[-1].at + HOLD
    rows = "".join(_line(number, text) for number, text in enumerate(lines))
    width, height = COLUMNS * CELL + 2 * EDGE, ROWS * LINE + 2 * EDGE
    reveal = _frames(shots, seconds, lambda shot: shot.lines * LINE)
    scroll = _frames(shots, seconds, lambda shot: -max(0, shot.lines - ROWS) * LINE)
    tall = len(lines) * LINE
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}">
<title>{escape(title)}</title>
<style>
text {{ font: 12.8px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: {INK}; white-space: pre }}
.b {{ font-weight: 600 }} .d {{ opacity: .65 }}
@keyframes scroll {{ {scroll} }}
@keyframes reveal {{ {reveal} }}
.page {{ transform: translateY({-max(0, len(lines) - ROWS) * LINE}px); animation: scroll {seconds:g}s step-end infinite }}
.cover {{ transform: translateY({tall}px); animation: reveal {seconds:g}s step-end infinite }}
@media (prefers-reduced-motion: reduce) {{ .page, .cover {{ animation: none }} }}
</style>
<clipPath id="v"><rect x="0" y="{EDGE}" width="{width:g}" height="{ROWS * LINE}"/></clipPath>
<rect width="100%" height="100%" rx="8" fill="#17202b"/>
<g clip-path="url(#v)"><g class="page">{rows}
<rect class="cover" x="0" y="{EDGE}" width="100%" height="{tall + ROWS * LINE}" fill="#17202b"/></g></g>
</svg>
"""


def _frames(shots: Sequence[Shot], seconds: float, place: Callable[[Shot], int]) -> str:
    return " ".join(f"{shot.at / seconds:.2%} {{ transform: translateY({place(shot)}px) }}" for shot in shots)


def _line(number: int, ansi: str) -> str:
    """One line; each run of a colour stands at its own place, whatever the font's width."""
    text = Text.from_ansi(ansi)
    y = EDGE + number * LINE + 13
    runs = "".join(_run(run, y) for run in _runs(text))
    return f"\n{runs}" if runs else ""


def _runs(text: Text) -> list[tuple[int, str, str, str]]:
    """Split a line into (column, letters, colour, classes); blanks between them are left out."""
    found: list[tuple[int, str, str, str]] = []
    for column, letter in enumerate(text.plain):
        styles = [
            span.style for span in text.spans if span.start <= column < span.end and not isinstance(span.style, str)
        ]
        colour = next((style.color.name for style in reversed(styles) if style.color), "")
        kind = "".join(
            name for name, on in (("b", any(s.bold for s in styles)), ("d", any(s.dim for s in styles))) if on
        )
        if found and found[-1][2:] == (colour, kind) and found[-1][0] + len(found[-1][1]) == column:
            found[-1] = (found[-1][0], found[-1][1] + letter, colour, kind)
        else:
            found.append((column, letter, colour, kind))
    return [run for run in found if run[1].strip()]


def _run(run: tuple[int, str, str, str], y: int) -> str:
    column, letters, colour, kind = run
    bare = letters.rstrip()
    start = column + len(bare) - len(bare := bare.lstrip())
    fill = f' style="fill:{COLOURS[colour]}"' if colour in COLOURS else ""
    group = f' class="{" ".join(kind)}"' if kind else ""
    return f'<text x="{EDGE + start * CELL:.1f}" y="{y}" textLength="{len(bare) * CELL:.1f}"{group}{fill}>{escape(bare)}</text>'
