"""Who is named in a text, as `triage forget` asks it of calls that MCP clients made."""

import pytest

from triage.policy.privacy.naming import names_person

ADA = names_person(
    "ada@example.com", ("Zoë Ada Moreau <ada@example.com>", "Ada <ada@example.com>", "ada@example.com"), ("people/am",)
)


@pytest.mark.parametrize(
    "text",
    [
        '{"query": "from ADA@example.com."}',
        '{"query": "<ada+news@example.com>"}',
        '{"node": "person:ada@example.com"}',
        '{"query": "what did Moreau, Zoe Ada say?"}',
        '{"note": "people/zoe-ada_moreau"}',
        '{"note": "people/am"}',
    ],
)
def test_named(text: str) -> None:
    """By any spelling of the address, by the full name in any order and without accents, by a note of hers."""
    assert ADA(text)


@pytest.mark.parametrize(
    "text", ['{"query": "ada"}', "Ada Lovelace", "ada@example.org", "nevada@example.com", "xada@example.com", ""]
)
def test_not_named(text: str) -> None:
    """A first name alone is anybody's, and another address another person."""
    assert not ADA(text)


def test_who_has_no_name() -> None:
    """Then the address alone counts."""
    assert not names_person("ada@example.com", ("ada@example.com",))("ada moreau")
