"""What lists of cases are made of."""

import pytest

from triage.domain.operations.case_lists import Pulse, folded, search_text


def test_the_words_of_a_case() -> None:
    """Four lines, whatever the texts hold, in small letters, each cut."""
    words = search_text("Kim <k@x>", "ÖFFNEN\n\tder  Straße", "HARB-1", "y" * 10_000)

    assert words.split("\n")[:3] == ["kim <k@x>", "öffnen der strasse", "harb-1"]
    assert len(words) < 300
    assert folded("\N{FULLWIDTH LATIN CAPITAL LETTER F}ull width") == "full width"


@pytest.mark.parametrize("text", ["", "1.2.3", "1.2.3.4.x", f"1.2.3.4.{2**31}", "1.2.3.4.5.6", "-1.2.3.4.5"])
def test_a_pulse_that_nobody_wrote(text: str) -> None:
    """It lies before everything."""
    assert Pulse.read(text) == Pulse()


def test_a_pulse_is_read_as_it_was_written() -> None:
    """Its numbers; who was busy is not known any more."""
    pulse = Pulse(mail=7, event=3, approval=2, correction=1, snooze=5, busy=frozenset({(7, 1, "ready")}))

    assert Pulse.read(str(pulse)) == Pulse(mail=7, event=3, approval=2, correction=1, snooze=5)
