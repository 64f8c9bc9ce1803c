"""Writes the files of the models that Triage ships; `triage/config/model_files.py` reads them."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from triage.config.model_files import ABOUT, ModelFile
from triage.domain.conversation import Json
from triage.policy.classifiers import choice_model, linear_classifier
from triage.policy.classifiers.choice_model import ChoiceModel
from triage.policy.classifiers.linear_classifier import LinearClassifier
from triage.policy.intents import classifier as intents
from triage.policy.intents.classifier import IntentClassifier
from triage.policy.knowledge import calibrated
from triage.policy.knowledge.calibrated import ConfidenceModel
from triage.policy.ranking import ranker
from triage.policy.ranking.features import FEATURES
from triage.policy.ranking.ranker import RankingModel

NEGLIGIBLE: Final = 1e-3
"""Weights up to this are left out."""
NEGLIGIBLE_OF_INTENTS: Final = 1e-2


def write_model(path: Path, model: ModelFile) -> None:
    """Write a model; equal content gives equal bytes."""
    text = json.dumps(model.about, sort_keys=True).encode()
    arrays: dict[str, Any] = {ABOUT: np.frombuffer(text, dtype=np.uint8), **model.arrays}
    np.savez_compressed(path, allow_pickle=False, **arrays)


def write_choice_model(path: Path, model: ChoiceModel, about: Mapping[str, Json]) -> None:
    """Write a model and what is to be known about its training; numbers keep five digits."""
    given = {**about, "kind": choice_model.KIND, "version": choice_model.VERSION, "features": model.features}
    names = ("weights", "calibration", "thresholds")
    arrays = {name: getattr(model, name).round(5).astype("float64") for name in names}
    write_model(path, ModelFile(about=given, arrays=arrays))


def write_classifier(path: Path, classifier: LinearClassifier, about: Mapping[str, Json]) -> None:
    """Write a classifier and what is to be known about its training; weights keep three digits."""
    used = np.flatnonzero(np.abs(classifier.weights).max(axis=1) > NEGLIGIBLE)
    given = {
        **about,
        "kind": linear_classifier.KIND,
        "version": linear_classifier.VERSION,
        "labels": classifier.labels,
        "shape": asdict(classifier.shape),
        "sharpness": classifier.sharpness,
    }
    arrays: dict[str, NDArray[Any]] = {
        "buckets": used.astype(np.uint32),
        "weights": classifier.weights[used].astype(np.float16),
        "bias": classifier.bias.astype(np.float32),
    }
    write_model(path, ModelFile(about=given, arrays=arrays))


def write_intents(path: Path, classifier: IntentClassifier, about: Mapping[str, Json]) -> None:
    """Write a classifier of intents and what is to be known about its training; weights keep three digits."""
    learnt = classifier.weights
    known = np.flatnonzero(learnt.rarity)
    rows = learnt.weights[learnt.place[known]]
    used = np.abs(rows).max(axis=1) > NEGLIGIBLE_OF_INTENTS
    given = {
        **about,
        "kind": intents.KIND,
        "version": intents.VERSION,
        "labels": classifier.labels,
        "sharpness": classifier.sharpness,
        "floor": classifier.floor,
    }
    arrays = {
        "buckets": known[used].astype(np.uint32),
        "rarity": learnt.rarity[known[used]].astype(np.float16),
        "weights": rows[used].astype(np.float16),
        "bias": learnt.bias.astype(np.float32),
    }
    write_model(path, ModelFile(about=given, arrays=arrays))


def ranking_file(model: RankingModel, **about: object) -> ModelFile:
    """Return the content of a ranking model's file; `about` says where it comes from."""
    facts = {"kind": ranker.KIND, "version": ranker.VERSION, "features": list(FEATURES), **about}
    arrays = {"weights": model.weights, "calibration": np.append(model.calibration, model.bias)}
    return ModelFile(about=facts, arrays=arrays)


def confidence_file(model: ConfidenceModel, **about: object) -> ModelFile:
    """Return the content of the file of a scorer of answers; `about` says where it comes from."""
    facts = {
        "kind": calibrated.KIND,
        "version": calibrated.VERSION,
        "features": list(calibrated.FEATURES),
        "labels": model.labels,
        **about,
    }
    parts = dict(zip(calibrated.PARTS, (model.answerable, model.right), strict=True))
    arrays = {name: np.array([*one.weights, one.bias]).round(5) for name, one in parts.items()}
    return ModelFile(about=facts, arrays=arrays)
