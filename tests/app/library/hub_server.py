"""A real HTTP server that behaves like the hub, with a second one for large files, and faults."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self
from urllib.parse import parse_qs, quote, unquote, urlsplit

from typing_extensions import override

_LARGE = (".safetensors", ".gguf", ".bin", ".pt", ".npz")
_PAGE = 2

FaultKind = Literal[
    "status", "stall", "cut", "wrong", "loop", "empty", "whole", "page", "slow", "none",
    "range", "long", "short",
]  # fmt: skip


@dataclass
class Fault:
    """What goes wrong when a file, or a part of the interface, is asked for.

    Attributes:
        kind: `status` answers with `status`; `stall` sends `at` bytes and then nothing; `cut`
            sends `at` bytes and closes; `wrong` changes the bytes; `loop` redirects to itself;
            `empty` sends no bytes; `whole` ignores the range; `page` sends a web page; `slow`
            sends `at` bytes, and the rest once `HubServer.let_go` is called; `range` answers for
            another range; `long` and `short` tell no length, and send more or only `at` bytes.
        times: How often before all is well; negative for ever.
    """

    kind: FaultKind
    times: int = 1
    at: int = 0
    status: int = 500
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass
class Repo:
    """A repository: its files, the hash of each, and what its page says."""

    repo: str
    files: dict[str, bytes]
    hashes: dict[str, str]
    commit: str
    gated: bool = False
    private: bool = False
    members: frozenset[str] = frozenset()
    tags: tuple[str, ...] = ("mlx", "text-generation", "license:apache-2.0")
    downloads: int = 10
    modified: str = "2025-03-04T05:06:07.000Z"
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Request:
    """What was asked of one of the servers."""

    server: Literal["hub", "cdn"]
    method: str
    path: str
    headers: Mapping[str, str]


class HubServer:
    """The hub at `url`; use it as a context manager.

    Attributes:
        requests: Everything that was asked, in order.
        tokens: Those that the hub knows.
    """

    def __init__(self) -> None:
        self.repos: dict[str, Repo] = {}
        self.renamed: dict[str, str] = {}
        self.faults: dict[str, list[Fault]] = {}
        self.requests: list[Request] = []
        self.tokens: set[str] = set()
        self.waiting = threading.Event()
        self._go = threading.Event()
        self._hub = _Server(self, "hub")
        self._cdn = _Server(self, "cdn")
        self._threads = [
            threading.Thread(target=server.serve_forever, args=(0.02,), name="hub server")
            for server in (self._hub, self._cdn)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.let_go()
        for server in (self._hub, self._cdn):
            server.shutdown()
            server.server_close()
        for thread in self._threads:
            thread.join()

    @property
    def url(self) -> str:
        """For HF_ENDPOINT."""
        return f"http://127.0.0.1:{self._hub.server_port}"

    @property
    def cdn_url(self) -> str:
        """Where large files are."""
        return f"http://127.0.0.1:{self._cdn.server_port}"

    def add(self, repo: str, files: Mapping[str, bytes], **more: Any) -> Repo:
        """Put a repository there, in place of an older version of it."""
        hashes = {name: _hash(name, content) for name, content in files.items()}
        commit = hashlib.sha1(repr(sorted(hashes.items())).encode(), usedforsecurity=False)
        self.repos[repo] = Repo(repo, dict(files), hashes, commit.hexdigest(), **more)
        return self.repos[repo]

    def fail(self, what: str, kind: FaultKind, **more: Any) -> None:
        """Have something fail: a file by its name, `api` or `search`."""
        self.faults.setdefault(what, []).append(Fault(kind, **more))

    def let_go(self) -> None:
        """End all stalls, and send the rest of what is slow."""
        self._go.set()

    def hold(self) -> None:
        """Let stalls and slow files wait again."""
        self._go.clear()
        self.waiting.clear()

    def wait(self) -> None:
        """Called by a request that stalls."""
        self.waiting.set()
        self._go.wait(20)

    def asked_for(self, name: str) -> list[Request]:
        """The requests for the content of a file, where it finally is."""
        ends = (f"/{name}", f"name={name}")
        finally_at = [r for r in self.requests if r.server == "cdn" or "/resolve-cache/" in r.path]
        return [r for r in finally_at if r.method == "GET" and r.path.endswith(ends)]

    def fault(self, what: str) -> Fault | None:
        """The fault that is due, which is counted."""
        for fault in self.faults.get(what, []):
            if fault.times:
                fault.times -= 1
                return fault
        return None


class _Server(ThreadingHTTPServer):
    def __init__(self, hub: HubServer, kind: Literal["hub", "cdn"]) -> None:
        self.hub = hub
        self.kind: Literal["hub", "cdn"] = kind
        super().__init__(("127.0.0.1", 0), _Handler)

    @override
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away are what is tested."""
        del request, client_address


