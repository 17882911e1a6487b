"""Durable runs: how close independent calls come to what their provider allows, and that nothing is asked twice."""

import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

from core.domain.model_call import Message, ModelRequest, Role
from core.services import run_orders
from core.services.run_worker import Worker
from core.services.workspace import open_workspace
from core.settings import read_settings
from core.storage import run_control
from tests.benchmarks.line import bench_line

CALLS, AT_A_TIME, ANSWER_S = 640, 32, 1.0
ASKING = 48
MODEL = "loopback"


def run_ratio() -> Iterator[str]:
    """Wall time of 640 independent calls of a second, 32 at a time, over the ideal; then the same again."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    provider = multiprocessing.get_context("spawn").Process(target=_provide, args=(theirs,), daemon=True)
    provider.start()
    os.environ |= {"CASEROUNDS_DEMO": "0", "LOOPBACK_KEY": "sk-loopback-0123456789"}
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield from _measure(Path(folder), ours, ours.recv())
    finally:
        provider.kill()
        provider.join()


def _measure(folder: Path, provider: Connection, url: str) -> Iterator[str]:
    registry = folder / "models.toml"
    registry.write_text(
        f'[models.{MODEL}]\nengine = "openai"\nmodel = "m"\nbase_url = "{url}/v1"\nkey_env = "LOOPBACK_KEY"\n'
        f"concurrency = {AT_A_TIME}\n"
    )
    workspace = open_workspace(replace(read_settings(folder / "study"), models_file=registry))
    worker = Worker(workspace)
    worker.start()
    run_id = run_orders.start_dialogues(workspace, MODEL, ["none"])
    with workspace.store.read() as session:
        control = run_control.get_control(session, run_id)
    while worker._host is None or run_orders.run_progress(workspace, run_id).n_open:
        time.sleep(0.05)
    model = worker._models_of(control).open(MODEL)
    model.reply(_request(-1))
    time.sleep(1.5)
    first_s = _ask_all(model)
    n_first = _count(provider) - 1
    again_s = _ask_all(model)
    n_again = _count(provider) - 1 - n_first
    worker.stop()
    workspace.store.close()
    ideal_s = CALLS * ANSWER_S / AT_A_TIME
    yield bench_line("run_ratio", first_s / ideal_s, "x", 1.10, calls=n_first, seconds=round(first_s, 2))
    yield bench_line("rerun_calls", n_again, "calls", 0, results=CALLS, seconds=round(again_s, 2))


def _ask_all(model) -> float:  # noqa: ANN001 - a ChatModel
    started = time.perf_counter()
    with ThreadPoolExecutor(ASKING) as pool:
        for outcome in pool.map(lambda number: model.reply(_request(number)), range(CALLS)):
            assert getattr(outcome, "text", ""), outcome
    return time.perf_counter() - started


def _request(number: int) -> ModelRequest:
    return ModelRequest(
        role=Role.TEST_MODEL,
        subject=f"bench/{number}",
        messages=(Message(role="system", text="Answer."), Message(role="user", text=f"Question {number}.")),
    )


def _count(provider: Connection) -> int:
    provider.send("count")
    return provider.recv()


def _provide(pipe: Connection) -> None:
    from tests.llm.loopback import running_loopback

    with running_loopback() as server:
        server.behaviours = ["an answer"]
        pipe.send(server.url)
        server.delay_s = ANSWER_S
        while pipe.recv():
            pipe.send(len(server.bodies))
