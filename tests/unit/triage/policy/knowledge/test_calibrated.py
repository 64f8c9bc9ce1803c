"""The calibrated scorer of answers."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.training.model_files import confidence_file, write_model
from triage.config.support.confidence import Scoring
from triage.domain.errors import SettingsInvalid
from triage.domain.support.articles import Passage
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.calibrated import FEATURES, ConfidenceModel, Regression, features_of, shipped_model
from triage.policy.knowledge.likeness import hits_of

INVOICES = Passage(
    article="help:bills",
    number=0,
    title="Bills",
    heading="Paying > How do I get an invoice?",
    text=Untrusted("We mail an invoice after each payment."),
)
OTHER = Passage(
    article="help:games", number=0, title="Games", text=Untrusted("Games are fun, and no payment is needed.")
)
MODEL = ConfidenceModel(
    answerable=Regression(weights=tuple(float(at) for at in range(len(FEATURES))), bias=-1.5),
    right=Regression(weights=(0.5,) * len(FEATURES), bias=1.0),
    labels=300,
)


def features(question: str) -> dict[str, float]:
    """The features of a question by name."""
    hits = hits_of(question, (INVOICES, OTHER), {"invoic": 1, "payment": 2}, 50)
    return dict(zip(FEATURES, features_of(question, hits), strict=True))


def test_features() -> None:
    """The question that is the heading has it all; one of which a word is lacking has less of everything."""
    same, lacking = features("How do I get an invoice?"), features("payment of zebras")

    assert same["likeness"] == same["heading_asked"] == same["same_words"] == 1.0
    assert same["meant"] >= same["meant_lead"] > lacking["meant_lead"]
    assert same["meant_sentence"] > lacking["meant_sentence"]
    assert lacking["same_words"] == 0 < lacking["likeness"] < 1
    assert same["lead"] > lacking["lead"] == 0
    assert features("invoice after each payment")["pairs"] == 1.0


def test_the_shipped_model_decides() -> None:
    """It was trained on more than 200 labels; it believes an answer to the very heading, and none to a strange question."""
    model = shipped_model()
    sure = model.probability(list(features("How do I get an invoice after payment?").values()))
    strange = model.probability(list(features("Will zebras cross the lake by payment tonight, grandmother?").values()))

    assert model.labels >= 200
    assert strange < Scoring().refuses
    assert sure > 0.7


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    """A file keeps the weights of both regressions and the number of labels; an answer has to be there and be the right one."""
    write_model(tmp_path / "m.npz", confidence_file(MODEL, trained=["help"]))

    assert ConfidenceModel.read(tmp_path / "m.npz") == MODEL
    assert MODEL.probability([0.0] * len(FEATURES)) == pytest.approx(0.1824 * 0.7311, abs=1e-4)


@pytest.mark.parametrize("broken", ["features", "weights"])
def test_a_model_for_other_features_is_refused(tmp_path: Path, broken: str) -> None:
    """Weights that mean something else are not used; the message says the cure."""
    file = confidence_file(MODEL)
    if broken == "features":
        file = replace(file, about={**file.about, "features": ["likeness"]})
    else:
        file = replace(file, arrays={})
    write_model(tmp_path / "m.npz", file)

    with pytest.raises(SettingsInvalid, match="train it again"):
        ConfidenceModel.read(tmp_path / "m.npz")
