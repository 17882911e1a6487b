import json
from pathlib import Path

import pytest

from core.domain.model_call import FailedCall, ModelReply, StructuredReply
from core.errors import InvalidInput
from core.llm import as_recording, open_model, read_recording, read_registry
from core.settings import read_settings
from tests.llm.conftest import REQUEST, Verdicts, check_ids
from tests.llm.loopback import GOOD

REGISTRY = '[models.tape]\nengine = "recorded"\nrecording = "tape.json"\n'


def tape(folder: Path, *replies: dict, name: str = "tape.json", on_attempt=lambda _: None):
    (folder / "models.toml").write_text(REGISTRY.replace("tape.json", name), encoding="utf-8")
    text = "".join(json.dumps(r) + "\n" for r in replies) if name.endswith("l") else json.dumps({"replies": replies})
    (folder / name).write_text(text, encoding="utf-8")
    return open_model("tape", read_settings(), read_registry(folder / "models.toml"), on_attempt=on_attempt)


def reply(**changes) -> dict:
    return {"role": "judge", "subject": "PMC1/dlg-1", "answer": GOOD} | changes


def test_a_reply_is_found_by_role_and_subject(tmp_path) -> None:
    answer = tape(tmp_path, reply()).answer(REQUEST, Verdicts, check_ids)
    assert isinstance(answer, StructuredReply)
    assert [v.score for v in answer.answer.verdicts] == [4, 2]
    assert (answer.facts.model_asked, answer.facts.stop_reason) == ("tape", "recorded")


def test_free_text_is_found_too(tmp_path) -> None:
    text = tape(tmp_path, reply(answer=None, text="Gout.")).reply(REQUEST)
    assert isinstance(text, ModelReply) and text.text == "Gout."


@pytest.mark.parametrize("change", [{"subject": "PMC1/dlg-2"}, {"role": "matcher"}, {"repeat": 1}])
def test_what_is_not_recorded_is_said_and_never_made_up(tmp_path, change: dict) -> None:
    found = tape(tmp_path, reply(**change)).answer(REQUEST, Verdicts)
    assert isinstance(found, FailedCall)
    assert found.reason == "not_recorded"
    assert "PMC1/dlg-1" in found.detail


def test_a_recorded_answer_passes_the_same_schema_and_check(tmp_path) -> None:
    broken = {"verdicts": [GOOD["verdicts"][0] | {"score": 9}]}
    assert tape(tmp_path, reply(answer=broken)).answer(REQUEST, Verdicts).reason == "invalid"
    missing = {"verdicts": GOOD["verdicts"][:1]}
    assert tape(tmp_path, reply(answer=missing)).answer(REQUEST, Verdicts, check_ids).reason == "invalid"


def test_a_recorded_failure_stays_one(tmp_path) -> None:
    found = tape(tmp_path, reply(answer=None, failure="refused", detail="no")).answer(REQUEST, Verdicts)
    assert (found.reason, found.detail) == ("refused", "no")


def test_a_ledger_plays_back_as_it_was(bench, tmp_path) -> None:
    first = bench.ask("wrong enum", "ok")
    spoken = bench.say("Gout.")
    bench.say("filtered")
    replayed: list = []
    (tmp_path / "models.toml").write_text(REGISTRY.replace("tape.json", "run.jsonl"), encoding="utf-8")
    (tmp_path / "run.jsonl").write_text(as_recording(bench.attempts[:3]), encoding="utf-8")
    model = open_model("tape", read_settings(), read_registry(tmp_path / "models.toml"), on_attempt=replayed.append)
    again = model.answer(REQUEST.model_copy(update={"subject": "another"}), Verdicts, check_ids)
    assert again.answer == first.answer
    assert again.facts.model_answered == "answered-model"
    assert model.reply(REQUEST).text == spoken.text
    assert [row.outcome for row in replayed] == ["accepted", "accepted"]


def test_a_failed_call_plays_back_as_failed(bench, tmp_path) -> None:
    bench.say("filtered")
    text = as_recording(bench.attempts)
    (tmp_path / "run.jsonl").write_text(text, encoding="utf-8")
    (recorded,) = read_recording(tmp_path / "run.jsonl")
    assert recorded.failure in ("filtered", "refused")


def test_a_folder_of_recordings_is_one_recording(tmp_path) -> None:
    for number in (1, 2):
        text = json.dumps({"replies": [reply(subject=f"s{number}")]})
        (tmp_path / f"{number}.json").write_text(text, encoding="utf-8")
    assert [r.subject for r in read_recording(tmp_path)] == ["s1", "s2"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not well formed"),
        ('{"answers": []}', "not well formed"),
        (json.dumps({"replies": [reply(), reply(text="x")]}), "reply 2: .*exactly one"),
        (json.dumps({"replies": [reply(role="umpire")]}), "reply 1"),
        (json.dumps({"replies": [reply(subject="")]}), "`key` or `subject`"),
    ],
)
def test_a_damaged_recording_is_refused_with_its_place(tmp_path, text: str, words: str) -> None:
    (tmp_path / "tape.json").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=words):
        read_recording(tmp_path / "tape.json")


def test_a_missing_recording_is_one_sentence(tmp_path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_recording(tmp_path / "none.json")
