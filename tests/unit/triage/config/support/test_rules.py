"""The section `support`."""

import pytest

from triage.config.support.rules import RESPONSE_TIMES, ResponseTime
from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid
from triage.domain.support.conversations import SupportPriority


def test_response_times_are_configured_one_by_one() -> None:
    """What is not given stays as shipped."""
    given = config_of(b"support: {resolve_from: 0.8, response_times: {P1: {minutes: 5}}}").support

    assert given.resolve_from == 0.8
    assert given.response_times[SupportPriority.P1] == ResponseTime(minutes=5)
    assert given.response_times[SupportPriority.P3] == RESPONSE_TIMES[SupportPriority.P3]


@pytest.mark.parametrize("times", ["{}", "{minutes: 5, business_days: 1}"])
def test_a_response_time_is_minutes_or_days(times: str) -> None:
    """Both or none is a mistake that is told."""
    with pytest.raises(SettingsInvalid, match="write `minutes` or `business_days`"):
        config_of(f"support: {{response_times: {{P1: {times}}}}}".encode())


def test_as_people_read_it() -> None:
    """Hours where they are whole."""
    told = [str(one) for one in (*RESPONSE_TIMES.values(), ResponseTime(minutes=90))]

    assert told == ["15 min", "2 h", "1 business day", "5 business days", "90 min"]


def test_an_account_is_of_the_support_route() -> None:
    """On another route it would do nothing: it is refused."""
    rule = "routing: {rules: [{name: a, match: {all: true}, route: %s, account: acme}]}"

    assert config_of((rule % "support").encode()).rules[0].account == "acme"
    with pytest.raises(SettingsInvalid, match="`account` is of `route: support` alone"):
        config_of((rule % "pipeline").encode())


def test_categories_are_names_with_examples() -> None:
    """A shipped name brings its own."""
    given = config_of(b"support: {categories: {billing: {}, delivery: {examples: [one text, two text, three text]}}}")

    assert given.support.examples == (("billing", ()), ("delivery", ("one text", "two text", "three text")))
    assert config_of(b"").support.examples == ()


@pytest.mark.parametrize(
    ("categories", "problem"),
    [
        ("{billing: {}}", "a single category"),
        ("{billing: {}, delivery: {examples: [one text]}}", "delivery: write at least 3"),
    ],
)
def test_categories_that_cannot_be_told_apart_are_refused(categories: str, problem: str) -> None:
    """With what is missing."""
    with pytest.raises(SettingsInvalid, match=problem):
        config_of(f"support: {{categories: {categories}}}".encode())
