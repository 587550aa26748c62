"""The specification itself, run with PyInstaller's builders replaced by ones that take notes.

Of its macOS branch the layout is then made by PyInstaller's own code, from a list of files as
macOS has them.
"""

from __future__ import annotations

import plistlib
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from PyInstaller.building.osx import BUNDLE

from app import __version__
from resources.bundle import contents, plist
from resources.bundle.contents import Entry
from resources.icon import icns

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "resources" / "bundle" / "cutaway.spec"


def found(binaries: Sequence[Entry] = ()) -> SimpleNamespace:
    """What PyInstaller's analysis would find."""
    return SimpleNamespace(pure=[], scripts=[], datas=[], binaries=list(binaries))


@dataclass
class Call:
    """What a builder was called with."""

    args: tuple[Any, ...]
    options: dict[str, Any]


def nothing(_: Path) -> list[Entry]:
    """In place of what would look at the packages that are installed here."""
    return []


def run_spec(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, platform: str, analysis: SimpleNamespace
) -> dict[str, Call]:
    """Run the specification as on a platform; what each builder was asked for, in order."""
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(contents, "hidden_imports", list[str])
    for name in ("excluded", "package_data", "metadata"):
        monkeypatch.setattr(contents, name, nothing)
    calls: dict[str, Call] = {}

    def builder(name: str, result: object = None) -> Any:
        def call(*args: Any, **options: Any) -> object:
            calls[name] = Call(args, options)
            return result or name

        return call

    space: dict[str, Any] = {"SPECPATH": str(SPEC.parent), "workpath": str(tmp_path / "work")}
    space["Analysis"] = builder("Analysis", analysis)
    for name in ("PYZ", "EXE", "COLLECT", "BUNDLE"):
        space[name] = builder(name)
    exec(compile(SPEC.read_text(encoding="utf-8"), str(SPEC), "exec"), space)
    return calls


