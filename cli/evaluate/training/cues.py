"""Trains the classifiers of cues, `python -m cli.evaluate.training.cues`, from our own labelled sentences and whole mails.

`request_type.npz` tells bug, feature, support and general; `urgency.npz` whether a text presses or can wait.

"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from cli.evaluate.training.linear import Options, TextExample, train
from cli.evaluate.training.whole_mails import WholeMail, whole_mails
from triage.config.model_files import FOLDER
from triage.policy.classifiers.linear_classifier import Shape, write_classifier
from triage.policy.cues.meant import TYPE, URGENCY, judged
from triage.policy.decision.disposition.text_classes import core_of

SENTENCES: Final = Path(__file__).parents[3] / "tests" / "corpus" / "cues" / "train.jsonl"
OPTIONS: Final = Options(shape=Shape(shortest=2, longest=5, meaning=1.0), penalty=1e-4)
PRESSING: Final = {"Highest": "highest", "High": "high", "Medium": "none", "Low": "low"}


def _type(expect: Mapping[str, Any]) -> str:
    return _first(expect.get("type"))


def _urgency(expect: Mapping[str, Any]) -> str:
    return PRESSING.get(_first(expect.get("priority")), "")


def _first(accepted: str | list[str] | None) -> str:
    """Return the label, of several accepted ones the first."""
    return accepted[0] if isinstance(accepted, list) else accepted or ""


LABELS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    TYPE: _type,
    URGENCY: _urgency,
}
"""Model → what reads its label from what is expected; empty: the sentence is no example."""


def examples(text: str, model: str) -> Iterator[TextExample]:
    """Yield the sentences that have a label for a model, with their subjects."""
    for line in text.splitlines():
        row = json.loads(line)
        if label := LABELS[model](row["expect"]):
            yield TextExample(judged(row.get("subject", ""), row["text"]), label)


def examples_of_mails(mails: Iterable[WholeMail], model: str) -> Iterator[TextExample]:
    """Yield the whole mails that are for us, each as `core_of` cuts it."""
    for mail in mails:
        if label := LABELS[model]({"type": mail.type, "priority": mail.priority}):
            yield TextExample(core_of(mail.subject, mail.text), label)


def checksum_of(sentences: str, mails: Iterable[object]) -> int:
    """Return a number that tells by which sentences and mails a model was trained."""
    return crc32("\n".join((sentences, *map(repr, mails))).encode())


def retrain(sentences: Path = SENTENCES, folder: Path = FOLDER, mails: Iterable[WholeMail] | None = None) -> None:
    """Write the models."""
    text = sentences.read_text(encoding="utf-8")
    mails = list(whole_mails() if mails is None else mails)
    for model in LABELS:
        sentences_only = list(examples(text, model))
        found = [*sentences_only, *examples_of_mails(mails, model)]
        about = {
            "trained_on": f"{len(sentences_only)} sentences, {len(found) - len(sentences_only)} mails",
            "checksum": checksum_of(text, mails),
        }
        write_classifier(folder / f"{model}.npz", train(found, OPTIONS), about)


if __name__ == "__main__":
    retrain()
