"""The engine can be imported by several threads at once."""

import ast
from collections.abc import Iterator
from pathlib import Path

import engine

FOLDER = Path(engine.__file__).parent


def _imports_of_the_package(source: str) -> Iterator[int]:
    """Lines at the top of a module that wait until the whole package is there."""
    for node in ast.parse(source).body:
        is_from = isinstance(node, ast.ImportFrom) and node.module == "engine"
        is_plain = isinstance(node, ast.Import) and any(
            alias.name.partition(".")[0] == "engine" for alias in node.names
        )
        if is_from or is_plain:
            yield node.lineno


def test_no_module_waits_for_the_package_that_waits_for_it() -> None:
    """`from engine import x` in one thread, the import of `engine` in another: both would wait.

    Python then gives one of them a module that is half made, and the engine cannot start.
    """
    sources = [path for path in FOLDER.rglob("*.py") if path != FOLDER / "__init__.py"]
    assert len(sources) > 100
    found = {
        f"{path.relative_to(FOLDER)}:{line}"
        for path in sources
        for line in _imports_of_the_package(path.read_text(encoding="utf-8"))
    }
    assert found == set()


def test_that_would_be_found() -> None:
    assert list(_imports_of_the_package("import os\nfrom engine import prompt\n")) == [2]
    assert list(_imports_of_the_package("import engine.prompt as p\n")) == [1]
    assert list(_imports_of_the_package("from engine.prompt import pinned_tokens\n")) == []
