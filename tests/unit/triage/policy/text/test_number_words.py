"""Numbers in letters and in the digits of other scripts are read as numbers."""

import pytest

from triage.policy.text.number_words import duration_of, in_digits, number_words


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("You have fourteen days to return an item.", "You have 14 days to return an item."),
        ("You have twenty-one days, or one hundred and twenty hours.", "You have 21 days, or 120 hours."),
        ("It is two thousand five hundred, or a hundred thousand.", "It is 2500, or a 100000."),
        ("One of the two, three or twelve.", "One of the 2, 3 or 12."),
        ("One week or one more, in one hour.", "1 week or one more, in 1 hour."),
        ("We have two three twelve.", "We have 2 3 12."),
        ("Ihr habt einundzwanzig Tage für die dreißig Euro.", "Ihr habt 21 Tage für die 30 Euro."),
        ("Vous avez quatre-vingt-dix jours et vingt et un euros.", "Vous avez 90 jours et 21 euros."),
        ("Tiene treinta y cinco días para la devolución.", "Tiene 35 días para la devolución."),
        ("Hai trentadue giorni per il reso e ventuno euro.", "Hai 32 giorni per il reso e 21 euro."),
        ("U hebt vijfentwintig dagen de tijd voor het pakket.", "U hebt 25 dagen de tijd voor het pakket."),
        ("Klient ma czternaście dni na zwrot i nie płaci.", "Klient ma 14 dni na zwrot i nie płaci."),
        ("三十五日以内に返品できます。一人で、二百円、四千円。", "35日以内に返品できます。1人で、200円、4000円。"),
        ("一般に三つ", "一般に三つ"),
        ("٣٠ أيام, ३० दिन", "30 أيام, 30 दिन"),
        ("1,000 and 1.250 and 12.5 and 1.2.3", "1000 and 1250 and 12.5 and 1.2.3"),
        ("We open once a week; it is due.", "We open once a week; it is due."),
    ],
)
def test_numbers_become_digits(text: str, digits: str) -> None:
    """In the words of the text's own language alone: `once` is eleven in Spanish, and no number in English."""
    assert in_digits(text) == digits


def test_a_language_without_words_keeps_its_text() -> None:
    """Digits of other scripts are read all the same."""
    assert in_digits("iki gün, ٣", ("tr",)) == "iki gün, 3"


def test_lengths_of_time_are_comparable() -> None:
    """Days and weeks in hours, years in months; other words are none."""
    assert (duration_of("Weeks"), duration_of("日"), duration_of("Jahre")) == (
        ("in hours", 168),
        ("in hours", 24),
        ("in months", 12),
    )
    assert duration_of("euros") is None


def test_the_words_of_a_language() -> None:
    """Spanish has `once`, English has not."""
    assert "once" in number_words(("es",))
    assert "once" not in number_words(("en",))
