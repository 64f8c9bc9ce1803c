"""Reads the section `components` of `triage.yaml`: what mails call the project's components."""

from typing import Annotated

from pydantic import AfterValidator, Field

from triage.config.shapes.base import named_twice

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
