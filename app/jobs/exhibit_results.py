"""The engine's results by name, for what draws them: nothing else of the engine is needed there."""

from engine.exhibits.bill import Bill
from engine.exhibits.cache_exact import CacheExactResult, Comparison
from engine.exhibits.choosing import ChoosingResult
from engine.exhibits.draws import Draws
from engine.exhibits.hashing import HashedStep
from engine.exhibits.memory_bill import MemoryBillResult
from engine.exhibits.prefill_decode import FourTimes, PrefillDecodeResult
from engine.exhibits.prefix_reuse import PrefixReuseResult, Shared, Timed
from engine.exhibits.reading import Quality
from engine.exhibits.ring import RingStep
from engine.exhibits.rotating import Recall, RotatingResult
from engine.exhibits.sabotage import Sabotage
from engine.exhibits.smaller_numbers import SmallerNumbersResult, Width

__all__ = [
    "Bill",
    "CacheExactResult",
    "ChoosingResult",
    "Comparison",
    "Draws",
    "FourTimes",
    "HashedStep",
    "MemoryBillResult",
    "PrefillDecodeResult",
    "PrefixReuseResult",
    "Quality",
    "Recall",
    "RingStep",
    "RotatingResult",
    "Sabotage",
    "Shared",
    "SmallerNumbersResult",
    "Timed",
    "Width",
]
