"""Single values of a GGUF file's metadata, under the keys of its architecture."""

import numpy as np

from engine.errors import UnsupportedError
from engine.gguf_file import GGUFFile, Value


def architecture_of(file: GGUFFile) -> str:
    """What the file calls its architecture; `missing` where it does not say."""
    return file.text("general.architecture") or "missing"


def entry(file: GGUFFile, key: str) -> Value | None:
    """The value of `<architecture>.<key>`; one value where the file repeats it for every layer."""
    value = file.metadata.get(f"{architecture_of(file)}.{key}")
    if isinstance(value, list):
        if not value or any(each != value[0] for each in value):
            raise UnsupportedError(
                "{file} has a different {key} from layer to layer, which this version does not "
                "compute.",
                file=file.path.name,
                key=key.replace("_", " "),
            )
        value = value[0]
    return shortest(value) if isinstance(value, float) else value


def shortest(value: float) -> float:
    """The shortest decimal that is the same float32: 1e-05 rather than 9.999999747378752e-06."""
    return float(str(np.float32(value))) if abs(value) < 3e38 else value
