"""The calibrated scorer is trained from labelled questions, and comes out the same each time."""

from pathlib import Path

import pytest

from tests.training.knowledge import ConfidenceLabel, fitted, train
from triage.policy.knowledge.calibrated import FEATURES, ConfidenceModel


def features_by(like: float) -> tuple[float, ...]:
    """Features of which likeness says what the others deny."""
    return tuple(like if name == "likeness" else 1 - like for name in FEATURES)


def test_what_speaks_for_an_answer_is_learnt() -> None:
    """Likeness that goes with right answers raises the probability; a feature never speaks against one by chance."""
    labels = [
        ConfidenceLabel("help", answerable, features_by(like), right=answerable and like > 0.5)
        for answerable, like in ((False, 0.1), (False, 0.2), (True, 0.3), (True, 0.4), (True, 0.7), (True, 0.8))
    ]
    model = fitted(labels)

    assert model.labels == 6
    for learnt in (model.answerable, model.right):
        assert learnt.weights[0] > 0
        assert min(weight for name, weight in zip(FEATURES, learnt.weights, strict=True) if name != "asked") == 0


def test_which_article_is_learnt_of_what_is_answered() -> None:
    """A question that nothing answers says nothing of which article is right: however many there are, that part stays."""
    known = [ConfidenceLabel("help", True, features_by(like), right=like > 0.5) for like in (0.2, 0.4, 0.6, 0.8)]
    strange = [ConfidenceLabel("help", False, features_by(like), right=False) for like in (0.1, 0.3, 0.5)]

    assert fitted(known + strange).right == fitted([*known, *strange, *strange]).right


def test_training(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder of articles and a file of questions give a model; the table shows what models without a base are worth."""
    for base in ("one", "two"):
        (tmp_path / base / "articles").mkdir(parents=True)
        for name in ("refund", "parcel", "invoice"):
            (tmp_path / base / "articles" / f"{name}.md").write_text(f"# {name}\n\nAll about the {name}.\n")
        lines = [
            f'{{"question": "Where is my {name}?", "article": "{name}"}}' for name in ("refund", "parcel", "invoice")
        ]
        lines += ['{"question": "Where is my zebra?", "article": null}', '{"question": "All lions", "article": null}']
        lines += ['{"question": "Where is the wrong refund?", "article": "parcel"}']
        (tmp_path / base / "q.jsonl").write_text("\n".join(lines))
    bases = [f"{tmp_path / base / 'articles'},{tmp_path / base / 'q.jsonl'}" for base in ("one", "two")]

    for out in ("a.npz", "b.npz"):
        train(bases, tmp_path / out)

    assert "one" in capsys.readouterr().out
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert ConfidenceModel.read(tmp_path / "a.npz").labels > 6
