"""One repository in the Hugging Face cache, as other tools write and read it.

    models--owner--name/blobs/<etag>               verified content
    models--owner--name/blobs/<etag>.incomplete    what has arrived so far
    models--owner--name/snapshots/<commit>/<name>  links to blobs
    models--owner--name/refs/<branch>              its commit

A snapshot is made only when all of its blobs are there: until then nothing finds the model.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app.library.hub_files import CONFIG_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable

    from app.library.hub_files import RemoteFile
    from app.library.hub_network import Stop
    from app.library.hub_repo import Plan

_LOCK_LOOK_S = 0.5
_STAGING = ".cutaway"


def folder_name(repo: str) -> str:
    """What the cache calls the folder of a repository."""
    return f"models--{repo.replace('/', '--')}"


class RepoCache:
    """The places of one repository.

    Args:
        cache: The folder of the cache.
        repo: The repository's name.
    """

    def __init__(self, cache: Path, repo: str) -> None:
        name = folder_name(repo)
        self.folder = cache / name
        self._locks = cache / ".locks" / name

    def blob(self, file: RemoteFile) -> Path:
        """Where the verified content goes."""
        return self.folder / "blobs" / file.etag

    def partial(self, file: RemoteFile) -> Path:
        """Where content is gathered."""
        return self.folder / "blobs" / f"{file.etag}.incomplete"

    def snapshot(self, commit: str) -> Path:
        """The folder of a version."""
        return self.folder / "snapshots" / commit

    def has(self, file: RemoteFile, commit: str) -> bool:
        """Whether a file is there, whole by its size."""
        places = (self.blob(file), self.snapshot(commit) / file.name)
        return any(_size(path) == file.size_bytes for path in places)

    def arrived_bytes(self, file: RemoteFile, commit: str) -> int:
        """How much of a file need not be fetched any more."""
        if self.has(file, commit):
            return file.size_bytes
        return min(_size(self.partial(file)) or 0, file.size_bytes)

    def missing_bytes(self, plan: Plan) -> int:
        """How much of a plan is still to be fetched."""
        return sum(
            file.size_bytes - self.arrived_bytes(file, plan.commit) for file in _once(plan.files)
        )

    @contextmanager
    def lock(self, file: RemoteFile, stop: Stop, on_wait: Callable[[], None]) -> Generator[None]:
        """Hold the lock that every tool which writes this blob holds.

        Args:
            file: Whose content is to be written.
            stop: Ends the wait when asked.
            on_wait: Called while another program has it.

        Raises:
            StoppedError: `stop` was asked while another program had it.
        """
        from filelock import Timeout
        from huggingface_hub.utils import WeakFileLock

        self._locks.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            while True:
                lock = WeakFileLock(self._locks / f"{file.etag}.lock", timeout=_LOCK_LOOK_S)
                try:
                    stack.enter_context(lock)
                except Timeout:
                    on_wait()
                    stop.check()
                else:
                    break
            yield

    def publish(self, plan: Plan) -> Path:
        """Make the snapshot of a plan whose files are all there, in one step where it is new.

        Returns:
            The snapshot's folder.
        """
        snapshot = self.snapshot(plan.commit)
        if not snapshot.is_dir():
            self._publish_new(plan, snapshot)
        # What is left is for a snapshot that was there, and for a disk that knows no links: the
        # config last, as it makes a model.
        for file in sorted(plan.files, key=lambda file: file.name == CONFIG_NAME):
            if not self._link(file, snapshot):
                self._place(file, snapshot, plan)
        self._write_ref(plan)
        return snapshot

    def discard(self, plan: Plan, keep: Collection[str] = ()) -> None:
        """Remove what was gathered for a plan, as far as no snapshot has a link to it.

        Args:
            plan: What was fetched.
            keep: Etags of what else is fetched of this repository.
        """
        linked = self._linked()
        for file in plan.files:
            if file.etag not in keep:
                self.partial(file).unlink(missing_ok=True)
                if file.etag not in linked:
                    self.blob(file).unlink(missing_ok=True)
        for folder in (self.folder / "blobs", self.folder / _STAGING, self.folder):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def _linked(self) -> set[str]:
        """The etags of what snapshots are made of."""
        entries = (self.folder / "snapshots").glob("*/**/*")
        return {each.readlink().name for each in entries if each.is_symlink()}

    def _publish_new(self, plan: Plan, snapshot: Path) -> None:
        staging = self.folder / _STAGING
        staging.mkdir(parents=True, exist_ok=True)
        snapshot.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(dir=staging))
        try:
            if all(self._link(file, new) for file in plan.files):
                new.chmod(0o755)
                new.rename(snapshot)
        except OSError:
            # Another program was first; its snapshot is completed.
            if not snapshot.is_dir():
                raise
        finally:
            shutil.rmtree(new, ignore_errors=True)
            if not any(staging.iterdir()):
                staging.rmdir()

    def _link(self, file: RemoteFile, snapshot: Path) -> bool:
        """Link a file into a snapshot; False where the disk knows no links."""
        place = snapshot / file.name
        if _size(place) == file.size_bytes:
            return True
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        try:
            place.symlink_to(os.path.relpath(self.blob(file), place.parent))
        except (OSError, NotImplementedError):
            return False
        return True

    def _place(self, file: RemoteFile, snapshot: Path, plan: Plan) -> None:
        """Move a file into a snapshot, as the library does on a disk without links."""
        blob, place = self.blob(file), snapshot / file.name
        if sum(other.etag == file.etag for other in plan.files) > 1:
            shutil.copyfile(blob, place)
        else:
            blob.replace(place)

    def _write_ref(self, plan: Plan) -> None:
        if plan.revision == plan.commit:
            return
        ref = self.folder / "refs" / plan.revision
        ref.parent.mkdir(parents=True, exist_ok=True)
        new = ref.with_name(f"{ref.name}.{os.getpid()}")
        new.write_text(plan.commit, encoding="ascii")
        new.replace(ref)


def _once(files: Iterable[RemoteFile]) -> list[RemoteFile]:
    """Files with the same content are fetched once."""
    return list({file.etag: file for file in files}.values())


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
