"""The form of tokens, their ranks and their ends."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from triage.domain.operations.tokens import AccessScope, ApiToken
from triage.policy.operations.tokens import ALPHABET, RANDOM, token_text, well_formed, why_invalid

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
TOKEN = ApiToken(
    name="board",
    scope=AccessScope.VIEWER,
    hint="triage_abcd",
    made_by="ada",
    made_at=NOW,
    expires_at=NOW + timedelta(days=1),
)


@pytest.mark.parametrize("characters", ["a" * RANDOM, ALPHABET[:RANDOM], "0" * RANDOM])
def test_a_token_has_one_form(characters: str) -> None:
    """Prefix, forty characters, checksum of six: 53 characters, which a scanner finds."""
    text = token_text(characters)

    assert (len(text), text[:7]) == (53, "triage_")
    assert well_formed(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "triage_",
        "Bearer",
        token_text("a" * RANDOM)[:-1],
        token_text("a" * RANDOM) + "a",
        token_text("b" * RANDOM)[:-6] + token_text("a" * RANDOM)[-6:],
        token_text("a" * RANDOM).upper(),
        "triage_" + "é" * 46,
    ],
)
def test_anything_else_is_refused_by_its_form(text: str) -> None:
    """A made-up token costs no look into the database."""
    assert not well_formed(text)


def test_a_token_ends() -> None:
    """By its date, to the second, or by being revoked."""
    assert why_invalid(TOKEN, NOW) == ""
    assert why_invalid(TOKEN, TOKEN.expires_at) == "it has expired"
    assert why_invalid(replace(TOKEN, revoked_at=NOW), NOW) == "it was revoked"


def test_scopes_cover_those_below() -> None:
    """An admin may do what an approver may, who may do what a reader may, who may do what a viewer may."""
    order = (AccessScope.VIEWER, AccessScope.READER, AccessScope.APPROVER, AccessScope.ADMIN)
    covered = {(one, other) for one in AccessScope for other in AccessScope if one.covers(other)}

    assert covered == {(one, other) for at, one in enumerate(order) for other in order[: at + 1]}
