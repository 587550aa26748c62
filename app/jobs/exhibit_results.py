"""The engine's results by name, for what draws them: nothing else of the engine is needed there."""

from engine.exhibits.cache_exact import CacheExactResult, Comparison
from engine.exhibits.choosing import ChoosingResult
from engine.exhibits.hashing import HashedStep
from engine.exhibits.memory_bill import MemoryBillResult
from engine.exhibits.prefill_decode import PrefillDecodeResult
from engine.exhibits.prefix_reuse import PrefixReuseResult
from engine.exhibits.rotating import RotatingResult
from engine.exhibits.sabotage import Sabotage
from engine.exhibits.smaller_numbers import SmallerNumbersResult

__all__ = [
    "CacheExactResult",
    "ChoosingResult",
    "Comparison",
    "HashedStep",
    "MemoryBillResult",
    "PrefillDecodeResult",
    "PrefixReuseResult",
    "RotatingResult",
    "Sabotage",
    "SmallerNumbersResult",
]
