"""The models of cues: the shipped files belong to the sentences that stand beside them."""

import hashlib
import json
from pathlib import Path
from zlib import crc32

import pytest

from cli.evaluate.training.cues import LABELS, SENTENCES, examples, retrain
from triage.config.model_files import FOLDER, read_model
from triage.policy.classifiers.linear_classifier import KIND, VERSION, read_classifier
from triage.policy.cues.meant import RESOLUTION, TYPE, URGENCY

SHIPPED = {
    TYPE: (
        {"bug", "feature", "general", "support"},
        "1ed8ee785786fbe1eabe8acd420b2e24ba4465bc4d1461d0c783c13d9a63764a",
    ),
    URGENCY: ({"high", "low", "none"}, "8afc9cf564c3cbd5da69fafc4540b8a490d9aef60c0483eb803d422bd43a3921"),
    RESOLUTION: ({"no", "yes"}, "96c972e9da801b1cb9d39cbb30f34ba7d1ee1f2125c2afd87904ac77c3596a98"),
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
    assert [one.label for one in examples(text, RESOLUTION)][:3] == ["no", "no", "yes"]
    assert all(read_classifier(tmp_path / f"{model}.npz").labels for model in LABELS)
