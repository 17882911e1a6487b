"""One process's part in durable work: its queues, what it does with their entries, and what it waits for.

Measured with dbos 3.4 and set here for that reason: a fixed application version (the default is a hash of the source:
after an edit nothing would be taken up), a stable executor id for each worker (two with the default id run finished
work twice), short polling (with the default of a second, calls of a second take twice as long), more places in a queue
than calls at a time (the provider's gate holds the calls back, the queue must only keep it fed).
"""

import contextvars
import logging
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

from dbos import DBOS, DBOSConfig, SetWorkflowID

from core.runs.work import CallNotSent, Work, case_key

APPLICATION_VERSION = "caserounds-1"
CASES = "cases"
MAX_CASES = 48
POLL_S = 0.05
_LOOK_S = 0.2
_WAITING = ("ENQUEUED", "PENDING", "DELAYED")
_LOG = logging.getLogger(__name__)


@dataclass
class _Wait:
    """What waits for a request: whoever asks for the same one shares it."""

    told: threading.Event = field(default_factory=threading.Event)
    outcome: str | None = None


class Host:
    """The durable work of this process; there is one at a time.

    Args:
        database_url: of dbos's own tables: a SQLite file beside the app's, or the app's PostgreSQL.
        worker_id: stable over restarts.
        work: what is done.
    """

    def __init__(self, database_url: str, worker_id: str, work: Work) -> None:
        self.worker_id = worker_id
        self._url = database_url
        self._work = work
        self._waiting: dict[str, _Wait] = {}
        self._forgotten: list[str] = []
        self._swept: list[str] = []
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._queues: set[str] = set()

    def start(self) -> None:
        """Open the queues; what this worker had left behind is taken up at once.

        Must not be called on an event loop.
        """
        global _host
        logging.getLogger("dbos").setLevel(logging.ERROR)
        config: DBOSConfig = {
            "name": "caserounds",
            "system_database_url": self._url,
            "application_version": APPLICATION_VERSION,
            "executor_id": self.worker_id,
            "log_level": "ERROR",
            "enable_otlp": False,
        }
        _host = self
        DBOS(config=config)
        DBOS.launch()
        self._open_queue(CASES, MAX_CASES)
        threading.Thread(target=self._look_for_outcomes, name="outcomes", daemon=True).start()

    def stop(self) -> None:
        """Leave the queues. Work in hand is taken up by another worker, or by this one when it starts again."""
        global _host
        self._ended.set()
        with self._lock:
            for wait in self._waiting.values():
                wait.told.set()
        DBOS.destroy()
        _host = None

    @property
    def has_ended(self) -> bool:
        """True after `stop`."""
        return self._ended.is_set()

    def open_provider(self, name: str, concurrency: int) -> None:
        """Make a provider's queue, with room for half as many calls again as go out at a time."""
        self._open_queue(name, concurrency + max(1, concurrency // 2))

    def put_cases(self, run_id: str, round_: int, case_ids: Iterable[str]) -> None:
        """Put cases of a run into the queue; those that are in it under this round stay there once."""
        for case_id in case_ids:
            with SetWorkflowID(case_key(run_id, round_, case_id)):
                DBOS.enqueue_workflow(CASES, _take_case, run_id, case_id, round_)

    def going(self, keys: Iterable[str]) -> set[str]:
        """Give those of these queue entries that have not ended."""
        wanted = list(keys)
        if not wanted:
            return set()
        found = DBOS.list_workflows(workflow_ids=wanted, status=list(_WAITING), load_input=False, load_output=False)
        return {one.workflow_id for one in found}

    def send(self, queue: str, sent_id: str, payload: str) -> str:
        """Give the outcome of a request, sent by any worker of its queue, at most once for each id.

        Raises:
            CallNotSent: its run was paused or cancelled before it went out.
        """
        with self._lock:
            wait = self._waiting.setdefault(sent_id, _Wait())
        with SetWorkflowID(sent_id):
            DBOS.enqueue_workflow(queue, _send_call, sent_id, payload)
        wait.told.wait()
        with self._lock:
            self._waiting.pop(sent_id, None)
        if wait.outcome is None:
            if not self._ended.is_set():
                # Its id must be free for the time when the run goes on.
                DBOS.delete_workflow(sent_id)
            raise CallNotSent
        return wait.outcome

    def forget(self, sent_ids: Iterable[str]) -> None:
        """Mark requests whose outcome is in the ledger: `sweep` deletes them later."""
        with self._lock:
            self._forgotten += sent_ids

    def sweep(self) -> None:
        """Delete what was marked before the last sweep; by now it has certainly been written down as done."""
        with self._lock:
            ids, self._swept, self._forgotten = self._swept, self._forgotten, []
        if ids:
            DBOS.delete_workflows(ids)

    def take_over(self, worker_id: str) -> int:
        """Put the work of a dead worker back into its queues; gives how much it was.

        dbos does not do this by itself; without the queue's name the work would pass all limits.
        """
        left = DBOS.list_workflows(status="PENDING", executor_id=worker_id, load_input=False, load_output=False)
        by_queue: dict[str, list[str]] = {}
        for one in left:
            if one.queue_name:
                by_queue.setdefault(one.queue_name, []).append(one.workflow_id)
        for queue, ids in by_queue.items():
            DBOS.resume_workflows(ids, queue_name=queue)
        return sum(map(len, by_queue.values()))

    def _open_queue(self, name: str, places: int) -> None:
        if name not in self._queues:
            DBOS.register_queue(name, worker_concurrency=places, polling_interval_sec=POLL_S)
            self._queues.add(name)

    def _tell(self, sent_id: str, outcome: str | None) -> None:
        with self._lock:
            wait = self._waiting.get(sent_id)
        if wait is not None and not wait.told.is_set():
            wait.outcome = outcome
            wait.told.set()

    def _look_for_outcomes(self) -> None:
        """Find outcomes of requests that another process sent, or that were sent before a crash."""
        while not self._ended.wait(_LOOK_S):
            with self._lock:
                ids = [sent_id for sent_id, wait in self._waiting.items() if not wait.told.is_set()]
            if not ids:
                continue
            try:
                found = DBOS.list_workflows(
                    workflow_ids=ids, status=["SUCCESS", "ERROR", "CANCELLED"], load_input=False
                )
            except Exception:
                # A database that is busy or away for a moment; it is looked at again.
                _LOG.debug("outcomes could not be read", exc_info=True)
                continue
            for one in found:
                self._tell(one.workflow_id, one.output if one.status == "SUCCESS" else None)


_host: Host | None = None


def _current() -> Host:
    if _host is None:
        raise RuntimeError("durable work has not been started in this process")
    return _host


@DBOS.workflow(name="take_case")
def _take_case(run_id: str, case_id: str, round_: int) -> None:
    # In an empty context: what the case puts into queues would else be tied to this workflow by the order of calls,
    # and a case that is taken up skips what is stored already.
    host = _current()
    contextvars.Context().run(host._work.take_case, run_id, case_id, round_)


@DBOS.workflow(name="send_call")
def _send_call(sent_id: str, payload: str) -> str | None:
    host = _current()
    outcome = contextvars.Context().run(host._work.send_call, sent_id, payload)
    if outcome is not None:
        # Whoever waits in this process need not look into the database. What was not sent is told only from there,
        # since its row is deleted then.
        host._tell(sent_id, outcome)
    return outcome
