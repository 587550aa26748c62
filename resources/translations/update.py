"""Collects the texts of the window for those who translate them: `make translations`.

A file of Simplified Chinese holds every text, one of English only those with plural forms.
"""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
LANGUAGES = {"zh_CN": (), "en": ("-pluralonly",)}
"""Each language with what lupdate is to know of it."""


def sources() -> list[Path]:
    """The files with texts of the window; the command line speaks English alone."""
    files = [*(ROOT / "app").rglob("*.py"), *(ROOT / "ui").rglob("*.py")]
    return sorted(file for file in files if ROOT / "app" / "cli" not in file.parents)


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
    for language, options in LANGUAGES.items():
        files = ["-target-language", language, "-ts", str(file_of(language, folder))]
        command = [str(tool), *quiet, *options, *(str(file) for file in sources()), *files]
        subprocess.run(command, check=True)


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