@pytest.fixture(scope="module")
def mac_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Installed packages as on macOS, as far as the specification looks at them."""
    site = tmp_path_factory.mktemp("site")
    for name in ("mlx/lib/mlx.metallib", "mlx/lib/libmlx.dylib", "mlx/core.so", "QtCore", "qcocoa"):
        file = site / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(name.encode())
    return site


@pytest.fixture(scope="module")
def mac(mac_site: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Call]:
    """What the specification asks of the builders on macOS."""
    folder_of = contents.package_folder

    def package_folder(name: str) -> Path:
        return mac_site / "mlx" if name == "mlx" else folder_of(name)

    framework = "PySide6/Qt/lib/QtCore.framework"
    binaries: list[Entry] = [
        ("mlx/core.so", str(mac_site / "mlx/core.so"), "EXTENSION"),
        ("mlx/lib/libmlx.dylib", str(mac_site / "mlx/lib/libmlx.dylib"), "BINARY"),
        ("libmlx.dylib", "mlx/lib/libmlx.dylib", "SYMLINK"),
        (f"{framework}/Versions/A/QtCore", str(mac_site / "QtCore"), "BINARY"),
        (f"{framework}/QtCore", "Versions/Current/QtCore", "SYMLINK"),
        (f"{framework}/Versions/Current", "A", "SYMLINK"),
        ("QtCore", f"{framework}/QtCore", "SYMLINK"),
        ("PySide6/Qt/plugins/platforms/libqcocoa.dylib", str(mac_site / "qcocoa"), "BINARY"),
        ("PySide6/Qt/lib/QtQml.framework/Versions/A/QtQml", str(mac_site / "QtCore"), "BINARY"),
    ]
    with pytest.MonkeyPatch.context() as patches:
        patches.delenv("CUTAWAY_IDENTITY", raising=False)
        patches.setattr(contents, "package_folder", package_folder)
        return run_spec(patches, tmp_path_factory.mktemp("mac"), "darwin", found(binaries))


@pytest.fixture
def layout(mac: dict[str, Call]) -> dict[str, tuple[str, str]]:
    """Where PyInstaller puts everything in the .app: source and kind by place."""
    _, binaries, datas = mac["COLLECT"].args
    program = ("cutaway", "/build/cutaway", "EXECUTABLE")
    bundle: Any = BUNDLE.__new__(BUNDLE)  # its constructor does nothing on other systems
    toc = bundle._process_bundle_toc([program, *binaries, *datas])
    return {place: (source, kind) for place, source, kind in toc}


def target(layout: dict[str, tuple[str, str]], place: str) -> str:
    """The file that a place leads to, through links of files and folders."""
    for _ in range(9):
        path = PurePosixPath(place)
        for step in [*reversed(path.parents), path]:
            source, kind = layout.get(str(step), ("", ""))
            if kind == "SYMLINK":
                rest = path.relative_to(step)
                place = _plain(PurePosixPath(step.parent, source, rest))
                break
        else:
            return place
    raise AssertionError(f"{place} is a circle of links")


def _plain(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def test_code_and_data_stand_where_signatures_want_them(layout: dict[str, tuple[str, str]]) -> None:
    for place, (_, kind) in layout.items():
        if kind in {"BINARY", "EXTENSION"}:
            assert place.startswith("Contents/Frameworks/"), place
        if kind == "DATA" and ".framework/" not in place:
            assert place.startswith("Contents/Resources/"), place
    assert layout["Contents/MacOS/cutaway"][1] == "EXECUTABLE"


def test_every_link_leads_to_a_file(layout: dict[str, tuple[str, str]]) -> None:
    folders = {str(parent) for place in layout for parent in PurePosixPath(place).parents}
    for place, (_, kind) in layout.items():
        if kind == "SYMLINK":
            end = target(layout, place)
            assert end in layout or end in folders, place


@pytest.mark.parametrize("library", ["mlx/lib/libmlx.dylib", "libmlx.dylib"])
def test_the_kernels_stand_beside_mlx_however_it_is_loaded(
    layout: dict[str, tuple[str, str]], library: str
) -> None:
    beside = PurePosixPath("Contents/Frameworks", library).with_name("mlx.metallib")
    assert target(layout, str(beside)) == "Contents/Resources/mlx/lib/mlx.metallib"
    assert target(layout, f"Contents/Frameworks/{library}").endswith("mlx/lib/libmlx.dylib")


def test_the_starter_model_the_icon_and_the_licences_are_inside(
    layout: dict[str, tuple[str, str]],
) -> None:
    inside = "Contents/Resources"
    assert [place for place in layout if place.startswith(inside) and place.endswith(".gguf")]
    assert f"{inside}/resources/icon/cutaway-256.png" in layout
    assert f"{inside}/resources/built.json" in layout
    assert f"{inside}/licences/Cutaway/LICENSE" in layout
    assert not [place for place in layout if "QtQml" in place]


def test_signing_comes_last_and_is_ad_hoc_without_an_identity(mac: dict[str, Call]) -> None:
    assert list(mac)[-1] == "BUNDLE"
    assert SPEC.read_text(encoding="utf-8").rstrip().endswith(")")
    options = mac["EXE"].options
    assert options["codesign_identity"] is None
    assert options["entitlements_file"] is None
    assert (options["target_arch"], options["console"]) == ("arm64", False)


@pytest.mark.slow
def test_an_identity_brings_the_entitlements(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CUTAWAY_IDENTITY", "Developer ID Application: Somebody")
    monkeypatch.setattr(contents, "metallib", nothing)
    calls = run_spec(monkeypatch, tmp_path, "darwin", found())
    file = Path(calls["EXE"].options["entitlements_file"])
    assert plistlib.loads(file.read_bytes()) == {
        "com.apple.security.cs.allow-unsigned-executable-memory": True
    }


def test_the_icon_is_made_for_the_bundle(mac: dict[str, Call]) -> None:
    icon = Path(mac["BUNDLE"].options["icon"])
    assert icon.read_bytes()[:4] == b"icns"
    assert all(kind in icon.read_bytes() for kind in icns.TYPES)


def test_info_plist_is_valid_and_says_what_is_opened(mac: dict[str, Call]) -> None:
    info = mac["BUNDLE"].options["info_plist"]
    assert plistlib.loads(plistlib.dumps(info)) == info
    assert mac["BUNDLE"].options["bundle_identifier"] == plist.IDENTIFIER
    assert info["CFBundleShortVersionString"] == __version__
    assert info["LSMinimumSystemVersion"] == ".".join(map(str, plist.LOWEST_SYSTEM))
    opened = [kind for item in info["CFBundleDocumentTypes"] for kind in item["LSItemContentTypes"]]
    declared = {item["UTTypeIdentifier"]: item for item in info["UTImportedTypeDeclarations"]}
    assert opened == ["org.ggml.gguf", "public.folder"]
    assert declared["org.ggml.gguf"]["UTTypeTagSpecification"] == {
        "public.filename-extension": ["gguf"]
    }


@pytest.mark.slow
def test_linux_gets_a_folder_of_the_same_things(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls = run_spec(monkeypatch, tmp_path, "linux", found())
    assert list(calls) == ["Analysis", "PYZ", "EXE", "COLLECT"]
    inside = [name for name, _, _ in calls["COLLECT"].args[2]]
    assert "resources/built.json" in inside
    assert not [name for name in inside if "metallib" in name]
