"""Features of short texts."""

import numpy as np
import pytest

from triage.policy.intents.features import MANY, Sample, entries_of, rarity_of, weighted


def test_each_kind_of_feature_is_a_block() -> None:
    """Words, pairs with the text's edges, parts of words, and cues."""
    entries = entries_of([Sample("red car", ("topic", "topic"))])

    by_block = [int(entries.counts[entries.blocks == block].sum()) for block in range(4)]
    assert by_block == [2, 3, 12, 2]


def test_narrow_features_are_words_alone() -> None:
    """The simplest classifiers know words."""
    assert set(entries_of([Sample("red car", ("topic",))], wide=False).blocks) == {0}


def test_texts_have_length_one() -> None:
    """However many features a text has; an unknown text has none."""
    entries = entries_of([Sample("red car"), Sample("a blue car in the rain"), Sample("")])
    values = weighted(entries, rarity_of(entries))

    lengths = np.bincount(entries.rows, values**2, 3)
    assert lengths == pytest.approx([1.0, 1.0, 0.0], abs=1e-4)


def test_what_one_text_among_many_has_tells_nothing_but_its_words() -> None:
    """Of many texts, a pair that only one has would be learnt by heart."""
    entries = entries_of([Sample("same words")] * MANY + [Sample("rare")])
    rarity = rarity_of(entries)

    rare = entries.rows == MANY
    assert {block: bool(rarity[entries.buckets[rare & (entries.blocks == block)]].any()) for block in (0, 1)} == {
        0: True,
        1: False,
    }
