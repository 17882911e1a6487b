"""The calls of a run that workers do: asked only while the run may go on, through the queue of their provider."""

import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from core.domain.model_call import AttemptRecord, ChatModel, FailedCall, ModelReply, ModelRequest, StructuredReply
from core.domain.record import Record
from core.domain.run import RunControl, RunState
from core.errors import ModelUnavailable
from core.llm import open_model as open_registered
from core.llm import read_registry, registry_path
from core.llm.durable_wire import DurableRoute, provider_of
from core.llm.opening import ready_entry
from core.runs import CallNotSent
from core.services.workspace import Workspace
from core.storage import ledger
from core.storage import run_control as store
from core.storage import runs as run_store
from core.storage.images import ImageStore

if TYPE_CHECKING:
    from core.runs.host import Host

R = TypeVar("R", bound=Record)

BUDGET_REACHED = "The run has reached its cap of ${budget:.4g}. Raise the cap to go on."


class RunStopped(BaseException):
    """The run may not go on now. An interruption, no error: what is being done is left waiting and taken up later."""


def check_may_go_on(workspace: Workspace, run_id: str, round_: int) -> None:
    """Return when a call of the run may be made now.

    A run that has reached its cap is paused here.

    Raises:
        RunStopped: it is paused or cancelled, waits for its provider, or goes on under a later round.
    """
    with workspace.store.read() as session:
        control = store.get_control(session, run_id)
        budget = control.budget_usd
        has_reached_cap = budget is not None and ledger.run_totals(session, run_id).cost_usd >= budget
    waits = control.deferred_until is not None and control.deferred_until > datetime.now(UTC)
    if control.wish != "go" or control.round != round_ or waits:
        raise RunStopped
    if has_reached_cap:
        pause_with(workspace, run_id, round_, BUDGET_REACHED.format(budget=budget))
        raise RunStopped


def pause_with(workspace: Workspace, run_id: str, round_: int, note: str) -> None:
    """Pause a run for a reason that people have to see."""
    with workspace.store.write() as session:
        control = store.get_control(session, run_id)
        if control.round == round_ and control.wish == "go":
            store.set_control(session, control.model_copy(update={"wish": "pause", "note": note}))
            run_store.set_run_state(session, run_id, RunState.PAUSED, datetime.now(UTC))


def defer(workspace: Workspace, run_id: str, round_: int, seconds: float, note: str) -> None:
    """Let a run wait for its provider; the longest wait counts."""
    until = datetime.now(UTC) + timedelta(seconds=seconds)
    with workspace.store.write() as session:
        control = store.get_control(session, run_id)
        if control.round == round_ and (control.deferred_until is None or control.deferred_until < until):
            store.set_control(session, control.model_copy(update={"deferred_until": until, "note": note}))


class RunModel:
    """A model as a run asks it; a `ChatModel`.

    Args:
        inner: the model behind the queue.
        workspace: the study.
        run_id: the run.
        round_: the round of the case that asks.
    """

    def __init__(self, inner: ChatModel, workspace: Workspace, run_id: str, round_: int) -> None:
        self.name = inner.name
        self.engine = inner.engine
        self._inner = inner
        self._workspace = workspace
        self._run_id = run_id
        self._round = round_
        if hasattr(inner, "image_limits"):
            self.image_limits = inner.image_limits

    def reply(self, request: ModelRequest) -> ModelReply | FailedCall:
        """Give free text, or why there is none.

        Raises:
            RunStopped: the run may not go on now.
        """
        check_may_go_on(self._workspace, self._run_id, self._round)
        return self._kept(self._inner.reply(request))

    def answer(
        self, request: ModelRequest, record: type[R], check: Callable[[R], list[str]] | None = None
    ) -> StructuredReply[R] | FailedCall:
        """Give a validated record, or why there is none.

        Raises:
            RunStopped: the run may not go on now.
        """
        check_may_go_on(self._workspace, self._run_id, self._round)
        return self._kept(self._inner.answer(request, record, check))

    def _kept(self, outcome):  # noqa: ANN001, ANN202 - any outcome, given back
        if isinstance(outcome, FailedCall):
            if closed := getattr(self._inner, "closed_because", ""):
                # A wrong key or no money: every further call would fail too, and nothing of the run is lost by waiting.
                note = f"{self.name} cannot be asked: {closed} Correct that and resume."
                pause_with(self._workspace, self._run_id, self._round, note)
                raise RunStopped
            if outcome.reason == "deferred":
                note = f"{self.name} asked to wait. The run goes on by itself."
                defer(self._workspace, self._run_id, self._round, getattr(self._inner, "deferred_s", 60.0), note)
                raise RunStopped
        return outcome


class RunModels:
    """The models of one run in one process: opened once, so that what one case learns of a provider all know.

    Args:
        workspace: the study.
        host: the queues.
        sent: images as they are sent, by hash.
        control: of the run, in the round that is done.
    """

    def __init__(self, workspace: Workspace, host: "Host", sent: ImageStore, control: RunControl) -> None:
        self._workspace = workspace
        self._host = host
        self._sent = sent
        self._run_id = control.run_id
        self._round = control.round
        self._opened: dict[str, ChatModel] = {}
        self._lock = threading.Lock()

    def open(self, name: str) -> ChatModel:
        """Give a model by its registry name.

        Raises:
            RunStopped: it cannot be used; the run is paused with the reason.
        """
        with self._lock:
            if name not in self._opened:
                self._opened[name] = self._open(name)
        return RunModel(self._opened[name], self._workspace, self._run_id, self._round)

    def _open(self, name: str) -> ChatModel:
        settings = self._workspace.settings
        try:
            entry = ready_entry(read_registry(registry_path(settings)), name, os.environ)
            if entry.engine != "recorded":
                self._host.open_provider(provider_of(entry), entry.concurrency)
            route = DurableRoute(self._send, self._n_sent, self._sent.put)
            return open_registered(name, settings, on_attempt=self._keep, recall=self._recall, durable=route)
        except ModelUnavailable as error:
            pause_with(self._workspace, self._run_id, self._round, f"{error} Then resume.")
            raise RunStopped from error

    def _send(self, queue: str, sent_id: str, payload: str) -> str:
        while True:
            try:
                return self._host.send(queue, sent_id, f"{self._run_id} {self._round} {payload}")
            except CallNotSent:
                # Left over from a time when the run was paused: it may go now, or this raises RunStopped.
                if self._host.has_ended:
                    raise RunStopped from None
                check_may_go_on(self._workspace, self._run_id, self._round)

    def _n_sent(self, prefix: str) -> int:
        with self._workspace.store.read() as session:
            return ledger.n_sent(session, prefix)

    def _keep(self, attempt: AttemptRecord) -> None:
        with self._workspace.store.write() as session:
            ledger.save_attempt(session, attempt.model_copy(update={"run_id": self._run_id}))
        if attempt.sent_id:
            self._host.forget([attempt.sent_id])

    def _recall(self, call_key: str) -> AttemptRecord | None:
        with self._workspace.store.read() as session:
            return ledger.accepted_attempt(session, call_key)
