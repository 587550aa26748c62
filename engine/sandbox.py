"""Jinja for templates from strangers: what Hugging Face's chat templates use, with limits.

A template is a program. Jinja's sandbox keeps it away from Python's insides; this one also bounds
what it may cost. No operation may make more text than `Budget` allows, so that each takes
milliseconds, and between operations the clock is looked at: in every round of a loop, at every
call, filter, test, comparison and arithmetic. Nothing needs a signal or a second thread.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import update_wrapper
from typing import Any, cast

from jinja2 import Environment, Template, pass_context
from jinja2.exceptions import SecurityError, TemplateRuntimeError
from jinja2.ext import loopcontrols
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedFormatter
from jinja2.utils import Namespace
from typing_extensions import override

from engine.sentence import Sentence
from engine.template_code import GenerationBlocks, GuardedCode
from engine.template_costs import (
    CONTAINERS,
    Budget,
    CostError,
    check_call,
    check_format,
    check_operator,
    weigh,
)

_INTEGER_BITS = 4096

_FILTERS = (
    *("abs", "attr", "batch", "capitalize", "center", "count", "d", "default", "dictsort"),
    *("first", "float", "format", "groupby", "indent", "int", "items", "last", "length", "list"),
    *("lower", "map", "max", "min", "reject", "rejectattr", "replace", "reverse", "round"),
    *("select", "selectattr", "slice", "sort", "string", "title", "trim", "truncate", "unique"),
    *("upper", "urlencode", "wordcount"),
)
_TEXT_METHODS = frozenset(
    {
        *("capitalize", "casefold", "center", "count", "endswith", "find", "format", "index"),
        *("format_map", "isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "islower"),
        *("isnumeric", "isspace", "istitle", "isupper", "join", "ljust", "lower", "lstrip"),
        *("partition", "removeprefix", "removesuffix", "replace", "rfind", "rindex", "rjust"),
        *("rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip"),
        *("swapcase", "title", "upper", "zfill"),
    }
)
_METHODS: tuple[tuple[type, frozenset[str]], ...] = (
    (str, _TEXT_METHODS),
    (dict, frozenset({"get", "items", "keys", "values", "copy"})),
    (list, frozenset({"count", "index", "copy"})),
    (tuple, frozenset({"count", "index"})),
    (bytes, frozenset()),
    (int, frozenset()),
    (float, frozenset({"is_integer"})),
)


class RefusedError(TemplateRuntimeError):
    """The template itself refused, through `raise_exception`."""


class _Namespace(Namespace):
    """Jinja's namespace, opaque when it is shown, so that it cannot grow when it is written out."""

    @override
    def __setitem__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            raise SecurityError(f"a namespace cannot hold the name {name!r}")
        super().__setitem__(name, value)

    @override
    def __repr__(self) -> str:
        return "<namespace>"


class _Formatter(SandboxedFormatter):
    @override
    def format_field(self, value: Any, format_spec: str) -> str:
        check_format(format_spec)
        return cast("str", super().format_field(value, format_spec))


