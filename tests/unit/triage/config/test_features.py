"""What is switched on, and what it needs."""

from triage.config.features import features_of
from triage.config.settings import Isolated, load
from triage.config.triage_yaml import Config, config_of


def test_features_follow_the_settings() -> None:
    """All but watchers and masking is off in an empty installation; each setting switches on what it says."""
    empty = {one.name: one.on for one in features_of(load(Isolated), Config())}
    some = load(
        Isolated,
        SMTP_HOST="mail.example.com",
        MAIL_FROM="help@example.com",
        ENABLE_SPRINTS="true",
        MAX_COST_PER_MONTH="10",
        OPENAI_PRICE_INPUT="1",
        OPENAI_PRICE_OUTPUT="2",
        OPENAI_API_KEY="x",
    )
    found = {one.name for one in features_of(some, config_of(b"letters: {receipt: true}")) if one.on}

    assert {name for name, on in empty.items() if on} == {"Watchers", "Secrets masked"}
    assert found == {"Watchers", "Secrets masked", "Letters", "Answers", "Sprints", "Budget", "Model"}


def test_every_feature_says_what_it_needs() -> None:
    """A name, what it does, and the settings that switch it on."""
    assert all(one.name and one.about and one.needs for one in features_of(load(Isolated), Config()))
