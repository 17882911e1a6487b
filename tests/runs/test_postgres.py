"""The same on PostgreSQL, where several processes share the queues: one is killed, the other finishes."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from core.domain.case import LeakPolicy
from core.domain.run import RunState
from core.runs import take_slot
from core.services import run_orders
from core.services.extracting import extract
from core.services.importing import import_paths
from core.services.run_worker import Worker
from core.services.workspace import Workspace, open_workspace
from core.settings import read_settings
from tests.conftest import PROJECT_ROOT
from tests.llm.conftest import KEY
from tests.runs.conftest import ARTICLES, MODEL, wait_until
from tests.runs.test_survival import check_whole, released

SERVER = os.environ.get("CASEROUNDS_TEST_POSTGRES", "")
pytestmark = pytest.mark.skipif(
    not SERVER, reason="CASEROUNDS_TEST_POSTGRES names no PostgreSQL server (postgresql+psycopg://user@host:port)"
)


@pytest.fixture
def study(tmp_path: Path, registry: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    import psycopg

    name = f"caserounds_{uuid4().hex[:12]}"
    with psycopg.connect(SERVER.replace("+psycopg", "") + "/postgres", autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
    monkeypatch.setenv("LOOPBACK_KEY", KEY)
    monkeypatch.setenv("CASEROUNDS_MODELS", str(registry))
    monkeypatch.setenv("CASEROUNDS_DATABASE_URL", f"{SERVER}/{name}")
    workspace = open_workspace(read_settings(tmp_path / "study"))
    for outcome in list(
        import_paths(workspace, [PROJECT_ROOT / "data" / "demo" / "articles" / one for one in ARTICLES])
    ):
        extract(workspace, outcome.id, LeakPolicy.AUTO)
    yield workspace
    workspace.store.close()
    with psycopg.connect(SERVER.replace("+psycopg", "") + "/postgres", autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_two_workers_share_a_run_and_one_takes_over_when_the_other_is_killed(study, provider, start_worker) -> None:
    provider.delay_s = 0.2
    dead = start_worker()
    other = Worker(study, dead_after_s=3.0)
    other.start()
    run_id = run_orders.start_dialogues(study, MODEL, released(study))
    wait_until(lambda: len(provider.bodies) >= 8, 40)
    dead.send_signal(signal.SIGKILL)
    dead.wait()
    # As if it had been another machine: nobody of its name comes back.
    place = take_slot(study.settings.data_folder / "workers")
    wait_until(lambda: run_orders.run_progress(study, run_id).run.state is RunState.FINISHED, 60)
    other.stop()
    place.leave()
    check_whole(study, provider, run_id, may_repeat=8)
