"""Reading Mach-O files, made here by hand, and the wheels for the right macOS."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from resources.bundle import build, lowest, mac_wheels, mach
from resources.bundle.plist import LOWEST_SYSTEM

ARM64, X86_64 = 0x0100000C, 0x01000007


def thin(system: tuple[int, int], *libraries: str, cpu: int = ARM64, old: bool = False) -> bytes:
    """A Mach-O file that holds nothing but what it asks for."""
    packed = system[0] << 16 | system[1] << 8
    if old:
        commands = [struct.pack("<4I", 0x24, 16, packed, 0)]
    else:
        commands = [struct.pack("<6I", 0x32, 24, 1, packed, 0, 0)]
    for name in libraries:
        text = name.encode() + b"\0" * (8 - len(name) % 8)
        commands.append(struct.pack("<6I", 0x0C, 24 + len(text), 24, 0, 0, 0) + text)
    body = b"".join(commands)
    header = struct.pack("<8I", 0xFEEDFACF, cpu, 0, 6, len(commands), len(body), 0, 0)
    return header + body


def fat(**parts: bytes) -> bytes:
    """A file for several processors."""
    kinds = {"arm64": ARM64, "x86_64": X86_64}
    offset, table, body = 8 + 20 * len(parts), b"", b""
    for name, data in parts.items():
        table += struct.pack(">5I", kinds[name], 0, offset + len(body), len(data), 0)
        body += data
    return struct.pack(">2I", 0xCAFEBABE, len(parts)) + table + body


@pytest.mark.parametrize("old", [False, True])
def test_a_file_says_its_system_and_its_libraries(old: bool) -> None:
    data = thin((14, 2), "@rpath/libmlx.dylib", "/usr/lib/libc++.1.dylib", old=old)
    assert mach.read(data) == mach.Code((14, 2), ("@rpath/libmlx.dylib", "/usr/lib/libc++.1.dylib"))


def test_of_a_fat_file_the_arm64_part_counts() -> None:
    data = fat(x86_64=thin((10, 9), cpu=X86_64), arm64=thin((15, 0)))
    assert mach.read(data) == mach.Code((15, 0), ())
    assert mach.read(fat(x86_64=thin((10, 9), cpu=X86_64))) is None


@pytest.mark.parametrize(
    "data", [b"", b"\x7fELF" + bytes(60), b"\xca\xfe\xba\xbe\0\0\0\x41" + bytes(40)]
)
def test_other_files_are_passed_over(data: bytes) -> None:
    assert mach.read(data) is None


def test_other_processors_code_is_passed_over() -> None:
    assert mach.read(thin((10, 9), cpu=X86_64)) is None


def test_the_highest_system_of_a_package_counts(tmp_path: Path) -> None:
    for name, system in {"a/x.so": (11, 0), "a/y.dylib": (15, 0), "b/Qt": (13, 0)}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(thin(system))
    (tmp_path / "a" / "text.txt").write_text("no code", encoding="utf-8")
    (tmp_path / "b" / "none").write_text("no code", encoding="utf-8")
    systems = lowest.of_tree(tmp_path)
    assert lowest.by_package(systems) == {"a": (15, 0), "b": (13, 0)}
    assert build.too_new(systems) == []
    assert build.too_new({Path("a/z.so"): (LOWEST_SYSTEM[0] + 1, 0)}) == [
        f"a/z.so needs macOS {LOWEST_SYSTEM[0] + 1}.0; raise LOWEST_SYSTEM."
    ]


def test_a_wheel_says_which_macos_it_is_for() -> None:
    text = "Wheel-Version: 1.0\nTag: {}\n".format
    assert mac_wheels.lowest_of(text("py3-none-macosx_26_0_arm64")) == (26, 0)
    assert mac_wheels.lowest_of(text("cp310-abi3-macosx_13_0_universal2")) == (13, 0)
    for other in ("py3-none-manylinux_2_35_x86_64", "cp311-cp311-macosx_10_9_x86_64"):
        with pytest.raises(ValueError, match="Apple silicon"):
            mac_wheels.lowest_of(text(other))


def test_wheels_are_asked_for_by_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    uv = tmp_path / "uv"
    uv.write_text("#!/bin/sh\n", encoding="utf-8")
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    words, target = mac_wheels.command("python", ["mlx==1"], (15, 0))
    assert (words[:3], words[-1], target) == (["uv", "pip", "install"], "mlx==1", "15.0")
    uv.unlink()
    words, _ = mac_wheels.command("python", ["mlx==1"], (15, 0))
    assert words[:4] == ["python", "-m", "pip", "install"]
    assert "macosx_15_0_arm64" in words
