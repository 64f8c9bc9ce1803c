"""Says what is wrong in a file of pydantic shapes, with the place and the nearest known key."""

from collections.abc import Iterator
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from triage.config.setting_names import nearest

Loc = tuple[int | str, ...]


def problems(e: ValidationError, file: str, shape: type[BaseModel]) -> Iterator[str]:
    """Yield each error as `triage.yaml: where: what`; `shape` is that of the whole file."""
    for error in e.errors(include_input=False, include_url=False):
        where = _where(error["loc"])
        said = error["msg"].removeprefix("Value error, ")
        if error["type"] == "extra_forbidden":
            said = _unknown(str(error["loc"][-1]), sorted(_shape_at(shape, error["loc"]).model_fields))
        yield f"{file}: {where}: {said[0].lower()}{said[1:]}" if where else f"{file}: must hold `key: value` lines"


def _unknown(key: str, known: list[str]) -> str:
    meant = nearest(key, known)
    return f"unknown key; known are {', '.join(known)}{f'; did you mean {meant}?' if meant else ''}"


def _where(loc: Loc) -> str:
    """Format a location, such as `routing.rules[0].match.all`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).removeprefix(".")


def _shape_at(shape: type[BaseModel], loc: Loc) -> type[BaseModel]:
    """Return the model in which the last part of the location is unknown."""
    for part in loc[:-1]:
        field = shape.model_fields.get(str(part))
        if field is not None:  # else an index, a key of a mapping, or the name of an alternative
            shape = next(_models(field.annotation), shape)
    return shape


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the models within a type, such as that of `tuple[Shape, ...]`."""
    inner = get_args(annotation)
    if not inner and isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for one in inner[:1] if get_origin(annotation) is Annotated else inner:
        yield from _models(one)