class _Answers(BaseHTTPRequestHandler):
    @property
    def _server(self) -> _Server:
        assert isinstance(self.server, _Server)
        return self.server

    @property
    def hub(self) -> HubServer:
        return self._server.hub

    @override
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""

    def answer(self) -> None:
        """Answer a GET or a HEAD."""
        headers = {name.title(): value for name, value in self.headers.items()}
        self.hub.requests.append(Request(self._server.kind, self.command, self.path, headers))
        path = unquote(urlsplit(self.path).path)
        if self._server.kind == "cdn":
            self._cdn(path)
            return
        for pattern, answer in self._routes():
            if match := re.fullmatch(pattern, path):
                answer(*match.groups())
                return
        self._refuse(404, "", "Not found")

    def _routes(self) -> list[tuple[str, Callable[..., None]]]:
        name = r"([\w.-]+/[\w.-]+)"
        return [
            ("/api/models", self._search),
            (rf"/api/models/{name}", self._info),
            (rf"/api/models/{name}/revision/(.+)", self._info),
            (rf"/api/models/{name}/tree/([^/]+)", self._tree),
            (rf"/{name}/resolve/([^/]+)/(.+)", self._resolve),
            (rf"/api/resolve-cache/models/{name}/([^/]+)/(.+)", self._cached),
        ]

    def _search(self) -> None:
        if self._failed("search") or self._has_bad_token():
            return
        query = parse_qs(urlsplit(self.path).query)
        found = [repo for repo in self.hub.repos.values() if _matches(repo, query)]
        key = query.get("sort", ["downloads"])[0]
        found.sort(key=lambda r: r.downloads if key == "downloads" else r.modified, reverse=True)
        start = int(query.get("cursor", ["0"])[0])
        page = found[start : start + _PAGE]
        headers: dict[str, str] = {}
        if start + _PAGE < len(found):
            sign = "&" if "?" in self.path else "?"
            base = re.sub(r"[?&]cursor=\d+", "", self.path)
            sign = "&" if "?" in base else "?"
            following = f"{self.hub.url}{base}{sign}cursor={start + _PAGE}"
            headers["Link"] = f'<{following}>; rel="next"'
        self._json([_facts(repo) for repo in page], headers)

    def _info(self, name: str, revision: str = "main") -> None:
        if self._failed("api") or (repo := self._open(name, revision, "/api/models/")) is None:
            return
        blobs = "blobs" in parse_qs(urlsplit(self.path).query)
        siblings = [_sibling(repo, path, blobs) for path in repo.files]
        self._json({**_facts(repo), "siblings": siblings})

    def _tree(self, name: str, revision: str) -> None:
        if (repo := self._open(name, revision, "/api/models/")) is None:
            return
        entries: list[dict[str, Any]] = []
        for path in repo.files:
            facts = _sibling(repo, path, blobs=True)
            entry: dict[str, Any] = {
                "type": "file",
                "path": path,
                "size": facts["size"],
                "oid": facts["blobId"],
            }
            if "lfs" in facts:
                entry["lfs"] = {"oid": facts["lfs"]["sha256"], **facts["lfs"]}
            entries.append(entry)
        self._json(entries)

    def _resolve(self, name: str, revision: str, path: str) -> None:
        if (repo := self._open(name, revision, "/")) is None or self._failed(path, early=True):
            return
        if repo.gated and self._token() not in repo.members:
            status = 403 if self._token() else 401
            self._refuse(status, "GatedRepo", f"Access to model {name} is restricted.")
            return
        content = repo.files.get(path)
        if content is None:
            self._refuse(404, "EntryNotFound", "Entry not found", repo.commit)
            return
        large = path.endswith(_LARGE)
        headers = {"X-Repo-Commit": repo.commit, "X-Linked-Size": str(len(content))}
        if large:
            digest = repo.hashes[path]
            headers["X-Linked-ETag"] = f'"{digest}"'
            place = f"{self.hub.cdn_url}/{digest}?signature=abc&name={path}"
            self._redirect(302, place, headers)
            return
        place = f"/api/resolve-cache/models/{quote(name)}/{repo.commit}/{quote(path)}"
        self._redirect(307, place, {**headers, "ETag": f'"{repo.hashes[path]}"'})

    def _cached(self, name: str, commit: str, path: str) -> None:
        repo = self.hub.repos[name]
        headers = {"X-Repo-Commit": commit, "ETag": f'"{repo.hashes[path]}"'}
        self._content(path, repo.files[path], headers)

    def _cdn(self, path: str) -> None:
        name = parse_qs(urlsplit(self.path).query)["name"][0]
        for repo in self.hub.repos.values():
            if repo.hashes.get(name) == path[1:]:
                self._content(name, repo.files[name], {"ETag": f'"{path[1:]}"'})
                return
        self._refuse(404, "", "")

    def _open(self, name: str, revision: str, prefix: str) -> Repo | None:
        """The repository where it is there and may be seen; everything else is answered."""
        if name in self.hub.renamed:
            self._redirect(307, self.path.replace(name, self.hub.renamed[name], 1), {})
            return None
        token = self._token()
        if self._has_bad_token():
            return None
        repo = self.hub.repos.get(name)
        if repo is None or (repo.private and token not in repo.members):
            if token:
                self._refuse(404, "RepoNotFound", "Repository not found")
            else:
                self._refuse(401, "RepoNotFound", "Invalid username or password.")
            return None
        if revision not in {"main", repo.commit}:
            self._refuse(404, "RevisionNotFound", f"Invalid rev id: {revision} {prefix}")
            return None
        return repo

    def _has_bad_token(self) -> bool:
        """Whether a token was sent that the hub does not know, which is answered."""
        token = self._token()
        unknown = bool(token) and token not in self.hub.tokens
        if unknown:
            self._refuse(401, "", "Invalid credentials in Authorization header")
        return unknown

    def _token(self) -> str:
        return self.headers.get("Authorization", "").removeprefix("Bearer ")

    def _failed(self, what: str, *, early: bool = False) -> bool:
        """Whether a fault answered; those of a file's content are due where the content is."""
        due = [fault for fault in self.hub.faults.get(what, []) if fault.times]
        kinds = ("status", "loop", "page") if early else ("status", "loop", "page", "stall", "cut")
        if not due or due[0].kind not in kinds:
            return False
        fault = self.hub.fault(what)
        assert fault is not None
        if fault.kind == "status":
            self._send(fault.status, b'{"error": "as asked"}', fault.headers)
        elif fault.kind == "loop":
            self._redirect(302, self.path, {})
        elif fault.kind == "page":
            self._send(200, b"<html>Sign in</html>", {"Content-Type": "text/html"})
        else:
            if fault.kind == "stall":
                self.hub.wait()
            raise ConnectionAbortedError
        return True

    def _content(self, name: str, content: bytes, headers: Mapping[str, str]) -> None:
        fault = (self.hub.fault(name) if self.command == "GET" else None) or Fault("none")
        match = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(match[1]) if match and fault.kind != "whole" else 0
        if start >= len(content) > 0:
            self._send(416, b"", {"Content-Range": f"bytes */{len(content)}"})
            return
        body = content[start:]
        status, more = 200, dict(headers)
        if start:
            status = 206
            more["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        if fault.kind == "range":
            more["Content-Range"] = f"bytes {start + 1}-{len(content)}/{len(content) + 1}"
        if fault.kind in {"long", "short"}:
            self._head(status, None, {**more, "Connection": "close"})
            self.wfile.write(body + b"more" if fault.kind == "long" else body[: fault.at])
            return
        if fault.kind in {"stall", "cut", "slow"}:
            self._head(status, len(body), {**more, "Connection": "close"})
            self._break_off(fault, body)
            return
        if fault.kind == "wrong":
            body = bytes(byte ^ 1 for byte in body)
        self._send(status, b"" if fault.kind == "empty" else body, more)

    def _break_off(self, fault: Fault, body: bytes) -> None:
        """Send the first bytes, and then what the fault says."""
        self.wfile.write(body[: fault.at])
        self.wfile.flush()
        if fault.kind != "cut":
            self.hub.wait()
        if fault.kind == "slow":
            self.wfile.write(body[fault.at :])

    def _json(self, value: object, headers: Mapping[str, str] | None = None) -> None:
        content = json.dumps(value).encode()
        self._send(200, content, {"Content-Type": "application/json", **(headers or {})})

    def _redirect(self, status: int, place: str, headers: Mapping[str, str]) -> None:
        self._send(status, b"", {"Location": place, **headers})

    def _refuse(self, status: int, code: str, message: str, commit: str = "") -> None:
        headers = {"X-Error-Message": message}
        if code:
            headers["X-Error-Code"] = code
        if commit:
            headers["X-Repo-Commit"] = commit
        self._send(status, json.dumps({"error": message}).encode(), headers)

    def _send(self, status: int, content: bytes, headers: Mapping[str, str]) -> None:
        self._head(status, len(content), headers)
        if self.command == "GET":
            self.wfile.write(content)

    def _head(self, status: int, length: int | None, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()


_BY_NAME = {"protocol_version": "HTTP/1.1", "do_GET": _Answers.answer, "do_HEAD": _Answers.answer}
_Handler = type("_Handler", (_Answers,), _BY_NAME)
"""What the base class looks up by name."""


def _matches(repo: Repo, query: Mapping[str, list[str]]) -> bool:
    words = query.get("search", [""])[0].lower()
    wanted = query.get("filter", []) + query.get("pipeline_tag", [])
    return words in repo.repo.lower() and set(wanted) <= set(repo.tags) and not repo.private


def _facts(repo: Repo) -> dict[str, Any]:
    return {
        "_id": "1",
        "id": repo.repo,
        "modelId": repo.repo,
        "sha": repo.commit,
        "private": repo.private,
        "gated": "manual" if repo.gated else False,
        "downloads": repo.downloads,
        "tags": list(repo.tags),
        "lastModified": repo.modified,
        "createdAt": repo.modified,
        **repo.more,
    }


def _sibling(repo: Repo, name: str, blobs: bool) -> dict[str, Any]:
    if not blobs:
        return {"rfilename": name}
    size, digest = len(repo.files[name]), repo.hashes[name]
    facts: dict[str, Any] = {"rfilename": name, "size": size, "blobId": digest[:40]}
    if name.endswith(_LARGE):
        facts["lfs"] = {"sha256": digest, "size": size, "pointerSize": 134}
    return facts


def _hash(name: str, content: bytes) -> str:
    """SHA-256 of a large file, git's SHA-1 of the others."""
    if name.endswith(_LARGE):
        return hashlib.sha256(content).hexdigest()
    head = b"blob %d\0" % len(content)
    return hashlib.sha1(head + content, usedforsecurity=False).hexdigest()
