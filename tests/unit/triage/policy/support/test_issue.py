"""The matter of a mail in the customer's own words."""

import pytest

from triage.policy.support.issue import LONGEST, issue_of

VISIT = """Dear support,

we are a group of 14 people from a choir. We would like to see the exhibition on 12 December.
The app allows me to reserve only for four. How can we book for all of us?

Kind regards
Clara
"""


CRASH = """Hi team,

hope you are well. Since this morning the app shows a white screen after I log in.
I tried to reinstall it twice.
I need it to work before my class at six tonight.

Thanks a lot
John
"""


@pytest.mark.parametrize(
    ("subject", "text", "told"),
    [
        (
            "Refund for the opera",
            "Hello,\n\nI am in hospital that week. Could you refund reservation r-500, please?\n\nAlma",
            "I am in hospital that week. Could you refund reservation r-500, please?",
        ),
        (
            "Help!!",
            CRASH,
            "Since this morning the app shows a white screen after I log in. I need it to work before my class at six tonight.",
        ),
        (
            "Anfrage",
            "Guten Tag,\n\nich habe gestern zweimal 29 Euro abgebucht bekommen. Bitte erstatten Sie mir den zweiten Betrag.",
            "ich habe gestern zweimal 29 Euro abgebucht bekommen. Bitte erstatten Sie mir den zweiten Betrag.",
        ),
        (
            "",
            "hi can a human please look at this, the code you send does not arrive",
            "hi can a human please look at this, the code you send does not arrive.",
        ),
        (
            "api",
            "- POST /v1/bookings returns 502 since 09:10 UTC\n- about 40 % of requests",
            "POST /v1/bookings returns 502 since 09:10 UTC. about 40 % of requests.",
        ),
        ("", "Please just tell me yes or no\n\nAlma", "Please just tell me yes or no."),
        (
            "Wrong amount",
            "I was charged 49.00 EUR instead of 4.90. Please look into this.",
            "I was charged 49.00 EUR instead of 4.90. Please look into this.",
        ),
        ("Crash", "It is version 7.2. The app crashes.", "It is version 7.2. The app crashes."),
        ("Lost\n  invoice", "Hello,\n\nthanks in advance!", "Lost invoice"),
        ("", "", ""),
    ],
)
def test_what_fails_and_what_is_asked(subject: str, text: str, told: str) -> None:
    """The sentence that says most, with the one that says the rest, in the mail's order; greetings and thanks are none."""
    assert issue_of(subject, text) == told


def test_nothing_is_invented_and_nobody_is_named() -> None:
    """Every word stands in the mail, wrapped lines are one sentence, and the name below the closing is left out."""
    told = issue_of("Visit", VISIT)

    assert "How can we book for all of us?" in told
    assert set(told.split()) <= set(VISIT.split())
    assert "Clara" not in told


def test_a_long_sentence_is_cut() -> None:
    """At a word, with a sign that it goes on; where two sentences are too long, the better one stands alone."""
    long = "Please refund " + "the tickets " * 40

    assert issue_of("", long).endswith("tickets the…")
    assert len(issue_of("", long)) <= LONGEST + 1
    assert issue_of("", f"The app crashes when I open the map. {long}").startswith(("The app crashes", "Please refund"))
