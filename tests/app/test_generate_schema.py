"""`cutaway generate --schema`: JSON on standard output, or one sentence on standard error."""

import json
from pathlib import Path

import pytest

from app.cli import run
from tests.engine.checkpoints import TinyLlama, write_folder

SCHEMA = {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "maxItems": 2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_folder(tmp_path_factory.mktemp("models") / "tiny", TinyLlama()))


def generate(folder: str, schema: Path) -> int:
    limit = ["--max-tokens", "60", "--seed", "1", "--json"]
    return run(["generate", folder, "--raw", "List:", "--schema", str(schema), *limit])


def test_the_reply_is_json_that_the_schema_allows(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = tmp_path / "schema.json"
    schema.write_text(json.dumps(SCHEMA), encoding="utf-8")
    assert generate(folder, schema) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["finish_reason"] == "stop"
    assert set(json.loads(report["text"])) <= {"a", "b"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "is not valid JSON."),
        ("[]", "must hold a JSON schema, which is an object."),
        ('{"type": "colour"}', "This schema cannot be used: Invalid type: colour."),
        (None, "cannot be read: No such file or directory."),
    ],
)
def test_a_bad_schema_is_one_sentence(
    folder: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    content: str | None,
    sentence: str,
) -> None:
    schema = tmp_path / "schema.json"
    if content is not None:
        schema.write_text(content, encoding="utf-8")
    assert generate(folder, schema) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith(f"{sentence}\n")
    assert said.err.count("\n") == 1
