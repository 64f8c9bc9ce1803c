"""The model of the support classifier: the shipped file belongs to the examples that stand beside it."""

from zlib import crc32

from tests.training.support import FILE
from triage.config.model_files import read_model
from triage.config.support.examples import shipped_examples
from triage.policy.intents.classifier import KIND, VERSION
from triage.policy.support.topics import CATEGORIES


def test_the_shipped_model_was_trained_on_these_examples() -> None:
    """Whoever changes an example trains again."""
    about = read_model(FILE, KIND, VERSION).about

    assert about["checksum"] == crc32(repr(shipped_examples()).encode())
    assert set(about["labels"]) == set(CATEGORIES)
