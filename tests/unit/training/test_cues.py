"""The models of cues: the shipped files belong to the sentences that stand beside them."""

import hashlib
import json
from pathlib import Path

import pytest

from cli.evaluate.classifiers.linear_training import TextExample
from tests.training.cues import EASY, HARD, LABELS, WEIGHT, Sample, Weighed, checksum_of, retrain, samples_of
from tests.training.whole_mails import WholeMail
from triage.config.model_files import FOLDER, read_model
from triage.policy.classifiers import choice_model, linear_classifier
from triage.policy.classifiers.choice_model import read_choice_model
from triage.policy.classifiers.linear_classifier import read_classifier
from triage.policy.cues.ensemble import (
    PRIORITIES,
    PRIORITY_CHOICE,
    PRIORITY_FACTS,
    TYPE_CHOICE,
    TYPE_FACTS,
    TYPES,
    names_of,
)
from triage.policy.cues.semantic_cues import TYPE, URGENCY

LINEAR, CHOICE = (linear_classifier.KIND, linear_classifier.VERSION), (choice_model.KIND, choice_model.VERSION)
SHIPPED = {
    TYPE: (
        *LINEAR,
        {"bug", "feature", "general", "support"},
        "cd1f0f5d983e584465cbc6eec0e011cdcb03b3654c1c6d280e904a647d4785d8",
    ),
    URGENCY: (
        *LINEAR,
        {"highest", "high", "low", "none"},
        "e20ecd389e191ecf9ceed45f2631138f04ff6528553ef8a09c70f8fffc12e198",
    ),
    TYPE_CHOICE: (*CHOICE, set(), "904af480316389dc003650d982bedaa4134a867973b94493d5c12b6af1170557"),
    PRIORITY_CHOICE: (*CHOICE, set(), "a1eb3a052c9d1e2d985c69c3a761f8a8e87fa00d2a3eb4a258cfd9d7f51e815a"),
}


@pytest.mark.parametrize("model", SHIPPED)
def test_the_shipped_model_was_trained_on_these_sentences(model: str) -> None:
    """Whoever changes a sentence or a mail trains again, and the file is the one that was committed."""
    path = FOLDER / f"{model}.npz"
    kind, version, labels, digest = SHIPPED[model]
    about = read_model(path, kind, version).about

    assert about["checksum"] == checksum_of("", samples_of())
    assert (set(about.get("labels", ())), hashlib.sha256(path.read_bytes()).hexdigest()) == (labels, digest)


def written(folder: Path, name: str, texts: tuple[tuple[str, dict[str, object]], ...]) -> None:
    """A file of sentences, each six times with a number of its own."""
    rows = [
        {"subject": "Re: lamp", "text": f"{text} {number}", "expect": expect}
        for number in range(6)
        for text, expect in texts
    ]
    (folder / name).write_text("\n".join(map(json.dumps, rows)))


def test_training_reads_labels_and_writes_models(tmp_path: Path) -> None:
    """Samples without a label are left out; of several accepted ones the first counts; hard ones weigh more; the models can be read."""
    broke = "it broke this morning and nobody here can see a thing"
    asks = "may I ask where I find the list of lamps of last year"
    written(
        tmp_path,
        EASY,
        (
            (broke, {"type": "bug", "priority": "Highest", "fixed": False}),
            (asks, {"type": ["support", "general"], "priority": ["Medium", "Low"]}),
            ("it shines again", {"fixed": True}),
            ("whenever you like", {"priority": "Low"}),
        ),
    )
    written(
        tmp_path,
        HARD,
        ((f"{broke}, calmly told", {"type": "bug", "priority": "High"}), (f"{asks} please", {"priority": "Low"})),
    )

    retrain(tmp_path, tmp_path, ())

    samples = list(samples_of(tmp_path, ()))
    assert samples[0].example("bug") == TextExample(f"lamp\n{broke} 0", "bug")
    assert [LABELS[TYPE](one.expect) for one in samples[:4]] == ["bug", "support", "", ""]
    assert [LABELS[URGENCY](one.expect) for one in samples[:4]] == ["highest", "none", "", "low"]
    assert {one.weight for one in samples} == set(WEIGHT.values())
    assert all(read_classifier(tmp_path / f"{model}.npz").labels for model in LABELS)
    assert read_choice_model(tmp_path / f"{TYPE_CHOICE}.npz").features == names_of(TYPES, TYPE_FACTS)
    assert read_choice_model(tmp_path / f"{PRIORITY_CHOICE}.npz").features == names_of(PRIORITIES, PRIORITY_FACTS)


def test_whole_mails_are_examples_too(tmp_path: Path) -> None:
    """A mail that is for us is one of its type and urgency, without its signature; talk is none."""
    for name in WEIGHT:
        (tmp_path / name).write_text("")
    text = "Hi,\nit broke.\n\nKind regards\nAda"
    mails = [
        WholeMail(subject="lamp", text=text, label=label, type=type_, priority=priority)
        for label, type_, priority in (("mail", "bug", "Low"), ("talk", "", ""))
    ]

    mail, talk = samples_of(tmp_path, mails)

    assert mail.example("bug") == TextExample("lamp\nHi,\nit broke.", "bug")
    assert [[label(one.expect) for label in LABELS.values()] for one in (mail, talk)] == [["bug", "low"], ["", ""]]


def test_where_the_lists_alone_decide_nothing_is_weighed() -> None:
    """A few words teach the classifiers and not the weights."""
    few = Sample("", "It sticks.", {"type": "bug", "priority": "High"})
    weighed = Weighed(few, few.listed(), {"bug": 1.0}, {})

    assert weighed.type_choice() is None
    assert weighed.priority_choice(read_choice_model(FOLDER / f"{TYPE_CHOICE}.npz")) is None
