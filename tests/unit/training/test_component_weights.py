"""The weights by which a young tracker's component is guessed."""

import numpy as np
import pytest

from tests.training.component_weights import FIRMS, FOLDER, SHIPPED, Example, Firm, all_examples, fitted, written
from triage_sandbox.jira.seed.story import Story


@pytest.mark.heavy
def test_the_shipped_weights_are_those_of_these_mails() -> None:
    """Within a tenth: they were fitted with what the sandbox's search found, too."""
    examples = [one for of_firm in all_examples().values() for one in of_firm]

    assert fitted(examples) == pytest.approx(SHIPPED, rel=0.1)


def example(right: int) -> Example:
    """Return a mail for which the first feature speaks of the right component, among two and none."""
    features = np.zeros((3, len(SHIPPED)))
    features[right, 0], features[2, -1] = 1.0, 1.0
    return Example(features=features, right=np.arange(3) == right)


def test_it_learns_what_speaks_for_a_component() -> None:
    """Weight goes to the feature that tells, none to the others."""
    examples = [example(0), example(1)] * 20
    weights = fitted(examples)

    assert weights[0] > 1
    assert weights[1:-1] == pytest.approx(0.0, abs=1e-3)
    assert written(examples, weights).tolist() == [40, 40]


def test_a_mail_is_seen_as_the_product_sees_it() -> None:
    """A row per component and one for none; which are right follows from the expectation."""
    firm = Firm.of_story(Story.of_folder(FOLDER / FIRMS[0]))
    first = firm.known.names[0]
    seen, alien = (firm.example("It is down", f"{first} is down.", (name,)) for name in (first, "Elsewhere"))

    assert seen.features.shape == (len(firm.known.names) + 1, len(SHIPPED))
    assert (seen.right.tolist()[0], seen.right.sum()) == (True, 1)
    assert (alien.right.tolist()[-1], alien.right.sum()) == (True, 1)
