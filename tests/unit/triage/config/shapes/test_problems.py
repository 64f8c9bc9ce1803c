"""Problems of a configuration file name place, cure and the keys that exist there."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from triage.config.shapes.problems import problems


class _Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")

    depth: int = 0


class _Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")

    one: _Inner | None = None
    many: Annotated[tuple[_Inner, ...], AfterValidator(lambda many: many)] = ()
    named: dict[str, _Inner] = Field(default_factory=dict)


def _told(values: object) -> list[str]:
    try:
        _Outer.model_validate(values)
    except ValidationError as e:
        return list(problems(e, "file.yaml", _Outer))
    return []


def test_an_unknown_key_is_looked_up_where_it_stands() -> None:
    """At every depth, whatever holds the section, the keys of that very section are told."""
    assert _told({"on": 1}) == ["file.yaml: on: unknown key; known are many, named, one; did you mean one?"]
    assert _told({"one": {"dept": 1}}) == ["file.yaml: one.dept: unknown key; known are depth; did you mean depth?"]
    assert _told({"many": [{}, {"x": 1}]}) == ["file.yaml: many[1].x: unknown key; known are depth"]
    assert _told({"named": {"a": {"x": 1}}}) == ["file.yaml: named.a.x: unknown key; known are depth"]


def test_a_file_of_another_shape() -> None:
    """A file that holds a list is told to hold keys."""
    assert _told([1]) == ["file.yaml: must hold `key: value` lines"]
