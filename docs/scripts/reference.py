"""Writes the pages of reference that the code knows best: settings, commands, HTTP API, log events. `make docs` runs it."""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

DOCS: Final = Path(__file__).parent.parent
MARK: Final = "<!-- written by docs/scripts/reference.py: change the code, then run `make docs` -->"
"""Everything below this line of a page is generated."""
UNTOLD: Final = {"help", "install_completion", "show_completion"}
"""Options that every command has."""


def settings() -> str:
    """Return the table of settings."""
    from triage.config.variables import table

    return table()


def commands() -> str:
    """Return every command with its arguments and options, as `--help` tells them."""
    return "\n\n".join(text for command, words in every_command() for text in _command(command, words))


def every_command() -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Yield each command with its words, a group before its subcommands."""
    import typer

    from cli.__main__ import VERBS, app

    root: Any = typer.main.get_command(app)
    for verb in VERBS:
        command = root.get_command(root.make_context("triage", [], resilient_parsing=True), verb)
        yield command, ("triage", verb)
        yield from ((below, ("triage", verb, name)) for name, below in getattr(command, "commands", {}).items())


def _command(command: Any, words: tuple[str, ...]) -> Iterator[str]:
    """Yield the parts of a command's section."""
    yield f"{'#' * len(words)} `{' '.join(words)}`"
    yield _plain(command.help)
    if shown := [_row(parameter) for parameter in command.params if parameter.name not in UNTOLD]:
        yield "\n".join(["| argument or option | default | what it is |", "| --- | --- | --- |", *shown])
    if command.epilog:
        yield re.sub(r"^Example: (.*)$", r"Example: `\1`", _plain(command.epilog), count=1, flags=re.MULTILINE)


def _row(parameter: Any) -> str:
    """Return the row of an argument or option."""
    spelled = (*parameter.opts, *getattr(parameter, "secondary_opts", ()))
    names = ", ".join(f"`{name}`" for name in spelled if name.startswith("-"))
    kind = parameter.type_descriptor.annotation
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    value = (
        ""
        if getattr(parameter, "is_flag", False)
        else parameter.metavar or "\\|".join(choices) or parameter.name.upper()
    )
    default = (
        ""
        if parameter.default in (None, False, "", ())
        else f"`{parameter.opts[0] if parameter.default is True else parameter.default}`"
    )
    return f"| {f'{names} {value}'.strip()} | {default} | {_plain(parameter.help).replace('|', chr(92) + '|')} |"


def _plain(text: str | None) -> str:
    """Return a text without line breaks within a paragraph."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", (text or "").strip()))


def http_api() -> str:
    """Return the routes, then the shapes, of the OpenAPI document."""
    document, scopes = _openapi(), _scopes()
    routes = [
        text
        for path, methods in document["paths"].items()
        for method, route in methods.items()
        for text in _route(method.upper(), path, route, scopes[method.upper(), path])
    ]
    shapes = [text for name, shape in document["components"]["schemas"].items() for text in _shape(name, shape)]
    return "\n\n".join(["## Routes", *routes, "## Shapes", *shapes])


class _Nothing:
    """Stands for the services: the document asks none."""

    def __getattr__(self, name: str) -> int:
        return 0


def _openapi() -> Mapping[str, Any]:
    from web.api.app import api_app

    limits: Any = api_app(_Nothing())  # type: ignore[arg-type]  # no service is asked
    found: Mapping[str, Any] = limits.app.openapi()
    return found


def _scopes() -> Mapping[tuple[str, str], str]:
    """Return the scope that each route asks for, which the document cannot say."""
    from web.api.app import PREFIX, ROUTES
    from web.api.guard import Needs

    routes: list[Any] = [route for subject in ROUTES for route in subject.routes.routes]
    return {
        (method, PREFIX + route.path): needed.call.scope.value
        for route in routes
        for method in route.methods
        for needed in route.dependant.dependencies
        if isinstance(needed.call, Needs)
    }


def _route(method: str, path: str, route: Mapping[str, Any], scope: str) -> Iterator[str]:
    yield f"### `{method} {path}`"
    yield f"{_plain(route.get('description'))} Scope: `{scope}`."
    if given := route.get("parameters"):
        rows = [f"| `{one['name']}` | {one['in']} | {_kind(one['schema'])} | {_said(one['schema'])} |" for one in given]
        yield "\n".join(["| parameter | in | type | what it is |", "| --- | --- | --- | --- |", *rows])
    if body := route.get("requestBody"):
        yield f"Body: {_bodies(body)}"
    good = {status: answer for status, answer in route["responses"].items() if status < "300"}
    yield "Answer: " + "; ".join(f"{status} {_bodies(answer)}" for status, answer in good.items())


def _bodies(told: Mapping[str, Any]) -> str:
    """Return the shapes of a body, with media types other than JSON."""
    return " or ".join(
        " ".join(filter(None, [_kind(body.get("schema", {})), "" if media == "application/json" else f"`{media}`"]))
        for media, body in told.get("content", {}).items()
    )


def _shape(name: str, shape: Mapping[str, Any]) -> Iterator[str]:
    yield f"### {name}"
    yield _plain(shape.get("description"))
    if "enum" in shape:
        yield ", ".join(f"`{value}`" for value in shape["enum"])
    if fields := shape.get("properties"):
        rows = [f"| `{field}` | {_kind(of)} | {_said(of)} |" for field, of in fields.items()]
        yield "\n".join(["| field | type | what it is |", "| --- | --- | --- |", *rows])


def _kind(schema: Mapping[str, Any]) -> str:
    """Name the type of a value; a shape is linked."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(_kind(one) for one in schema[several]))
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type", "any"))


