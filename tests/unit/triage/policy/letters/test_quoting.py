"""The mail that is answered stands below the letter, in words that mail programs know, and as text alone."""

from datetime import UTC, datetime

import pytest

from triage.domain.letters import Original
from triage.domain.untrusted import Untrusted
from triage.policy.letters.quoting import LONGEST, WROTE, attribution, quoted_html, quoted_plain

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
ORIGINAL = Original(sender=Untrusted("Ada <ada@acme.example>"), at=AT, text=Untrusted("It is\n\n<b>broken</b>\n"))


def test_plain() -> None:
    """Each line behind a sign, blank lines without blanks."""
    assert quoted_plain(ORIGINAL, "en") == (
        "On 2026-11-20 09:00, Ada <ada@acme.example> wrote:\n> It is\n>\n> <b>broken</b>"
    )


def test_html() -> None:
    """Markup of the sender is shown and does nothing."""
    page = quoted_html(ORIGINAL, "de")

    assert page.startswith("<p>Am 2026-11-20 09:00 schrieb Ada &lt;ada@acme.example&gt;:</p>")
    assert "&lt;b&gt;broken&lt;/b&gt;" in page


def test_nothing_to_quote() -> None:
    """Without a text there is no quote."""
    assert quoted_plain(Original(), "en") == quoted_html(Original(), "en") == ""


def test_a_long_one_is_cut() -> None:
    """A long original is cut, visibly."""
    long = Original(text=Untrusted("x" * (LONGEST + 1)))

    assert quoted_plain(long, "en").endswith("x\n> […]")


@pytest.mark.parametrize("language", [*WROTE, "tlh"])
def test_attribution(language: str) -> None:
    """A name stays on its line in every language; without name or date there are question marks."""
    hostile = Original(sender=Untrusted("Eve\nwrote:\n> I agree"), at=AT)

    assert "\n" not in attribution(hostile, language)
    assert attribution(Original(), language).count("?") == 2
