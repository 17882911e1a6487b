from core.dialogue import build_plan, write_reference, write_reference_with_model
from core.dialogue.reference import WrittenResponse
from core.domain.dialogue import DialogueKind, TurnStatus
from core.domain.model_call import CallFacts, FailedCall, StructuredReply
from tests.dialogue.conftest import NOW


def test_image_turns_keep_observation_apart_from_interpretation(case, article) -> None:
    dialogue = write_reference(case, build_plan(case, article), at=NOW)
    assert dialogue.image_turn("fig1").response == (
        "Observation: Findingone was seen.\n\nInterpretation: Signifone supports it."
    )


def test_a_sentence_that_is_finding_and_significance_is_told_once(case, article) -> None:
    figure = case.figures[0].model_copy(update={"significance": case.figures[0].findings})
    case = case.model_copy(update={"figures": (figure, *case.figures[1:])})
    dialogue = write_reference(case, build_plan(case, article), at=NOW)
    assert dialogue.image_turn("fig1").response == "Observation: Findingone was seen."


def test_a_figure_without_an_article_finding_keeps_its_turn_and_is_not_evaluable(case, article) -> None:
    turn = write_reference(case, build_plan(case, article), at=NOW).image_turn("fig2")
    assert (turn.response, turn.is_evaluable, turn.status) == ("No finding reported.", False, TurnStatus.ANSWERED)


def test_the_synthesis_has_the_reported_reasoning_and_diagnosis_under_their_headings(case, article) -> None:
    dialogue = write_reference(case, build_plan(case, article), at=NOW)
    assert dialogue.synthesis.response == (
        "Diagnostic reasoning\nReasonword because of it.\n\nFinal diagnosis\nDiagword disease."
    )


def test_first_turns_restate_what_was_disclosed(case, article) -> None:
    dialogue = write_reference(case, build_plan(case, article), at=NOW)
    assert dialogue.turns[1].response == "Examword was heard. Labword was 4."
    assert (dialogue.kind, dialogue.setting, dialogue.made_by.engine) == (DialogueKind.REFERENCE, "reference", "rules")


class Writer:
    name = "writer"
    engine = "recorded"

    def __init__(self) -> None:
        self.asked = []

    def answer(self, request, record, check=None):
        self.asked.append(request)
        facts = CallFacts(model_asked=self.name)
        if request.subject.endswith("/5"):
            return FailedCall(reason="truncated", detail="", facts=facts)
        return StructuredReply[WrittenResponse](answer=WrittenResponse(response="written"), facts=facts)


def test_a_model_words_each_turn_that_has_something_to_say(case, article) -> None:
    writer = Writer()
    dialogue = write_reference_with_model(case, build_plan(case, article), writer, at=NOW)
    assert [turn.response for turn in dialogue.turns] == ["written", "written", "written", "No finding reported.", None]
    assert dialogue.turns[-1].status is TurnStatus.TRUNCATED
    assert [request.subject for request in writer.asked] == [f"PMC1/reference/{n}" for n in (1, 2, 3, 5)]
    assert "Findingone was seen." in writer.asked[2].messages[-1].text


def test_citations_of_figures_are_no_part_of_an_answer(case, article) -> None:
    value = case.figures[0].findings[0]
    cited = value.model_copy(update={"text": "Findingone was seen (Fig. 1A, B)."})
    figure = case.figures[0].model_copy(update={"findings": (cited,)})
    case = case.model_copy(update={"figures": (figure, *case.figures[1:])})
    answer = write_reference(case, build_plan(case, article), at=NOW).image_turn("fig1").response
    assert answer.startswith("Observation: Findingone was seen.\n")
