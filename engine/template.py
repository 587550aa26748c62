"""A model's chat template: messages → the text of a prompt.

Options and behaviour are those of Hugging Face's `apply_chat_template`. Some templates refuse a
system message or two messages of one role in a row; the nearest prompt that says the same is then
tried (the system's text before the first question, the two messages joined), and if the template
refuses that too, its own words are passed on.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from jinja2.exceptions import SecurityError, TemplateSyntaxError

from engine.errors import TemplateError
from engine.sandbox import RefusedError, Sandbox
from engine.template_costs import Budget, CostError, weigh
from engine.tokenizer import Tokenizer

Message = Mapping[str, Any]
Messages = Sequence[Message]

# Compiling takes up to 20 µs a character; the largest templates in use have about 25,000.
_SOURCE_LIMIT = 64 << 10
_INPUT_LIMIT = 256 << 20
_QUOTE_LIMIT = 300
_DEPTH_LIMIT = 64
_REASONING = ("reasoning_content", "thinking", "reasoning")

_CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' + message.content"
    " + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
_LLAMA3 = (
    "{{ bos_token }}{% for message in messages %}{{ '<|start_header_id|>' + message.role"
    " + '<|end_header_id|>\n\n' + message.content | trim + '<|eot_id|>' }}{% endfor %}"
    "{% if add_generation_prompt %}"
    "{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)
_GEMMA = (
    "{{ bos_token }}{% for message in messages %}"
    "{% if message.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{{ '<start_of_turn>' + ('model' if message.role == 'assistant' else message.role) + '\n'"
    " + message.content | trim + '<end_of_turn>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}"
)
_DEFAULTS = (
    (("<|im_start|>", "<|im_end|>"), _CHATML),
    (("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"), _LLAMA3),
    (("<start_of_turn>", "<end_of_turn>"), _GEMMA),
)


class ChatTemplate:
    """A chat template, or several by name; compiled when it is first used."""

    def __init__(
        self, source: str | Mapping[str, str], special_tokens: Mapping[str, str] | None = None
    ) -> None:
        """Take the template.

        Args:
            source: Jinja source, or sources by name; `default` is used unless another is asked
                for, `tool_use` when there are tools.
            special_tokens: Texts by their name in templates, such as `bos_token`.
        """
        self.sources = {"default": source} if isinstance(source, str) else dict(source)
        self._special_tokens = dict(special_tokens or {})
        self._sandbox = Sandbox()

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> "ChatTemplate | None":
        """The template of a tokenizer, else the usual one of its turn markers, else None."""
        source = tokenizer.chat_template
        if not source:
            for markers, default in _DEFAULTS:
                if all(tokenizer.token_id(marker) is not None for marker in markers):
                    source = default
                    break
        return cls(source, tokenizer.special_tokens) if source else None

    def render(
        self, messages: Messages, *, add_generation_prompt: bool = True, **options: Any
    ) -> str:
        """Write the prompt.

        Args:
            messages: Dictionaries with `role` and `content`.
            add_generation_prompt: End where the assistant is to go on.
            options: Variables for the template, such as `tools` or `enable_thinking`; and
                `chat_template`, the name of one of several templates.

        Raises:
            TemplateError: The template is not valid, failed, cost too much, or refused.
        """
        if not messages:
            raise TemplateError("There are no messages to write a prompt from.")
        name: object = options.pop("chat_template", None)
        source = self._source(name, tools=bool(options.get("tools")))
        options = {"tools": None, "documents": None, **options}
        options["add_generation_prompt"] = add_generation_prompt
        values = self._special_tokens | {key: _plain(value) for key, value in options.items()}
        plain = [_message(message) for message in messages]
        budget = Budget(weigh((values, plain), _INPUT_LIMIT, lambda: None))

        def run(attempt: list[dict[str, Any]]) -> str:
            return self._run(source, budget, {**values, "messages": attempt})

        refusal: TemplateError | None = None
        for attempt in _attempts(plain):
            try:
                text = run(attempt)
            except _RefusedMessagesError as error:
                refusal = refusal or error
                continue
            if attempt is not plain or not _drops_system(run, plain, text):
                return text
        raise refusal or TemplateError("This model's chat template leaves out system messages.")

    def _source(self, name: object, *, tools: bool) -> str:
        if name is None:
            name = "tool_use" if tools and "tool_use" in self.sources else "default"
        source = self.sources.get(str(name))
        if source is None:
            if not self.sources:
                raise TemplateError(
                    "This model has no chat template {name!r}; it has none.", name=name
                )
            known = ", ".join(sorted(self.sources))
            raise TemplateError(
                "This model has no chat template {name!r}; it has {known}.", name=name, known=known
            )
        if len(source) > _SOURCE_LIMIT:
            raise TemplateError("This model's chat template is too large.")
        return source

    def _run(self, source: str, budget: Budget, values: dict[str, Any]) -> str:
        try:
            return self._sandbox.render(source, budget, values)
        except RefusedError as error:
            quoted = str(error)[:_QUOTE_LIMIT].rstrip(".")
            raise _RefusedMessagesError(
                "This model's chat template refuses: “{message}”.", message=quoted
            ) from error
        except CostError as error:
            raise TemplateError(
                "This model's chat template was stopped: {reason}.", reason=error.why
            ) from error
        except SecurityError as error:
            raise TemplateError("This model's chat template does what it must not do.") from error
        except TemplateSyntaxError as error:
            raise TemplateError(
                "This model's chat template is not valid, line {line}: {message}.",
                line=error.lineno,
                message=error.message,
            ) from error
        except (RecursionError, MemoryError) as error:
            raise TemplateError("This model's chat template nests too deeply.") from error
        # A template is a program, and any of Python's own errors can come out of it.
        except Exception as error:
            said = " ".join(str(error).split())[:_QUOTE_LIMIT].rstrip(".")
            raise TemplateError("This model's chat template failed: {said}.", said=said) from error


class _RefusedMessagesError(TemplateError):
    """The template called `raise_exception`; another order of the messages may please it."""


def _drops_system(
    run: Callable[[list[dict[str, Any]]], str], messages: list[dict[str, Any]], text: str
) -> bool:
    """Whether the template wrote the prompt as if there were no system message."""
    system = [m for m in messages if m.get("role") == "system"]
    words = [m["content"].strip() for m in system if isinstance(m.get("content"), str)]
    others = [m for m in messages if m.get("role") != "system"]
    if not others or all(part in text for part in words):
        return False
    try:
        return run(others) == text
    except TemplateError:
        return False


def _attempts(messages: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The messages as they are, then the nearest ones that say the same."""
    yield messages
    joined = _joined(messages)
    if joined != messages:
        yield joined
    folded = _joined(_folded(messages))
    if folded != joined:
        yield folded


