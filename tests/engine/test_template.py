"""Chat templates: what they may use, what they may cost, and how they refuse."""

import time
from typing import Any

import pytest

from engine.errors import TemplateError
from engine.sandbox import Sandbox
from engine.template import ChatTemplate
from engine.template_code import GenerationBlocks, GuardedCode

HI = [{"role": "user", "content": "Hi"}]
TALK = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello"},
    {"role": "user", "content": "Bye"},
]
STRICT = (
    "{% for m in messages %}"
    "{% if m.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Roles must alternate') }}{% endif %}"
    "[{{ m.role }}]{{ m.content }}{% endfor %}"
)
ECHO = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"


def render(source: str, **options: Any) -> str:
    return ChatTemplate(source, {"bos_token": "<s>"}).render(HI, **options)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{{ bos_token }}{{ messages[0].content }}", "<s>Hi"),
        ("{{ messages[0]['content'] | trim }}{{ eos_token }}", "Hi"),
        ("{% if add_generation_prompt %}go{% endif %}", "go"),
        ("{% for i in range(9) %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}", "01"),
        ("{% for i in [1, 2] %}{{ loop.last }}{{ loop.length }}{% endfor %}", "False2True2"),
        ("{% generation %}{{ messages[0].role }}{% endgeneration %}!", "user!"),
        ("{% set ns = namespace(a=1) %}{% set ns.a = ns.a + 1 %}{{ ns.a }}", "2"),
        ("{{ {'a': 'é<b>', 'n': none} | tojson }}", '{"a": "é<b>", "n": null}'),
        ("{{ {'a': [1]} | tojson(indent=2) }}", '{\n  "a": [\n    1\n  ]\n}'),
        ("{% macro f(x) %}<{{ x }}>{% endmacro %}{{ f('a') ~ f(1) }}", "<a><1>"),
        ("{{ 'a-b'.split('-') | join('+') }}{{ 'x'.join(['1', '2']) }}", "a+b1x2"),
        ("{{ messages | map(attribute='role') | join(',') }}", "user"),
        ("{{ messages | selectattr('role', 'equalto', 'user') | list | length }}", "1"),
        ("{{ '{:>4}'.format('a') }}{{ '%03d' % 7 }}{{ 'é' | upper }}", "   a007É"),
        ("{{ 'a,b' | replace(',', ';') }}{{ 'aa'.replace('a', 'b', 1) }}", "a;bba"),
        ("{{ tools is none }}{{ messages is iterable }}{{ x is defined }}", "TrueTrueFalse"),
        ("{{ '<' | e }}{{ '<' | safe }}{{ [1, 2.5] | sum }}", "&lt;<3.5"),
        (
            "  {%- set x = [1] + [2] %}\n{{ x[-1] }}{{ (1, 2) }}{{ {'a': 1}.items() | list }}",
            "2(1, 2)[('a', 1)]",
        ),
        ("{{ messages[::-1][0].role }}{{ 7 // 2 ** 1 }}{{ none }}", "user3None"),
        ("{% filter upper %}a{% endfilter %}{% set b %}c{% endset %}{{ b }}", "Ac"),
    ],
)
def test_what_templates_use_works(source: str, text: str) -> None:
    assert render(source) == text


def test_block_lines_leave_no_blank_lines() -> None:
    assert render("{% if true %}\n  {% set a = 1 %}\nx\n{% endif %}\ny") == "x\ny"


def test_the_date_is_known() -> None:
    assert render("{{ strftime_now('%Y') }}") == time.strftime("%Y")


def test_options_reach_the_template() -> None:
    source = "{{ enable_thinking }}{{ tools[0].name }}{{ add_generation_prompt }}"
    options = {"enable_thinking": False, "tools": [{"name": "f"}], "add_generation_prompt": False}
    assert render(source, **options) == "FalsefFalse"


def test_absent_parts_of_a_message_are_left_out_and_reasoning_has_all_its_names() -> None:
    template = ChatTemplate(
        "{% for m in messages %}{{ m.reasoning_content }}{{ m.thinking }}"
        "{{ m.tool_calls is defined }}{% endfor %}"
    )
    message = {"role": "assistant", "content": "x", "reasoning": "hm", "tool_calls": None}
    assert template.render([message]) == "hmhmFalse"


def test_one_of_several_templates_is_chosen() -> None:
    template = ChatTemplate({"default": "d", "tool_use": "t", "rag": "r"})
    assert template.render(HI) == "d"
    assert template.render(HI, tools=[{"name": "f"}]) == "t"
    assert template.render(HI, chat_template="rag") == "r"
    with pytest.raises(TemplateError, match="'none'; it has default, rag, tool_use"):
        template.render(HI, chat_template="none")


