"""One setting in one line."""

import pytest
from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from triage.config.declaring import ENDPOINT, Text, env


def test_a_variable_and_its_old_names() -> None:
    """The name, the default and the description stand in the field, as do names of earlier versions."""
    field = env("JIRA_BASE_URL", "", "where Jira is", was=("JIRA_URL",))

    assert isinstance(field, FieldInfo)
    assert (field.default, field.description) == ("", "where Jira is")
    assert field.validation_alias is not None
    assert not isinstance(field.validation_alias, str)
    assert field.validation_alias.convert_to_aliases() == [["JIRA_BASE_URL"], ["JIRA_URL"]]


def test_blanks_around_a_value_are_nothing() -> None:
    """A variable of blanks is empty, and so counts as unset."""
    assert TypeAdapter(Text).validate_python(" \tup ") == "up"


@pytest.mark.parametrize(
    ("value", "good"),
    [("", True), ("127.0.0.1:9100", True), ("[::1]:9100", True), ("localhost", False), ("::1:9100", False)],
)
def test_an_address_to_listen_at(value: str, *, good: bool) -> None:
    """Host and port, an IPv6 address in brackets."""
    import re

    assert bool(re.search(ENDPOINT, value)) is good
