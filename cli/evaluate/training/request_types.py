"""Trains `triage/models/request_type.npz`: `python -m cli.evaluate.training.request_types`, from our own labelled sentences."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zlib import crc32

from cli.evaluate.training.linear import Example, Options, train
from triage.config.model_files import FOLDER
from triage.policy.text.linear_classifier import Shape, write_classifier

SENTENCES: Final = Path(__file__).parents[3] / "tests" / "corpus" / "cues" / "train.jsonl"
MODEL: Final = FOLDER / "request_type.npz"
OPTIONS: Final = Options(shape=Shape(buckets=1 << 14, shortest=2, longest=4), penalty=1e-4)


def examples(text: str) -> Iterator[Example]:
    """Yield the sentences with a type; of several accepted types the first one."""
    for line in text.splitlines():
        row = json.loads(line)
        accepted = row["expect"].get("type")
        if accepted:
            yield Example(row["text"], accepted if isinstance(accepted, str) else accepted[0])


def retrain(sentences: Path = SENTENCES, model: Path = MODEL) -> None:
    """Write the model; equal sentences give an equal file."""
    text = sentences.read_text(encoding="utf-8")
    found = list(examples(text))
    about = {"trained_on": f"{len(found)} sentences", "checksum": crc32(text.encode())}
    write_classifier(model, train(found, OPTIONS), about)


if __name__ == "__main__":
    retrain()
