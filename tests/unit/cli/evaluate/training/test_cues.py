"""The models of cues: the shipped files belong to the sentences that stand beside them."""

import hashlib
import json
from pathlib import Path
from zlib import crc32

import pytest

from cli.evaluate.training.cues import LABELS, SENTENCES, examples, retrain
from triage.config.model_files import FOLDER, read_model
from triage.policy.classifiers.linear_classifier import KIND, VERSION, read_classifier
from triage.policy.cues.meant import TYPE, URGENCY

SHIPPED = {
    TYPE: (
        {"bug", "feature", "general", "support"},
        "3364d95a778decfd7190a91e3afd720ffa688d4e57760874a766190e5829b949",
    ),
    URGENCY: ({"high", "low", "none"}, "d962394feb8f653e177147921bda97c2d1da2f5804c63e2574175b845be4b3da"),
}


@pytest.mark.parametrize("model", LABELS)
def test_the_shipped_model_was_trained_on_these_sentences(model: str) -> None:
    """Whoever changes a sentence trains again, and the file is the one that was committed."""
    path = FOLDER / f"{model}.npz"
    about = read_model(path, KIND, VERSION).about

    assert about["checksum"] == crc32(SENTENCES.read_bytes())
    assert (set(about["labels"]), hashlib.sha256(path.read_bytes()).hexdigest()) == SHIPPED[model]


def test_training_reads_labels_and_writes_models(tmp_path: Path) -> None:
    """Sentences without a label are left out; of several accepted ones the first counts; the models can be read."""
    rows = [
        {"subject": "Re: lamp", "text": f"{text} {number}", "expect": expect}
        for number in range(6)
        for text, expect in (
            ("it broke", {"type": "bug", "priority": "Highest", "fixed": False}),
            ("may I ask", {"type": ["support", "general"], "priority": ["Medium", "Low"]}),
            ("it shines again", {"fixed": True}),
            ("whenever you like", {"priority": "Low"}),
        )
    ]
    sentences = tmp_path / "s.jsonl"
    sentences.write_text("\n".join(map(json.dumps, rows)))

    retrain(sentences, tmp_path)

    text = sentences.read_text()
    assert [(one.text, one.label) for one in examples(text, TYPE)][:2] == [
        ("lamp\nit broke 0", "bug"),
        ("lamp\nmay I ask 0", "support"),
    ]
    assert [one.label for one in examples(text, URGENCY)][:3] == ["high", "none", "low"]
    assert all(read_classifier(tmp_path / f"{model}.npz").labels for model in LABELS)
