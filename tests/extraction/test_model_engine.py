from collections.abc import Callable

from core.domain.case import CaseRepresentation, Element, Modality
from core.domain.model_call import CallFacts, FailedCall, ModelReply, ModelRequest, R, StructuredReply
from core.extraction import (
    ExtractedElements,
    ExtractedFigure,
    ExtractedFigures,
    ExtractedReferences,
    extract_with_model,
)
from tests.extraction.articles import AT, structured

FACTS = CallFacts(model_asked="scripted")
ANSWERS = {
    ExtractedElements: ExtractedElements(
        patient_information=("A 45-year-old woman",),
        present_illness=("swelling of the left  knee", "She had a fever of 40 °C and rigors for a week."),
        physical_examination=("The knee was swollen and warm, and no lymph node were palpable.",),
        key_findings=("Biopsy revealed villous synovial proliferation with haemosiderin",),
    ),
    ExtractedFigures: ExtractedFigures(
        figures=(
            ExtractedFigure(
                figure_id="fig1",
                modality_text="Sagittal MRI",
                findings=("a lobulated mass with low signal", "an effusion of 40 ml in the joint space"),
            ),
        )
    ),
    ExtractedReferences: ExtractedReferences(
        final_diagnosis=("tenosynovial giant cell tumour of the knee",),
        reasoning=("the haemosiderin in the biopsy confirmed the diagnosis",),
    ),
}


class ScriptedModel:
    """Answers from a table; one record can be made to fail."""

    name = "scripted"
    engine = "recorded"

    def __init__(self, failing: type | None = None, answers: dict | None = None) -> None:
        self.failing = failing
        self.answers = answers or ANSWERS
        self.requests: list[ModelRequest] = []

    def reply(self, request: ModelRequest) -> ModelReply | FailedCall:
        raise AssertionError("the extractor asks for structured answers only")

    def answer(
        self, request: ModelRequest, record: type[R], check: Callable[[R], list[str]] | None = None
    ) -> StructuredReply[R] | FailedCall:
        self.requests.append(request)
        if record is self.failing:
            return FailedCall(reason="truncated", detail="cut off", facts=FACTS)
        answer = self.answers[record]
        if check and (problems := check(answer)):
            return FailedCall(reason="invalid", detail=" ".join(problems), facts=FACTS)
        return StructuredReply[record](answer=answer, facts=FACTS)


def run(model: ScriptedModel) -> CaseRepresentation | FailedCall:
    return extract_with_model(structured(), model, article_version=1, code_version="test", at=AT)


def test_quotes_become_values_with_the_source_s_own_words() -> None:
    report, case = structured(), run(ScriptedModel())
    assert isinstance(case, CaseRepresentation)
    (illness,) = case.values(Element.PRESENT_ILLNESS)
    assert illness.text == "swelling of the left knee" and illness.spans[0].found == "normalised"
    (examination,) = case.values(Element.PHYSICAL_EXAMINATION)
    assert examination.spans[0].found == "fuzzy" and examination.spans[0].ratio < 1
    for values in case.elements.values():
        for value in values:
            assert report.text_at(value.spans[0]) == value.text


def test_what_the_article_does_not_say_is_kept_aside_and_counted() -> None:
    case = run(ScriptedModel())
    assert isinstance(case, CaseRepresentation)
    assert {(one.field, one.text.split()[0]) for one in case.unsupported} == {
        ("present_illness", "She"),
        ("fig1-finding", "an"),
    }


def test_figures_and_references_are_read_in_calls_of_their_own() -> None:
    model = ScriptedModel()
    case = run(model)
    assert isinstance(case, CaseRepresentation)
    assert [request.subject.split("/")[1] for request in model.requests] == [
        "extractor-elements",
        "extractor-figures",
        "extractor-references",
    ]
    assert case.figures[0].modality is Modality.MRI
    assert [value.text for value in case.final_diagnosis] == ["tenosynovial giant cell tumour of the knee"]
    assert len(case.made_by.prompts) == 3 and case.made_by.model == "scripted"


def test_the_elements_call_sees_the_case_and_not_the_discussion() -> None:
    model = ScriptedModel()
    run(model)
    sent = "\n".join(message.text for message in model.requests[0].messages)
    assert "three-week history" in sent
    assert "is rare" not in sent and "lobulated mass with low signal" not in sent


def test_a_failed_call_fails_the_extraction_and_gives_no_half_case() -> None:
    for record in ANSWERS:
        failed = run(ScriptedModel(failing=record))
        assert isinstance(failed, FailedCall) and failed.reason == "truncated"


def test_a_figure_that_does_not_exist_is_refused() -> None:
    wrong = {**ANSWERS, ExtractedFigures: ExtractedFigures(figures=(ExtractedFigure(figure_id="fig9"),))}
    failed = run(ScriptedModel(answers=wrong))
    assert isinstance(failed, FailedCall)
    assert "no figure `fig9`" in failed.detail and "`fig1` is missing" in failed.detail


def test_a_quote_from_the_discussion_is_no_case_element() -> None:
    elements = ExtractedElements(key_findings=("Tenosynovial giant cell tumour is rare.",))
    case = run(ScriptedModel(answers={**ANSWERS, ExtractedElements: elements}))
    assert isinstance(case, CaseRepresentation)
    assert case.values(Element.KEY_FINDINGS) == ()
    assert [one.field for one in case.unsupported if one.field == "key_findings"] == ["key_findings"]
