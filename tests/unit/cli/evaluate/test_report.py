"""Reports of `triage eval`: what a page holds, and that no text of the data becomes markup."""

import re
from pathlib import Path

import pytest

from cli.evaluate import report
from triage.domain.errors import SettingsInvalid

EVIL = '<script>alert("1")</script>&\u202eabc'


def page() -> report.ReportPage:
    """A page with each kind of content, all named by a hostile text."""
    made = report.ReportPage(EVIL, EVIL)
    made.figures(EVIL, {EVIL: EVIL, "recall": 0.12345})
    made.plot("curve", report.curve({EVIL: [(1, 0.4), (10, 0.8)], "other": [(1, 0.3), (10, 0.5)]}, EVIL, EVIL))
    made.plot("bars", report.bars({EVIL: 3.0, "none": 0.0}))
    made.plot("confusion", report.confusion({EVIL: {EVIL: 3, "b": 1}, "b": {"b": 2}}))
    return made


def test_no_text_becomes_markup() -> None:
    """Texts of the data are escaped wherever they stand, and invisible characters are gone."""
    html = page().html()

    assert "<script" not in html
    assert "\u202e" not in html
    assert "&lt;script&gt;" in html


def test_a_page_loads_nothing() -> None:
    """A report needs no other file, script or server."""
    html = page().html()

    assert re.findall(r"(?:src|href)=", html) == []
    assert "default-src 'none'" in html


def test_numbers_have_three_decimals() -> None:
    """A table shows a fraction by three decimals and a count as it is."""
    made = report.ReportPage("figures")
    made.figures("all", {"recall": 0.12345, "queries": 7})

    assert "<td>recall</td><td>0.123</td>" in made.html()
    assert "<td>queries</td><td>7</td>" in made.html()


def test_a_curve_places_its_points() -> None:
    """The lowest x is left, the highest right; 0 is the floor and `top` the ceiling."""
    drawn = report.curve({"recall": [(1, 0.0), (20, 1.0)]}, "k", "recall")

    assert re.findall(r'points="([^"]*)"', drawn) == ["64.0,312.0 624.0,16.0"]


def test_a_curve_without_points_is_a_frame() -> None:
    """Nothing to draw is no error."""
    assert report.curve({"recall": []}, "k", "recall").startswith("<svg")


def test_several_lines_are_named() -> None:
    """A legend stands where there is more than one line, and only there."""
    one = report.curve({"first": [(0, 0)]}, "x", "y")
    two = report.curve({"first": [(0, 0)], "second": [(0, 1)]}, "x", "y")

    assert ">first</text>" not in one
    assert ">first</text>" in two


def test_calibration_groups_by_confidence() -> None:
    """Answers of about the same confidence are one group: its mean, the share that was right, and the count."""
    answers = [(0.12, True), (0.18, False), (0.95, True), (1.0, True)]

    assert [(round(said, 3), came, count) for said, came, count in report.calibrated(answers)] == [
        (0.15, 0.5, 2),
        (0.975, 1.0, 2),
    ]


def test_a_calibration_plot_tells_the_counts() -> None:
    """Each dot says how many answers it stands for."""
    assert "2 answers: 0.15 said, 0.50 right" in report.calibration([(0.12, True), (0.18, False)])


def test_precision_falls_with_coverage() -> None:
    """The surest answers come first: precision 1 at first, the mean at the end."""
    drawn = report.precision_by_coverage([(0.9, True), (0.1, False)])

    assert re.findall(r"<title>(.*?)</title>", drawn) == ["precision: 1.000", "precision: 0.500"]


def test_bars_are_as_long_as_their_values() -> None:
    """The largest value has a bar of full length, half of it half of that; `top` sets another full length."""
    lengths = [
        float(length) for length in re.findall(r'width="([\d.]+)" height="18"', report.bars({"a": 2.0, "b": 1.0}))
    ]
    half = re.findall(r'width="([\d.]+)" height="18"', report.bars({"a": 0.5}, top=1.0))

    assert lengths[0] == 2 * lengths[1]
    assert [float(length) for length in half] == [lengths[1]]


def test_a_confusion_matrix_has_every_name_in_rows_and_columns() -> None:
    """A value that was never expected, or never given, has its row and column all the same."""
    told = report.confusion({"bug": {"task": 2}})

    assert re.findall(r"<tr><th>(\w+)</th>", told) == ["bug", "task"]
    assert ">2</td>" in told


def test_a_page_is_written(tmp_path: Path) -> None:
    """The file holds the page; a folder that does not exist is named with the reason."""
    page().write(tmp_path / "report.html")

    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page().html()
    with pytest.raises(SettingsInvalid, match="cannot be written: No such file"):
        page().write(tmp_path / "none" / "report.html")
