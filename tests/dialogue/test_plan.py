import pytest

from core.dialogue import build_plan, plan_sha256
from core.dialogue.plan import figure_labels
from core.domain.article import Span
from core.domain.case import Disclosure, Element, LeakAction, LeakHit, Modality, Value, Verdict
from core.domain.dialogue import Stage
from core.errors import InvalidInput
from tests.dialogue.conftest import FORBIDDEN, value


def with_elements(case, **changes):
    return case.model_copy(update={"elements": case.elements | {Element(k): v for k, v in changes.items()}})


def test_turns_come_in_the_order_of_the_protocol_without_gaps(case, article) -> None:
    plan = build_plan(case, article)
    assert [(t.index, t.stage) for t in plan.turns] == [
        (1, Stage.HISTORY),
        (2, Stage.EXAMINATION),
        (3, Stage.IMAGE),
        (4, Stage.IMAGE),
        (5, Stage.SYNTHESIS),
    ]


def test_each_turn_s_prompt_holds_its_own_values_and_no_others(case, article) -> None:
    plan = build_plan(case, article)
    stage_words = {
        1: ("patientword", "Concernword", "Illnessword", "Histword"),
        2: ("Examword", "Labword"),
        3: (),
        4: (),
        5: ("Keyword one", "Methodword", "Timeword"),
    }
    for turn in plan.turns:
        for index, words in stage_words.items():
            for word in words:
                assert (word in turn.prompt) == (index == turn.index), (turn.index, word)


def test_the_ledger_lists_every_disclosed_value_once(case, article) -> None:
    plan = build_plan(case, article)
    assert [row.value_id for turn in plan.turns for row in turn.disclosed] == [
        "patient_information-1",
        "primary_concern-1",
        "present_illness-1",
        "medical_history-1",
        "physical_examination-1",
        "routine_labs-1",
        "fig1-label",
        "fig1-modality",
        "fig2-label",
        "fig2-modality",
        "key_findings-1",
        "diagnostic_methods-1",
        "timeline-1",
    ]


def test_nothing_a_model_must_not_see_is_in_any_prompt(case, article) -> None:
    plan = build_plan(case, article)
    everything = "\n".join([plan.system_prompt, *(turn.prompt for turn in plan.turns)]).lower()
    assert [word for word in FORBIDDEN if word in everything] == []


def test_an_image_turn_gives_identifier_modality_and_all_graphics_and_nothing_else(case, article) -> None:
    turn = build_plan(case, article).turns[2]
    assert (turn.figure_id, turn.figure_label, turn.modality) == ("fig1", "Figure 1", Modality.CT)
    assert [row.text for row in turn.disclosed] == ["Figure 1", "CT"]
    assert len(turn.images) == 2
    assert "2 images" in turn.prompt


def test_a_label_is_disclosed_by_its_number_alone(case) -> None:
    labels = ("Fig. 2B", "Image 3", "Diagword on CT", "Figure 2B. Diagword", "", "Supplementary Figure S1")
    figures = [case.figures[1].model_copy(update={"label": label}) for label in labels]
    assert figure_labels(figures) == ["Figure 2B", "Figure 3", "Figure 3 (3)", "Figure 2B (4)", "Figure 5", "Figure S1"]


def test_stages_and_figures_without_a_turn_are_listed_with_their_reason(case, article) -> None:
    excluded = case.figures[1].model_copy(update={"is_excluded": True})
    case = with_elements(case, physical_examination=(), routine_labs=())
    plan = build_plan(case.model_copy(update={"figures": (case.figures[0], excluded, case.figures[2])}), article)
    assert [(s.stage, s.figure_id, s.reason) for s in plan.skipped] == [
        (Stage.EXAMINATION, None, "the case has nothing to disclose at this stage"),
        (Stage.IMAGE, "fig2", "left out by a recorded decision"),
        (Stage.IMAGE, "fig3", "no image file"),
    ]
    assert [turn.index for turn in plan.turns] == [1, 2, 3]


def test_a_case_without_key_findings_is_still_asked_for_its_diagnosis(case, article) -> None:
    plan = build_plan(with_elements(case, key_findings=(), diagnostic_methods=(), timeline=()), article)
    assert plan.turns[-1].stage is Stage.SYNTHESIS
    assert plan.turns[-1].disclosed == ()
    assert "None." in plan.turns[-1].prompt


def test_the_audit_s_decisions_are_followed(case, article) -> None:
    case = case.model_copy(
        update={
            "disclosures": (
                Disclosure(value_id="present_illness-1", text="Illnessword began.", moved_to_synthesis=True),
                Disclosure(value_id="medical_history-1", text="Trimmedword."),
                Disclosure(value_id="routine_labs-1", text=None),
            )
        }
    )
    plan = build_plan(case, article)
    history, examination, synthesis = plan.turns[0], plan.turns[1], plan.turns[-1]
    assert "Illnessword" not in history.prompt and "Illnessword" in synthesis.prompt
    assert "Trimmedword." in history.prompt and "Histword" not in history.prompt
    assert "Labword" not in examination.prompt
    assert [(row.value_id, row.reason) for row in plan.withheld] == [("routine_labs-1", "withheld by the leak audit")]
    assert [row.value_id for row in synthesis.disclosed][0] == "present_illness-1"


