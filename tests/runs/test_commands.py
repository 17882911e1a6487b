"""The commands of runs as a script calls them."""

import json
import os
import signal
import subprocess
import sys

from core.domain.dialogue import DialogueKind
from core.services.dialogues import get_dialogue, list_dialogues
from core.services.workspace import Workspace
from tests.conftest import PROJECT_ROOT
from tests.runs.conftest import MODEL, wait_until


def responses(study: Workspace, setting: str) -> dict[str, list]:
    rows = [row for row in list_dialogues(study) if row.kind is DialogueKind.MODEL and row.setting == setting]
    return {row.case_id: [turn.response for turn in get_dialogue(study, row.id).turns] for row in rows}


def test_ctrl_c_pauses_the_same_command_goes_on_and_the_recording_replays_it(
    study, provider, registry, run_command, tmp_path
) -> None:
    provider.delay_s = 0.1
    words = ["run", "--model", MODEL, "--json", "--data", str(study.settings.data_folder)]
    going = subprocess.Popen(
        [sys.executable, "-m", "core", *words], cwd=PROJECT_ROOT, env=dict(os.environ), stderr=subprocess.PIPE
    )
    wait_until(lambda: len(provider.bodies) >= 5)
    going.send_signal(signal.SIGINT)
    assert going.wait(20) == 130
    assert b"start the same command again" in going.stderr.read()
    going.stderr.close()
    n_sent = len(provider.bodies)
    provider.delay_s = 0.0
    again = run_command("run", "--model", MODEL, "--json", "--record", str(tmp_path / "replies.jsonl"))
    assert again.returncode == 0, again.stderr
    rows = [json.loads(line) for line in again.stdout.splitlines()]
    assert {row["state"] for row in rows} == {"done"}
    n_turns = sum(row["turns"] for row in rows)
    assert n_sent < len(provider.bodies) <= n_turns + 4
    first = responses(study, MODEL)
    with registry.open("a") as file:
        file.write(f'[models.replay]\nengine = "recorded"\nrecording = "{tmp_path / "replies.jsonl"}"\nimages = true\n')
    n_sent = len(provider.bodies)
    replayed = run_command("run", "--model", "replay", "--json")
    assert replayed.returncode == 0, replayed.stderr
    assert len(provider.bodies) == n_sent
    assert responses(study, "replay") == first


def test_a_run_stops_at_its_cap_and_goes_on_when_it_is_raised(study, provider, run_command) -> None:
    # 60 input + 40 cached tokens at 1 dollar, 20 output at 10 dollars a million: 0.0003 dollars a call
    ended = run_command("run", "--model", MODEL, "--json", "--budget", "0.0021")
    assert "cap of $0.0021" in ended.stderr
    listed = json.loads(run_command("runs", "list", "--json").stdout.splitlines()[0])
    assert listed["state"] == "paused"
    # Up to three calls were in flight when the seventh was paid.
    assert 7 <= listed["calls"] <= 10
    raised = run_command("runs", "resume", listed["run"], "--budget", "100", "--json")
    assert json.loads(raised.stdout)["state"] == "finished", raised.stderr
