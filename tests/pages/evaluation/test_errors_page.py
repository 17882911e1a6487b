"""Errors: counted, narrowed, searched, and each opened with its source."""

import pytest

from core.services.error_views import ErrorFilter, error_index, errors_of
from core.services.results import list_evaluators
from core.services.workspace import open_workspace
from core.settings import read_settings


def test_an_empty_study_says_what_to_do(empty_study, open_page) -> None:
    page = open_page("evaluation/errors.py")
    assert not page.exception
    assert page.get("page_link")


@pytest.fixture
def index(demo_study):
    ws = open_workspace(read_settings())
    return ws, error_index(ws, list_evaluators(ws)[0], {})


def n_items(page) -> int:
    words = next(m.value for m in page.markdown if "items**" in m.value)
    return int(words.split()[0].strip("*").replace(",", ""))


def test_the_page_shows_as_many_items_as_the_index_finds(index, open_page) -> None:
    _, found = index
    page = open_page("evaluation/errors.py")
    assert not page.exception
    assert n_items(page) == len(found.ids) > 25
    assert len(page.dataframe[0].value) == 25
    page.selectbox(key="errors_target").set_value("image_findings").run()
    assert n_items(page) == len(found.found(ErrorFilter(target="image_findings")))
    page.toggle(key="errors_annotations").set_value(False).run()
    without = len(found.found(ErrorFilter(target="image_findings", with_annotations=False)))
    assert n_items(page) == without < len(found.found(ErrorFilter(target="image_findings")))


def test_kinds_and_categories_narrow_what_is_listed(index, open_page) -> None:
    _, found = index
    page = open_page("evaluation/errors.py")
    page.get_by_key("errors_kind").set_value("contradiction").run()
    assert not page.exception
    assert n_items(page) == len(found.found(ErrorFilter(kind="contradiction"))) > 0
    assert set(page.dataframe[0].value["Kind"]) == {"✕ contradiction"}
    page.get_by_key("errors_category").set_value("side or site").run()
    assert n_items(page) == len(found.found(ErrorFilter(kind="contradiction", category="side or site")))


def test_search_finds_words_on_either_side_and_says_when_there_are_none(index, open_page) -> None:
    ws, found = index
    some = errors_of(ws, found.ids[:1])[0]
    word = max((some.reference or some.output).split(), key=len).strip(".,()")
    page = open_page("evaluation/errors.py")
    page.text_input(key="errors_search").set_value(word.upper()).run()
    assert not page.exception
    assert 0 < n_items(page) < len(found.ids)
    page.text_input(key="errors_search").set_value("zzz_%").run()
    assert not page.exception and n_items(page) == 0
    assert any("No item like this" in m.value for m in page.markdown)


def test_an_error_opens_its_sentence_its_figure_and_its_matches(index, open_page) -> None:
    ws, found = index
    rows = errors_of(ws, found.ids[:25])
    wanted = next(row for row in rows if row.figure_id)
    page = open_page("evaluation/errors.py", error=str(wanted.id))
    assert not page.exception
    texts = [t.value for t in page.text]
    assert (wanted.reference_sentence or wanted.output_sentence) in texts
    assert {"Its matches", "Its dialogue", "Its article"} <= {link.proto.label for link in page.get("page_link")}
    assert page.get("image")
