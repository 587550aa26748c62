"""The engine's results by name, for what draws them: nothing else of the engine is needed there."""

from engine.exhibits.attending import AttendingResult
from engine.exhibits.bill import Bill
from engine.exhibits.cache_exact import CacheExactResult, Comparison
from engine.exhibits.causal_mask import CausalMaskResult, Seen
from engine.exhibits.choosing import ChoosingResult
from engine.exhibits.depths import Depth, Depths
from engine.exhibits.distance import Distance
from engine.exhibits.draws import Draws
from engine.exhibits.hashing import HashedStep
from engine.exhibits.inside_a_block import Block, InsideABlockResult, StepSeen
from engine.exhibits.links import Links
from engine.exhibits.memory_bill import MemoryBillResult
from engine.exhibits.one_head import Followed
from engine.exhibits.one_more import OneMore
from engine.exhibits.order import OrderResult
from engine.exhibits.parameters import Parameters
from engine.exhibits.prefill_decode import FourTimes, PrefillDecodeResult
from engine.exhibits.prefix_reuse import PrefixReuseResult, Shared, Timed
from engine.exhibits.reading import Quality
from engine.exhibits.reordering import OneLayer
from engine.exhibits.ring import RingStep
from engine.exhibits.rotating import Recall, RotatingResult
from engine.exhibits.sabotage import Sabotage
from engine.exhibits.smaller_numbers import SmallerNumbersResult, Width
from engine.exhibits.spellings import Spellings
from engine.exhibits.stacks import Stack
from engine.exhibits.the_loop import LoopStep, TheLoopResult
from engine.exhibits.tokens_and_vectors import Language, TokensAndVectorsResult

__all__ = [
    "AttendingResult",
    "Bill",
    "Block",
    "CacheExactResult",
    "CausalMaskResult",
    "ChoosingResult",
    "Comparison",
    "Depth",
    "Depths",
    "Distance",
    "Draws",
    "Followed",
    "FourTimes",
    "HashedStep",
    "InsideABlockResult",
    "Language",
    "Links",
    "LoopStep",
    "MemoryBillResult",
    "OneLayer",
    "OneMore",
    "OrderResult",
    "Parameters",
    "PrefillDecodeResult",
    "PrefixReuseResult",
    "Quality",
    "Recall",
    "RingStep",
    "RotatingResult",
    "Sabotage",
    "Seen",
    "Shared",
    "SmallerNumbersResult",
    "Spellings",
    "Stack",
    "StepSeen",
    "TheLoopResult",
    "Timed",
    "TokensAndVectorsResult",
    "Width",
]
