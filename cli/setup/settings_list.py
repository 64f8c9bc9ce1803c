"""`triage doctor --settings`: the list of all settings, for an installation without the documentation beside it."""

from cli.console import print_json, screen, table


def print_settings(*, as_json: bool) -> None:
    """Print each setting with its default and what it is for; a secret's can also come from a file."""
    from triage.config.setting_sources import is_secret
    from triage.config.variables import default_of, variables

    lines = [
        {
            "setting": name,
            "default": default_of(field),
            "about": field.description or "",
            "file": f"{name}_FILE" if is_secret(field) else "",
        }
        for name, field in variables().items()
    ]
    if as_json:
        print_json(lines)
        return
    rows = [(line["setting"], line["default"], _described(line)) for line in lines]
    screen().print(table(("setting", "default", "what it is for"), rows))


def _described(line: dict[str, str]) -> str:
    return f"{line['about']} (secret; a file's name: {line['file']})" if line["file"] else line["about"]
