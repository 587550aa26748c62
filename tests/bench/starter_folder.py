"""Writes the starter model as a folder of safetensors, so that loading one can be measured."""

import json
import sys
from pathlib import Path

import mlx.core as mx

import engine
from engine.conditions import UNWATCHED
from engine.convert_files import raw_config, write_config, write_tokenizer
from engine.convert_tensors import DENSE, Converting, Origin, Writer
from engine.gguf import GGUFFile, model_config
from engine.llama import Decoder
from engine.source import resolve
from engine.weights import Weights


def write_starter_folder(folder: Path) -> Path:
    """Write the starter's weights as float16, its config.json and its tokenizer to `folder`."""
    source = resolve("starter")
    file = GGUFFile.open(source.path)
    config = model_config(file)
    folder.mkdir(parents=True, exist_ok=True)
    writer = Writer(folder)
    origin = Origin(source, config, file, DENSE)
    weights = Weights(Converting(origin, writer, DENSE, mx.float16, UNWATCHED), source.path.name)
    Decoder(config, weights)
    weights.finish()
    writer.finish()
    write_config(folder, raw_config(source, file, config), config, "float16", {})
    write_tokenizer(folder, source, file)
    return folder


if __name__ == "__main__":
    sys.stdout.write(json.dumps({"folder": str(write_starter_folder(Path(sys.argv[1])))}) + "\n")
    engine.leave_thread()
