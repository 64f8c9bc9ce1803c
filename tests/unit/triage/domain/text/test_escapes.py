"""Markdown's backslashes are for trackers, not for people."""

import pytest

from triage.domain.text.escapes import unescaped


@pytest.mark.parametrize(
    ("markdown", "text"),
    [(r"shipment\_no stops\.", "shipment_no stops."), (r"C:\Users\ada", r"C:\Users\ada"), (r"1\. a \\ b", r"1. a \ b")],
)
def test_signs_read_as_they_are_rendered(markdown: str, text: str) -> None:
    """Only a backslash before a sign goes; one of a path stays."""
    assert unescaped(markdown) == text
