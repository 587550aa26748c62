"""Every text of the window can be translated, is found by Qt's tools, and is translated well."""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, NamedTuple

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QObject, QTranslator
from typing_extensions import override

from app.language import install
from app.spoken import spoken
from engine.errors import ModelNotFoundError
from engine.source import resolve
from resources.translations.update import ROOT, file_of, missing, sayings, sources, update
from ui.counts import Counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

    from resources.translations.update import Saying


class Text(NamedTuple):
    """What a translation is found by, and whether its form follows a number."""

    context: str
    source: str
    plural: bool


@dataclass(frozen=True)
class Use:
    """A call that asks for a translation; no text where lupdate cannot read one."""

    place: str
    text: Text | None
    late: bool


class _Uses(ast.NodeVisitor):
    """Collects the calls of `self.tr` and `translate`."""

    def __init__(self, file: Path) -> None:
        self._name = file.relative_to(ROOT).as_posix()
        self._classes: list[str] = []
        self._functions = 0
        self.uses: list[Use] = []

    @override
    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._classes.append(node.name)
        self.generic_visit(node)
        self._classes.pop()

    @override
    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults, *node.decorator_list):
            if default is not None:
                self.visit(default)
        self._functions += 1
        for part in node.body:
            self.visit(part)
        self._functions -= 1

    @override
    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._functions += 1
        self.generic_visit(node)
        self._functions -= 1

    @override
    def visit_Call(self, node: ast.Call) -> None:
        called = ast.unparse(node.func)
        if called.endswith(".tr"):
            inside = called == "self.tr" and bool(self._classes)
            self._add(node, self._classes[-1] if inside else None, node.args)
        elif called == "QT_TRANSLATE_NOOP":
            self._add(node, _literal(node.args[0]), node.args[1:], late=True)
        elif called == "translate" or called.endswith("QCoreApplication.translate"):
            self._add(node, _literal(node.args[0]), node.args[1:])
        self.generic_visit(node)

    def _add(
        self, node: ast.Call, context: str | None, args: list[ast.expr], *, late: bool = False
    ) -> None:
        source = _literal(args[0])
        text = None
        if context is not None and source is not None and not node.keywords:
            text = Text(context, source, len(args) == 3)
        place = f"{self._name}:{node.lineno}"
        self.uses.append(Use(place, text, late=late or self._functions > 0))


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


@cache
def parsed() -> dict[Path, ast.Module]:
    return {file: ast.parse(file.read_text(encoding="utf-8")) for file in sources()}


@pytest.fixture(scope="module", autouse=True)
def trees_do_not_outlive_these_tests() -> Iterator[None]:
    yield
    parsed.cache_clear()


@cache
def uses() -> tuple[Use, ...]:
    found: list[Use] = []
    for file, tree in parsed().items():
        visitor = _Uses(file)
        visitor.visit(tree)
        found += visitor.uses
    return tuple(found)


class Message(NamedTuple):
    """A text of a file with its translations, one for each form."""

    text: Text
    forms: tuple[str, ...]


def messages(file: Path) -> Iterator[Message]:
    for context in ET.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            plural = message.get("numerus") == "yes"
            text = Text(context.findtext("name", ""), message.findtext("source", ""), plural)
            kind = "translation/numerusform" if plural else "translation"
            yield Message(text, tuple(form.text or "" for form in message.findall(kind)))


_LISTS = ("app/exhibits/formulas.py", "app/spoken.py")
"""Files that look up texts collected elsewhere: marked with QT_TRANSLATE_NOOP, or the engine's."""


