"""The language of the window: Qt's translators, and how numbers and days are written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

import resources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QCoreApplication

LANGUAGES = ("en", "zh_CN")
FOLDER = Path(resources.__file__).parent / "translations"


def chosen(wanted: str, system: Sequence[str]) -> str:
    """The code of the translation to use.

    Args:
        wanted: One of `LANGUAGES`, or "system".
        system: The languages that the system's user reads, best first, as BCP 47 names.
    """
    if wanted in LANGUAGES:
        return wanted
    for name in system:
        parts = name.replace("_", "-").lower().split("-")
        if parts[0] == "en":
            return "en"
        if parts[0] == "zh" and not {"hant", "tw", "hk", "mo"} & set(parts):
            return "zh_CN"
    return LANGUAGES[0]


def install(application: QCoreApplication, wanted: str, folder: Path = FOLDER) -> str:
    """Have every text that is made from now on translated.

    English has a file of its own, for its plurals. A file that is missing leaves the texts of
    the sources.

    Args:
        application: Whose texts.
        wanted: One of `LANGUAGES`, or "system".
        folder: Where `cutaway_<code>.qm` files are.

    Returns:
        The code of the language.
    """
    code = chosen(wanted, QLocale.system().uiLanguages())
    if wanted in LANGUAGES:
        QLocale.setDefault(QLocale(code))
    qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    for file in (qt / f"qtbase_{code}.qm", folder / f"cutaway_{code}.qm"):
        translator = _Translator(application)
        if translator.read(file):
            application.installTranslator(translator)
    return code


class _Translator(QTranslator):
    """A file of translations, read as a whole.

    Given its path, Qt would map it into memory; a file that is written anew while the window is
    open, as by an update, would then end the process at the next text.
    """

    _content = b""

    def read(self, file: Path) -> bool:
        """Read a file; False where it is not there, or holds no translations."""
        try:
            self._content = file.read_bytes()  # Qt takes no copy
        except OSError:
            return False
        return self.load(self._content)
