"""Finds imports that PyInstaller cannot see or need not follow.

mlx-lm imports transformers, which has thousands of modules and names nearly all of them for type
checkers; what really loads is a few dozen. So a process imports mlx-lm, and everything else in
transformers stays out.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def loaded_modules(statement: str) -> set[str]:
    """Names of the modules that a fresh interpreter holds after running `statement`.

    Raises:
        subprocess.CalledProcessError: The statement fails.
    """
    code = f"{statement}\nimport sys\nprint('\\n'.join(['', '=', *sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("\n=\n")[2].split())


def unloaded(package: str, folder: Path, loaded: set[str]) -> list[str]:
    """The modules below a package that are not loaded; of nested ones only the topmost.

    Args:
        package: Its dotted name.
        folder: Where its files are.
        loaded: Names of modules, dotted.
    """
    names: list[str] = []
    for path in sorted(folder.iterdir()):
        is_module = path.suffix == ".py" and path.stem != "__init__"
        if not is_module and not (path / "__init__.py").is_file():
            continue
        name = f"{package}.{path.stem}"
        if name not in loaded:
            names.append(name)
        elif path.is_dir():
            names += unloaded(name, path, loaded)
    return names


def late_imports(files: Iterable[Path]) -> list[str]:
    """Modules that functions in these files import, for start-up not to wait for them."""
    return sorted({name for file in files for name in _late_in(file)})


def _late_in(file: Path) -> Iterator[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                yield from _imported(node)


def _imported(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=str(module), level=0):
            yield module
        case ast.Call(
            func=ast.Name(id="import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(module)), *_],
        ):
            yield module
        case _:
            pass
