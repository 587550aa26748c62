"""Text in any usual encoding is read, and whatever is none is refused in a sentence."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from app import attaching
from app.attaching import AttachmentError, pasted_attachment, read_attachment
from app.chats.attached import spoken_text
from app.chats.model import new_attachment, new_message

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "Grüße, 世界! print('hi')\n" * 20


def pdf(path: Path, text: str, password: str = "") -> Path:
    writer = PdfWriter()
    page = writer.add_blank_page(200, 200)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): font})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    stream = DecodedStreamObject()
    stream.set_data(f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode())
    page[NameObject("/Contents")] = writer._add_object(stream)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    writer.write(path)
    return path


def refused(path: Path) -> str:
    with pytest.raises(AttachmentError) as caught:
        read_attachment(path)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_text_is_read_in_any_unicode(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "notes.py"
    path.write_bytes(WORDS.replace("\n", "\r\n").encode(encoding))
    found = read_attachment(path)
    assert (found.text, found.name, found.media_type) == (WORDS, "notes.py", "text/x-python")
    assert found.size_bytes == path.stat().st_size


def test_other_bytes_are_taken_for_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    path.write_bytes("Grüße aus Köln für 5 \x80\n".encode("latin-1"))
    assert read_attachment(path).text == "Grüße aus Köln für 5 €\n"


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8)
    assert "is not text" in refused(path)
    path.write_bytes(bytes(1000))
    assert "is not text" in refused(path)
    path.write_text(" \n")
    assert "is empty" in refused(path)
    assert "cannot be read" in refused(tmp_path / "missing")
    assert "is a folder" in refused(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "it is no file" in refused(tmp_path / "pipe")


def test_what_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.txt"
    path.write_text("x" * 2000)
    monkeypatch.setattr(attaching, "LONGEST_TEXT", 1000)
    assert "2,000 characters" in refused(path)
    with pytest.raises(AttachmentError, match="2,000"):
        pasted_attachment("x" * 2000, "Pasted text")
    with path.open("wb") as file:
        file.truncate(attaching.LARGEST_TEXT_BYTES + 1)
    assert "at most 8 MiB" in refused(path)


def test_a_pdf_is_read_for_its_text(tmp_path: Path) -> None:
    found = read_attachment(pdf(tmp_path / "a.pdf", "Hello from page one"))
    assert (found.text, found.media_type) == ("Hello from page one", "application/pdf")


def test_a_pdf_that_holds_none_or_is_locked_or_damaged(tmp_path: Path) -> None:
    assert "only pictures" in refused(pdf(tmp_path / "empty.pdf", ""))
    assert "password" in refused(pdf(tmp_path / "locked.pdf", "Secret", "key"))
    path = pdf(tmp_path / "cut.pdf", "Hello")
    path.write_bytes(path.read_bytes()[:200])
    assert "damaged" in refused(path)
    with pytest.raises(AttachmentError, match="not read"):
        read_attachment(pdf(tmp_path / "b.pdf", "Hello"), lambda: True)


@given(st.binary(max_size=400))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "file"
    for content in (data, b"%PDF-1.7\n" + data):
        path.write_bytes(content)
        with contextlib.suppress(AttachmentError):
            read_attachment(path).text.encode()


def test_a_file_stands_before_the_question_in_a_fence_of_its_own() -> None:
    message = new_message("c", None, "user", "Why?")
    files = (new_attachment("a.md", "text/markdown", "```\ncode\n```\n", 9),)
    asked = dataclasses.replace(message, attachments=files)
    assert spoken_text(asked) == "File: a.md\n````\n```\ncode\n```\n````\n\nWhy?"
    assert spoken_text(message) == "Why?"
    assert spoken_text(dataclasses.replace(asked, text="")).endswith("````")
