"""No modules of the product import each other in a circle; imports for types and inside functions count, too."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tests.conftest import ROOT

ROOMS = ("triage", "integrations", "webhooks", "web", "cli", "prompts", "sandbox/triage_sandbox")


def name_of(file: Path) -> str:
    """Return the name by which others import the file."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "sandbox" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(file: Path) -> Iterator[str]:
    """Return every name that the file imports, each with what it is taken from."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert not node.level, f"{file} imports relatively"
            yield from (f"{node.module}.{one.name}" for one in node.names)


def module_in(modules: dict[str, Path], imported: str) -> str:
    """Return the module that an import loads: the name itself, or what it is taken from."""
    return imported if imported in modules else imported.rpartition(".")[0]


def test_no_module_is_part_of_a_circle() -> None:
    """The whole product can be read from the ground up, file after file; there are no exceptions."""
    modules = {name_of(file): file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))}
    arrows = {
        name: {to for one in imports_of(file) if (to := module_in(modules, one)) in modules and to != name}
        for name, file in modules.items()
    }
    circle: list[str] = []
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as e:
        circle = e.args[1]

    assert circle == []