def test_a_refused_system_message_moves_before_the_first_question() -> None:
    text = ChatTemplate(STRICT).render(TALK)
    assert text == "[user]Be brief.\n\nHi[assistant]Hello[user]Bye"


def test_a_system_message_that_a_template_leaves_out_is_not_lost() -> None:
    template = ChatTemplate(
        "{% for m in messages if m.role != 'system' %}[{{ m.role }}]{{ m.content }}{% endfor %}"
    )
    assert template.render(TALK).startswith("[user]Be brief.\n\nHi[assistant]")


def test_a_system_message_that_a_template_rewrites_stays_where_it_is() -> None:
    template = ChatTemplate("{% for m in messages %}[{{ m.content | upper }}]{% endfor %}")
    assert template.render(TALK) == "[BE BRIEF.][HI][HELLO][BYE]"


def test_two_messages_of_one_role_are_joined_where_roles_must_alternate() -> None:
    messages = [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]
    assert ChatTemplate(STRICT).render(messages) == "[user]a\n\nb"
    assert ChatTemplate(ECHO).render(messages) == "[user]a[user]b"


def test_what_cannot_be_put_otherwise_is_refused_in_the_templates_words() -> None:
    with pytest.raises(TemplateError, match="refuses: “Roles must alternate”"):
        ChatTemplate(STRICT).render([{"role": "assistant", "content": "x"}])


def test_no_messages_are_a_sentence() -> None:
    with pytest.raises(TemplateError, match="no messages"):
        ChatTemplate(ECHO).render([])


@pytest.mark.parametrize(
    "source",
    [
        "{% for %}",
        "{{ x.y.z }}",
        "{{ 1 / 0 }}",
        "{{ 'a' + 1 }}",
        "{% include 'a' %}",
        "{{ nothing() }}",
        "{{ 'x' | nothing }}",
        "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
        "{% for i in [1] %}" * 30 + "{% endfor %}" * 30,
        "{% block a %}{{ self.a() }}{% endblock %}",
        "x" * 100_000,
    ],
)
def test_a_broken_template_is_a_sentence(source: str) -> None:
    with pytest.raises(TemplateError, match=r"^This model's chat template .*\.$"):
        render(source)


ENDLESS = "{% for i in range(99999) %}"


def doubling(start: str, step: str) -> str:
    return (
        f"{{% set ns = namespace(a={start}) %}}{{% for i in range(99) %}}"
        f"{{% set ns.a = {step} %}}{{% endfor %}}{{{{ ns.a | string }}}}"
    )


