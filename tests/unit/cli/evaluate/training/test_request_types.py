"""The model of request types: the shipped file belongs to the sentences that stand beside it."""

import hashlib
import json
from pathlib import Path
from zlib import crc32

from cli.evaluate.training.request_types import MODEL, SENTENCES, examples, retrain
from triage.config.model_files import read_model
from triage.policy.text.linear_classifier import KIND, VERSION, read_classifier

SHA = "84f2ae35a7ca50069a1a4337e9de5d7e7314aa5e5c3831f3c3651b48f02a4278"


def test_the_shipped_model_was_trained_on_these_sentences() -> None:
    """Whoever changes a sentence trains again, and the file is the one that was committed."""
    about = read_model(MODEL, KIND, VERSION).about

    assert about["checksum"] == crc32(SENTENCES.read_bytes())
    assert set(about["labels"]) == {"bug", "feature", "general", "support"}
    assert hashlib.sha256(MODEL.read_bytes()).hexdigest() == SHA


def test_training_reads_types_and_writes_a_model(tmp_path: Path) -> None:
    """Sentences without a type are left out; of several accepted types the first one counts; the model can be read."""
    rows = [
        {"text": f"{text} {number}", "expect": expect}
        for number in range(6)
        for text, expect in (
            ("it broke", {"type": "bug"}),
            ("may I ask", {"type": ["support", "general"]}),
            ("skip", {"priority": "Low"}),
        )
    ]
    sentences = tmp_path / "s.jsonl"
    sentences.write_text("\n".join(map(json.dumps, rows)))

    retrain(sentences, tmp_path / "m.npz")

    assert [example.label for example in examples(sentences.read_text())][:2] == ["bug", "support"]
    assert read_classifier(tmp_path / "m.npz").classify("it broke").label == "bug"
