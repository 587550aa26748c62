"""Damaged files, thousands of each kind: a model is read, or one sentence says why not, soon.

A few of each kind are tried every time, the rest with the slow tests.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.gguf import model_config
from engine.gguf_file import GGUFFile
from engine.llama import Decoder
from engine.source import Source, read_config, source_config
from engine.template import ChatTemplate
from engine.tokenizer import Tokenizer
from engine.weights import open_weights
from tests.engine.checkpoints import (
    CHAT_TEMPLATE,
    Setting,
    TinyLlama,
    write_folder,
    write_gguf,
    write_quantized_folder,
)
from tests.engine.fuzzing import damaged_bytes, damaged_json, damaged_template, judge
from tests.engine.zoo_checkpoints import ZOO

TINY = TinyLlama(num_hidden_layers=1, tied=False, attention_bias=True)
SLOW = pytest.mark.slow
BATCHES = pytest.mark.parametrize(
    "cases",
    [
        range(60),
        pytest.param(range(60, 1000), marks=SLOW),
        pytest.param(range(1000, 2000), marks=SLOW),
        pytest.param(range(2000, 3000), marks=SLOW),
    ],
    ids=str,
)
TEXT = "Hello <|im_end|>\n\tthe 123 \0 é 日本 🙂" + "a" * 500
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500_000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
CONFIGS: tuple[dict[str, Any], ...] = (
    TINY.config(),
    TinyLlama(extra={"rope_scaling": YARN}).config(),
    TinyLlama(extra={"rope_parameters": LLAMA3}).config(),
    TinyLlama("mistral", extra={"sliding_window": 64}).config(),
    TinyLlama("qwen2", extra={"use_sliding_window": True, "max_window_layers": 1}).config(),
    TinyLlama("qwen3", extra={"layer_types": ["full_attention", "full_attention"]}).config(),
    TinyLlama(
        extra={"quantization": {"group_size": 64, "bits": 4, "lm_head": {"mode": "mxfp4"}}}
    ).config(),
)
TEMPLATES = (
    CHAT_TEMPLATE,
    "{{ bos_token }}{%- if messages[0]['role'] == 'system' %}{{ messages[0]['content'] | trim }}"
    "{% set loop_messages = messages[1:] %}{% else %}{% set loop_messages = messages %}{% endif %}"
    "{%- for m in loop_messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Roles must alternate') }}{% endif %}[{{ m.content.split('x')[-1] }}]"
    "{% endfor %}{{ strftime_now('%d %b') }}",
    "{% macro show(x, depth=0) %}{{ x | tojson(indent=2) }}{% endmacro %}"
    "{% set ns = namespace(n=0, text='') %}{% for m in messages | reverse %}"
    "{% set ns.n = ns.n + loop.index * 3 %}{% set ns.text = ns.text ~ m.content[:8] %}"
    "{% if loop.last %}{% break %}{% endif %}{{ show(m) }}{% endfor %}{{ '%s' % ns.text }}"
    "{{ '{:>10}'.format(ns.n) }}{% for k, v in tools[0].items() %}{{ k }}{% endfor %}",
)
EXPRESSIONS = (
    *("messages * 10**8", "2 ** 99999", "7 ** 7 ** 7", "1 // 0", "'%99999999s' % 1", "'%d' % 'x'"),
    *(
        "range(10**9) | list",
        "messages | tojson(indent=99999)",
        "'x' | center(10**9)",
        "lipsum(99)",
    ),
    *("messages.__class__", "self.__init__", "messages[::-1] | string", "ns.text * 10**9", "ns"),
    *("cycler('a').next()", "messages | map(attribute='content') | join('x' * 9999)", "nothing.x"),
    *("'{:>999999999}'.format(1)", "('x' * 99999).replace('', 'y' * 99999)", "dict(a=messages)"),
    *(
        "messages | sort(attribute='role')",
        "messages | batch(10**9) | list",
        "tools | groupby('type')",
    ),
    *("joiner()", "'a,b'.split('')", "'x'.encode().decode()", "raise_exception(messages)", "loop"),
    *("strftime_now('%' * 9999)", "strftime_now(1)", "none.x", "true + 1", "'x' < 1", "-'x'"),
)
PIECES = (
    *(f"{{{{ {expression} }}}}" for expression in EXPRESSIONS),
    *(f"{{% set messages = {expression} %}}" for expression in EXPRESSIONS),
    *("{% for i in range(99999) %}", "{% endfor %}", "{{", "}}", "{%", "%}", "{#", "{% raw %}"),
    "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
    "{% for i in range(99) %}{% set messages = messages + messages %}{% endfor %}",
    "{% set x = namespace(t='ab') %}{% for i in range(99) %}{% set x.t = x.t ~ x.t %}{% endfor %}",
    "{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}",
    "{% for m in messages recursive %}{{ loop(messages) }}{% endfor %}",
    "{% set x %}{% for i in range(99999) %}xxxxxxxxxx{% endfor %}{% endset %}{{ x * 99 }}",
    "{% call f() %}{% endcall %}",
    "{% import 'os' as os %}",
    "{% extends 'x' %}",
    "{% generation %}",
    "{% break %}",
    "{% else %}",
    "{% endif %}",
)


def load(source: Source) -> None:
    """Everything but the tokenizer, which has cases of its own."""
    config = source_config(source)
    weights = open_weights(source, config, "stored")
    Decoder(config, weights, lambda _: None)
    weights.finish()


@BATCHES
def test_config_json(tmp_path: Path, cases: range):
    path = tmp_path / "config.json"

    def attempt(rng: random.Random) -> None:
        path.write_bytes(damaged_json(rng, rng.choice(CONFIGS)))
        engine.plan(read_config(path), context=4096)

    judge(cases, "config.json", attempt)


@BATCHES
def test_config_json_of_other_architectures(tmp_path: Path, cases: range):
    path = tmp_path / "config.json"
    configs = [dict(config) for config in ZOO.values()]
    path.write_text(json.dumps(configs[0]), encoding="utf-8")
    read_config(path)  # The first one imports mlx-lm.

    def attempt(rng: random.Random) -> None:
        path.write_bytes(damaged_json(rng, rng.choice(configs)))
        engine.plan(read_config(path), context=4096)

    judge(cases, "config.json for mlx-lm", attempt)


@BATCHES
def test_tokenizer_json(tmp_path: Path, cases: range):
    folder = write_folder(tmp_path / "m", TINY)
    files = [folder / "tokenizer.json", folder / "tokenizer_config.json"]
    contents = [json.loads(file.read_text(encoding="utf-8")) for file in files]

    def attempt(rng: random.Random) -> None:
        for file, content in zip(files, contents, strict=True):
            is_damaged = rng.random() < 0.8
            text = json.dumps(content).encode()
            file.write_bytes(damaged_json(rng, content) if is_damaged else text)
        tokenizer = Tokenizer.load(folder)
        ids = tokenizer.encode(TEXT)
        tokenizer.decode(ids)
        tokenizer.encode(TEXT, special=True)

    judge(cases, "tokenizer.json", attempt)


@BATCHES
def test_safetensors_headers(tmp_path: Path, cases: range):
    layers: dict[str, Setting | None] = {"lm_head": (32, 4, "mxfp4"), "model.embed_tokens": None}
    folder = write_quantized_folder(tmp_path / "m", TINY, (64, 4), layers)
    file = folder / "model.safetensors"
    data = file.read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    source = Source("m", folder, "folder")
    load(source)

    def attempt(rng: random.Random) -> None:
        if rng.random() < 0.3:
            file.write_bytes(damaged_bytes(rng, data, end))
        else:
            changed = damaged_json(rng, header)
            file.write_bytes(len(changed).to_bytes(8, "little") + changed + data[end:])
        load(source)

    judge(cases, "safetensors", attempt)


@pytest.mark.parametrize("part_tensors", [0, 5])
@BATCHES
def test_gguf_headers(tmp_path: Path, cases: range, part_tensors: int):
    path = write_gguf(tmp_path / "m.gguf", TINY, "Q4_0", part_tensors=part_tensors)
    parts = sorted(tmp_path.glob("*.gguf"))
    whole = [part.read_bytes() for part in parts]
    first = min(info.offset for info in GGUFFile.open(path).tensors.values())
    source = Source("m", path, "gguf")
    load(source)

    def attempt(rng: random.Random) -> None:
        at = rng.randrange(len(parts))
        within = len(whole[at]) if part_tensors and at == 0 else first
        # Most of the header is the vocabulary; what is around it is hit as often.
        within = within if rng.random() < 0.5 else min(within, 1200)
        parts[at].write_bytes(damaged_bytes(rng, whole[at], within))
        try:
            file = GGUFFile.open(path)
            model_config(file)
            Tokenizer.from_gguf(file.metadata).encode(TEXT)
            load(source)
        finally:
            parts[at].write_bytes(whole[at])

    judge(cases, f"GGUF {part_tensors}", attempt)


@BATCHES
def test_templates(cases: range):
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": TEXT},
        {"role": "assistant", "content": "x" * 2000},
        {"role": "user", "content": "And then?"},
    ]
    tools = [{"type": "function", "function": {"name": "f", "description": "g"}}]

    def attempt(rng: random.Random) -> None:
        template = ChatTemplate(damaged_template(rng, TEMPLATES, PIECES), {"bos_token": "<s>"})
        assert isinstance(template.render(messages, tools=tools), str)

    judge(cases, "template", attempt)
