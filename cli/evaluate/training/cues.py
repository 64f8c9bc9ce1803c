"""Trains the classifiers of cues, `python -m cli.evaluate.training.cues`, from our own labelled sentences.

`request_type.npz` tells bug, feature, support and general; `urgency.npz` whether a text presses or can wait.

"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from cli.evaluate.training.linear import Options, TextExample, train
from triage.config.model_files import FOLDER
from triage.policy.classifiers.linear_classifier import Shape, write_classifier
from triage.policy.cues.meant import TYPE, URGENCY, judged

SENTENCES: Final = Path(__file__).parents[3] / "tests" / "corpus" / "cues" / "train.jsonl"
OPTIONS: Final = Options(shape=Shape(shortest=2, longest=5, meaning=1.0), penalty=1e-4)
PRESSING: Final = {"Highest": "high", "High": "high", "Medium": "none", "Low": "low"}


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


def retrain(sentences: Path = SENTENCES, folder: Path = FOLDER) -> None:
    """Write the models."""
    text = sentences.read_text(encoding="utf-8")
    for model in LABELS:
        found = list(examples(text, model))
        about = {"trained_on": f"{len(found)} sentences", "checksum": crc32(text.encode())}
        write_classifier(folder / f"{model}.npz", train(found, OPTIONS), about)


if __name__ == "__main__":
    retrain()
