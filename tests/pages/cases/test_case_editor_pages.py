"""The case page's corrections, clicked through on the real services."""

import pytest

from core.domain.case import Element, FigureFlag, LeakAction, LeakPolicy, Modality
from core.services import correcting
from core.services.cases import case_versions, get_case
from core.services.dialogues import list_dialogues
from core.services.extracting import extract
from core.services.workspace import open_workspace
from core.settings import read_settings
from pages.components.case_editor import texts_of
from pages.components.marked_text import marks_of
from tests.pages.cases.test_case_pages import texts

CASE = "PMC99000005"


@pytest.fixture
def study(demo_study):
    return open_workspace(read_settings())


@pytest.fixture
def held(study):
    """The case extracted anew under `hold`, with its blocking hits open."""
    case = extract(study, CASE, LeakPolicy.HOLD)
    assert any(hit.is_open for hit in case.leaks)
    return case


def button(page, label: str):
    return next(one for one in page.button if one.label == label)


def open_tab(open_page, view: str):
    page = open_page("cases/case.py", id=CASE, view=view)
    assert not page.exception
    return page


def test_a_field_is_corrected_with_its_reason_and_signed(study, open_page) -> None:
    before = get_case(study, CASE)
    values = before.values(Element.PRESENT_ILLNESS)
    page = open_tab(open_page, "Edit")
    page.text_input(key="signed_as_edit").set_value("Dr Ada").run()
    page.selectbox(key=f"edit-field-{CASE}").set_value("present_illness").run()
    stem = f"{CASE}-{before.version}-present_illness"
    kept = "\n".join(" ".join(value.text.split()) for value in values[:-1])
    page.text_area(key=f"edit-values-{stem}").set_value(kept)
    button(page, "Save as a new version").click().run()
    assert "A correction needs its reason" in texts(page.error)
    assert get_case(study, CASE).version == before.version
    page.text_input(key=f"edit-reason-{stem}").set_value("said twice")
    button(page, "Save as a new version").click().run()
    assert not page.exception and not [e for e in page.error if "reason" in e.value]
    after = get_case(study, CASE)
    assert after.version == before.version + 1
    assert (after.made_by.model, after.change_reason) == ("Dr Ada", "said twice")
    assert len(after.values(Element.PRESENT_ILLNESS)) == len(values) - 1


def test_words_that_are_not_in_the_article_are_refused_and_the_typed_text_stays(study, open_page) -> None:
    version = get_case(study, CASE).version
    page = open_tab(open_page, "Edit")
    page.selectbox(key=f"edit-field-{CASE}").set_value("family_history").run()
    stem = f"{CASE}-{version}-family_history"
    page.text_area(key=f"edit-values-{stem}").set_value("His aunt lived on the moon and kept bees.")
    page.text_input(key=f"edit-reason-{stem}").set_value("I think so")
    button(page, "Save as a new version").click().run()
    assert "do not stand in the article" in texts(page.error)
    assert page.text_area(key=f"edit-values-{stem}").value == "His aunt lived on the moon and kept bees."
    assert get_case(study, CASE).version == version


def test_an_unchanged_line_keeps_its_value_although_it_has_line_breaks(study) -> None:
    values = get_case(study, CASE).values(Element.PRESENT_ILLNESS)
    broken = values[0].model_copy(update={"text": values[0].text.replace(" ", "\n", 1)})
    assert texts_of(" ".join(broken.text.split()), (broken,)) == [broken.text]


def test_a_value_is_moved_to_another_stage(study, open_page) -> None:
    before = get_case(study, CASE)
    value = before.values(Element.PRESENT_ILLNESS)[0]
    page = open_tab(open_page, "Edit")
    stem = f"{CASE}-{before.version}"
    page.selectbox(key=f"move-value-{stem}").set_value(value.id)
    page.selectbox(key=f"move-to-{stem}").set_value(Element.MEDICAL_HISTORY)
    page.text_input(key=f"move-reason-{stem}").set_value("it is older")
    button(page, "Move").click().run()
    after = get_case(study, CASE)
    assert value.text in [one.text for one in after.values(Element.MEDICAL_HISTORY)]
    (change,) = [c for c in correcting.differences(study, CASE, before.version, after.version) if c.kind == "moved"]
    assert change.from_field == "present_illness"


def test_a_figure_is_set_right_and_excluded_only_with_a_reason(study, open_page) -> None:
    before = get_case(study, CASE)
    figure = before.figures[0]
    page = open_tab(open_page, "Figures")
    stem = f"{CASE}-{before.version}-{figure.figure_id}"
    page.selectbox(key=f"modality-{stem}").set_value(Modality.OTHER)
    page.multiselect(key=f"flags-{stem}").set_value([FigureFlag.OUTCOME])
    page.checkbox(key=f"excluded-{stem}").check()
    save = next(b for b in page.button if b.label == "Save figure")
    save.click().run()
    assert "needs its reason" in texts(page.error)
    page.text_input(key=f"figure-reason-{stem}").set_value("taken after treatment")
    next(b for b in page.button if b.label == "Save figure").click().run()
    after = get_case(study, CASE).figures[0]
    assert (after.modality, after.flags, after.is_excluded) == (Modality.OTHER, (FigureFlag.OUTCOME,), True)


def test_a_picture_that_names_the_answer_is_recorded(study, open_page) -> None:
    page = open_tab(open_page, "Figures")
    next(b for b in page.button if b.label == "The picture names it").click().run()
    page = open_tab(open_page, "Figures")
    assert "the picture names it" in texts(page.caption)


