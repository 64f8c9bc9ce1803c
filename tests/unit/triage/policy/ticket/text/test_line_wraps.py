"""Wrapped lines are joined, ended lines stay."""

import pytest

from triage.domain.mail import RichLine
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.text.line_wraps import unwrapped

WIDE = "the crane is stuck since the storm of Monday and the whole yard"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{WIDE}\nwaits for it", [f"{WIDE} waits for it"]),
        (f"{WIDE}\nBo Berg  10:41 AM\nwaits for it", [WIDE, "Bo Berg  10:41 AM", "waits for it"]),
        (f"{WIDE}\n[23/11/2026, 07:12:04] Ove: same", [WIDE, "[23/11/2026, 07:12:04] Ove: same"]),
        (f"{WIDE}\nSource: https://a.example", [WIDE, "Source: https://a.example"]),
        ("one\ntwo\nthree", ["one", "two", "three"]),
    ],
)
def test_a_line_goes_on_where_a_program_wrapped_it(text: str, lines: list[str]) -> None:
    """Who writes in a chat, and the name of a link, begin lines of their own."""
    assert [line.text for line in unwrapped([RichLine(Untrusted(line)) for line in text.split("\n")])] == lines
