"""The architectures that mlx-lm computes, by the `model_type` of a config.json.

Written down, because importing mlx-lm to ask it takes seconds. Each is a module of its `models`;
`olmo` is not among them, as that module needs a package that is no longer to be had.
"""

from collections.abc import Mapping
from typing import Any, cast

_NAMES = """
    afm7 afmoe apertus baichuan_m1 bailing_hybrid bailing_moe bailing_moe_linear bailing_moe_v3
    bitnet cohere cohere2 dbrx deepseek deepseek_v2 deepseek_v3 deepseek_v32 deepseek_v41 dots1
    ernie4_5 ernie4_5_moe exaone exaone4 exaone_moe falcon_h1 gear gemma gemma2 gemma3
    gemma3_text gemma3n gemma4 gemma4_text glm glm4 glm4_moe glm4_moe_lite glm_moe_dsa gpt2
    gpt_bigcode gpt_neox gpt_oss gptj granite granitemoe granitemoehybrid helium hunyuan
    hunyuan_v1_dense internlm2 internlm3 iquestloopcoder jamba kimi_k25 kimi_k3 kimi_linear
    kimi_vl Klear laguna lfm2 lfm2-vl lfm2_moe lille-130m llama llama4 llama4_text longcat_flash
    longcat_flash_ngram mamba mamba2 mellum mimo mimo_v2_flash minicpm minicpm3 minimax
    minimax_m3_vl ministral3 mistral3 mistral4 mixtral muse_glimmer muse_spark nanbeige nanochat
    nemotron nemotron-nas nemotron_h olmo2 olmo3 olmo_hybrid olmoe openelm phi phi3 phi3small
    phimoe phixtral pixtral plamo plamo2 plamo3 prism_hadamard_qwen35 qwen qwen2 qwen2_moe
    qwen2_vl qwen3 qwen3_5 qwen3_5_moe qwen3_moe qwen3_next qwen3_vl qwen3_vl_moe
    recurrent_gemma rwkv7 seed_oss smollm3 solar_open spark2_5 stablelm starcoder2 step3p5
    talkie telechat3 youtu_llm
"""
MODULES = frozenset(_NAMES.split())
ALIASES = {
    "deepseek_v41_text": "deepseek_v41",
    "falcon_mamba": "mamba",
    "gemma4_unified": "gemma4",
    "iquestcoder": "llama",
    "joyai_llm_flash": "deepseek_v3",
    "kimi_k2": "deepseek_v3",
    "llava": "mistral3",
    "minimax_m2": "minimax",
    "mistral": "llama",
    "phi-msft": "phixtral",
    "qwen2_5_vl": "qwen2_vl",
    "xverse": "llama",
}
_BY_CLASS = {("bailing_hybrid", "BailingMoeV3ForCausalLM"): "bailing_moe_v3"}


def module_of(raw: Mapping[str, Any]) -> str | None:
    """The module of mlx-lm that computes a config.json's architecture; None where there is none."""
    model_type: object = raw.get("model_type")
    if not isinstance(model_type, str):
        return None
    classes: object = raw.get("architectures")
    for name in cast("list[object]", classes) if isinstance(classes, list) else [classes]:
        if (module := _BY_CLASS.get((model_type, str(name)))) is not None:
            return module
    module = ALIASES.get(model_type, model_type)
    return module if module in MODULES else None
