"""Collects the texts of the window for those who translate them: `make translations`.

A file of Simplified Chinese holds every text, one of English only those with plural forms.
The engine knows nothing of Qt: what it may say is found in its code, and handed on as if it did.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
LANGUAGES = {"zh_CN": (), "en": ("-pluralonly",)}
"""Each language with what lupdate is to know of it."""


def sources() -> list[Path]:
    """The files with texts of the window; the command line speaks English alone."""
    files = [*(ROOT / "app").rglob("*.py"), *(ROOT / "ui").rglob("*.py")]
    return sorted(file for file in files if ROOT / "app" / "cli" not in file.parents)


@dataclass(frozen=True)
class Saying:
    """A place where the engine makes a sentence.

    Attributes:
        place: File and line.
        template: Its text; None where it is no literal.
        values: The names of the values for it.
    """

    place: str
    template: str | None
    values: frozenset[str]


def sayings(folder: Path = ROOT / "engine") -> list[Saying]:
    """All places where the engine raises or keeps a sentence."""
    trees = {
        file: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.py"))
    }
    kinds = _error_kinds(list(trees.values())) | {"Sentence"}
    return [
        _saying(f"{file.relative_to(folder.parent).as_posix()}:{node.lineno}", node)
        for file, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _name(node.func) in kinds
    ]


def _error_kinds(trees: list[ast.Module]) -> set[str]:
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    kinds = {"EngineError"}
    while (
        new := {node.name for node in classes if kinds & {_name(base) for base in node.bases}}
        - kinds
    ):
        kinds |= new
    return kinds


def _name(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def _saying(place: str, call: ast.Call) -> Saying:
    text = call.args[0] if call.args else None
    literal = text.value if isinstance(text, ast.Constant) else None
    names = frozenset(word.arg or "**" for word in call.keywords) - {"fitting_window"}
    return Saying(place, literal if isinstance(literal, str) else None, names)


def file_of(language: str, folder: Path = FOLDER) -> Path:
    """The file of a language."""
    return folder / f"cutaway_{language}.ts"


def update(folder: Path = FOLDER) -> None:
    """Add the texts that are new to the files, and take out those that are gone.

    Args:
        folder: Where the files are; those that are missing are made.

    Raises:
        subprocess.CalledProcessError: A tool of Qt failed.
    """
    tool = Path(sys.executable).with_name("pyside6-lupdate")
    quiet = ("-silent", "-no-obsolete", "-locations", "none", "-source-language", "en")
    with tempfile.TemporaryDirectory() as made:
        said = Path(made) / "engine.py"
        said.write_text(_said(), encoding="utf-8")
        for language, options in LANGUAGES.items():
            files = ["-target-language", language, "-ts", str(file_of(language, folder))]
            texts = (str(file) for file in (*sources(), said))
            subprocess.run([str(tool), *quiet, *options, *texts, *files], check=True)


def _said() -> str:
    """The engine's templates as a program in which lupdate finds them."""
    texts = {saying.template for saying in sayings()} - {None, ""}
    lines = [f'translate("Engine", {json.dumps(text, ensure_ascii=False)})' for text in texts]
    return "\n".join(sorted(lines))


def missing(file: Path) -> list[str]:
    """The texts without a translation, or without one of its forms, as "context: text"."""
    return [
        f"{context.findtext('name')}: {message.findtext('source')}"
        for context in ET.parse(file).getroot().iter("context")
        for message in context.iter("message")
        if not _is_complete(message)
    ]


def _is_complete(message: ET.Element) -> bool:
    translation = message.find("translation")
    if translation is None or translation.get("type") is not None:
        return False
    return all(form.text for form in translation.findall("numerusform") or [translation])


def main() -> None:
    """Update the files and say what is missing."""
    update()
    for language in LANGUAGES:
        texts = missing(file_of(language))
        sys.stdout.write("\n  ".join([f"{language}: {len(texts)} missing", *texts]) + "\n")


if __name__ == "__main__":
    main()
