"""Names and labels of the metrics."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from triage.policy.operations.metrics import (
    FAMILIES,
    MOST_MODELS,
    OTHER,
    MetricKind,
    age,
    channel_of,
    distinct_names,
    model_label,
)

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


@pytest.mark.parametrize("name", FAMILIES)
def test_names_follow_the_conventions(name: str) -> None:
    """One prefix, base units at the end; `_total` is added to counters by the format, so no name brings it along."""
    family = FAMILIES[name]

    assert re.fullmatch(r"triage(_[a-z]+)+", name)
    assert not name.endswith(("_total", "_count", "_sum", "_bucket", "_milliseconds"))
    assert family.help.endswith(".")
    assert family.kind is not MetricKind.HISTOGRAM or name.endswith("_seconds")


@pytest.mark.parametrize(
    ("source", "label"),
    [
        ("webhook:postmark", "webhook:postmark"),
        ("webhook:postmark:oversize", "webhook:postmark"),
        ("imap:ada@example.com/INBOX", "imap"),
        ("file", "file"),
    ],
)
def test_ways_in_name_no_mailbox(source: str, label: str) -> None:
    """A mailbox's name may be an address."""
    assert channel_of(source) == label


def test_names_that_are_alike() -> None:
    """Two series never have the same labels, which Prometheus would refuse as a whole."""
    assert list(distinct_names(["s…@example.com", "ops", "s…@example.com"])) == [
        "s…@example.com",
        "ops",
        "s…@example.com 2",
    ]


def test_models_are_few() -> None:
    """The first names keep their labels; once there are many, a new one shares a label."""
    many = [f"model-{n}" for n in range(MOST_MODELS)]

    assert model_label("new", many[:-1]) == "new"
    assert model_label("new", many) == OTHER
    assert model_label("model-3", many) == "model-3"


def test_ages() -> None:
    """What has no beginning is not old; a clock that goes back makes nothing younger than now."""
    assert age(None, NOW) == 0
    assert age(NOW - timedelta(minutes=2), NOW) == 120
    assert age(NOW + timedelta(minutes=2), NOW) == 0
