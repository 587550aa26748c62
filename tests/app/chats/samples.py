"""Exports of other programs, in small, as their files look."""

from typing import Any


def _node(key: str, parent: str | None, children: list[str], message: object) -> dict[str, Any]:
    return {"id": key, "parent": parent, "children": children, "message": message}


def _said(role: str, *parts: object, kind: str = "text", **more: object) -> dict[str, Any]:
    return {
        "author": {"role": role},
        "create_time": 1_700_000_000.5,
        "content": {"content_type": kind, "parts": list(parts)},
        "metadata": {"model_slug": "gpt-4o"},
        "recipient": "all",
        "status": "finished_successfully",
        **more,
    }


_HIDDEN = _said("system", "")
_HIDDEN["metadata"]["is_visually_hidden_from_conversation"] = True

CHATGPT: list[dict[str, Any]] = [
    {
        "conversation_id": "conversation-1",
        "title": "Colours",
        "create_time": 1_700_000_000.0,
        "update_time": 1_700_000_100.0,
        "is_archived": False,
        "current_node": "e",
        "mapping": {
            "root": _node("root", None, ["hidden"], None),
            "hidden": _node("hidden", "root", ["a"], _HIDDEN),
            "a": _node("a", "hidden", ["c", "b", "tool"], _said("user", "Name a colour.")),
            "b": _node("b", "a", [], _said("assistant", "Blue.")),
            "c": _node("c", "a", ["d"], _said("assistant", "Red.")),
            "tool": _node("tool", "a", [], _said("tool", "searched")),
            "d": _node("d", "c", ["e"], _said("assistant", "thinking", kind="thoughts")),
            "e": _node("e", "d", [], _said("user", {"asset_pointer": "file://1"}, "And this?")),
        },
    },
    {"conversation_id": "conversation-2", "title": "Nothing", "mapping": {}},
]

OPEN_WEBUI: list[dict[str, Any]] = [
    {
        "id": "webui-1",
        "title": "Trees",
        "created_at": 1_700_000_000,
        "updated_at": 1_700_000_200,
        "archived": True,
        "pinned": True,
        "chat": {
            "title": "Trees",
            "params": {"system": "Be green."},
            "history": {
                "currentId": "3",
                "messages": {
                    "1": {
                        "id": "1",
                        "parentId": None,
                        "childrenIds": ["3", "2"],
                        "role": "user",
                        "content": "Name a tree.",
                        "timestamp": 1_700_000_001,
                        "files": [
                            {
                                "type": "file",
                                "name": "trees.txt",
                                "file": {
                                    "data": {"content": "oak"},
                                    "meta": {"content_type": "text/plain", "size": 3},
                                },
                            },
                            {"type": "image", "url": "data:image/png;base64,"},
                        ],
                    },
                    "2": {
                        "id": "2",
                        "parentId": "1",
                        "childrenIds": [],
                        "role": "assistant",
                        "content": "Elm.",
                        "model": "llama3:8b",
                        "timestamp": 1_700_000_002,
                        "done": False,
                    },
                    "3": {
                        "id": "3",
                        "parentId": "1",
                        "childrenIds": [],
                        "role": "assistant",
                        "content": "Oak.",
                        "model": "llama3:8b",
                        "timestamp": 1_700_000_003,
                        "done": True,
                    },
                },
            },
        },
    }
]


def _block(text: str, **more: object) -> dict[str, Any]:
    return {"type": "contentBlock", "content": [{"type": "text", "text": text}], **more}


LM_STUDIO: dict[str, Any] = {
    "name": "Stones",
    "pinned": False,
    "createdAt": 1_700_000_000_000,
    "systemPrompt": "Be hard.",
    "messages": [
        {
            "currentlySelected": 0,
            "versions": [
                {
                    "type": "singleStep",
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "Name a stone."},
                        {"type": "file", "fileIdentifier": "x.png"},
                    ],
                }
            ],
        },
        {
            "currentlySelected": 1,
            "versions": [
                {"type": "multiStep", "role": "assistant", "steps": [_block("Flint.")]},
                {
                    "type": "multiStep",
                    "role": "assistant",
                    "senderInfo": {"senderName": "qwen"},
                    "steps": [
                        _block("Hmm.", style={"type": "thinking"}),
                        {"type": "toolCallRequest"},
                        _block(
                            "Chalk.",
                            genInfo={
                                "identifier": "qwen3-4b",
                                "stats": {
                                    "tokensPerSecond": 40.5,
                                    "timeToFirstTokenSec": 0.25,
                                    "promptTokensCount": 12,
                                    "predictedTokensCount": 3,
                                },
                            },
                        ),
                    ],
                },
            ],
        },
        {
            "currentlySelected": 0,
            "versions": [
                {"type": "singleStep", "role": "user", "content": [{"type": "text", "text": "?"}]}
            ],
        },
    ],
}
