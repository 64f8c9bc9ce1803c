"""A ranking classifier learns which text of a group is the right one."""

import numpy as np

from cli.evaluate.classifiers.linear_training import Options
from tests.training.ranking import Choice, share_found, train_ranking
from triage.policy.classifiers.linear_classifier import FeatureShape

OPTIONS = Options(shape=FeatureShape(buckets=1 << 10, pairs=False, longest=0), penalty=1e-4, balanced=False)
PLACES = ("yard", "pier", "hall", "quay", "dock", "gate", "ramp", "lock")


def choice(place: str, *, prior: float = 0.0) -> Choice:
    """Return three sentences of which the one that tells the fault is right."""
    texts = (f"greetings from the {place}", f"the {place} lamp is broken", f"thanks says the {place}")
    return Choice(texts=texts, right=frozenset({1}), prior=(prior, 0.0, 0.0))


def test_the_right_text_of_a_group_scores_highest() -> None:
    """What the right texts have in common outweighs what their groups have in common."""
    classifier = train_ranking([choice(place) for place in PLACES], OPTIONS)

    scores = classifier.scores_of(("thanks for the crane", "the crane is broken", "greetings"))

    assert int(np.argmax(scores)) == 1


def test_what_is_found_is_counted_on_mails_that_were_held_out() -> None:
    """The share counts groups that the classifier has not seen; a prior that says otherwise costs its group."""
    known = [choice(place) for place in PLACES]

    assert share_found(known, OPTIONS) == 1.0
    assert share_found([choice("yard", prior=99.0), *known[1:]], OPTIONS) == 7 / 8
