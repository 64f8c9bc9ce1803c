"""Charts as pictures."""

from xml.etree import ElementTree as ET

import pytest

from triage.domain.operations.insights import Chart, ChartShape, Series
from web.console.insights.svg import HEIGHT, WIDTH, drawn

SVG = "{http://www.w3.org/2000/svg}"
DAYS = tuple(f"2026-11-{day:02}" for day in range(1, 8))


def chart(shape: ChartShape, rows: tuple[str, ...], *series: tuple[float | None, ...], unit: str = "mails") -> Chart:
    """A chart with these values."""
    named = tuple(Series(f"series <{number}>", values) for number, values in enumerate(series))
    return Chart(name="x", title="A & B", about="About it.", shape=shape, unit=unit, rows=rows, series=named)


def parsed(made: Chart) -> ET.Element:
    """The picture as a tree; it is well formed whatever names say."""
    return ET.fromstring(drawn(made))  # noqa: S314 - our own


def all_of(tree: ET.Element, name: str) -> list[ET.Element]:
    """Elements of a name."""
    return [one for one in tree.iter() if one.tag.removeprefix(SVG) == name]


def test_columns() -> None:
    """Parts stand on each other, none leaves the picture, zeros draw nothing, and the mouse is told the numbers."""
    tree = parsed(chart(ChartShape.STACKED, DAYS, (1, 2, 0, 4, 5, 6, 7), (3, 3, 0, 3, 3, 3, 3)))
    boxes = all_of(tree, "rect")

    assert len(boxes) == 12
    for box in boxes:
        x, y, width, height = (float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + width <= WIDTH
        assert 0 <= y <= y + height <= HEIGHT
    lower, upper = boxes[0].attrib, boxes[1].attrib
    assert float(upper["y"]) + float(upper["height"]) == pytest.approx(float(lower["y"]), abs=0.2)
    assert "2026-11-01, series <0> 1, series <1> 3" in [one.text for one in all_of(tree, "title")]


def test_there_is_no_half_mail() -> None:
    """An axis of counts has no line between 0 and 1; one of times has."""
    counts, times = (parsed(chart(ChartShape.LINE, DAYS[:2], (0, 1), unit=unit)) for unit in ("mails", "s"))

    assert [one.text for one in all_of(counts, "text")][:2] == ["0", "1"]
    assert "0.5 s" in [one.text for one in all_of(times, "text")]


def test_lines() -> None:
    """A day without a value breaks the line; a lone day is a point."""
    tree = parsed(chart(ChartShape.LINE, DAYS, (90, 95, None, 100, None, 80, 85), unit="%"))

    assert [len(one.attrib["points"].split()) for one in all_of(tree, "polyline")] == [2, 1, 2]
    assert len(all_of(tree, "circle")) == 5
    assert "100 %" in [one.text for one in all_of(tree, "text")]


def test_bars() -> None:
    """A bar a name, series one behind the other; a long name is cut in the picture, whole for the mouse."""
    name = "a very long component's name, longer than its place"
    tree = parsed(chart(ChartShape.BARS, (name, "short"), (4, 0), (2, 1)))
    texts = [one.text for one in all_of(tree, "text")]

    assert texts == [f"{name[:21]}…", "6", "short", "1"]
    assert any((one.text or "").startswith(name) for one in all_of(tree, "title"))
    first, second = all_of(tree, "rect")[:2]
    assert float(first.attrib["x"]) + float(first.attrib["width"]) == pytest.approx(float(second.attrib["x"]), abs=0.2)


@pytest.mark.parametrize("shape", ChartShape)
def test_who_does_not_see(shape: ChartShape) -> None:
    """Each picture has a role, a title and a description with its span and highest value, and no inline style."""
    picture = drawn(chart(shape, DAYS[:2], (1, 2)))
    tree = ET.fromstring(picture)  # noqa: S314 - our own
    title, about = all_of(tree, "title")[0], all_of(tree, "desc")[0]

    assert tree.attrib["role"] == "img"
    assert tree.attrib["aria-labelledby"] == f"{title.attrib['id']} {about.attrib['id']}"
    assert title.text == "A & B"
    assert "the highest value is 2" in str(about.text)
    assert "style" not in picture
    assert "script" not in picture


def test_hostile_names() -> None:
    """What people wrote is text, and shows what is invisible in it."""
    evil = '"><script>alert(1)</script>\u202e'
    picture = drawn(chart(ChartShape.BARS, (evil,), (1,)))

    assert "<script" not in picture
    assert "\u202e" not in picture
