"""Decisions on leak hits: what one decision may never do to another."""

import pytest

from core.domain.case import HISTORY_ELEMENTS, Disclosure, LeakAction, LeakPolicy, Verdict
from core.errors import InvalidInput
from core.extraction import apply_decision, audit_leaks, correct_case
from core.extraction.leaks import wording_problems
from core.extraction.quality import texts_before_synthesis
from tests.extraction.articles import AT
from tests.extraction.test_leaks import case_with

TWO_HITS = "She was known to have miliary tuberculosis, although an uncle spoke of having MTB himself."


def first_open(case, stage: str = "history"):
    return next(hit for hit in case.leaks if hit.is_open and hit.stage == stage)


def value_of(case, words: str):
    return next(value for values in case.elements.values() for value in values if words in value.text)


def hits_on(case, value):
    return [hit for hit in case.leaks if hit.value_id == value.id and hit.verdict is not Verdict.NOTES]


def test_waiving_one_hit_does_not_bring_back_words_that_another_decision_cut() -> None:
    _, case = case_with("She was known to have miliary tuberculosis, and she took isoniazid.")
    block = first_open(case)
    cut = apply_decision(case, block, LeakAction.TRIMMED, "Dr A", at=AT)
    other = next(h for h in cut.leaks if h.value_id == block.value_id and h.text == "isoniazid")
    waived = apply_decision(cut, other, LeakAction.WAIVED, "Dr A", "an old drug", at=AT)
    assert not any("miliary" in text for text in texts_before_synthesis(waived))
    assert next(h for h in waived.leaks if h.start == block.start and h.value_id == block.value_id).action is (
        LeakAction.TRIMMED
    )


def test_waiving_a_hit_that_was_cut_automatically_brings_back_only_its_own_words() -> None:
    _, case = case_with("She was known to have miliary tuberculosis, and she took isoniazid.", policy=LeakPolicy.AUTO)
    hit = next(h for h in case.leaks if h.text == "isoniazid" and h.stage == "history")
    waived = apply_decision(case, hit, LeakAction.WAIVED, "Dr A", "an old drug", at=AT)
    shown = " ".join(texts_before_synthesis(waived))
    assert "isoniazid" in shown
    assert "miliary" not in shown


def test_moving_a_warned_value_to_synthesis_leaves_a_blocking_hit_in_it_open() -> None:
    _, case = case_with("She was known to have miliary tuberculosis, and she took isoniazid.")
    warned = next(h for h in case.leaks if h.text == "isoniazid" and h.stage == "history")
    moved = apply_decision(case, warned, LeakAction.MOVED, "Dr A", at=AT)
    assert any(h.is_open and h.value_id == warned.value_id for h in moved.leaks)
    assert not moved.is_released


def test_a_decision_about_one_hit_does_not_release_a_held_case() -> None:
    _, case = case_with("She was known to have miliary tuberculosis.")
    history = [value.id for element in HISTORY_ELEMENTS for value in case.values(element)]
    gone = tuple(Disclosure(value_id=one, text=None) for one in history)
    held = case.model_copy(update={"held_reason": "more than half would go", "disclosures": gone})
    hit = next(h for h in held.leaks if h.value_id not in history)
    assert apply_decision(held, hit, LeakAction.WAIVED, "Dr A", "not the answer", at=AT).held_reason


def test_an_edited_wording_that_still_names_the_answer_is_told() -> None:
    report, case = case_with("She was known to have miliary tuberculosis.")
    hit = first_open(case)
    assert wording_problems(report, case, hit.value_id, "She was known to have tuberculosis of the miliary kind.")
    assert wording_problems(report, case, hit.value_id, "She was known to have a chronic disease.") == ()


def test_an_edited_wording_is_searched_again_when_the_diagnosis_changes() -> None:
    report, case = case_with("She was known to have miliary tuberculosis.")
    hit = first_open(case)
    edited = apply_decision(case, hit, LeakAction.EDITED, "Dr A", at=AT, text="She was known to have crackles.")
    assert not any(h.is_open and h.value_id == hit.value_id for h in edited.leaks)
    changed = correct_case(report, edited, "final_diagnosis", ["crackles"], who="Dr A", at=AT, reason="a test")
    assert "She was known to have crackles." not in texts_before_synthesis(changed)


def test_a_withheld_value_is_not_opened_again_by_an_audit() -> None:
    report, case = case_with("She was known to have miliary tuberculosis.")
    hit = first_open(case)
    withheld = apply_decision(case, hit, LeakAction.WITHHELD, "Dr A", at=AT)
    again = audit_leaks(report, withheld)
    assert not any(h.is_open and h.value_id == hit.value_id for h in again.leaks)
    assert not any("miliary" in text for text in texts_before_synthesis(again))


def test_taking_a_decision_back_opens_every_hit_of_the_value() -> None:
    _, case = case_with("She was known to have miliary tuberculosis, and MTB had grown.")
    hit = first_open(case)
    withheld = apply_decision(case, hit, LeakAction.WITHHELD, "Dr A", at=AT)
    own = next(h for h in withheld.leaks if h.value_id == hit.value_id and h.start == hit.start)
    back = apply_decision(withheld, own, LeakAction.NONE, "Dr A", at=AT)
    assert [h.action for h in back.leaks if h.value_id == hit.value_id] == [
        h.action for h in case.leaks if h.value_id == hit.value_id
    ]


def test_a_figure_name_that_blocks_is_waived_with_a_reason_only() -> None:
    _, case = case_with("She was known to have miliary tuberculosis.")
    hit = first_open(case).model_copy(update={"value_id": "label", "stage": "image", "start": 0, "end": 3})
    case = case.model_copy(update={"leaks": (*case.leaks, hit)})
    with pytest.raises(InvalidInput):
        apply_decision(case, hit, LeakAction.WITHHELD, "Dr A", at=AT)
    assert apply_decision(case, hit, LeakAction.WAIVED, "Dr A", "a place name", at=AT)
