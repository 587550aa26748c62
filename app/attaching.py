"""Reading the files that go with a question: text in any usual encoding, source code, PDFs.

What cannot be read is refused in a sentence.
"""

from __future__ import annotations

import codecs
import logging
import mimetypes
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.chats.files import file_size
from app.chats.model import new_attachment

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.chats.model import Attachment

LARGEST_TEXT_BYTES = 8 << 20
LARGEST_PDF_BYTES = 100 << 20
LONGEST_TEXT = 4_000_000
"""In characters, about a million tokens: more than any context holds."""

_PDF = b"%PDF-"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ODD_SHARE = 0.02
"""More control characters than this in a text tell that it is none."""
_LEAST_ZEROS = 0.2
_LOOKED_AT = 1 << 16
_CONTROLS = frozenset(chr(code) for code in range(32)) - set("\t\n\r\f\x1b\b")

translate = QCoreApplication.translate


class AttachmentError(Exception):
    """A file cannot go with a question; the message is a sentence for the user."""


def read_attachment(path: Path, cancelled: Callable[[], bool] = lambda: False) -> Attachment:
    """Read a file.

    Args:
        path: The file.
        cancelled: Asked between the pages of a PDF; True gives up.

    Raises:
        AttachmentError: It is no file, too large, not text, locked, empty, or cannot be read.
    """
    name = path.name
    try:
        if path.is_dir():
            sentence = translate("Attaching", "{name} is a folder; attach the files in it.")
            raise AttachmentError(sentence.format(name=name))
        size = file_size(path)
        with path.open("rb") as file:
            is_pdf = file.read(len(_PDF)) == _PDF
        _refuse_large(name, size, is_pdf=is_pdf)
        content = b"" if is_pdf else path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        sentence = translate("Attaching", "{name} cannot be read ({reason}); choose another file.")
        raise AttachmentError(sentence.format(name=name, reason=reason)) from error
    text = _pdf_text(path, cancelled) if is_pdf else _decoded(name, content)
    if not text.strip():
        raise AttachmentError(translate("Attaching", "{name} is empty.").format(name=name))
    if len(text) > LONGEST_TEXT:
        sentence = translate(
            "Attaching",
            "{name} holds {length} characters of text and {longest} can be attached; attach a part "
            "of it.",
        )
        length, longest = f"{len(text):,}", f"{LONGEST_TEXT:,}"
        raise AttachmentError(sentence.format(name=name, length=length, longest=longest))
    guessed = "application/pdf" if is_pdf else mimetypes.guess_type(name)[0]
    return new_attachment(name, guessed or "text/plain", text, size)


def pasted_attachment(text: str, name: str) -> Attachment:
    """A long text that was pasted, as a file.

    Raises:
        AttachmentError: It is too long.
    """
    if len(text) > LONGEST_TEXT:
        sentence = translate(
            "Attaching", "That text has {length} characters and {longest} can be attached."
        )
        length, longest = f"{len(text):,}", f"{LONGEST_TEXT:,}"
        raise AttachmentError(sentence.format(length=length, longest=longest))
    clean = text.encode("utf-8", "replace").decode()
    return new_attachment(name, "text/plain", clean, len(clean.encode()))


def _refuse_large(name: str, size: int, *, is_pdf: bool) -> None:
    most = LARGEST_PDF_BYTES if is_pdf else LARGEST_TEXT_BYTES
    if size > most:
        sentence = translate(
            "Attaching",
            "{name} has {size} MiB and at most {most} MiB can be attached; attach a part of it.",
        )
        has = f"{size / (1 << 20):,.0f}"
        raise AttachmentError(sentence.format(name=name, size=has, most=most >> 20))


def _decoded(name: str, content: bytes) -> str:
    """The text in a file, whatever usual encoding it has.

    UTF-16 without a mark shows by its many zero bytes, all at even or all at odd places; whatever
    is neither that nor UTF-8 is taken for Latin-1 (as Windows extends it) where it looks like text.
    """
    text = _with_mark(content)
    if text is None and b"\0" in content[:_LOOKED_AT]:
        text = _as_utf_16(content)
    elif text is None:
        try:
            text = content.decode()
        except UnicodeDecodeError:
            text = content.decode("cp1252", "replace")
    if text is None or _looks_binary(text):
        sentence = translate(
            "Attaching", "{name} is not text; text files, source code and PDFs can be attached."
        )
        raise AttachmentError(sentence.format(name=name))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _with_mark(content: bytes) -> str | None:
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return content.decode(encoding, "replace")
    return None


def _as_utf_16(content: bytes) -> str | None:
    head = content[:_LOOKED_AT]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(content) % 2 or min(even, odd) > max(even, odd) / 10:
        return None
    if max(even, odd) < _LEAST_ZEROS * len(head) / 2:
        return None
    try:
        return content.decode("utf-16-le" if odd > even else "utf-16-be")
    except UnicodeDecodeError:
        return None


def _looks_binary(text: str) -> bool:
    head = text[:_LOOKED_AT]
    odd = sum(character in _CONTROLS or character == "\ufffd" for character in head)
    return odd > _ODD_SHARE * max(len(head), 1)


def _pdf_text(path: Path, cancelled: Callable[[], bool]) -> str:
    """The text of a PDF, page after page."""
    from pypdf.errors import DependencyError, FileNotDecryptedError  # late: it is seldom needed

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it tells of every odd thing it mends
    name = path.name
    try:
        pages = _pages(path, cancelled)
    except AttachmentError:
        raise
    except (FileNotDecryptedError, DependencyError) as error:
        raise AttachmentError(_locked(name)) from error
    except Exception as error:
        sentence = translate("Attaching", "{name} is a damaged PDF and cannot be read.")
        raise AttachmentError(sentence.format(name=name)) from error
    text = "\n\n".join(page for page in pages if page)
    if not text.strip():
        sentence = translate(
            "Attaching", "{name} holds no text, only pictures; attach a version with text in it."
        )
        raise AttachmentError(sentence.format(name=name))
    return text.encode("utf-8", "replace").decode()


def _pages(path: Path, cancelled: Callable[[], bool]) -> list[str]:
    """The text of each page, until there is too much of it."""
    from pypdf import PdfReader

    reader = PdfReader(path)
    if reader.is_encrypted and not reader.decrypt(""):
        raise AttachmentError(_locked(path.name))
    pages: list[str] = []
    length = 0
    for page in reader.pages:
        if cancelled():
            sentence = translate("Attaching", "{name} was not read to its end.")
            raise AttachmentError(sentence.format(name=path.name))
        pages.append(page.extract_text().strip())
        length += len(pages[-1])
        if length > LONGEST_TEXT:
            break
    return pages


def _locked(name: str) -> str:
    sentence = translate(
        "Attaching", "{name} is locked with a password; attach a copy that is not."
    )
    return sentence.format(name=name)