def test_a_value_can_be_divided_between_its_stage_and_the_synthesis(case, article) -> None:
    case = case.model_copy(
        update={
            "disclosures": (
                Disclosure(value_id="present_illness-1", text="Firsthalf."),
                Disclosure(value_id="present_illness-1", text="Secondhalf.", moved_to_synthesis=True),
            )
        }
    )
    plan = build_plan(case, article)
    assert "Firsthalf." in plan.turns[0].prompt and "Secondhalf." not in plan.turns[0].prompt
    assert "Secondhalf." in plan.turns[-1].prompt


@pytest.mark.parametrize(
    ("element", "words", "part", "reason"),
    [
        ("present_illness", "Therapyword was given.", "s2", "an intervention"),
        ("medical_history", "Outcomeword was good. Diagword", "s2", "the outcome"),
        ("physical_examination", "Findingone", "s2", "what the article says about fig1"),
        ("key_findings", "Signifone supports it.", "s2", "what the article concludes from fig1"),
        ("present_illness", "Abstractword text.", "abs", "abstract"),
        ("present_illness", "Introword text.", "s1", "introduction"),
        ("key_findings", "Discussword text.", "s3", "discussion"),
        ("key_findings", "Captionone shows it.", "cap1", "caption"),
        ("key_findings", "Boxword text.", "box", "box"),
    ],
)
def test_a_value_taken_from_where_no_model_may_look_is_withheld(case, article, element, words, part, reason) -> None:
    plan = build_plan(with_elements(case, **{element: (value("bad", words, part),)}), article)
    assert not any(words in turn.prompt for turn in plan.turns)
    assert [row.value_id for row in plan.withheld] == ["bad"]
    assert reason in plan.withheld[0].reason


def test_the_name_of_a_procedure_is_disclosed_although_its_result_stands_beside_it(case, article) -> None:
    changed = with_elements(
        case, diagnostic_methods=(value("name", "Findingone"), value("result", "Findingone was seen"))
    )
    plan = build_plan(changed, article)
    assert [row.value_id for row in plan.turns[-1].disclosed if row.field == "diagnostic_methods"] == ["name"]
    assert [row.value_id for row in plan.withheld] == ["result"]


def test_a_caption_s_sentence_that_the_body_repeats_is_withheld(case, article) -> None:
    sentence = "The left lung holds a round shadow of four centimetres."
    body = article.parts[4].model_copy(update={"text": article.parts[4].text + " " + sentence})
    caption = article.parts[7].model_copy(update={"text": sentence})
    parts = (*article.parts[:4], body, *article.parts[5:7], caption, *article.parts[8:])
    at = body.text.index(sentence)
    repeated = Value(id="k", text=sentence, spans=(Span(part="s2", start=at, end=at + len(sentence)),))
    found = Value(id="f", text=sentence, spans=(Span(part="cap1", start=0, end=len(sentence)),))
    figure = case.figures[0].model_copy(update={"findings": (found,)})
    changed = with_elements(case, key_findings=(repeated,)).model_copy(update={"figures": (figure,)})
    plan = build_plan(changed, article.model_copy(update={"parts": parts}))
    assert [row.value_id for row in plan.withheld] == ["k"]


def test_a_timeline_entry_that_the_history_has_told_is_not_told_again(case, article) -> None:
    again = (value("told", "Illnessword began."), value("new", "Timeword on day 2."))
    plan = build_plan(with_elements(case, timeline=again), article)
    assert [row.value_id for row in plan.turns[-1].disclosed if row.field == "timeline"] == ["new"]
    assert [(row.value_id, "earlier turn" in row.reason) for row in plan.withheld] == [("told", True)]


def test_edited_words_that_bring_an_intervention_back_are_withheld(case, article) -> None:
    change = Disclosure(value_id="present_illness-1", text="It began; therapyword  was given.")
    plan = build_plan(case.model_copy(update={"disclosures": (change,)}), article)
    assert [row.value_id for row in plan.withheld] == ["present_illness-1"]


@pytest.mark.parametrize(("action", "is_shown"), [(LeakAction.NONE, False), (LeakAction.WAIVED, True)])
def test_a_timeline_entry_is_disclosed_only_when_it_passes_the_audit(case, article, action, is_shown) -> None:
    hit = LeakHit(
        turn=5,
        stage="synthesis",
        value_id="timeline-1",
        term="t",
        text="t",
        start=0,
        end=1,
        verdict=Verdict.WARNS,
        action=action,
    )
    plan = build_plan(case.model_copy(update={"leaks": (hit,)}), article)
    assert ("Timeword" in plan.turns[-1].prompt) is is_shown


def test_the_paper_s_preset_gives_the_examination_first_and_key_findings_only_at_the_end(case, article) -> None:
    plan = build_plan(case, article, "paper protocol")
    assert [turn.stage for turn in plan.turns] == [Stage.HISTORY, Stage.IMAGE, Stage.IMAGE, Stage.SYNTHESIS]
    assert "Examword" in plan.turns[0].prompt
    assert [row.field for row in plan.turns[-1].disclosed] == ["key_findings"]
    assert plan.skipped[0].stage is Stage.EXAMINATION


def test_the_same_case_version_gives_byte_identical_prompts(case, article) -> None:
    first, second = build_plan(case, article), build_plan(case, article)
    assert first == second
    assert plan_sha256(first) == plan_sha256(second)
    assert plan_sha256(first) != plan_sha256(build_plan(case, article, "paper protocol"))


def test_a_case_of_another_article_version_is_refused(case, article) -> None:
    with pytest.raises(InvalidInput, match="s2"):
        build_plan(case, article.model_copy(update={"parts": article.parts[:2]}))
