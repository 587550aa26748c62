"""Tiny models for the app's tests, which write letters until they are stopped or out of context.

Their weights are random but for one constant direction, through which the output layer lets only
lowercase letters and spaces win: replies are plain text, never the same, and last as long as a
test needs.
"""

import json
from pathlib import Path
from typing import Any

from typing_extensions import override

from tests.engine.checkpoints import Floats, TinyLlama, write_folder

LETTERS = "abcdefghijklmnopqrstuvwxyz "
ENDLESS = 1 << 16


class _Talker(TinyLlama):
    @override
    def tensors(self) -> dict[str, Floats]:
        tensors = super().tensors()
        tensors["model.embed_tokens.weight"][:, 0] = 8
        head = tensors["lm_head.weight"]
        head[:, 0] = -6
        head[[ord(letter) for letter in LETTERS], 0] = 6
        return tensors


def write_talker(
    folder: Path,
    context: int = ENDLESS,
    *,
    head_dim: int = 16,
    template: str | None = None,
    **config: Any,
) -> Path:
    """Write a talker; its reply ends where the context does.

    Args:
        folder: Where to; its name becomes the model's.
        context: Tokens it is trained for.
        head_dim: Values per head; caches of 16 cannot be quantised.
        template: Another chat template than the usual one.
        config: Entries of config.json over the usual ones.
    """
    shape = _Talker(tied=False, max_position_embeddings=context, head_dim=head_dim, extra=config)
    write_folder(folder, shape)
    if template is not None:
        path = folder / "tokenizer_config.json"
        settings = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**settings, "chat_template": template}), encoding="utf-8")
    return folder
