"""The models of summaries: the shipped files belong to the mails that stand beside them."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.training.summary import OPTIONS, SUBJECTS, checksum, choices, marked_mails, retrain, subjects
from triage.config.model_files import FOLDER, read_model
from triage.policy.classifiers.linear_classifier import KIND, VERSION, read_classifier
from triage.policy.ticket.text.key_sentence import SENTENCE, SUBJECT

SHIPPED = {
    SENTENCE: "65c104f44b1503d637bb9f93ac1e2edf65e70097b86343f4ca6057ab9cbf2bcb",
    SUBJECT: "ed982afca4e9b5a18bb468f12a8149fc410d6ae302c8987dd36ad1cd89cee2dc",
}
MAILS = [
    {
        "subject": f"Lamp {number}",
        "text": f"Hello,\nwe have {number} lamps. Lamp {number} does not burn. All others do.\n\nKind regards\nAda",
        "is": "mail",
        "subject_says": says,
        "key_sentences": [f"Lamp {number} does not burn."],
    }
    for number, says in enumerate(("name", "all", "nothing") * 2)
]


@pytest.mark.parametrize("model", OPTIONS)
def test_the_shipped_model_was_trained_on_these_mails(model: str) -> None:
    """Whoever marks a mail otherwise trains again, and the file is the one that was committed."""
    path = FOLDER / f"{model}.npz"

    assert read_model(path, KIND, VERSION).about["checksum"] == checksum()
    assert hashlib.sha256(path.read_bytes()).hexdigest() == SHIPPED[model]


def test_training_reads_marked_mails_and_writes_models(tmp_path: Path) -> None:
    """Mails that nobody marked are left out, greetings and signatures are no sentences; the models can be read."""
    lines = [*MAILS, {"subject": "Lunch", "text": "Soup?", "is": "talk"}]
    (tmp_path / "own.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (tmp_path / SUBJECTS).write_text("en\tall\tThe lift stops between floors\nen\tnothing\tHello\n")

    found = retrain(tmp_path, tmp_path)

    rows = list(marked_mails(tmp_path))
    said = [one.label for one in subjects(rows, tmp_path / SUBJECTS)]
    assert said == [*["name", "all", "nothing"] * 2, "all", "nothing"]
    assert [(one.texts, one.right) for one in choices(rows[1:2])] == [
        (("we have 1 lamps.", "Lamp 1 does not burn.", "All others do."), frozenset({1}))
    ]
    assert 0 <= found <= 100
    assert all(read_classifier(tmp_path / f"{model}.npz").labels for model in OPTIONS)