def _said(schema: Mapping[str, Any]) -> str:
    default = f" Default: `{schema['default']}`." if schema.get("default") not in {None, ""} else ""
    return (_plain(schema.get("description")) + default).strip().replace("|", "\\|")


def log_events() -> str:
    """Return every event that is logged by a constant name, with its level and fields."""
    rooms = ("cli", "triage", "integrations", "web", "webhooks")
    files = sorted(path for room in rooms for path in (DOCS.parent / room).rglob("*.py"))
    found = {event for path in files for event in _events(ast.parse(path.read_text(encoding="utf-8")))}
    told: dict[tuple[str, str], set[str]] = {}
    for name, level, fields in found:
        told.setdefault((name, level), set()).update(fields)
    rows = [f"| `{name}` | {level} | {', '.join(sorted(of))} |" for (name, level), of in sorted(told.items())]
    return "\n".join(["| event | level | fields |", "| --- | --- | --- |", *rows])


def _events(tree: ast.Module) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield name, level and fields of each call of the logger, and the event that `Repeated` logs."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Repeated":
            yield ast.literal_eval(call.args[-1]), "warning", ("error",)
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in LEVELS):
            continue
        if not call.args or "logger" not in ast.unparse(call.func.value):
            continue
        bound = [one for one in ast.walk(call.func.value) if isinstance(one, ast.keyword)]
        fields = tuple(one.arg for one in (*call.keywords, *bound) if one.arg and one.arg != "exception")
        for name in re.findall(r"(?<=['\"])[a-z_]+(?:\.[a-z_{}.]+)?(?=['\"])", ast.unparse(call.args[0])):
            yield re.sub(r"\{.*?\}", "…", name), LEVELS[call.func.attr], fields


LEVELS: Final = {"debug": "debug", "info": "info", "warning": "warning", "error": "error", "exception": "error"}
"""Methods of the logger, with their level."""
PAGES: Final = {
    "reference/settings.md": settings,
    "reference/commands.md": commands,
    "reference/http-api.md": http_api,
    "reference/log-events.md": log_events,
}
"""Each page with the function that writes what stands below its mark."""


def written(page: str) -> str:
    """Return the page as it should be: its own words above the mark, the code's below."""
    above, _, _ = (DOCS / page).read_text(encoding="utf-8").partition(MARK)
    below = re.sub(r"\n{3,}", "\n\n", PAGES[page]())
    return f"{above.rstrip()}\n\n{MARK}\n\n{below}\n"


def main() -> None:
    """Write every page that has changed."""
    for page in PAGES:
        path, text = DOCS / page, written(page)
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{page} is new\n")


if __name__ == "__main__":
    main()
