"""What happens on the engine's thread: requests are answered with the one model that is loaded.

Nothing lazy leaves: results are plain values, sent through the worker's signals.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QCoreApplication

from app.library.settings import LoadSettings
from app.log import OWN
from app.requests import (
    TELL_EVERY_S,
    CloseRequest,
    Count,
    CountRequest,
    ForgetRequest,
    JobEnd,
    JobProgress,
    JobRequest,
    LoadedModel,
    LoadRequest,
    MeasureRequest,
    ReplyEnd,
    ReplyRequest,
    Request,
    UnloadRequest,
)
from app.spoken import spoken
from ui.state import Telemetry

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    import engine
    from app.worker import Worker
    from engine.pool import SessionPool

translate = QCoreApplication.translate

_SESSIONS_BUDGET_BYTES = 1 << 30
_SESSIONS_DISK_BYTES = 4 << 30


class Answers(Protocol):
    """What answers requests on the engine's thread."""

    def answer(self, request: Request, stop: threading.Event) -> None:
        """Do what one request says; every failure leaves as a signal with a sentence."""
        ...


def engine_side(worker: Worker) -> Answers:
    """Import the engine, and return what answers with it, or says why there is none."""
    try:
        return _EngineSide(worker)
    except Exception as error:  # noqa: BLE001 - whatever a broken installation raises
        return _NoEngine(worker, error)


class _NoEngine:
    """Stands in where the engine cannot be imported: it says so, and the app can be closed."""

    def __init__(self, worker: Worker, error: Exception) -> None:
        self._worker = worker
        sentence = translate("Engine", "The engine cannot start ({error}); install Cutaway again.")
        self._sentence = sentence.format(error=error)

    def answer(self, request: Request, stop: threading.Event) -> None:
        """Refuse what needs the engine."""
        match request:
            case LoadRequest():
                self._worker.load_failed.emit(request.source, self._sentence)
            case ReplyRequest() if stop.is_set():
                self._worker.ended.emit(ReplyEnd(request.reply_id, "cancelled"))
            case ReplyRequest():
                self._worker.ended.emit(ReplyEnd(request.reply_id, "failed", error=self._sentence))
            case JobRequest():
                self._worker.job_ended.emit(JobEnd(request.job_id, error=self._sentence))
            case UnloadRequest():
                self._worker.unloaded.emit()
            case CountRequest() | MeasureRequest() | ForgetRequest() | CloseRequest():
                pass


class _Bench:
    """The workbench of one job."""

    def __init__(self, side: _EngineSide, request: JobRequest, stop: threading.Event) -> None:
        self._side = side
        self._job_id = request.job_id
        self._stop = stop
        self._reported_at = -TELL_EVERY_S

    @property
    def model(self) -> engine.Model:
        return self._side.model()

    def borrow(self, source: str) -> engine.Model:
        return self._side.borrow(source, self._stop.is_set)

    def session(self, chat_id: str) -> engine.Session | None:
        return self._side.session(chat_id)

    def cancelled(self) -> bool:
        return self._stop.is_set()

    def report(self, share: float, partial: object = None) -> None:
        now = time.perf_counter()
        if share >= 1 or now - self._reported_at >= TELL_EVERY_S:
            self._reported_at = now
            self._side.worker.job_progressed.emit(JobProgress(self._job_id, share, partial))


