"""What an installation from a wheel is told names nothing that only a checkout has."""

import ast
import re

from tests.conftest import ROOT

PRODUCT = ("cli", "integrations", "triage", "web", "webhooks")
CHECKOUT = re.compile(
    r"(?<![/\w.])docs/|\bcompose\.yaml|\.example\.yaml|[`(]make [a-z]+[`)]|ARCHITECTURE|CHANGELOG|CONTRIBUTING"
)


def test_no_module_imports_tests() -> None:
    """What makes the models and what checks them stand in `tests/`, which no installation has."""
    files = [file for folder in PRODUCT for file in (ROOT / folder).rglob("*.py")]

    assert [
        file for file in files if re.search(r"^\s*(?:from|import) tests\b", file.read_text("utf-8"), re.MULTILINE)
    ] == []


def test_no_text_sends_to_a_file_of_the_checkout() -> None:
    """No string that is no docstring names a page, a make target or a file of the checkout: a command of ours says the same."""
    found = []
    for path in sorted(file for folder in PRODUCT for file in (ROOT / folder).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        found += [
            f"{path.relative_to(ROOT)}:{node.lineno}: {node.value[:120]}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
            if CHECKOUT.search(node.value)
        ]

    assert found == []
