"""Reads the shipped models of `triage/models/`: arrays of numbers and a line of JSON about them, no pickle."""

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from triage.domain.errors import SettingsInvalid

FOLDER: Final = Path(__file__).parents[1] / "models"
ABOUT: Final = "about"
"""Name of the array with the JSON text, as UTF-8 bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """The content of one file. `about` holds `kind`, `version` and what the model's reader needs beside numbers."""

    about: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]


def read_model(path: Path, kind: str, version: int) -> ModelFile:
    """Read a model of this kind and version; numpy is imported here. Raises `SettingsInvalid` with the cure."""
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        about = json.loads(arrays.pop(ABOUT).tobytes())
        found = (about["kind"], about["version"])
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as e:
        raise SettingsInvalid((f"{path}: is no model file ({e.__class__.__name__}: {e}); install Triage again",)) from e
    if found != (kind, version):
        wanted = f"{kind} version {version}"
        raise SettingsInvalid((f"{path}: is {found[0]} version {found[1]}, not {wanted}; install Triage again",))
    return ModelFile(about=about, arrays=arrays)
