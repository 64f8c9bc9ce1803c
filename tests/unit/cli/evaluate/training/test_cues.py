"""The models of cues: the shipped files belong to the sentences that stand beside them."""

import hashlib
import json
from pathlib import Path

import pytest

from cli.evaluate.training.cues import LABELS, SENTENCES, checksum_of, examples, examples_of_mails, retrain
from cli.evaluate.training.whole_mails import WholeMail, whole_mails
from triage.config.model_files import FOLDER, read_model
from triage.policy.classifiers.linear_classifier import KIND, VERSION, read_classifier
from triage.policy.cues.meant import TYPE, URGENCY

SHIPPED = {
    TYPE: (
        {"bug", "feature", "general", "support"},
        "1c054bdd4bf89b780f44b0aeed5d254415552aa993f6b51beb2063361982c70d",
    ),
    URGENCY: (
        {"highest", "high", "low", "none"},
        "ed087878727139eb1ada9990dc0ab6c73df3037df9da7ce70caddcc0dc6a893a",
    ),
}


@pytest.mark.parametrize("model", LABELS)
def test_the_shipped_model_was_trained_on_these_sentences(model: str) -> None:
    """Whoever changes a sentence or a mail trains again, and the file is the one that was committed."""
    path = FOLDER / f"{model}.npz"
    about = read_model(path, KIND, VERSION).about

    assert about["checksum"] == checksum_of(SENTENCES.read_text("utf-8"), whole_mails())
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

    retrain(sentences, tmp_path, ())

    text = sentences.read_text()
    assert [(one.text, one.label) for one in examples(text, TYPE)][:2] == [
        ("lamp\nit broke 0", "bug"),
        ("lamp\nmay I ask 0", "support"),
    ]
    assert [one.label for one in examples(text, URGENCY)][:3] == ["highest", "none", "low"]
    assert all(read_classifier(tmp_path / f"{model}.npz").labels for model in LABELS)


def test_whole_mails_are_examples_too() -> None:
    """A mail that is for us is one of its type and urgency, without its signature; talk is none."""
    text = "Hi,\nit broke.\n\nKind regards\nAda"
    mails = [
        WholeMail(subject="lamp", text=text, label=label, type=type_, priority=priority)
        for label, type_, priority in (("mail", "bug", "Low"), ("talk", "", ""))
    ]

    found = [(one.text, one.label) for model in LABELS for one in examples_of_mails(mails, model)]

    assert found == [("lamp\nHi,\nit broke.", "bug"), ("lamp\nHi,\nit broke.", "low")]