HOSTILE = {
    "range": "{% for i in range(10**9) %}{% endfor %}",
    "nested ranges": ENDLESS * 2 + "{% endfor %}{% endfor %}",
    "filtered ranges": ENDLESS + "{% for j in range(99999) if j < 0 %}{% endfor %}{% endfor %}",
    "repeated text": "{{ 'x' * 10**9 }}",
    "repeated from the left": "{{ 10**9 * 'x' }}",
    "repeated list": "{{ [1] * 10**9 }}",
    "power": "{{ 9 ** (9 ** 9) }}",
    "squares": doubling("3", "ns.a * ns.a"),
    "width": "{{ '%1000000000d' % 1 }}",
    "computed width": "{{ '%*d' % (1000000000, 1) }}",
    "format filter": "{{ '%1000000000d' | format(1) }}",
    "format": "{{ '{:>1000000000}'.format(1) }}",
    "format, nested": "{{ '{:{}}'.format(1, 1000000000) }}",
    "format_map": "{{ '{a:>{b}}'.format_map({'a': 1, 'b': 1000000000}) }}",
    "format, many": "{{ ('{0}' * 100000).format('x' * 1000000) }}",
    "percent, many": "{{ ('%(a)s' * 100000) % {'a': 'x' * 1000000} }}",
    "center": "{{ 'x'.center(10**9) }}",
    "center filter": "{{ 'x' | center(10**9) }}",
    "ljust": "{{ 'x'.ljust(width=10**9) }}",
    "zfill": "{{ 'x'.zfill(10**9) }}",
    "join": "{% set a = 'x' * 3000000 %}{{ range(100000) | join(a) }}",
    "join of one text": "{% set a = 'x' * 3000000 %}{{ (a, a, a) | join }}",
    "join method": "{% set a = 'x' * 3000000 %}{{ a.join('yyyyy') }}",
    "replace": "{% set a = 'x' * 1000000 %}{{ a.replace('x', a) }}",
    "replace nothing": "{% set a = 'x' * 1000000 %}{{ a.replace('', a) }}",
    "replace filter": "{% set a = 'x' * 1000000 %}{{ a | replace('x', a) }}",
    "indent": "{{ ('x\n' * 100000) | indent(9999) }}",
    "json": "{{ [[1]] | tojson(indent=10**9) }}",
    "batch": "{{ [1] | batch(10**9, 'x') | list }}",
    "slice": "{{ [1] | slice(10**9) | list }}",
    "round": "{{ 1.5 | round(10**9, 'ceil') }}",
    "sum of lists": "{{ ([['x'] * 10] * 9999) | sum(start=[]) }}",
    "date": "{{ strftime_now('%Y' * 100000) }}",
    "doubled text": doubling("'x'", "ns.a ~ ns.a"),
    "added text": doubling("'x'", "ns.a + ns.a"),
    "doubled list": doubling("[1]", "[ns.a, ns.a]"),
    "doubled tuple": doubling("[1]", "(ns.a, ns.a)"),
    "doubled dict": doubling("{}", "{'a': ns.a, 'b': ns.a}"),
    "doubled by dict()": doubling("{}", "dict(a=ns.a, b=ns.a)"),
    "deep list": "{% set ns = namespace(a=[1]) %}"
    + ENDLESS
    + "{% set ns.a = [ns.a] %}{% endfor %}",
    "recursion": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "branching": "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}"
    "{{ f(40) }}",
    "recursive loop": "{% for x in [1, 2] recursive %}{{ loop([1, 2]) if loop.depth < 60 }}"
    "{% endfor %}",
    "written text": ENDLESS + "y" * 50_000 + "{% endfor %}",
    "kept text": "{% set a %}" + ENDLESS + "y" * 50_000 + "{% endfor %}{% endset %}",
    "filtered text": "{% filter upper %}" + ENDLESS + "y" * 50_000 + "{% endfor %}{% endfilter %}",
    "many variables": "".join(f"{{% set a{i} = 'x' * 4000000 %}}" for i in range(1000)),
    "many slices": "{% set a = 'x' * 4000000 %}"
    + "".join(f"{{% set a{i} = a[1:] %}}" for i in range(1000)),
    "searching": "{% set a = 'x' * 4000000 %}{% for i in range(99999) if 'y' in a %}{% endfor %}",
    "searching by test": "{% set a = 'x' * 4000000 %}"
    "{{ (['y'] * 99999) | select('in', a) | list }}",
    "comparing": "{% set a = 'x' * 4000000 %}{% set b = 'x' * 4000000 %}"
    + ENDLESS
    + "{% if a == b %}{% endif %}{% endfor %}",
    "sorting": ENDLESS + "{% set a = range(99999) | sort %}{% endfor %}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_template_is_stopped(name: str) -> None:
    before_s = time.thread_time()
    with pytest.raises(TemplateError):
        render(HOSTILE[name])
    assert time.thread_time() - before_s < 1.5


def test_every_operator_of_templates_is_guarded() -> None:
    assert Sandbox.intercepted_binops == frozenset(Sandbox.default_binop_table)
    assert Sandbox.code_generator_class is GuardedCode
    assert GenerationBlocks.tags == {"generation"}


@pytest.mark.parametrize(
    "source",
    [
        "{{ ''.__class__ }}",
        "{{ ''['__class__'] }}",
        "{{ '' | attr('__class__') }}",
        "{{ [''] | map(attribute='__class__') | list }}",
        "{{ '{0.__class__}'.format('') }}",
        "{{ messages.__class__.__mro__ }}",
        "{{ messages.append({}) }}",
        "{{ raise_exception.__globals__ }}",
        "{{ namespace.__init__ }}",
        "{% set ns = namespace() %}{% set ns.__class__ = 1 %}",
        "{% macro f() %}{% endmacro %}{{ f._func }}",
        "{{ self._TemplateReference__context }}",
        "{% for i in [1] %}{{ loop._iterator }}{% endfor %}",
        "{{ 'x'.encode() }}",
        "{{ 'x'.translate({}) }}",
        "{{ (1).to_bytes(9, 'big') }}",
        "{{ lipsum() }}",
        "{{ x.__init__.__globals__ }}",
        "{% import 'os' as os %}",
    ],
)
def test_a_template_cannot_leave_the_sandbox(source: str) -> None:
    try:
        text = render(source)
    except TemplateError:
        return
    assert text in ("", "[Undefined]")


def test_an_object_among_the_options_shows_nothing_of_itself() -> None:
    assert render("{{ thing }}{{ thing.parent }}", thing=time) == "<module>"


def test_a_long_chat_is_no_hostile_one() -> None:
    messages = [{"role": role, "content": "word " * 2000} for role in ("user", "assistant") * 100]
    text = ChatTemplate(ECHO).render(messages)
    assert len(text) == sum(len(m["content"]) + len(m["role"]) + 2 for m in messages)


def test_nothing_is_kept_between_two_renderings() -> None:
    template = ChatTemplate("{% set x = (x or '') + 'a' %}{{ x }}")
    assert [template.render(HI) for _ in range(3)] == ["a", "a", "a"]
