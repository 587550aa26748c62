"""What callers ask to look at, checked before anything is computed."""

from collections.abc import Sequence

from engine.config import ModelConfig
from engine.errors import MemoryLimitError, PromptError, SettingError
from engine.kernels import working_values
from engine.kv import kv_bytes
from engine.model import Model
from engine.sentence import Sentence
from engine.token_ids import token_ids

MOST_TOKENS, MOST_TOP = 1024, 100
CHUNK = 256  # tokens at a time beyond that


def checked_ids(model: Model, ids: Sequence[int]) -> list[int]:
    """Check token ids, and that the model's RoPE has frequencies for so many.

    Raises:
        PromptError: It has not, or they are not token ids of this model.
    """
    whole = token_ids(ids, model.config.vocab_size)
    longest = model.config.longest_sequence
    if longest is not None and len(whole) > longest:
        raise PromptError(
            "This model's dynamic RoPE is computed for at most {longest:,} tokens here, and "
            "these are {count:,}.",
            longest=longest,
            count=len(whole),
        )
    return whole


def check_layer(model: Model, layer: int) -> int:
    """The layer, if there is such a one to look into.

    Raises:
        UnsupportedError: The model runs through mlx-lm.
        SettingError: There is no such layer.
    """
    return _check_index(Sentence("layers"), layer, len(model.decoder.layers))


def check_head(model: Model, head: int) -> int:
    """The query head, if there is such a one.

    Raises:
        SettingError: There is not.
    """
    return _check_index(Sentence("heads"), head, model.config.num_attention_heads)


def check_position(ids: Sequence[int], position: int) -> int:
    """The position, if there is a token.

    Raises:
        SettingError: There is none.
    """
    return _check_index(Sentence("tokens"), position, len(ids))


def check_token(config: ModelConfig, token: int) -> int:
    """The token, if the vocabulary has it.

    Raises:
        SettingError: It has not.
    """
    return _check_index(Sentence("tokens in the vocabulary"), token, config.vocab_size)


def check_top(config: ModelConfig, top: int) -> int:
    """How many of the most likely tokens, if there can be so many.

    Raises:
        SettingError: There cannot.
    """
    most = min(MOST_TOP, config.vocab_size)
    if not 1 <= top <= most:
        raise SettingError("The most likely tokens are 1 to {most}, not {top}.", most=most, top=top)
    return top


def pass_bytes(config: ModelConfig, tokens: int, value_bytes: int = 4) -> int:
    """What running `tokens` block by block takes at most beside the weights.

    Of one block everything stays in memory until the next one is done, the scores of all heads
    included, as attention has them where it is not one fused kernel. More than 1,024 tokens run in
    chunks, through a cache.
    """
    at_once = tokens if tokens <= MOST_TOKENS else CHUNK
    heads, kv_heads = config.num_attention_heads, config.num_key_value_heads
    streams = 10 * config.hidden_size + 5 * config.intermediate_size
    projected = 3 * (heads + 2 * kv_heads) * config.head_dim
    scores = heads * at_once * tokens
    scores += max(scores, working_values(at_once, scores))
    # Buffers grow by steps, and exist twice while they do.
    cache = 2 * kv_bytes(config, tokens + CHUNK, bits=8) if at_once < tokens else 0
    return (at_once * (streams + projected) + scores + 2 * config.vocab_size + cache) * value_bytes


def check_pass(model: Model, tokens: int) -> None:
    """Refuse a pass of so many tokens through the blocks, if memory does not suffice for it.

    Raises:
        MemoryLimitError: It does not suffice.
    """
    needed = pass_bytes(model.config, tokens, model.network.dtype.size)
    what = Sentence("A pass of {tokens:,} tokens", tokens=tokens)
    check_room(model, what, needed, Sentence("take fewer tokens"))


def check_room(model: Model, what: Sentence, needed_bytes: int, advice: Sentence) -> None:
    """Refuse what memory does not suffice for, before it is computed.

    Args:
        model: Whose memory guard is asked.
        what: Begins the sentence.
        needed_bytes: What it takes beside what is there.
        advice: Ends the sentence.

    Raises:
        MemoryLimitError: It does not suffice.
    """
    room = model.common.guard.room_bytes()
    if room is not None and needed_bytes > room:
        raise MemoryLimitError(
            "{what} needs {needed:,.1f} MB of memory and there are {room:,.1f} MB; {advice}.",
            what=what,
            needed=needed_bytes / 1e6,
            room=room / 1e6,
            advice=advice,
        )


def _check_index(what: Sentence, index: int, count: int) -> int:
    if not 0 <= index < count:
        raise SettingError(
            "There are {count:,} {what}, counted from 0; there is no {index:,}.",
            count=count,
            what=what,
            index=index,
        )
    return index
