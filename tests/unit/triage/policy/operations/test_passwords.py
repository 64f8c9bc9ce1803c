"""Which passwords are taken: length counts, kinds of characters do not."""

import pytest

from triage.policy.operations.passwords import normal, strength_of, why_weak


@pytest.mark.parametrize(
    "password",
    [
        "a calm river runs",
        "correct horse battery staple, twice in May",
        "Zwölf Boxkämpfer jagen",
        "ночной поезд на север",
        "x7#kQ9!vLm2@",
        "日本語の長い合言葉を使います",
        ("a calm river runs, " * 60)[:1000],
    ],
)
def test_taken(password: str) -> None:
    """Long ones of any script, without a figure or a sign if one likes."""
    assert why_weak(normal(password), "ada@example.com", "Ada Moreau") == ""


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("", "fewer than 12 characters"),
        ("x7#kQ9!vLm2", "fewer than 12 characters"),
        (("a calm river runs, " * 60)[:1001], "more than 1,000"),
        ("aaaaaaaaaaaaaaaa", "different characters"),
        ("abababababab", "different characters"),
        ("password1234", "first that are tried"),
        ("P@ssw0rd2026!", "first that are tried"),
        ("Correct-Horse-Battery-Staple", "first that are tried"),
        ("manchesterunited", "first that are tried"),
        ("1qazxsw23edc", "first that are tried"),
        ("chickenwing101", "first that are tried"),
        ("qwertyuiop123", "first that are tried"),
        ("triage-admin-2026", "first that are tried"),
        ("ada.moreau.1987", "first that are tried"),
        ("M0reau-Ada-1987!!", "first that are tried"),
    ],
)
def test_not_taken(password: str, why: str) -> None:
    """Short ones, rows of the same, what everybody tries, and the person's own name and address, dressed up or not."""
    assert why in why_weak(normal(password), "ada.moreau@example.com", "Ada Moreau")


@pytest.mark.parametrize(
    ("password", "said"),
    [
        ("a calm river runs", "strong"),
        ("Sommer2026!Haus", "good"),
        ("october 12 1971", "fair"),
        ("short", "too weak: it has fewer than 12 characters"),
        ("manchesterunited", "too weak: it is one of the first that are tried"),
    ],
)
def test_strength(password: str, said: str) -> None:
    """By how many guesses somebody needs who knows leaked passwords, words, dates and keyboards."""
    assert strength_of(password, "ada@example.com", "Ada Moreau") == said


def test_one_form_of_a_letter() -> None:
    """A letter that keyboards compose in two ways is the same in the hash."""
    assert normal("cafe\u0301 ﬁn") == normal("café fin") == "café fin"
