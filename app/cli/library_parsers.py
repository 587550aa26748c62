"""The commands of the model library, described; what they do is imported when they run."""

import argparse
from pathlib import Path
from typing import Any

CONVERT_BITS = (4, 5, 6, 8, 16)


def add_library_parsers(commands: Any) -> None:
    """Describe `pull`, `import`, `convert` and `rm`."""
    _add_pull(commands)
    _add_import(commands)
    _add_convert(commands)
    _add_rm(commands)


def _add_pull(commands: Any) -> None:
    parser = commands.add_parser("pull", help="fetch a model from the hub")
    parser.add_argument("repo", metavar="REPO", help="a repository, as in org/name")
    parser.add_argument("--quant", metavar="NAME", help="which quantisation of several, as Q4_K_M")
    parser.set_defaults(module="pull")


def _add_import(commands: Any) -> None:
    parser = commands.add_parser("import", help="add a model's folder or a .gguf file")
    parser.add_argument("file", metavar="FILE", type=_path, help="the folder or file")
    parser.add_argument(
        "--copy", action="store_true", help="copy it into Cutaway's own folder of models"
    )
    parser.set_defaults(module="imports")


def _add_convert(commands: Any) -> None:
    parser = commands.add_parser("convert", help="write a model's weights with fewer bits, for MLX")
    parser.add_argument("source", metavar="SOURCE", help="a folder, a .gguf file, or a hub id")
    parser.add_argument(
        "--bits", type=int, choices=CONVERT_BITS, default=4, help="per weight; 16 is bfloat16"
    )
    parser.add_argument("--out", type=_path, metavar="FOLDER", help="where to; must not be there")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(module="convert")


def _add_rm(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser(
        "rm", help="delete a model from this machine"
    )
    parser.add_argument("model", metavar="MODEL", help="as `cutaway models` names it")
    parser.add_argument(
        "--files",
        action="store_true",
        help="delete the files of an imported model too, not only its place in the list",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask about files of others")
    parser.add_argument("--forever", action="store_true", help="delete instead of using the trash")
    parser.set_defaults(module="remove")


def _path(text: str) -> Path:
    """A path that was given; an empty one would be the folder that the program is in."""
    if not text:
        message = "a path is missing"
        raise argparse.ArgumentTypeError(message)
    return Path(text)
