"""Texts of a form: who writes another one is told the form in words, where pydantic would show its regular expression."""

from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema


@dataclass(frozen=True, slots=True)
class Form:
    """Annotation of a `str`: `Annotated[str, Form("^[A-Z]+$", "write a key in capitals, such as HARB")]`."""

    pattern: str
    cure: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Check the text by the pattern; the schema for programs shows the pattern."""
        del source, handler
        text = core_schema.str_schema(pattern=self.pattern)
        return core_schema.custom_error_schema(text, custom_error_type="form", custom_error_message=self.cure)
