import pytest

from core.dialogue import RulesTestModel, build_plan, run_dialogue
from core.dialogue.rules_model import named_diagnoses
from core.domain.dialogue import DialogueKind, Stage, TurnStatus
from core.errors import NotFound
from tests.dialogue.conftest import FORBIDDEN, NOW, encode_image, load_image


@pytest.fixture
def plan(case, article):
    return build_plan(case, article)


def run(plan, model, load=load_image):
    return run_dialogue(plan, model, load, encode_image, at=NOW)


def test_every_request_holds_the_whole_chat_with_the_model_s_own_answers(plan, scripted) -> None:
    model = scripted()
    run(plan, model)
    last = model.requests[-1].messages
    assert [m.role for m in last] == ["system"] + ["user", "assistant"] * 4 + ["user"]
    assert [m.text for m in last if m.role == "assistant"] == ["answer 1", "answer 2", "answer 3", "answer 4"]
    assert [m.text for m in last if m.role == "user"] == [turn.prompt for turn in plan.turns]


def test_what_is_disclosed_at_turn_k_is_exactly_the_union_of_stages_1_to_k(plan, scripted) -> None:
    model = scripted()
    run(plan, model)
    for k, request in enumerate(model.requests, start=1):
        said = "\n".join(m.text for m in request.messages if m.role == "user")
        for turn in plan.turns:
            for row in turn.disclosed:
                if row.field not in ("figure_label", "modality"):
                    assert (row.text in said) == (turn.index <= k), (k, row.value_id)
        shown = [image.original_sha256 for m in request.messages for image in m.images]
        assert shown == [i.original.sha256 for turn in plan.turns[:k] for i in turn.images]


def test_no_request_holds_what_a_model_must_not_see(plan, scripted) -> None:
    model = scripted()
    run(plan, model)
    for request in model.requests:
        sent = "\n".join([m.text + " ".join(i.name for i in m.images) for m in request.messages]).lower()
        assert [word for word in FORBIDDEN if word in sent] == []


def test_images_have_neutral_names_by_their_order_in_the_conversation(plan, scripted) -> None:
    model = scripted()
    dialogue = run(plan, model)
    assert [i.name for m in model.requests[-1].messages for i in m.images] == [
        "image-1.png",
        "image-2.png",
        "image-3.png",
    ]
    assert all(i.sent_sha256 and i.sent_width_px == 10 for turn in dialogue.turns for i in turn.staged.images)


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        ("refused", TurnStatus.REFUSED),
        ("filtered", TurnStatus.REFUSED),
        ("truncated", TurnStatus.TRUNCATED),
        ("provider_error", TurnStatus.FAILED),
        ("timeout", TurnStatus.FAILED),
        ("empty", TurnStatus.FAILED),
    ],
)
def test_a_failed_turn_has_a_status_and_no_text_and_the_dialogue_goes_on(plan, scripted, reason, status) -> None:
    dialogue = run(plan, scripted("a", "b", f"!{reason}"))
    assert [turn.status for turn in dialogue.turns] == [TurnStatus.ANSWERED] * 2 + [status] + [TurnStatus.ANSWERED] * 2
    assert dialogue.turns[2].response is None
    assert reason in dialogue.turns[2].problem


def test_after_a_failed_turn_its_disclosures_come_with_the_next_question(plan, scripted) -> None:
    model = scripted("!timeout", "!refused")
    dialogue = run(plan, model)
    assert [turn.asked_with for turn in dialogue.turns] == [(), (1,), (1, 2), (), ()]
    second = model.requests[1].messages
    assert [m.role for m in second] == ["system", "user"]
    assert plan.turns[0].prompt in second[-1].text and plan.turns[1].prompt in second[-1].text


@pytest.mark.parametrize(("reason", "images"), [("timeout", 3), ("filtered", 1), ("rejected", 1)])
def test_images_of_a_failed_turn_are_repeated_unless_they_may_be_the_cause(plan, scripted, reason, images) -> None:
    model = scripted("a", "b", f"!{reason}")
    run(plan, model)
    assert sum(len(m.images) for m in model.requests[-1].messages) == images


def test_an_image_that_cannot_be_read_fails_its_turn_without_a_call(plan, scripted) -> None:
    def load(image):
        if image == plan.turns[2].images[0].original:
            raise NotFound("The image is not in the image store.")
        return load_image(image)

    model = scripted()
    dialogue = run(plan, model, load)
    assert dialogue.turns[2].status is TurnStatus.FAILED
    assert "image store" in dialogue.turns[2].problem
    assert len(model.requests) == 4


def test_a_new_run_is_a_new_dialogue_of_the_same_plan(plan, scripted) -> None:
    first = run(plan, scripted())
    second = run_dialogue(plan, scripted(), load_image, encode_image, at=NOW, repeat=1)
    assert first.id != second.id
    assert first.plan_sha256 == second.plan_sha256
    assert (first.kind, first.setting, first.made_by.engine) == (DialogueKind.MODEL, "scripted", "recorded")


def test_the_rules_baseline_says_that_it_sees_no_images(plan) -> None:
    dialogue = run(plan, RulesTestModel())
    images = [turn for turn in dialogue.turns if turn.staged.stage is Stage.IMAGE]
    assert {turn.response for turn in images} == {"Not assessed: this baseline does not see images."}
    assert all(turn.is_evaluable for turn in images)
    assert dialogue.setting == "rules baseline"


def test_the_rules_baseline_repeats_findings_and_names_no_diagnosis_of_its_own(plan) -> None:
    text = run(plan, RulesTestModel()).synthesis.response
    reasoning, diagnosis = text.removeprefix("Diagnostic reasoning\n").split("\n\nFinal diagnosis\n")
    assert all(word in reasoning for word in ("Concernword", "Examword", "Keyword one"))
    assert diagnosis == "No diagnosis can be named from the disclosed findings."


def test_the_rules_baseline_names_a_diagnosis_when_a_key_finding_does(case, article) -> None:
    from core.domain.case import Disclosure

    change = Disclosure(
        value_id="key_findings-1", text="Biopsy was consistent with granular cell tumour of the tongue."
    )
    dialogue = run(build_plan(case.model_copy(update={"disclosures": (change,)}), article), RulesTestModel())
    assert dialogue.synthesis.response.endswith("Final diagnosis\ngranular cell tumour of the tongue.")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("PCR confirmed Bartonella infection.", ["Bartonella infection"]),
        ("Staining was not consistent with lymphoma.", []),
        ("The result was suspicious, possibly indicative of sarcoma.", []),
        ("The finding was confirmed by PCR.", []),
        ("A diagnosis of sarcoidosis was made; ACE was high.", ["sarcoidosis"]),
    ],
)
def test_only_an_established_name_counts(text: str, names: list[str]) -> None:
    assert named_diagnoses(text) == names


def test_the_baseline_s_missing_diagnosis_is_no_diagnosis_item(plan) -> None:
    from core.scoring.decompose_rules import final_diagnosis_drafts
    from core.scoring.synthesis import split_synthesis

    text = run(plan, RulesTestModel()).synthesis.response
    assert final_diagnosis_drafts(split_synthesis(text).diagnosis) == []