@pytest.fixture(scope="module")
def updated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files as `make translations` would leave them."""
    folder = tmp_path_factory.mktemp("translations")
    for language in ("en", "zh_CN"):
        shutil.copy(file_of(language), folder)
    update(folder)
    return folder


def test_every_text_is_found_by_lupdate(updated: Path) -> None:
    unreadable = [use.place for use in uses() if use.text is None]
    unlisted = [place for place in unreadable if not place.startswith(_LISTS)]
    assert unlisted == [], "only literal texts of self.tr(…) and translate(…) are found"
    extracted = {message.text for message in messages(file_of("zh_CN", updated))}
    known = {*extracted, None}
    lost = [f"{use.place} {use.text}" for use in uses() if use.text not in known]
    assert lost == [], "in an f-string, or with a number that lupdate does not see: ui/counts.py"
    assert len(extracted) > 1500


def test_a_number_is_part_of_every_text_whose_form_follows_it() -> None:
    texts = {use.text: use.place for use in uses() if use.text is not None}
    wrong = [f"{place} {text}" for text, place in texts.items() if text.plural != _counts(text)]
    assert wrong == []


def _counts(text: Text) -> bool:
    return "%n" in text.source or "%Ln" in text.source


def test_the_engine_says_only_what_can_be_translated(updated: Path) -> None:
    said = sayings()
    shapeless = [saying.place for saying in said if saying.template is None]
    assert shapeless == [], "a literal template, and the values for its places by name"
    wrong = [saying for saying in said if saying.template and saying.values != _places(saying)]
    assert wrong == []
    extracted = {message.text for message in messages(file_of("zh_CN", updated))}
    lost = [
        saying for saying in said if Text("Engine", saying.template or "", False) not in extracted
    ]
    assert lost == []
    assert len(said) > 300


def _places(saying: Saying) -> frozenset[str]:
    """The places of a template; without values nothing in it is one."""
    parsed = Formatter().parse(saying.template or "")
    return frozenset(name for _, name, _, _ in parsed if name) if saying.values else frozenset()


def test_an_error_without_a_literal_template_is_seen(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    folder.mkdir()
    (folder / "one.py").write_text("class OddError(ModelFileError): ...", encoding="utf-8")
    (folder / "errors.py").write_text("class ModelFileError(EngineError): ...", encoding="utf-8")
    lines = (
        'raise errors.OddError(f"Not {this}.")',
        'raise OddError("Not {this}.", this=that)',
        "raise EngineError(sentence)",
        "raise ValueError(sentence)",
        'what = Sentence("of " + kind)',
    )
    (folder / "two.py").write_text("\n".join(lines), encoding="utf-8")
    assert [(each.place, each.template, {*each.values}) for each in sayings(folder)] == [
        ("engine/two.py:1", None, set()),
        ("engine/two.py:2", "Not {this}.", {"this"}),
        ("engine/two.py:3", None, set()),
        ("engine/two.py:5", None, set()),
    ]


def test_texts_are_looked_up_when_the_language_is_known() -> None:
    assert [use.place for use in uses() if not use.late] == []


def test_tr_is_asked_of_objects_that_have_it() -> None:
    """A class that is no QObject finds nothing under its name, though lupdate does."""
    wrong: list[str] = []
    for file, tree in parsed().items():
        names = [
            node.name
            for node in tree.body
            if isinstance(node, ast.ClassDef) and "self.tr(" in ast.unparse(node)
        ]
        if names:
            module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            there = importlib.import_module(module)
            wrong += [name for name in names if not issubclass(getattr(there, name), QObject)]
    assert wrong == []


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_files_hold_what_the_sources_say(language: str, updated: Path) -> None:
    kept = {message.text for message in messages(file_of(language))}
    found = {message.text for message in messages(file_of(language, updated))}
    assert sorted(found ^ kept) == [], "run `make translations`"


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_nothing_is_missing(language: str) -> None:
    assert missing(file_of(language)) == [], "translate it in resources/translations"


_PARTS = re.compile(r"\{[^{}]*\}|%L?n|%\d|</?\w+[^>]*>")
_SHORTCUT = re.compile(r"&(?=\w)")


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_translations_agree_with_their_texts(language: str) -> None:
    wrong = [
        f"{message.text.context}: {message.text.source!r} {form!r}: {reason}"
        for message in messages(file_of(language))
        for form in filter(None, message.forms)
        for reason in _disagreements(message.text.source, form)
    ]
    assert wrong == []
    for message in messages(file_of("en")):
        assert len(message.forms) == 2
    assert all(len(message.forms) == 1 for message in messages(file_of("zh_CN")))


def _disagreements(source: str, form: str) -> Iterator[str]:
    parts, others = _PARTS.findall(source), _PARTS.findall(form)
    number = {"%n", "%Ln"}  # the form for one may say "the only"
    if {*parts} - number != {*others} - number or not {*others} <= {*parts}:
        yield "placeholders"
    if len(_SHORTCUT.findall(source)) != len(_SHORTCUT.findall(form)):
        yield "letters of shortcuts"
    if source.endswith("…") != form.endswith("…"):
        yield "the ellipsis at the end"
    if (source[:1].isspace(), source[-1:].isspace()) != (form[:1].isspace(), form[-1:].isspace()):
        yield "spaces around it"
    if source.count("\n") != form.count("\n"):
        yield "lines"


def test_disagreements_are_seen() -> None:
    assert list(_disagreements("&Open {name}…", "打开 {name}(&O)…")) == []
    assert list(_disagreements("&Open {name}…", "打开 {nme}")) == [
        "placeholders",
        "letters of shortcuts",
        "the ellipsis at the end",
    ]
    assert list(_disagreements(" of\n{n}", "{n}")) == ["spaces around it", "lines"]


@pytest.fixture
def compiled(tmp_path: Path, qapp: QApplication) -> Iterator[Path]:
    """A folder of compiled translations; what a test installs is taken back."""
    tool = Path(sys.executable).with_name("pyside6-lrelease")
    for language in ("en", "zh_CN"):
        made = tmp_path / f"cutaway_{language}.qm"
        command = [str(tool), "-silent", str(file_of(language)), "-qm", str(made)]
        subprocess.run(command, check=True)
    before = QLocale()
    yield tmp_path
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(before)


def test_english_counts(compiled: Path, qapp: QApplication) -> None:
    install(qapp, "en", compiled)
    told = [Counts().models(number) for number in (0, 1, 2)]
    assert told == ["0 models", "1 model", "2 models"]
    assert QCoreApplication.translate("Places", "Chat") == "Chat"


def test_chinese_is_spoken_by_cutaway_and_by_qt(compiled: Path, qapp: QApplication) -> None:
    install(qapp, "zh_CN", compiled)
    assert [Counts().models(number) for number in (1, 2)] == ["1 个模型", "2 个模型"]
    assert QCoreApplication.translate("Places", "Exhibits") == "展览"
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "取消"
    assert QCoreApplication.translate("QWidgetTextControl", "&Undo").startswith("撤")


def test_the_engine_is_translated(compiled: Path, qapp: QApplication) -> None:
    install(qapp, "zh_CN", compiled)
    with pytest.raises(ModelNotFoundError) as caught:
        resolve("nobody/nothing-1B")
    assert spoken(caught.value).startswith("模型 nobody/nothing-1B 不在这台机器上")
    assert str(caught.value).startswith("The model nobody/nothing-1B is not on this machine")


_SHOWING = {
    "addAction", "addButton", "addItem", "addMenu", "addRow", "addTab", "announce", "QAction",
    "QCheckBox", "QGroupBox", "QLabel", "QMenu", "QPushButton", "QRadioButton", "QToolButton",
    "setAccessibleDescription", "setAccessibleName", "setInformativeText", "setLabelText",
    "setNameFilters", "setPlaceholderText", "setStatusTip", "setTabText", "setText", "setTitle",
    "setToolTip", "setWhatsThis", "setWindowTitle", "set_chart", "set_label", "set_sentence",
     "set_whole", "set_words", "show_notice", "show_warning",
}  # fmt: skip
"""What shows the words it is given, in Qt and in ui/."""
_ARGUMENTS = {
    "caption", "centre_caption", "help", "note", "sentence", "strength_name", "summary", "tip",
    "title", "value_name", "words",
}  # fmt: skip
"""Named arguments of widgets, charts and fields whose words are shown."""
_ALLOWED = {
    "Cutaway": "its name",
    " — Cutaway": "its name",
    "English": "a language is called by its own name",
    "hf_…": "how a token begins",
    "Cutaway speaks English from its next start on.": "said in the language that was chosen",
}
_WORDS = re.compile(r"[^\W\d_]{2}")
_MARKUP = re.compile(r"<[^>]*(>|$)|^[^<]*>")


def test_no_literal_words_are_shown() -> None:
    wrong = [
        f"{file.relative_to(ROOT)}:{line} {words!r}"
        for file, tree in parsed().items()
        for line, words in _shown_words(tree)
        if words not in _ALLOWED
    ]
    assert wrong == []


def _shown_words(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func).rpartition(".")[2]
        shown = [word.value for word in node.keywords if word.arg in _ARGUMENTS]
        if name in _SHOWING:
            shown += [*node.args, *(word.value for word in node.keywords)]
        for value in shown:
            yield from ((node.lineno, words) for words in _literal_words(value))


def _literal_words(node: ast.expr) -> Iterator[str]:
    """The words in an expression that are shown as they stand there."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        bare = _MARKUP.sub("", _PARTS.sub("", node.value))
        if _WORDS.search(bare) and not _is_chinese(bare):
            yield node.value
    for part in _parts(node):
        yield from _literal_words(part)


def _parts(node: ast.expr) -> list[ast.expr]:
    """What is shown of an expression: not its conditions, keys, or the arguments of calls."""
    match node:
        case ast.JoinedStr(values=parts) | ast.BoolOp(values=parts):
            return parts
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return parts
        case ast.BinOp(left=one, right=other) | ast.IfExp(body=one, orelse=other):
            return [one, other]
        case ast.FormattedValue(value=value):
            return [value]
        case ast.Call(func=ast.Attribute(value=value, attr="format" | "join")):
            return [value]
        case _:
            return []


def _is_chinese(words: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in words)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ('label.setText("Not so")', ["Not so"]),
        ('label.setText(f"Not {so}")', ["Not "]),
        ('label.setText("Not" if so else self.tr("So"))', ["Not"]),
        ('Card(title, note="not {0}".format(so))', ["not {0}"]),
        ('label.setText(name or "Not so")', ["Not so"]),
        ('label.setText(self.tr("So"))', []),
        ("label.setText(f\"{count} · <b style='color: red'>{so}</b>\")", []),
        ('label.setText(words["key"])', []),
    ],
)
def test_literal_words_are_seen(code: str, words: list[str]) -> None:
    assert [shown for _, shown in _shown_words(ast.parse(code))] == words
