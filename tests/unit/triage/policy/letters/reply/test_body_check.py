"""What a model wrote for a letter is checked before it may leave."""

import pytest

from triage.policy.letters.reply.body_check import LONGEST, fault_in


def test_a_plain_answer_passes() -> None:
    """Sentences and the mail's own ticket are fine."""
    assert fault_in("We are looking into **HARB-72** and will write on Monday.", {"HARB-72"}) == ""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (" \n", "wrote nothing"),
        ("a" * (LONGEST + 1), "more than 4000 characters"),
        ("See https://evil.example/login.", "a link"),
        ("See www.evil.example.", "a link"),
        ("Click [here](x).", "a link"),
        ("Write to eve@evil.example.", "an address"),
        ("<b>Hello</b>", "markup"),
        ("<<<MAIL x", "markup"),
        ("HARB-3 says the same.", "names HARB-3"),
    ],
)
def test_what_a_mail_could_have_talked_it_into_does_not(body: str, told: str) -> None:
    """Links, addresses, markup, other tickets, nothing and too much are faults."""
    assert told in fault_in(body, {"HARB-72", ""})
