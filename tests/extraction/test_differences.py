import pytest

from core.domain.case import Element, FigureFlag, LeakAction, Modality
from core.errors import InvalidInput
from core.extraction import (
    apply_decision,
    compare_versions,
    correct_case,
    correct_figure,
    move_value,
    restore_version,
)
from tests.extraction.articles import AT, HISTORY, extract, structured
from tests.extraction.test_leaks import case_with

WHO = {"who": "Dr A", "at": AT, "reason": "a test"}


def kinds(older, newer) -> list[str]:
    return [change.kind for change in compare_versions(older, newer)]


def test_a_version_does_not_differ_from_itself() -> None:
    case = extract(structured())
    assert compare_versions(case, case.model_copy(update={"version": 2})) == ()


def test_a_removed_and_an_added_value_are_told_apart() -> None:
    report = structured()
    case = extract(report)
    texts = [value.text for value in case.values(Element.FAMILY_HISTORY)]
    without = correct_case(report, case, "family_history", [], **WHO)
    assert [(c.kind, c.before) for c in compare_versions(case, without)][:1] == [("removed", tuple(texts))]
    assert [(c.kind, c.after) for c in compare_versions(without, case)][:1] == [("added", tuple(texts))]


def test_a_value_in_another_element_is_moved_and_says_from_where() -> None:
    report = structured()
    case = extract(report)
    value = case.values(Element.PHYSICAL_EXAMINATION)[0]
    moved = move_value(report, case, value.id, Element.ROUTINE_LABS, **WHO)
    (change,) = [c for c in compare_versions(case, moved) if c.kind == "moved"]
    assert (change.from_field, change.field, change.after) == ("physical_examination", "routine_labs", (value.text,))


def test_shorter_words_of_the_same_sentence_are_reworded_and_two_pieces_a_split() -> None:
    report = structured()
    case = extract(report)
    others = [v.text for v in case.values(Element.PHYSICAL_EXAMINATION) if "knee was swollen" not in v.text]
    one = correct_case(report, case, "physical_examination", [*others, "The knee was swollen and warm"], **WHO)
    two = correct_case(
        report, case, "physical_examination", [*others, "The knee was swollen", "no lymph nodes were palpable"], **WHO
    )
    assert "reworded" in kinds(case, one)
    assert "split" in kinds(case, two)
    assert "merged" in kinds(two, case)


def test_what_was_set_on_a_figure_and_decided_on_a_leak_is_told() -> None:
    report = structured()
    case = extract(report)
    changed = correct_figure(
        report, case, "fig1", modality=Modality.CT, flags=[FigureFlag.OUTCOME], is_excluded=True, **WHO
    )
    fields = {c.field: (c.before, c.after) for c in compare_versions(case, changed)}
    assert fields["fig1.modality"] == (("MRI",), ("CT",))
    assert fields["fig1.flags"] == (("none",), ("outcome",))
    assert fields["fig1.use"] == (("in the dialogue",), ("excluded",))

    _, leaky = case_with("She was known to have miliary tuberculosis.")
    hit = next(h for h in leaky.leaks if h.is_open)
    decided = apply_decision(leaky, hit, LeakAction.WITHHELD, "Dr A", at=AT)
    assert any("withheld" in " ".join(c.after) for c in compare_versions(leaky, decided) if c.field == "leak")


def test_an_earlier_version_comes_back_as_a_new_one_with_its_values() -> None:
    report = structured()
    case = extract(report)
    second = correct_case(report, case, "family_history", [], **WHO)
    third = restore_version(report, case, second.version, article_version=1, **WHO)
    assert third.version == 3
    assert third.made_by.engine == "person" and third.change_reason == "a test"
    assert compare_versions(case, third) == ()


def test_a_version_of_another_text_is_not_restored() -> None:
    report = structured()
    case = extract(report)
    parts = tuple(
        part.model_copy(update={"text": part.text.replace("45-year-old", "54-year-old")})
        if part.text == HISTORY
        else part
        for part in report.parts
    )
    for changed in (report.model_copy(update={"parts": parts}), report.model_copy(update={"parts": report.parts[:1]})):
        with pytest.raises(InvalidInput, match="text has changed"):
            restore_version(changed, case, 1, article_version=2, **WHO)
