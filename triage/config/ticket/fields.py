"""Reads the sections `labels`, `fields` and `components` of `triage.yaml`: what new tickets get beside their text, and other names of components."""

from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool

from triage.config.shapes.base import Shape, named_twice

Some = Annotated[str, Field(min_length=1, max_length=200)]


def _once(components: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Raise `ValueError` where a component stands twice or an alias means two of them."""
    if twice := named_twice(name.strip().casefold() for name in components):
        raise ValueError(f"{', '.join(twice)} stands there twice; keep one entry")
    if shared := named_twice(alias.strip().casefold() for aliases in components.values() for alias in set(aliases)):
        raise ValueError(f"{', '.join(shared)} is an alias of two components; keep one")
    return components


Aliases = Annotated[tuple[Some, ...], Field(min_length=1, max_length=50)]
Components = Annotated[dict[Some, Aliases], AfterValidator(_once)]

COMMON: Final = "from-mail"
ANY: Final = "any"
"""Stands for the values of a field where Jira's form says which there are."""


def _label(text: str) -> str:
    if text and len(text.split()) != 1:
        raise ValueError(f"{text!r} is no label: Jira's labels have no blanks")
    return text.strip()


class LabelRules(Shape):
    """The section `labels:`, which labels code puts on every new ticket."""

    common: Annotated[str, Field(max_length=60), AfterValidator(_label)] = COMMON
    """On every ticket; empty: none."""
    technologies: StrictBool = True
    """The technologies that the mail names."""
    customers: StrictBool = True
    """The sender's mail domain, unless it is a public one or our own."""


def _values(value: Any) -> Any:
    """Accept `any`, and numbers and words as YAML reads them."""
    if value == ANY:
        return ()
    if not isinstance(value, list) or not value:
        raise ValueError(f"takes a list of values, or `{ANY}` for all that Jira's form offers")
    return tuple(str(each) for each in value)


Values = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], BeforeValidator(_values)]
"""The values that a mail may give a field; empty: all that Jira's form offers."""
