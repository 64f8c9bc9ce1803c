"""The words of a text: what is data falls out, whatever script stands around it."""

import pytest

from triage.policy.text.tokenizer import LONGEST, legible

SENTENCE = "見積書の画面が開けません。" * LONGEST


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("look at https://harbour.example/a", "look at"),
        (f"{SENTENCE}Android{SENTENCE}", f"{SENTENCE}Android{SENTENCE}"),
        (f"{SENTENCE}{'A9f+' * LONGEST}{SENTENCE}", f"{SENTENCE} {SENTENCE}"),
        ("A9f+" * LONGEST, ""),
    ],
)
def test_data_falls_out_and_words_stay(text: str, left: str) -> None:
    """Of a text without blanks, the parts that are data fall out and the words between stay."""
    assert legible(text) == left
