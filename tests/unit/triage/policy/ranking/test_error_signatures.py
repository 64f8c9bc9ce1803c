"""Error signatures: which lines count, and when two texts report one error."""

import pytest

from triage.policy.ranking.error_signatures import error_lines, same_error

TRACE = """> Traceback (most recent call last):
>   File "/srv/app/invoices/exporter.py", line 214, in export_all_invoices
>     raise ExportError(f"invoice {number} has no delivery address in the archive")
> invoices.errors.ExportError: invoice 4711 has no delivery address in the archive of March
"""
LATER = TRACE.replace("4711", "9001").replace("214", "220").replace("> ", "")
OTHER = "java.sql.SQLTimeoutException: the pool of connections is empty, and nobody gives one back in time"


def test_numbers_and_quotation_marks_do_not_matter() -> None:
    """The same trace of another invoice, quoted and not, is one error."""
    assert same_error(error_lines(TRACE), error_lines(LATER))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ORA-00942",
        "Error: it failed",
        "The export of invoices has failed since this morning, and nobody knows why it does so",
        "4711 4712 4713 4714 4715 4716 4717 4718 4719 4720 4721 4722 0xdeadbeef ERROR 12:44:01",
    ],
)
def test_short_lines_numbers_and_sentences_are_no_signature(text: str) -> None:
    """A code alone, a sentence without one and a row of numbers are shared by chance."""
    assert error_lines(text) == frozenset()


def test_other_errors_are_other() -> None:
    """Two long errors that share no line, and one shared line among many others, are not the same."""
    crowd = "\n".join(f"Error: module {name} cannot be loaded because its archive is damaged" for name in "abcdefgh")
    shared = f"{OTHER}\n{crowd}"

    assert same_error(error_lines(TRACE), error_lines(OTHER)) == ""
    assert same_error(error_lines(f"{OTHER}\n{TRACE}"), error_lines(shared)) == ""
    assert same_error(frozenset(), frozenset()) == ""


def test_long_logs_are_read_in_part() -> None:
    """Only the first lines and the beginnings of lines are read."""
    log = "\n" * 1_000 + OTHER

    assert error_lines(log) == frozenset()
    assert all(len(line) <= 400 for line in error_lines(OTHER + " again" * 10_000))