def test_leaks_are_cleared_one_by_one_and_the_case_is_released(study, held, open_page) -> None:
    page = open_tab(open_page, "Leak audit")
    assert "blocking hit" in texts(page.error)
    for _ in range(len(held.leaks)):
        case = get_case(study, CASE)
        number = next((n for n, hit in enumerate(case.leaks) if hit.is_open), None)
        if number is None:
            break
        page = open_tab(open_page, "Leak audit")
        key = f"leak-{CASE}-{case.version}-{number}"
        page.selectbox(key=f"{key}-action").set_value(LeakAction.WITHHELD).run()
        page.button(key=f"{key}-save").click().run()
        assert not page.exception
    assert get_case(study, CASE).is_released


def test_an_edited_wording_that_names_the_answer_is_refused_where_it_was_typed(study, held, open_page) -> None:
    number, hit = next((n, h) for n, h in enumerate(held.leaks) if h.is_open and h.stage == "history")
    page = open_tab(open_page, "Leak audit")
    key = f"leak-{CASE}-{held.version}-{number}"
    page.selectbox(key=f"{key}-action").set_value(LeakAction.EDITED).run()
    page.text_area(key=f"{key}-text").set_value(f"He was known to have {hit.text}.").run()
    page.button(key=f"{key}-save").click().run()
    assert "still names the answer" in texts(page.error)
    assert get_case(study, CASE).version == held.version


def test_a_decision_can_be_taken_back_on_the_page(study, open_page) -> None:
    case = get_case(study, CASE)
    number = next(n for n, hit in enumerate(case.leaks) if hit.action is not LeakAction.NONE)
    page = open_tab(open_page, "Leak audit")
    page.button(key=f"leak-{CASE}-{case.version}-{number}-again").click().run()
    after = get_case(study, CASE)
    assert after.version == case.version + 1
    assert after.leaks[number].action is LeakAction.NONE


def test_hits_still_in_a_turn_are_marked_and_cleared_ones_are_not(study, held) -> None:
    from core.services.dialogues import preview

    def marked(case) -> set[str]:
        return {m.hit.text for turn in preview(study, CASE).turns for m in marks_of(case, turn) if m.hit.is_open}

    assert marked(held)
    for turn in preview(study, CASE).turns:
        for mark in marks_of(held, turn):
            assert " ".join(turn.prompt[mark.start : mark.end].split()) == " ".join(mark.hit.text.split())
    case = held
    while (number := next((n for n, hit in enumerate(case.leaks) if hit.is_open), None)) is not None:
        case = correcting.decide_leak(study, CASE, case.version, number, LeakAction.WITHHELD, "Dr Ada")
    assert marked(case) == set()


def test_a_held_case_is_released_with_its_reason_and_not_while_a_hit_is_open(study, open_page) -> None:
    case = get_case(study, CASE)
    with study.store.write() as session:
        from core.storage.cases import save_case

        held = case.model_copy(update={"version": case.version + 1, "held_reason": "Much would be gone."})
        save_case(session, CASE, held)
    page = open_tab(open_page, "Source and values")
    assert "Held: Much would be gone." in texts(page.error)
    button(page, "Release the case").click().run()
    assert "stated reason" in texts(page.error)
    page.text_input(key=f"release-reason-{CASE}-{held.version}").set_value("what is left is a full history")
    button(page, "Release the case").click().run()
    assert get_case(study, CASE).is_released
    assert get_case(study, CASE).change_reason == "released: what is left is a full history"


def test_versions_show_who_when_why_and_the_difference_and_an_earlier_one_comes_back(study, open_page) -> None:
    before = get_case(study, CASE)
    correcting.correct_field(study, CASE, before.version, "family_history", [], "Dr Ada", "not in the article")
    correcting.correct_figure(study, CASE, before.version + 1, "fig1", "Dr Bo", "it is one", modality=Modality.OTHER)
    page = open_tab(open_page, "Versions")
    table = page.dataframe[0].value
    assert list(table["Made by"])[:2] == ["Dr Bo", "Dr Ada"]
    assert list(table["Why"])[:2] == ["it is one", "not in the article"]
    assert "changed" in texts(page.markdown)
    newest = before.version + 2
    page.selectbox(key=f"restore-version-{CASE}-{newest}").set_value(before.version)
    page.text_input(key=f"restore-reason-{CASE}-{newest}").set_value("it was right")
    button(page, "Restore it").click().run()
    assert not page.exception
    again = get_case(study, CASE)
    assert again.version == newest + 1
    assert again.figures[0].modality == before.figures[0].modality
    assert len(case_versions(study, CASE)) == again.version


def test_dialogues_of_an_older_version_say_so_on_both_pages(study, open_page) -> None:
    case = get_case(study, CASE)
    (dialogue, *_) = list_dialogues(study, CASE)
    correcting.correct_figure(study, CASE, case.version, "fig1", "Dr Bo", "it is one", modality=Modality.OTHER)
    page = open_tab(open_page, "Source and values")
    assert "Dialogues made on an older version" in texts(page.caption)
    page = open_page("dialogues/dialogue.py", id=dialogue.id)
    assert f"made on version {case.version} of the case" in texts(page.warning)


def test_the_reference_dialogue_stands_beside_its_references(study, open_page) -> None:
    page = open_tab(open_page, "Reference")
    assert "Reasoning: " in texts(page.markdown) and "Diagnosis: " in texts(page.markdown)
    case = get_case(study, CASE)
    correcting.correct_figure(study, CASE, case.version, "fig1", "Dr Bo", "it is one", modality=Modality.OTHER)
    page = open_tab(open_page, "Reference")
    button(page, "Compose and evaluate it").click().run()
    assert not page.exception and not page.error
    assert "Final diagnosis: " in texts(page.markdown)
