import pytest

from core.domain.article import SectionRole
from core.domain.case import Element, FigureFlag, LeakAction, Modality
from core.errors import InvalidInput, NotFound
from core.extraction import apply_decision, correct_figure, move_value, reassess
from tests.extraction.articles import AT, HISTORY, article, extract, section, structured
from tests.extraction.test_leaks import case_with


def test_a_figure_s_modality_and_flags_can_be_set_right() -> None:
    report = structured()
    case = correct_figure(
        report, extract(report), "fig1", who="Dr A", at=AT, modality=Modality.CT, flags=[FigureFlag.OUTCOME]
    )
    assert case.figures[0].modality is Modality.CT
    assert case.figures[0].flags == (FigureFlag.OUTCOME,)
    assert case.version == 2 and case.made_by.model == "Dr A"


def test_a_figure_is_excluded_with_a_reason_only() -> None:
    report = structured()
    case = extract(report)
    with pytest.raises(InvalidInput, match="reason"):
        correct_figure(report, case, "fig1", who="Dr A", at=AT, is_excluded=True)
    excluded = correct_figure(report, case, "fig1", who="Dr A", at=AT, is_excluded=True, reason="shows the treatment")
    assert excluded.figures[0].is_excluded and excluded.change_reason == "shows the treatment"
    with pytest.raises(NotFound):
        correct_figure(report, case, "fig7", who="Dr A", at=AT)


def test_a_value_moves_to_another_stage_and_is_audited_there() -> None:
    report, case = case_with("She was known to have miliary tuberculosis.")
    hit = next(hit for hit in case.leaks if hit.is_open and hit.stage == "history")
    decided = apply_decision(case, hit, LeakAction.WITHHELD, "Dr A", at=AT)
    moved = move_value(report, decided, hit.value_id, Element.KEY_FINDINGS, who="Dr A", at=AT)
    (value,) = [one for one in moved.values(Element.KEY_FINDINGS) if "was known to have" in one.text]
    assert not any(one.value_id == hit.value_id for one in moved.disclosures)
    assert [one.stage for one in moved.leaks if one.value_id == value.id] == ["synthesis"]
    ids = [one.id for values in moved.elements.values() for one in values]
    assert len(ids) == len(set(ids))


def test_a_value_that_is_not_there_or_stays_cannot_be_moved() -> None:
    report, case = case_with()
    with pytest.raises(NotFound):
        move_value(report, case, "nothing-1", Element.OUTCOME, who="Dr A", at=AT)
    value = case.values(Element.PHYSICAL_EXAMINATION)[0]
    with pytest.raises(InvalidInput, match="already"):
        move_value(report, case, value.id, Element.PHYSICAL_EXAMINATION, who="Dr A", at=AT)


def test_an_attached_image_ends_the_waiting() -> None:
    waiting = extract(structured(has_images=False))
    assert waiting.eligibility.state == "waiting"
    case = reassess(structured(), waiting, article_version=2, who="Dr A", at=AT, reason="image attached")
    assert case.eligibility.state == "eligible"
    assert (case.version, case.article_version) == (2, 2)


def test_a_changed_text_is_not_reassessed() -> None:
    report = structured()
    changed = article(section(1, SectionRole.HISTORY, f"x{HISTORY}"), *report.parts[2:6])
    with pytest.raises(InvalidInput, match="text has changed"):
        reassess(changed, extract(report), article_version=2, who="Dr A", at=AT, reason="image attached")
