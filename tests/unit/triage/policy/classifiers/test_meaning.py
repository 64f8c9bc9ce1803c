"""Texts of the same meaning are near each other, whatever their languages."""

import numpy as np

from triage.policy.classifiers.meaning import LONGEST, SIZE, meaning_of


def test_the_same_in_another_language_is_near() -> None:
    """A German and a Japanese sentence are nearer to the English one of the same meaning than to an English one of another."""
    same = meaning_of("The printer works again, thank you.")
    other = meaning_of("Please add a column with the weight.")

    for text in ("Der Drucker geht wieder, danke.", "プリンターがまた使えるようになりました。ありがとうございます。"):
        assert same @ meaning_of(text) > 0.3 > other @ meaning_of(text)


def test_any_text_has_numbers() -> None:
    """512 of length 1, for an empty text, for signs alone, and for one that is cut."""
    for text in ("", "\u200b \U0001f600", "words " * LONGEST):
        numbers = meaning_of(text)

        assert numbers.shape == (SIZE,)
        assert abs(float(np.linalg.norm(numbers)) - 1) < 0.01