class Sandbox(ImmutableSandboxedEnvironment):
    """An environment for one template; not to be used by two threads at once."""

    code_generator_class = GuardedCode
    intercepted_binops = frozenset({"+", "-", "*", "/", "//", "%", "**"})

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            optimized=False,
            cache_size=0,
            finalize=_text_of,
            extensions=[GenerationBlocks, loopcontrols],
        )
        self.budget = Budget(0)
        self._compiled: dict[str, Template] = {}
        given = {name: self._guarded(name, self.filters[name]) for name in _FILTERS}
        own = {"join": _join, "sum": _sum, "tojson": _tojson, "safe": _same, "escape": _escape}
        self.filters = given | {n: self._guarded(n, f) for n, f in own.items()}
        self.filters["e"] = self.filters["escape"]
        self.tests = {name: self._guarded(name, test) for name, test in self.tests.items()}
        for name in ("lipsum", "cycler", "joiner"):
            self.globals.pop(name, None)
        self.globals |= {"raise_exception": _refuse, "strftime_now": _now}
        self.globals |= {"namespace": _Namespace, "dict": _dict}

    def render(self, source: str, budget: Budget, values: dict[str, Any]) -> str:
        """Run a template.

        Args:
            source: The template.
            budget: What it may cost.
            values: Its variables, plain data only.

        Raises:
            TemplateError: Jinja's; and whatever else a template can bring about.
        """
        self.budget = budget
        if source not in self._compiled:
            self._compiled[source] = self.from_string(source)
        text = self._compiled[source].render(values)
        self.measure(text)
        return text

    def tick(self) -> None:
        """Look at the clock."""
        self.budget.tick()

    def emit(self, characters: int) -> None:
        """Count text of the template's own that is about to be written."""
        self.budget.tick()
        self.budget.spend(characters)

    def measure(self, value: Any) -> Any:
        """Pass a value on if it is not too large."""
        if isinstance(value, str):
            self.budget.spend(len(value))
            if len(value) > self.budget.text_limit:
                raise CostError(Sentence("it makes too long a text"))
        elif isinstance(value, int):
            if value.bit_length() > _INTEGER_BITS:
                raise CostError(Sentence("it makes too large a number"))
        elif isinstance(value, CONTAINERS):
            self.budget.spend(weigh(value, self.budget.text_limit, self.budget.tick))
        return value

    def joined(self, parts: Sequence[Any]) -> str:
        """The `~` operator."""
        self.budget.tick()
        weigh(tuple(parts), self.budget.text_limit, self.budget.tick)
        return cast("str", self.measure("".join([str(part) for part in parts])))

    @override
    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        self.budget.tick()
        check_operator(operator, left, right, self.budget.text_limit)
        return self.measure(super().call_binop(context, operator, left, right))

    @override
    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        __self.budget.tick()
        owner: object = getattr(__obj, "__self__", None)
        if isinstance(owner, str):
            args = check_call(__obj.__name__, owner, args, kwargs, __self.budget.text_limit)
        return __self.measure(super().call(__context, __obj, *args, **kwargs))

    @override
    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        for kind, names in _METHODS:
            if isinstance(obj, kind):
                return attr in names
        return super().is_safe_attribute(obj, attr, value)

    @override
    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        if super().wrap_str_format(value) is None:
            return None
        template = cast("str", value.__self__)
        mapped = value.__name__ == "format_map"

        def formatted(*args: Any, **kwargs: Any) -> str:
            arguments: Any = args[0] if mapped else (*args, *kwargs.values())
            weight = weigh(arguments, self.budget.text_limit, self.budget.tick)
            if template.count("{") * weight > self.budget.text_limit:
                raise CostError(Sentence("it makes too long a text"))
            fields: Any = args[0] if mapped else kwargs
            return _Formatter(self).vformat(template, () if mapped else args, fields)

        return cast("Callable[..., str]", update_wrapper(formatted, value))

    def _guarded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A filter or test with its costs looked at, before and after."""
        skip = 1 if getattr(function, "jinja_pass_arg", None) is not None else 0

        def guarded(*args: Any, **kwargs: Any) -> Any:
            self.budget.tick()
            if len(args) > skip and name != "join":
                check_call(name, args[skip], args[skip + 1 :], kwargs, self.budget.text_limit)
            return self.measure(function(*args, **kwargs))

        return update_wrapper(guarded, function)


@pass_context
def _text_of(context: Context, value: Any) -> str:
    """What `{{ value }}` writes."""
    return _sandbox(context.environment).joined((value,))


def _sandbox(environment: Environment) -> Sandbox:
    if not isinstance(environment, Sandbox):
        raise TypeError("the sandbox's own filters work in the sandbox alone")
    return environment


@pass_context
def _join(context: Context, value: Iterable[Any], d: str = "", attribute: Any = None) -> str:
    sandbox = _sandbox(context.environment)
    items = list(value)
    if attribute is not None:
        items = [sandbox.getitem(item, attribute) for item in items]
    weight = weigh(items, sandbox.budget.text_limit, sandbox.budget.tick)
    if weight + len(str(d)) * len(items) > sandbox.budget.text_limit:
        raise CostError(Sentence("it makes too long a text"))
    return str(d).join([str(item) for item in items])


def _sum(value: Iterable[Any], start: float = 0) -> float:
    total = start
    for item in value:
        if not isinstance(item, int | float):
            raise CostError(Sentence("it adds up what are no numbers"))
        total += item
    return total


@pass_context
def _tojson(
    context: Context,
    value: Any,
    ensure_ascii: bool = False,  # noqa: FBT001, FBT002 - the order that templates rely on
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,  # noqa: FBT001, FBT002
) -> str:
    """Hugging Face's `tojson`: HTML is left as it is."""
    budget = _sandbox(context.environment).budget
    steps = weigh(value, budget.text_limit, budget.tick) * (indent or 0)
    if (indent or 0) > 16 or steps > 64 * budget.text_limit:
        raise CostError(Sentence("it indents too far"))
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )


def _same(value: Any) -> Any:
    return value


def _escape(value: Any) -> str:
    text = str(value)
    for character, name in (("&", "amp"), (">", "gt"), ("<", "lt"), ("'", "#39"), ('"', "#34")):
        text = text.replace(character, f"&{name};")
    return text


def _dict(*args: Any, **kwargs: Any) -> dict[Any, Any]:
    return dict(*args, **kwargs)


def _refuse(message: Any = "") -> None:
    raise RefusedError(str(message))


def _now(pattern: str) -> str:
    if len(pattern) > 256:
        raise CostError(Sentence("it asks for too long a date"))
    return datetime.now().strftime(pattern)
