"""The table behind a chart."""

from triage.domain.operations.insights import Chart, ChartShape, Series
from web.console.pages.insights import NONE, picture


def test_a_name_in_the_table_is_text() -> None:
    """What people wrote stands in the table escaped and visible; a row without values is left out, a missing value is a dash."""
    rows = ("<script>x</script>", "\u202egnp", "none")
    made = (Series("a", (1.0, 2.0, 0.0)), Series("b", (None, 3.0, None)))
    table = picture(
        Chart(name="n", title="t", about="a.", shape=ChartShape.BARS, unit="mails", rows=rows, series=made)
    ).rows

    assert table.startswith(f'<tr><th scope="row">&lt;script&gt;x&lt;/script&gt;</th><td class="number">1</td><td class="number">{NONE}</td></tr>')  # fmt: skip
    assert "\u202e" not in table
    assert table.count("<tr>") == 2
