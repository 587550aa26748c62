"""Chats as one HTML file that needs nothing else: a transcript, light or dark as the system is.

Every word is escaped; of Markdown only what a transcript cannot do without is drawn.
"""

import html
import re
from collections.abc import Iterable, Iterator

from app.chats.model import Archive, Message, shortened

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Chats from Cutaway</title>
<style>
:root { color-scheme: light dark; --back: #fff; --text: #1d1d1f; --soft: #6e6e73;
  --bubble: #f0f0f2; --code: #f6f6f8; --line: #dcdce0; }
@media (prefers-color-scheme: dark) {
  :root { --back: #1e1e20; --text: #ececee; --soft: #98989f; --bubble: #2f2f33; --code: #28282b;
    --line: #3c3c41; } }
body { margin: 0 auto; padding: 32px 24px 64px; max-width: 46rem; background: var(--back);
  color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
h1 { margin: 48px 0 4px; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 16px; white-space: pre-wrap; overflow-wrap: anywhere; }
p:last-child { margin-bottom: 0; }
.about, .caption, summary { color: var(--soft); font-size: .8125rem; }
.message { margin: 24px 0; }
.user .body { box-sizing: border-box; width: fit-content; max-width: 85%; margin-left: auto;
  padding: 12px 16px; border-radius: 16px; background: var(--bubble); }
.system .body { padding-left: 16px; border-left: 2px solid var(--line); color: var(--soft); }
pre { margin: 0 0 16px; padding: 12px 16px; overflow-x: auto; border-radius: 8px;
  background: var(--code); white-space: pre; }
code { font: .875em ui-monospace, Menlo, Consolas, monospace; }
details { margin-bottom: 8px; }
article + article { border-top: 1px solid var(--line); margin-top: 64px; }
</style>
</head>
<body>
"""
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n`]*\n(.*?)(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.M | re.S)
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_HEADING = re.compile(r"^#{1,6} +(.+)$", re.M)


def html_pieces(chats: Iterable[tuple[Archive, tuple[Message, ...]]]) -> Iterator[str]:
    """Return the file piece by piece, for chats and the messages to show of each."""
    yield _HEAD
    for archive, messages in chats:
        yield f"<article>\n<h1>{_escaped(shortened(archive.chat.title, 400))}</h1>\n"
        if archive.settings.system_prompt:
            yield _message("system", _escaped_paragraphs(archive.settings.system_prompt), "")
        for message in messages:
            attached = "".join(
                f"<details><summary>{_escaped(one.name)}</summary>"
                f"<pre><code>{_escaped(one.text)}</code></pre></details>\n"
                for one in message.attachments
            )
            body = _drawn if message.role == "assistant" else _escaped_paragraphs
            yield _message(message.role, attached + body(message.text), message.model or "")
        yield "</article>\n"
    yield "</body>\n</html>\n"


def _message(role: str, body: str, caption: str) -> str:
    below = f'\n<div class="caption">{_escaped(caption)}</div>' if caption else ""
    return f'<section class="message {role}">\n<div class="body">{body}</div>{below}\n</section>\n'


def _escaped(text: str) -> str:
    return html.escape("".join(c if c >= " " or c in "\n\t" else " " for c in text))


def _escaped_paragraphs(text: str) -> str:
    parts = re.split(r"\n\s*\n", text.strip())
    return "\n".join(f"<p>{_escaped(part)}</p>" for part in parts)


def _drawn(text: str) -> str:
    """Return a reply with code blocks, code, headings and strong words drawn."""
    pieces: list[str] = []
    end = 0
    for match in _FENCE.finditer(text):
        pieces.append(_paragraphs(text[end : match.start()]))
        pieces.append(f"<pre><code>{_escaped(match[2].rstrip())}</code></pre>")
        end = match.end()
    pieces.append(_paragraphs(text[end:]))
    return "\n".join(piece for piece in pieces if piece)


def _paragraphs(text: str) -> str:
    parts = re.split(r"\n\s*\n", text.strip())
    return "\n".join(f"<p>{_inline(part)}</p>" for part in parts if part)


def _inline(text: str) -> str:
    pieces: list[str] = []
    end = 0
    for match in _CODE.finditer(text):
        pieces.append(_words(text[end : match.start()]))
        pieces.append(f"<code>{_escaped(match[2].strip())}</code>")
        end = match.end()
    pieces.append(_words(text[end:]))
    return "".join(pieces)


def _words(text: str) -> str:
    strong = _STRONG.sub(r"<strong>\1</strong>", _escaped(text))
    return _HEADING.sub(r"<strong>\1</strong>", strong)
