"""Says what is wrong in a file of pydantic shapes, with the place and the nearest known key."""

from collections.abc import Iterator
from typing import Annotated, Any, Final, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError

from triage.config.setting_names import nearest

Loc = tuple[int | str, ...]
_LINES, _ITEMS = "must hold `key: value` lines", "must be a list, lines that begin with `-`"
SHAPES: Final = {
    "model_type": _LINES,
    "dict_type": _LINES,
    "tuple_type": _ITEMS,
    "list_type": _ITEMS,
    "frozen_set_type": _ITEMS,
}
"""What pydantic tells in words of Python."""


def problems(e: ValidationError, file: str, shape: type[BaseModel], text: str = "") -> Iterator[str]:
    """Yield each error as `triage.yaml: where: what (line 3, column 7)`; `shape` and `text` are those of the whole file."""
    root = yaml.compose(text, Loader=yaml.SafeLoader) if text else None
    for error in e.errors(include_input=False, include_url=False):
        where = _where(error["loc"])
        message = SHAPES.get(error["type"], error["msg"].removeprefix("Value error, "))
        if error["type"] == "extra_forbidden":
            message = _unknown(str(error["loc"][-1]), sorted(_shape_at(shape, error["loc"]).model_fields))
        problem = f"{where}: {message[0].lower()}{message[1:]}" if where else _LINES
        yield f"{file}: {problem}{_place(root, error['loc'])}"


def _place(node: yaml.Node | None, loc: Loc) -> str:
    """Return line and column of a location, or of the innermost part of it that the file has; empty for the whole file."""
    mark = None
    for part in loc:
        if isinstance(node, yaml.MappingNode):
            pair = next(((key, value) for key, value in node.value if key.value == str(part)), None)
            if pair is None:
                continue  # the name of an alternative, or a key that is missing
            mark, node = pair[0].start_mark, pair[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            mark = node.start_mark
    return f" (line {mark.line + 1}, column {mark.column + 1})" if mark else ""


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
