"""A link says one thing, by one person, about exactly what was shown."""

from datetime import UTC, datetime

import pytest

from triage.policy.channels.signed_links import LinkAnswer, LinkClaims, claims_of_token, token_of

SECRET = b"k" * 32
PLEDGE = LinkClaims(approval=7, hash="ab" * 16, answer=LinkAnswer.YES, person="ada@example.com", expires=1_800_000_000)


def test_a_token_is_read_again() -> None:
    """All that the link is bound to comes back, and it ends at its second."""
    assert claims_of_token(token_of(PLEDGE, SECRET), SECRET) == PLEDGE
    assert PLEDGE.is_over(datetime.fromtimestamp(1_800_000_000, UTC))
    assert not PLEDGE.is_over(datetime.fromtimestamp(1_799_999_999, UTC))


def test_every_changed_character_is_refused() -> None:
    """Nothing of a token can be changed, added or left out; another key makes other tokens."""
    token = token_of(PLEDGE, SECRET)
    changed = [f"{token[:at]}{'A' if one != 'A' else 'B'}{token[at + 1 :]}" for at, one in enumerate(token)]

    assert [
        one for one in (*changed, token + "A", token[:-1], f"{token}=", f" {token}") if claims_of_token(one, SECRET)
    ] == []
    assert claims_of_token(token, b"x" * 32) is None


@pytest.mark.parametrize("token", ["", ".", "a", "a.b", "ä.ö", "x" * 100_000, "e30.e30", "%00.%00", "🙂.🙂"])
def test_nonsense_is_refused(token: str) -> None:
    """Whatever stands in an address is no error of ours."""
    assert claims_of_token(token, SECRET) is None
