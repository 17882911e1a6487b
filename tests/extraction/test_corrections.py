import pytest

from core.domain.case import Element, LeakAction, Verdict
from core.errors import InvalidInput, NotFound
from core.extraction import apply_decision, correct_case
from core.extraction.quality import texts_before_synthesis
from tests.extraction.articles import AT, structured
from tests.extraction.test_leaks import case_with

NAMED = "She was known to have miliary tuberculosis."


def open_hit(case):
    return next(hit for hit in case.leaks if hit.is_open and hit.stage == "history")


def decide(case, action: LeakAction, **more: object):
    return apply_decision(case, open_hit(case), action, "Dr A", at=AT, **more)


def test_a_decision_makes_the_next_version_with_who_and_why() -> None:
    _, case = case_with(NAMED)
    decided = decide(case, LeakAction.WITHHELD, reason="names the answer")
    assert decided.version == case.version + 1
    assert decided.made_by.engine == "person" and decided.made_by.model == "Dr A"
    assert decided.change_reason == "names the answer"
    assert not any("ubercul" in text for text in texts_before_synthesis(decided))
    assert case.disclosures == (), "the version decided on stays as it was"


def test_when_every_blocking_hit_is_decided_the_case_is_released() -> None:
    _, case = case_with(NAMED)
    while any(hit.is_open for hit in case.leaks):
        hit = next(hit for hit in case.leaks if hit.is_open)
        case = apply_decision(case, hit, LeakAction.WITHHELD, "Dr A", at=AT)
    assert case.is_released


def test_a_waiver_needs_a_reason_and_leaves_the_words() -> None:
    _, case = case_with(NAMED)
    with pytest.raises(InvalidInput, match="reason"):
        decide(case, LeakAction.WAIVED)
    waived = decide(case, LeakAction.WAIVED, reason="everybody in the ward knew")
    assert NAMED in texts_before_synthesis(waived)
    assert waived.leaks[case.leaks.index(open_hit(case))].decided_by == "Dr A"


def test_a_blocking_hit_cannot_be_moved() -> None:
    _, case = case_with(NAMED)
    with pytest.raises(InvalidInput, match="moved"):
        decide(case, LeakAction.MOVED)


def test_a_warning_can_be_moved_to_synthesis() -> None:
    _, case = case_with("She took isoniazid.")
    hit = next(hit for hit in case.leaks if hit.verdict is Verdict.WARNS)
    moved = apply_decision(case, hit, LeakAction.MOVED, "Dr A", at=AT)
    assert [one.text for one in moved.disclosures if one.moved_to_synthesis] == ["She took isoniazid."]


def test_an_edited_wording_is_shown_instead() -> None:
    _, case = case_with(NAMED)
    with pytest.raises(InvalidInput, match="text"):
        decide(case, LeakAction.EDITED)
    edited = decide(case, LeakAction.EDITED, text="She was known to have a chronic disease.")
    assert "She was known to have a chronic disease." in texts_before_synthesis(edited)
    assert NAMED not in texts_before_synthesis(edited)


def test_a_decision_can_be_taken_back() -> None:
    _, case = case_with(NAMED)
    withheld = decide(case, LeakAction.WITHHELD)
    hit = next(hit for hit in withheld.leaks if hit.action is LeakAction.WITHHELD)
    again = apply_decision(withheld, hit, LeakAction.NONE, "Dr B", at=AT)
    assert any(one.is_open for one in again.leaks)
    assert NAMED in texts_before_synthesis(again)


def test_a_hit_of_another_version_is_not_found() -> None:
    _, case = case_with(NAMED)
    withheld = decide(case, LeakAction.WITHHELD)
    with pytest.raises(NotFound):
        apply_decision(withheld, open_hit(case), LeakAction.WITHHELD, "Dr A", at=AT)


def test_a_corrected_value_has_its_place_in_the_article_and_is_audited_again() -> None:
    report, case = case_with()
    corrected = correct_case(
        report, case, "present_illness", ["The final diagnosis was miliary tuberculosis (MTB)."], who="Dr A", at=AT
    )
    (value,) = corrected.values(Element.PRESENT_ILLNESS)
    assert report.text_at(value.spans[0]) == value.text
    assert any(hit.is_open and hit.value_id == value.id for hit in corrected.leaks)
    assert corrected.version == case.version + 1


def test_words_that_are_not_in_the_article_are_refused_or_kept_aside() -> None:
    report, case = case_with()
    with pytest.raises(InvalidInput, match="do not stand in the article"):
        correct_case(report, case, "medical_history", ["He had gout and dropsy in 1903."], who="Dr A", at=AT)
    corrected = correct_case(
        report, case, "medical_history", ["He had gout and dropsy in 1903."], who="Dr A", at=AT, keep_unsupported=True
    )
    assert corrected.values(Element.MEDICAL_HISTORY) == ()
    assert [one.text for one in corrected.unsupported] == ["He had gout and dropsy in 1903."]


def test_decisions_on_other_values_survive_a_correction() -> None:
    report, case = case_with(NAMED)
    withheld = decide(case, LeakAction.WITHHELD, reason="names it")
    corrected = correct_case(report, withheld, "outcome", [], who="Dr A", at=AT)
    assert not any("ubercul" in text for text in texts_before_synthesis(corrected))
    assert any(hit.decided_by == "Dr A" for hit in corrected.leaks)


def test_taking_the_diagnosis_away_makes_the_case_ineligible() -> None:
    report = structured()
    _, case = case_with()
    corrected = correct_case(case_with()[0], case, "final_diagnosis", [], who="Dr A", at=AT)
    assert corrected.eligibility.state == "ineligible"
    assert report.id == case.case_id


def test_a_figure_s_findings_can_be_corrected_and_an_unknown_field_cannot() -> None:
    report, case = case_with()
    corrected = correct_case(report, case, "fig1.findings", ["showing a lobulated mass"], who="Dr A", at=AT)
    assert [value.text for value in corrected.figures[0].findings] == ["showing a lobulated mass"]
    with pytest.raises(InvalidInput, match="no field"):
        correct_case(report, case, "mood", [], who="Dr A", at=AT)
