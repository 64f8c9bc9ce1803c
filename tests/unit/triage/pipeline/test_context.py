"""What steps get: the features that are on, and the tracker of a case's project."""

from dataclasses import MISSING, fields
from typing import Any, cast

import pytest

from triage.pipeline.context import REPLIES, SUPPORT, Services


def services(**more: object) -> Services:
    """Services of which only these matter."""
    needed: dict[str, Any] = {one.name: None for one in fields(Services) if one.default is MISSING}
    del needed["projects"]
    return Services(**(needed | more))


@pytest.mark.parametrize(
    ("given", "features"),
    [
        ({}, set()),
        ({"letters": "a desk"}, set()),
        ({"letters": "a desk", "texts": "texts"}, {REPLIES}),
        ({"support": "a hub"}, {SUPPORT}),
        ({"letters": "a desk", "texts": "texts", "support": "a hub"}, {REPLIES, SUPPORT}),
    ],
)
def test_features_follow_what_is_there(given: dict[str, object], features: set[str]) -> None:
    """Letters are on with a desk and texts, support with a hub."""
    assert services(**given).features == features


def test_a_case_works_in_the_project_of_its_route() -> None:
    """The tracker is that of the named project; an unknown name changes nothing."""
    at = services(tracker=cast("Any", "first"), projects={"A": "first", "B": "second"})

    assert at.within("B").tracker == cast("Any", "second")
    assert at.within("C") is at
