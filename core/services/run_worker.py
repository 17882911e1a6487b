"""A worker: takes cases and calls from the queues, shows that it lives, and takes over from workers that died."""

import json
import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from core.domain.case import LeakPolicy
from core.domain.run import RunControl, RunState, WorkerState
from core.llm import read_registry, registry_path
from core.llm.durable_wire import Sender
from core.runs import Slot, Work, case_key, take_slot
from core.services.pipeline import Models, take_case
from core.services.run_calls import RunModels, RunStopped, check_may_go_on
from core.services.run_orders import skip_waiting
from core.services.running import take_dialogue
from core.services.workspace import Workspace
from core.settings import Settings
from core.storage import ledger
from core.storage import run_control as store
from core.storage import runs as run_store
from core.storage.base import prepare_side_file
from core.storage.images import ImageStore

if TYPE_CHECKING:
    from core.runs.host import Host

__all__ = ["Worker"]

LOOK_S = 0.25
BEAT_S = 2.0
DEAD_AFTER_S = 15.0
CARE_S = 5.0
IDLE_S = 30.0
_LOG = logging.getLogger(__name__)
_ROLES = ("test model", "dialogue writer", "decomposer", "matcher", "judge", "extractor")


class Worker:
    """The work of this process; one at a time in a process.

    Args:
        workspace: the study.
        dead_after_s: seconds without a heartbeat after which another worker's work is taken over.
    """

    def __init__(self, workspace: Workspace, dead_after_s: float = DEAD_AFTER_S) -> None:
        self._workspace = workspace
        self._dead_after_s = dead_after_s
        self._sent = ImageStore(workspace.settings.image_folder / "sent")
        self._sender = Sender(lambda: read_registry(registry_path(workspace.settings)), self._sent.read)
        self._models: dict[tuple[str, int], RunModels] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._slot: Slot | None = None
        self._host: Host | None = None
        self._thread: threading.Thread | None = None
        self._n_busy = 0
        self._seen: dict[str, tuple[int, float]] = {}

    @property
    def id(self) -> str:
        """The worker's name; empty before it starts."""
        return self._slot.worker_id if self._slot else ""

    def start(self) -> None:
        """Begin to look for work. The queues are opened when there is a run to do: what this place left is found then.

        Must not be called on an event loop.
        """
        settings = self._workspace.settings
        self._slot = take_slot(settings.data_folder / "workers")
        self._thread = threading.Thread(target=self._live, name="worker", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End; the work in hand is taken up by another worker, or by this place when it starts again."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join(timeout=10)
        has_work = self._n_busy > 0
        if self._host is not None:
            self._close_queues()
        if self._slot is not None:
            if not has_work:
                # Else the others have to notice that nobody does it any more.
                with self._workspace.store.write() as session:
                    store.drop_worker(session, self.id)
            self._slot.leave()

    def _live(self) -> None:
        started_at, beats, beat_at, care_at, busy_at = datetime.now(UTC), 0, 0.0, 0.0, 0.0
        while not self._ended.wait(LOOK_S):
            try:
                if (now := time.monotonic()) - beat_at >= BEAT_S:
                    beats += 1
                    self._beat(started_at, beats)
                    beat_at = now
                with self._workspace.store.read() as session:
                    controls = store.controls_in_state(session, RunState.RUNNING)
                if controls or self._n_busy:
                    busy_at = now
                elif self._host is not None and now - busy_at > IDLE_S:
                    self._close_queues()
                if not controls:
                    continue
                self._open_queues()
                self._take_rounds(controls)
                if now - care_at >= min(CARE_S, self._dead_after_s / 3):
                    self._take_over_from_the_dead()
                    self._find_lost_cases(controls)
                    self._host.sweep()
                    care_at = now
            except Exception:
                # A full disk or a database that is away for a moment must not end the worker: it looks again.
                _LOG.warning("the worker could not look for work", exc_info=True)
                self._ended.wait(1.0)

    def _beat(self, started_at: datetime, beats: int) -> None:
        with self._workspace.store.write() as session:
            store.beat(
                session,
                WorkerState(
                    id=self.id, beats=beats, process=os.getpid(), started_at=started_at, beat_at=datetime.now(UTC)
                ),
            )

    def _open_queues(self) -> None:
        if self._host is None:
            from core.runs.host import Host

            host = Host(runs_database(self._workspace.settings), self.id, Work(self._take_case, self._send_call))
            self._host = host
            host.start()

    def _close_queues(self) -> None:
        # Open queues are asked twenty times a second, which an idle app need not pay for.
        host, self._host = self._host, None
        self._models.clear()
        host.stop()

    @contextmanager
    def _busy(self) -> Iterator[None]:
        with self._lock:
            self._n_busy += 1
        try:
            yield
        finally:
            with self._lock:
                self._n_busy -= 1

    def _take_rounds(self, controls: tuple[RunControl, ...]) -> None:
        """Put the cases of runs that were started or resumed into the queue."""
        for control in controls:
            is_over = control.deferred_until is not None and control.deferred_until <= datetime.now(UTC)
            if control.wish != "go" or not (control.taken_round < control.round or is_over):
                continue
            with self._workspace.store.write() as session:
                now = store.get_control(session, control.run_id)
                if now != control:
                    continue
                if is_over:
                    now = now.model_copy(update={"round": now.round + 1, "deferred_until": None, "note": ""})
                    store.set_control(session, now)
                cases = store.open_cases(session, now.run_id)
            # Marked only afterwards: a worker that dies in between leaves it to the next, and none is put in twice.
            self._host.put_cases(now.run_id, now.round, cases)
            with self._workspace.store.write() as session:
                later = store.get_control(session, now.run_id)
                if later.round == now.round:
                    store.set_control(session, later.model_copy(update={"taken_round": now.round}))

    def _take_over_from_the_dead(self) -> None:
        with self._workspace.store.read() as session:
            others = [worker for worker in store.list_workers(session) if worker.id != self.id]
        now = time.monotonic()
        for other in others:
            beats, since = self._seen.get(other.id, (-1, now))
            if beats != other.beats:
                self._seen[other.id] = (other.beats, now)
            elif now - since >= self._dead_after_s:
                n = self._host.take_over(other.id)
                _LOG.info("%s does not answer: took over %s entries", other.id, n)
                with self._workspace.store.write() as session:
                    store.drop_worker(session, other.id)
                self._seen.pop(other.id)

    def _find_lost_cases(self, controls: tuple[RunControl, ...]) -> None:
        """Open a new round for a run with cases that are neither ended nor in a queue."""
        for control in controls:
            if control.wish != "go" or control.taken_round < control.round or control.deferred_until is not None:
                continue
            with self._workspace.store.read() as session:
                open_before = store.open_cases(session, control.run_id)
            keys = {case_key(control.run_id, control.round, one): one for one in open_before}
            going = self._host.going(keys)
            lost = {one for key, one in keys.items() if key not in going}
            with self._workspace.store.write() as session:
                is_lost = bool(lost & set(store.open_cases(session, control.run_id)))
                if is_lost and store.get_control(session, control.run_id) == control:
                    store.set_control(session, control.model_copy(update={"round": control.round + 1}))
                elif not open_before:
                    _finish_when_done(session, control)

    def _take_case(self, run_id: str, case_id: str, round_: int) -> None:
        with self._busy():
            self._take_case_as_far_as_it_goes(run_id, case_id, round_)

    def _take_case_as_far_as_it_goes(self, run_id: str, case_id: str, round_: int) -> None:
        earlier = [case_key(run_id, one, case_id) for one in range(1, round_)]
        while self._host.going(earlier):
            # Its last call is still in flight: two at a time would make two dialogues.
            time.sleep(0.1)
        with self._workspace.store.read() as session:
            control = store.get_control(session, run_id)
            run = run_store.get_run(session, run_id)
            if case_id not in store.open_cases(session, run_id):
                return
        try:
            check_may_go_on(self._workspace, run_id, round_)
            workspace = replace(self._workspace, open_model=self._models_of(control).open)
            if control.kind == "dialogues":
                repeat, preset = int(run.settings["repeat"]), str(run.settings["preset"])
                take_dialogue(workspace, run_id, case_id, run.models["test model"], repeat, preset)
            else:
                models = Models(*(run.models.get(role, "rules") for role in _ROLES))
                take_case(workspace, run_id, case_id, models, LeakPolicy(str(run.settings["leak_policy"])))
        except RunStopped:
            with self._workspace.store.write() as session:
                if store.get_control(session, run_id).wish == "cancel":
                    skip_waiting(session, run_id)
            return
        with self._workspace.store.write() as session:
            store.set_case_end(session, run_id, case_id, datetime.now(UTC))
            _finish_when_done(session, store.get_control(session, run_id))

    def _models_of(self, control: RunControl) -> RunModels:
        with self._lock:
            key = (control.run_id, control.round)
            if key not in self._models:
                self._models[key] = RunModels(self._workspace, self._host, self._sent, control)
            return self._models[key]

    def _send_call(self, sent_id: str, payload: str) -> str | None:
        with self._busy():
            return self._send_when_it_may(sent_id, payload)

    def _send_when_it_may(self, sent_id: str, payload: str) -> str | None:
        run_id, round_, asked = payload.split(" ", 2)
        try:
            check_may_go_on(self._workspace, run_id, int(round_))
            with self._workspace.store.read() as session:
                if ledger.is_stored(session, sent_id):
                    # Taken up after a crash although whoever asked has written its outcome down already.
                    return None
            return self._sender.perform(asked)
        except RunStopped:
            return None
        except Exception as error:
            _LOG.debug("a request failed", exc_info=True)
            detail = f"A fault of CaseRounds kept the request from being sent ({type(error).__name__})."
            return json.dumps({"problem": {"reason": "provider_error", "detail": detail}})


def runs_database(settings: Settings) -> str:
    """Give the address of dbos's own tables: a file beside the app's, or a schema of the app's PostgreSQL."""
    if not settings.database_url.startswith("sqlite"):
        return settings.database_url
    return prepare_side_file(settings.data_folder / "runs.sqlite")


def _finish_when_done(session, control: RunControl) -> None:  # noqa: ANN001 - a session of the store
    is_going = run_store.get_run(session, control.run_id).state is not RunState.FINISHED
    if is_going and control.wish != "cancel" and not store.open_cases(session, control.run_id):
        run_store.set_run_state(session, control.run_id, RunState.FINISHED, datetime.now(UTC))