def _joined(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Neighbours of one role made one message, where both are plain text."""
    joined: list[dict[str, Any]] = []
    for message in messages:
        last = joined[-1] if joined else {}
        if _is_text(message) and _is_text(last) and last["role"] == message["role"]:
            content = f"{last['content']}\n\n{message['content']}"
            joined[-1] = {"role": message["role"], "content": content}
        else:
            joined.append(message)
    return joined


def _folded(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The system's text moved before the first user message."""
    system = [m["content"] for m in messages if m.get("role") == "system" and _is_text(m)]
    others = [m for m in messages if m.get("role") != "system"]
    for index, message in enumerate(others):
        if system and message.get("role") == "user" and isinstance(message.get("content"), str):
            content = "\n\n".join([*system, message["content"]])
            return [*others[:index], {**message, "content": content}, *others[index + 1 :]]
    return messages


def _is_text(message: Message) -> bool:
    return set(message) == {"role", "content"} and isinstance(message["content"], str)


def _message(message: Message) -> dict[str, Any]:
    """One message as templates expect it: plain data, no None, reasoning under every name."""
    plain = {str(key): _plain(value) for key, value in message.items() if value is not None}
    reasoning = next((plain[key] for key in _REASONING if key in plain), None)
    if reasoning is None:
        return plain
    return {"thinking": reasoning, **plain, "reasoning_content": reasoning}


def _plain(value: Any, depth: int = 0) -> Any:
    """Data without methods that the sandbox does not know."""
    if depth > _DEPTH_LIMIT:
        raise TemplateError("The messages nest too deeply.")
    if value is None or type(value) in (str, int, float, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Mapping):
        entries = cast("Mapping[Any, Any]", value)
        return {_plain(k, depth + 1): _plain(v, depth + 1) for k, v in entries.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry, depth + 1) for entry in cast("list[Any]", value)]
    return f"<{type(value).__name__}>"
