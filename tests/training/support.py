"""Trains `triage/models/support.npz`, which tells the shipped support categories apart.

    python -m tests.training.support

The examples are fictitious and ours: `triage/words/support/*.txt`, a file per language.

"""

from pathlib import Path
from typing import Final
from zlib import crc32

from tests.training.model_files import write_intents
from triage.config.model_files import FOLDER
from triage.config.support.examples import shipped_examples
from triage.policy.intents.classifier import train
from triage.policy.support.classify import MODEL, sample_of

FILE: Final = FOLDER / f"{MODEL}.npz"


def retrain(model: Path = FILE) -> None:
    """Write the model; equal examples give an equal file."""
    pairs = shipped_examples()
    classifier = train([sample_of("", text) for _, text in pairs], [name for name, _ in pairs])
    about = {"trained_on": f"{len(pairs)} examples", "checksum": crc32(repr(pairs).encode())}
    write_intents(model, classifier, about)


if __name__ == "__main__":
    retrain()
