"""Files of models: numbers and JSON come back as they went in."""

from pathlib import Path

import numpy as np

from tests.training.model_files import write_model
from triage.config.model_files import ModelFile, read_model

MODEL = ModelFile(about={"kind": "sample", "version": 2, "labels": ["a"]}, arrays={"w": np.array([1.5, -2.0])})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Numbers and the line about them come back, and equal models have equal bytes."""
    for name in ("one.npz", "two.npz"):
        write_model(tmp_path / name, MODEL)

    read = read_model(tmp_path / "one.npz", "sample", 2)

    assert read.about == MODEL.about
    assert read.arrays["w"].tolist() == [1.5, -2.0]
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