class _EngineSide:
    """What lives on the engine's thread: the model, its sessions, and the figures."""

    def __init__(self, worker: Worker) -> None:
        import engine
        from app.jobs import asking, replying
        from app.jobs.meter import Meter

        self._engine = engine
        self._asking = asking
        self._replying = replying
        self._meter = Meter(worker.measured.emit)
        self._worker = worker
        self._folder = worker.sessions
        self._model: engine.Model | None = None
        self._sessions: SessionPool | None = None
        self._source = ""
        self._former: str | None = None  # what comes back after a job that borrowed another model

    def answer(self, request: Request, stop: threading.Event) -> None:
        """Do what one request says; every failure leaves as a signal with a sentence."""
        match request:
            case LoadRequest():
                self._load(request.source, stop.is_set)
            case ReplyRequest():
                self._reply(request, stop)
            case UnloadRequest():
                self._unload()
            case CountRequest() | MeasureRequest() | ForgetRequest():
                self._look_after(request, stop)
            case JobRequest():
                self._run_job(request, stop)
            case CloseRequest():
                self._free()
                self._engine.leave_thread()

    def _look_after(
        self, request: CountRequest | MeasureRequest | ForgetRequest, stop: threading.Event
    ) -> None:
        """Do what computes nothing."""
        match request:
            case CountRequest():
                if not stop.is_set():  # as when the question has been asked in the meantime
                    self._count(request)
            case MeasureRequest():
                self._measure_chat(request.chat_id)
            case ForgetRequest():
                self._forget(request.chat_id)

    def _measure_chat(self, chat_id: str) -> None:
        if self._sessions is not None:
            self._meter.show(self._sessions.held(chat_id), "idle")

    def _count(self, request: CountRequest) -> None:
        """Count a prompt before it is asked; nothing is computed on the device."""
        if self._model is None or self._sessions is None:
            return
        try:
            held = self._sessions.held(request.chat_id)
            found = self._asking.count(self._model, held, request)
        except self._engine.EngineError as error:
            found = Count(request.count_id, problem=spoken(error))
        except Exception:  # noqa: BLE001 - asked in earnest, the question will tell what is wrong
            return
        self._worker.counted.emit(found)

    @property
    def worker(self) -> Worker:
        """Whose signals are emitted."""
        return self._worker

    def model(self) -> engine.Model:
        """The model that is loaded, for a job."""
        if self._model is None:
            raise self._engine.EngineError(_no_model())
        return self._model

    def session(self, chat_id: str) -> engine.Session | None:
        """The session of a chat while it is in memory, for a job."""
        return None if self._sessions is None else self._sessions.held(chat_id)

    def borrow(self, source: str, stop: Callable[[], bool]) -> engine.Model:
        """Put another model in the place of the loaded one, until the job that wants it is over."""
        if self._model is not None and source == self._source:
            return self._model
        if self._former is None:
            self._former = self._source if self._model is not None else ""
        model = self._read(source, self._settings(source), stop)
        self._model, self._source = model, source
        return model

    def _give_back(self) -> None:
        """Load what a job took the place of, unless something else is wanted by now."""
        former, self._former = self._former, None
        if former and former == self._source and self._model is not None:
            self._adopt(former, self._model, self._settings(former))
            return
        if former and not self._worker.is_superseded:
            self._load(former, lambda: self._worker.is_superseded)
            return
        self._unload()

    def _settings(self, source: str) -> LoadSettings:
        """How to load a source; of one that is not there loading itself says so."""
        try:
            return self._worker.settings_of(source)
        except self._engine.EngineError:
            return LoadSettings()

    def _read(self, source: str, settings: LoadSettings, stop: Callable[[], bool]) -> engine.Model:
        """Read another model; what is there is freed once that one's files are found good."""
        self._worker.loading.emit(source, 0.0)
        self._meter.send(Telemetry(phase="loading", load_progress=0.0))

        def on_progress(share: float) -> None:
            if self._meter.is_due:
                self._worker.loading.emit(source, share)
                self._meter.change(load_progress=share)

        there = self._model is not None
        return self._engine.load(
            source,
            largest_chunk=settings.chunk,
            leaving_bytes=self._engine.read_memory().active_bytes if there else 0,
            on_checked=self._free,
            on_progress=on_progress,
            cancelled=stop,
        )

    def _load(self, source: str, stop: Callable[[], bool]) -> None:
        former = self._source if self._model is not None else ""
        sentence = self._try(source, stop)
        if sentence is None:
            return
        if self._model is None and former not in ("", source) and not self._worker.is_superseded:
            # Its files were good a while ago; if they are not any more, nothing is loaded.
            self._try(former, lambda: self._worker.is_superseded)
        elif self._model is not None:
            self._adopt(self._source, self._model, self._settings(self._source))
        if self._model is not None:
            self._worker.load_refused.emit(source, sentence)
        elif not self._worker.is_superseded:
            self._worker.load_failed.emit(source, sentence)
            self._meter.send(Telemetry())

    def _try(self, source: str, stop: Callable[[], bool]) -> str | None:
        """Load a model; the sentence where that fails, None where it is there or was stopped."""
        settings = self._settings(source)
        try:
            model = self._read(source, settings, stop)
        except self._engine.CancelledError:
            if self._model is None:
                self._unload()
            return None
        except Exception as error:  # noqa: BLE001 - the thread outlives whatever a file does to it
            sentence = self._sentence(error)
        else:
            self._adopt(source, model, settings)
            return None
        # Here the error and what it held of the weights are gone.
        self._engine.free_memory()
        return sentence

    def _adopt(self, source: str, model: engine.Model, settings: LoadSettings) -> None:
        """Make a model that was read the one that chats are answered with."""
        self._model, self._source = model, source
        if self._sessions is None:
            self._sessions = self._engine.SessionPool(
                model, _SESSIONS_BUDGET_BYTES, self._folder, _SESSIONS_DISK_BYTES
            )
        self._worker.loaded.emit(_describe(source, model, settings))
        self._meter.on_model(model)

    def _run_job(self, request: JobRequest, stop: threading.Event) -> None:
        job_id = request.job_id
        bench = _Bench(self, request, stop)
        try:
            cancelled = stop.is_set()  # while it waited
            end = JobEnd(job_id, None if cancelled else request.job(bench), cancelled=cancelled)
        except self._engine.CancelledError:
            end = JobEnd(job_id, cancelled=True)
        except Exception as error:  # noqa: BLE001 - a failed job ends the job, not the app
            end = JobEnd(job_id, error=self._sentence(error))
        self._engine.free_memory()
        self._worker.job_ended.emit(end)
        if self._former is not None:
            self._give_back()
        elif self._model is not None:
            self._meter.change(phase="idle")

    def _forget(self, chat_id: str) -> None:
        if self._sessions is not None:
            self._sessions.forget(chat_id)
        elif self._folder is not None:
            self._engine.SessionFolder(self._folder, _SESSIONS_DISK_BYTES).forget(chat_id)

    def _unload(self) -> None:
        self._free()
        self._worker.unloaded.emit()
        self._meter.send(Telemetry())

    def _free(self) -> None:
        """Put the sessions away, so that their chats go on without a prefill, and free all."""
        if self._sessions is not None:
            self._sessions.save()
        self._model = None
        self._sessions = None
        self._source = ""
        self._engine.free_memory()

    def _reply(self, request: ReplyRequest, stop: threading.Event) -> None:
        try:
            end = self._write(request, stop)
        except Exception as error:  # noqa: BLE001 - a failed turn ends the turn, not the app
            end = ReplyEnd(request.reply_id, "failed", error=self._sentence(error))
        if self._model is not None:
            self._meter.change(phase="idle")
        self._worker.ended.emit(end)

    def _write(self, request: ReplyRequest, stop: threading.Event) -> ReplyEnd:
        if stop.is_set():
            return ReplyEnd(request.reply_id, "cancelled")
        model, sessions = self._ready(request)
        return self._replying.write(model, sessions, request, stop, self._worker, self._meter)

    def _ready(self, request: ReplyRequest) -> tuple[engine.Model, SessionPool]:
        """The model that is to write a reply, and its sessions."""
        if self._model is None or self._sessions is None:
            raise self._engine.EngineError(_no_model())
        if request.source not in ("", self._source):
            sentence = translate(
                "Engine",
                "The model that is to answer could not be loaded; choose another one for this "
                "chat.",
            )
            raise self._engine.EngineError(sentence)
        return self._model, self._sessions

    def _sentence(self, error: Exception) -> str:
        if isinstance(error, self._engine.EngineError):
            return spoken(error)
        # Told to the user as well, so it is no warning; the log has the places it came through.
        logging.getLogger(f"{OWN}.engine").info("Something unexpected failed.", exc_info=error)
        sentence = translate("Engine", "Something unexpected failed ({error}); try again.")
        return sentence.format(error=f"{type(error).__name__}: {error}")


def _no_model() -> str:
    return translate("Engine", "No model is loaded; choose one first.")


def _describe(source: str, model: engine.Model, settings: LoadSettings) -> LoadedModel:
    config = model.config
    context = config.max_position_embeddings
    short = f"{context // 1024}k" if context % 1024 == 0 else f"{context:,}"
    detail = f"{model.storage} · {short}"
    notes = tuple(spoken(note) for note in model.notes)
    return LoadedModel(source, model.name, detail, context, settings, notes)
