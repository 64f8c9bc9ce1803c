"""Whether a passage bears out a sentence."""

import pytest

from triage.domain.support.articles import CitedSentence, Passage, PassageHit
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.support import bears_out, borne_out, cited

TEXT = (
    "You can return a parcel within 14 days. We do not take back opened games. "
    "Write to desk@post.example or see https://post.example/returns."
)
PASSAGE = Passage(article="help:returns", number=0, title="Returns", heading="Costs", text=Untrusted(TEXT))
HIT = PassageHit(passage=PASSAGE, similarity=1.0)


@pytest.mark.parametrize(
    ("sentence", "right"),
    [
        ("You can return parcels within 14 days.", True),
        ("Returned within 14 days, a parcel is accepted by us.", False),
        ("You can return a parcel within 30 days.", False),
        ("You can return a parcel within fourteen days.", True),
        ("You can return a parcel within thirty days.", False),
        ("You can return a parcel within 1 day.", False),
        ("You cannot return a parcel within 14 days.", False),
        ("You can return opened games.", False),
        ("We do not take back opened games.", True),
        ("Write to desk@post.example.", True),
        ("Write to desk@evil.example.", False),
        ("See https://post.example/returns!", True),
        ("See https://evil.example/returns.", False),
        ("Can you do this?", True),
        ("You can return a parcel at any time.", False),
        ("You can always return a parcel within 14 days.", False),
    ],
)
def test_bears_out(sentence: str, *, right: bool) -> None:
    """Words, numbers, addresses and limits must stand in the passage, and what it denies must stay denied."""
    assert bears_out(PASSAGE, sentence) is right


def test_a_model_s_text_is_cut_to_what_is_borne_out() -> None:
    """Each sentence is cited from the first passage that says it; the others are left out."""
    text = "You can return a parcel within 14 days. We refund twice the price. We do not take back opened games."

    assert [one.text for one in cited(text, [HIT])] == [
        "You can return a parcel within 14 days.",
        "We do not take back opened games.",
    ]


def test_citations_are_checked() -> None:
    """A sentence that cites a passage which was not found, or says something else, does not stand."""
    right = CitedSentence(text="Opened games we do not take back.", passage=PASSAGE.id)
    wrong = CitedSentence(text="Games are free.", passage=PASSAGE.id)
    elsewhere = CitedSentence(text=right.text, passage="help:games#0")

    assert borne_out([right, wrong, elsewhere], [HIT]) == (right,)
