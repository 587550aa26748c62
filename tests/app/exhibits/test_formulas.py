"""Every formula with words in it can be translated."""

import ast
from pathlib import Path

import engine
from app.exhibits.formulas import FORMULAS, formula_words

SYMBOLS = {
    "x / √(mean(x²) + ε) × weight",
    "max |input + o_proj + down_proj - output|",
    "exp(logit) / Σ exp(logits)",
    "a · b / (|a| |b|)",
    "½ Σ |count / n - p| ≤ ½ Σ √(p (1 - p) / n) + √(ln 1000 / (2 n))",
    "RoPE(q, d) · RoPE(k, 0) / √D",
}
"""Those that read the same in every language."""


def engine_formulas() -> set[str]:
    """The formulas that the exhibits of the engine name."""
    folder = Path(engine.__file__).parent / "exhibits"
    return {
        ast.literal_eval(node.args[2])
        for file in folder.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "how"
    }


def test_the_formulas_are_those_of_the_engine() -> None:
    assert set(map(str, FORMULAS)) | SYMBOLS == engine_formulas()


def test_symbols_stay_as_they_are() -> None:
    assert {formula_words(each) for each in SYMBOLS} == SYMBOLS
