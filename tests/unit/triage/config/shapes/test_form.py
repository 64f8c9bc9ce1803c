"""Texts of a form."""

from typing import Annotated

import pytest
from pydantic import TypeAdapter, ValidationError

from triage.config.shapes.form import Form

KEY = TypeAdapter(Annotated[str, Form("^[A-Z]+$", "write a key in capitals, such as HARB")])


@pytest.mark.parametrize("wrong", ["harb", "", "HARB\n", 7])
def test_what_another_form_is_told(wrong: object) -> None:
    """The error says what to write, and nothing of the pattern; programs still see the pattern in the schema."""
    with pytest.raises(ValidationError) as refused:
        KEY.validate_python(wrong)

    assert [one["msg"] for one in refused.value.errors()] == ["write a key in capitals, such as HARB"]
    assert KEY.json_schema() == {"type": "string", "pattern": "^[A-Z]+$"}
    assert KEY.validate_python("HARB") == "HARB"
