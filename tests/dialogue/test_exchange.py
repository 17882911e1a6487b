import json

import pytest

from core.dialogue import (
    answer_template,
    build_plan,
    dialogues_from_jsonl,
    dialogues_to_jsonl,
    import_answers,
    run_dialogue,
    write_reference,
)
from core.domain.dialogue import DialogueKind, TurnStatus
from core.errors import InvalidInput
from tests.dialogue.conftest import NOW, encode_image, load_image


@pytest.fixture
def plan(case, article):
    return build_plan(case, article)


def filled(plan) -> list[dict]:
    rows = [json.loads(line) for line in answer_template([plan]).splitlines()]
    return [row | {"response": f"answer {row['turn']}"} for row in rows]


def as_text(rows: list[dict]) -> str:
    return "\n".join(json.dumps(row) for row in rows)


def test_saved_dialogues_come_back_unchanged(case, plan, scripted) -> None:
    model = scripted("a\u2028b", "!refused", "“quoted”\nline")
    dialogues = (
        run_dialogue(plan, model, load_image, encode_image, at=NOW),
        write_reference(case, plan, at=NOW),
    )
    text = dialogues_to_jsonl(dialogues)
    assert dialogues_from_jsonl(text) == dialogues
    assert dialogues_to_jsonl(dialogues_from_jsonl(text)) == text


def test_a_saved_turn_names_case_prompt_images_disclosures_and_answer(plan, scripted) -> None:
    text = dialogues_to_jsonl([run_dialogue(plan, scripted(), load_image, encode_image, at=NOW)])
    turn = json.loads(text.splitlines()[3])
    assert (turn["case"], turn["case_version"], turn["staged"]["stage"]) == ("PMC1", 1, "image")
    assert turn["staged"]["images"][0]["sent_sha256"]
    assert turn["facts"]["stop_reason"] == "stop"


def test_a_damaged_saved_file_names_its_lines(case, plan) -> None:
    lines = dialogues_to_jsonl([write_reference(case, plan, at=NOW)]).splitlines()
    broken = json.loads(lines[2])
    broken["response"] = None
    text = "\n".join([lines[0], lines[1], json.dumps(broken), "{", '{"record": "turn", "dialogue": "other"}'])
    with pytest.raises(InvalidInput) as caught:
        dialogues_from_jsonl(text)
    for words in ("line 3", "line 4: not JSON", "line 5: its dialogue other"):
        assert words in caught.value.message


def test_a_filled_template_becomes_an_imported_dialogue(plan) -> None:
    (dialogue,) = import_answers(as_text(filled(plan)), {"PMC1": plan}, "our clinic", at=NOW)
    assert [turn.response for turn in dialogue.turns] == [f"answer {n}" for n in range(1, 6)]
    assert (dialogue.kind, dialogue.setting, dialogue.made_by.engine) == (DialogueKind.IMPORTED, "our clinic", "import")
    assert [turn.staged for turn in dialogue.turns] == list(plan.turns)


def test_a_turn_without_a_line_is_a_failed_turn_and_not_an_empty_answer(plan) -> None:
    (dialogue,) = import_answers(as_text(filled(plan)[:-1]), {"PMC1": plan}, "x", at=NOW)
    assert dialogue.turns[-1].status is TurnStatus.FAILED
    assert dialogue.turns[-1].problem == "not in the imported file"


def test_a_refusal_produced_elsewhere_stays_one(plan) -> None:
    rows = filled(plan)
    rows[2] |= {"status": "refused", "response": None, "problem": "would not read images"}
    (dialogue,) = import_answers(as_text(rows), {"PMC1": plan}, "x", at=NOW)
    assert (dialogue.turns[2].status, dialogue.turns[2].response) == (TurnStatus.REFUSED, None)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"case": "PMC9"}, "no case PMC9"),
        ({"case_version": 2}, "version 2"),
        ({"turn": 9}, "has 5 turns"),
        ({"turn": 3}, "is image fig1, not history"),
        ({"prompt_sha256": "0"}, "another prompt"),
        ({"images": ["0"]}, "other images"),
        ({"response": "  "}, "`response` is empty"),
        ({"response": 5}, "response"),
        ({"answer": "x"}, "answer"),
        ({"status": "done"}, "status"),
        ({"status": "failed"}, "has no `response`"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_given(plan, change: dict, words: str) -> None:
    rows = filled(plan)
    rows[0] |= change
    with pytest.raises(InvalidInput) as caught:
        import_answers("\n" + as_text(rows), {"PMC1": plan}, "x", at=NOW)
    assert "line 2:" in caught.value.message
    assert words in caught.value.message


def test_a_turn_answered_twice_is_refused_with_both_lines(plan) -> None:
    rows = filled(plan)
    with pytest.raises(InvalidInput, match="line 6: turn 1 of PMC1 is answered in line 1"):
        import_answers(as_text([*rows, rows[0]]), {"PMC1": plan}, "x", at=NOW)


@pytest.mark.parametrize(
    ("text", "words"), [("", "no line"), ("[1]", "line 1: not a JSON object"), ("x", "line 1: not JSON")]
)
def test_a_file_that_is_no_json_lines_is_refused(plan, text: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        import_answers(text, {"PMC1": plan}, "x", at=NOW)


@pytest.mark.parametrize("setting", ["rules baseline", "reference", " Reference ", "Rules  Baseline", "", "  "])
def test_answers_from_elsewhere_take_no_name_of_the_projects_own_and_none_is_no_name(plan, setting: str) -> None:
    with pytest.raises(InvalidInput, match="name"):
        import_answers(as_text(filled(plan)), {plan.case_id: plan}, setting, at=NOW)
