"""Files of models: every file that is none of its kind and version is refused with the cure."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from tests.training.model_files import write_model
from triage.config.model_files import ModelFile, read_model
from triage.domain.errors import SettingsInvalid

MODEL = ModelFile(about={"kind": "sample", "version": 2, "labels": ["a"]}, arrays={"w": np.array([1.5, -2.0])})


@pytest.mark.parametrize(("kind", "version"), [("sample", 3), ("other", 2)])
def test_another_version_is_refused(tmp_path: Path, kind: str, version: int) -> None:
    """A model of another kind or version never runs; the error names both."""
    write_model(tmp_path / "m.npz", MODEL)

    with pytest.raises(SettingsInvalid, match=f"is sample version 2, not {kind} version {version}; install"):
        read_model(tmp_path / "m.npz", kind, version)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    """A cut file, a file of something else, a file without its line and a missing one are told alike."""
    write_model(tmp_path / "whole.npz", MODEL)
    whole = (tmp_path / "whole.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.npz").write_text("hello")
    (tmp_path / "empty.npz").write_bytes(b"")
    np.savez(tmp_path / "bare.npz", w=np.array([1.0]))

    for name in ("cut", "text", "empty", "bare", "missing"):
        with pytest.raises(SettingsInvalid, match=f"{name}.npz: is no model file"):
            read_model(tmp_path / f"{name}.npz", "sample", 2)


def test_no_pickle_is_loaded(tmp_path: Path) -> None:
    """A file that holds Python objects is refused before they are made."""
    np.savez(tmp_path / "m.npz", about=np.array([{"kind": "sample"}], dtype=object))
    (tmp_path / "p.npz").write_bytes(pickle.dumps({"kind": "sample"}))

    for name in ("m", "p"):
        with pytest.raises(SettingsInvalid, match="is no model file"):
            read_model(tmp_path / f"{name}.npz", "sample", 2)
