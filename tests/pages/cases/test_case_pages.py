"""Import, cases and one case, clicked through on the real services."""

from pathlib import Path

import pytest

from core.domain.case import LeakAction, LeakPolicy
from core.services.cases import get_case, list_cases
from core.services.extracting import confirmed_figures
from core.services.runs import list_runs
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.pages.conftest import ROOT

ARTICLES = ROOT / "data" / "demo" / "articles"
XML = ARTICLES / "PMC99000004.1" / "PMC99000004.1.xml"


def upload(folder: Path, *, pictures: bool = True) -> list[tuple[str, bytes, str]]:
    wanted = (".xml", ".jpg", ".png") if pictures else (".xml",)
    return [
        (p.name, p.read_bytes(), "application/octet-stream") for p in sorted(folder.iterdir()) if p.suffix in wanted
    ]


def texts(elements) -> str:
    return " ".join(str(element.value) for element in elements)


def links(page) -> list[str]:
    return [link.proto.label for link in page.get("page_link")]


def test_an_uploaded_article_is_taken_through_the_pipeline_and_linked(empty_study, open_page) -> None:
    page = open_page("cases/import_articles.py")
    page.file_uploader[0].set_value(upload(ARTICLES / "PMC99000004.1"))
    page.button[0].click().run()
    assert not page.exception and not page.error
    assert "1 article read, 0 refused" in texts(page.markdown)
    assert "Open PMC99000004" in links(page)
    (row,) = list_cases(open_workspace(read_settings()))
    assert row.is_released and row.n_dialogues == 2
    page.run()
    assert "1 article read, 0 refused" in texts(page.markdown)


def test_without_the_pipeline_the_article_is_only_stored(empty_study, open_page) -> None:
    page = open_page("cases/import_articles.py")
    page.file_uploader[0].set_value(upload(ARTICLES / "PMC99000004.1"))
    page.checkbox[0].uncheck()
    page.button[0].click().run()
    ws = open_workspace(read_settings())
    assert [row.version for row in list_cases(ws)] == [None]
    assert list_runs(ws) == ()


def test_import_without_a_file_says_what_to_do(empty_study, open_page) -> None:
    page = open_page("cases/import_articles.py")
    page.button[0].click().run()
    assert "Choose at least one file" in texts(page.warning)


@pytest.mark.parametrize("content", [b"no XML at all", b"<article>", b"", b"<note><to>you</to></note>"])
def test_a_file_that_is_no_article_is_refused_with_its_reason_and_stores_nothing(
    empty_study, open_page, content
) -> None:
    page = open_page("cases/import_articles.py")
    page.file_uploader[0].set_value([("note.xml", content, "text/xml")])
    page.button[0].click().run()
    assert not page.exception
    assert "0 articles read, 1 refused" in texts(page.markdown)
    assert page.error[0].value.startswith("note.xml: ")
    assert list_cases(open_workspace(read_settings())) == ()


def test_an_article_without_its_pictures_waits_and_a_picture_can_be_attached(empty_study, open_page) -> None:
    page = open_page("cases/import_articles.py")
    page.file_uploader[0].set_value(upload(ARTICLES / "PMC99000004.1", pictures=False))
    page.button[0].click().run()
    assert not page.exception
    assert "Missing pictures" in texts(page.subheader)
    assert "waiting" in texts(page.text), "what the pipeline could not do is said where it was started"
    assert "Its dialogues" not in links(page)
    ws = open_workspace(read_settings())
    before = list_cases(ws)[0].n_images_missing
    picture = ARTICLES / "PMC99000004.1" / "crdc-01-018-g001.jpg"
    page.file_uploader(key="attach_file").set_value((picture.name, picture.read_bytes(), "image/jpeg")).run()
    next(button for button in page.button if button.label == "Attach").click().run()
    assert not page.exception and not page.error
    assert list_cases(ws)[0].n_images_missing == before - 1


def test_cases_are_found_by_words_and_by_state(demo_study, open_page) -> None:
    page = open_page("cases/case_list.py")
    assert len(page.dataframe[0].value) == 6
    page.text_input(key="case_search").set_value("tongue").run()
    assert list(page.dataframe[0].value["Case"]) == ["PMC99000003"]
    page.text_input(key="case_search").set_value("").run()
    page.get_by_key("case_states").set_value(["ineligible"]).run()
    assert not page.exception
    assert "No case matches" in texts(page.markdown)


@pytest.mark.parametrize("view", ["Source and values", "What the model sees", "Leak audit", "Figures", "Versions"])
def test_every_tab_of_a_case_opens_by_its_address(demo_study, open_page, view) -> None:
    page = open_page("cases/case.py", id="PMC99000005", view=view)
    assert not page.exception and not page.error
    assert page.selectbox(key="case_choice").value == "PMC99000005"


def test_what_the_model_sees_names_no_answer(demo_study, open_page) -> None:
    page = open_page("cases/case.py", id="PMC99000005", view="What the model sees")
    turns = [text.value for text in page.text]
    assert any("Patient information" in turn for turn in turns)
    assert "chorioretinopathy" not in " ".join(turns).lower()


def test_an_unknown_case_says_so_and_offers_the_others(demo_study, open_page) -> None:
    page = open_page("cases/case.py", id="PMC1")
    assert "There is no case PMC1." in page.error[0].value
    assert page.selectbox(key="case_choice").value == "PMC99000001"


def test_a_figure_looked_at_is_confirmed_and_stays_so(demo_study, open_page) -> None:
    page = open_page("cases/case.py", id="PMC99000004", view="Figures")
    ws = open_workspace(read_settings())
    n_before = len(confirmed_figures(ws, "PMC99000004"))
    next(button for button in page.button if button.label.startswith("I looked")).click().run()
    assert not page.exception
    assert len(confirmed_figures(ws, "PMC99000004")) == n_before + 1


def test_a_held_case_is_released_by_a_decision_with_its_reason(empty_study, open_page) -> None:
    page = open_page("cases/import_articles.py")
    page.file_uploader[0].set_value(upload(ARTICLES / "PMC99000005.1"))
    page.checkbox[0].uncheck()
    page.button[0].click().run()
    page = open_page("dialogues/runs.py")
    page.selectbox(key="run_policy").set_value(LeakPolicy.HOLD).run()
    page.button(key="run_start").click().run()
    ws = open_workspace(read_settings())
    case = get_case(ws, "PMC99000005")
    n_open = sum(hit.is_open for hit in case.leaks)
    assert n_open and not case.is_released
    for _ in range(n_open):
        page = open_page("cases/case.py", id="PMC99000005", view="Leak audit")
        number = next(n for n, hit in enumerate(get_case(ws, "PMC99000005").leaks) if hit.is_open)
        key = f"leak-PMC99000005-{get_case(ws, 'PMC99000005').version}-{number}"
        assert page.button(key=f"{key}-save").disabled
        page.selectbox(key=f"{key}-action").set_value(LeakAction.WITHHELD).run()
        page.button(key=f"{key}-save").click().run()
        assert not page.exception and not page.error
    assert not any(hit.is_open for hit in get_case(ws, "PMC99000005").leaks)
