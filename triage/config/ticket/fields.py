"""Reads the sections `labels` and `fields` of `triage.yaml`: what new tickets get beside their text."""

from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictBool

COMMON: Final = "from-mail"
ANY: Final = "any"
"""Stands for the values of a field where Jira's form says which there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRules:
    """Which labels code puts on every new ticket."""

    common: str = COMMON
    """On every ticket; empty: none."""
    technologies: bool = True
    """The technologies that the mail names."""
    customers: bool = True
    """The sender's mail domain, unless it is a public one or our own."""


def _label(text: str) -> str:
    if text and len(text.split()) != 1:
        raise ValueError(f"{text!r} is no label: Jira's labels have no blanks")
    return text.strip()


class LabelsShape(BaseModel):
    """The section `labels:`."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    common: Annotated[str, Field(max_length=60), AfterValidator(_label)] = COMMON
    technologies: StrictBool = True
    customers: StrictBool = True

    def frozen(self) -> LabelRules:
        """Convert to the frozen `LabelRules`."""
        return LabelRules(**self.model_dump())


def _values(value: Any) -> Any:
    """Accept `any`, and numbers and words as YAML reads them."""
    if value == ANY:
        return ()
    if not isinstance(value, list) or not value:
        raise ValueError(f"takes a list of values, or `{ANY}` for all that Jira's form offers")
    return tuple(str(each) for each in value)


Values = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], BeforeValidator(_values)]
"""The values that a mail may give a field; empty: all that Jira's form offers."""
