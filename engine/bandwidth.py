"""What decoding reads from memory, which is what bounds its speed: every weight once per token."""

import mlx.core as mx

from engine.llama import Decoder
from engine.model import Model

# Bytes per second in units of 10⁹, as Apple publishes them for each chip; two where a chip is sold
# with narrower and wider memory. https://support.apple.com/specs
_PUBLISHED: dict[str, tuple[float, float]] = {
    "M1": (68.25, 68.25),
    "M1 Pro": (200, 200),
    "M1 Max": (400, 400),
    "M1 Ultra": (800, 800),
    "M2": (100, 100),
    "M2 Pro": (200, 200),
    "M2 Max": (400, 400),
    "M2 Ultra": (800, 800),
    "M3": (100, 100),
    "M3 Pro": (150, 150),
    "M3 Max": (300, 400),
    "M3 Ultra": (819, 819),
    "M4": (120, 120),
    "M4 Pro": (273, 273),
    "M4 Max": (410, 546),
    "M5": (153, 153),
}


def read_weight_bytes(model: Model) -> int | None:
    """The bytes of weights that one decoded token reads.

    Every matrix once; of an embedding that is not also the lm_head, only one row. None for models
    that run through mlx-lm, where experts may stay unread.
    """
    network = model.network
    if not isinstance(network, Decoder):
        return None
    if model.config.tie_word_embeddings:
        return model.weights_bytes
    embedding = network.embed_tokens.nbytes
    return model.weights_bytes - embedding + embedding // model.config.vocab_size


def published_bandwidth(device: str | None = None) -> tuple[float, float] | None:
    """The least and the most bytes per second that a device's memory can deliver.

    Args:
        device: Its name, as in "Apple M3 Max"; MLX's own where left out.

    Returns:
        None where the maker publishes no figure that we know.
    """
    name = str(mx.device_info().get("device_name", "")) if device is None else device
    found = _PUBLISHED.get(name.removeprefix("Apple ").strip())
    return None if found is None else (found[0] * 1e9, found[1] * 1e9)
