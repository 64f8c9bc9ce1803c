"""`triage doctor --settings`: the list of all settings, for an installation without the documentation beside it."""

from typing import TYPE_CHECKING

from cli.console import print_json, screen, table

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo


def _line(name: str, field: "FieldInfo") -> dict[str, str]:
    from triage.config.setting_sources import is_secret
    from triage.config.variables import default_of

    file = f"{name}_FILE" if is_secret(field) else ""
    return {"setting": name, "default": default_of(field), "about": field.description or "", "file": file}


def print_settings(*, as_json: bool) -> None:
    """Print each setting with its default and what it is for; a secret's can also come from a file."""
    from triage.config.variables import variables

    lines = [_line(name, field) for name, field in variables().items()]
    if as_json:
        print_json(lines)
        return
    rows = [(line["setting"], line["default"], _described(line)) for line in lines]
    screen().print(table(("setting", "default", "what it is for"), rows))


def _described(line: dict[str, str]) -> str:
    return f"{line['about']} (secret; a file's name: {line['file']})" if line["file"] else line["about"]
