"""The import page fetches from PMC by id, and shows what became of each like any other import."""

import pytest

from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.jats.loopback_bucket import running_bucket
from tests.services import small_article

PAGE = "cases/import_articles.py"


@pytest.fixture
def bucket(monkeypatch):
    with running_bucket() as running:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("CASEROUNDS_PMC_BUCKET", running.address)
        yield running


@pytest.fixture
def fetch(bucket, empty_study, open_page):
    def fetched(ids: str, goes_on: bool = False):
        page = open_page(PAGE)
        page.text_area(key="fetch_ids").set_value(ids)
        page.checkbox(key="fetch_pipeline").set_value(goes_on)
        (button,) = [one for one in page.button if one.label == "Fetch"]
        button.click().run()
        assert not page.exception, [one.value for one in page.exception]
        return page

    return fetched


def add(bucket, **metadata) -> None:
    pictures = {"one.png": small_article.picture(90), "two.png": small_article.picture(160)}
    bucket.add("PMC900001", 1, small_article.xml().encode(), pictures, **metadata)


def texts(page) -> str:
    shown = [*page.caption, *page.warning, *page.error, *page.markdown]
    return "\n".join(one.value for one in shown).replace("\\", "")


def test_an_article_is_fetched_and_what_was_refused_says_why(bucket, fetch) -> None:
    add(bucket)
    page = fetch("PMC900001 PMC900002")
    table = page.dataframe[0].value
    assert list(table["Status"]) == ["imported", "refused"]
    assert list(table["Figures with image"]) == ["2 of 2", ""]
    assert "PMC900001.1: CC BY, published 2019-05-14" in texts(page)
    assert "holds no PMC900002" in page.error[0].value


def test_a_retraction_is_shown_before_and_after(bucket, fetch) -> None:
    add(bucket, is_retracted=True)
    page = fetch("PMC900001")
    assert "RETRACTED" in page.warning[0].value
    assert "PMC900001: PMC900001.1 is retracted." in texts(page)


def test_the_pipeline_can_go_on_with_what_was_fetched(bucket, fetch) -> None:
    add(bucket)
    fetch("PMC900001", goes_on=True)
    workspace = open_workspace(read_settings())
    from core.services.cases import list_cases

    (row,) = list_cases(workspace)
    assert row.n_dialogues > 0


def test_nothing_typed_and_far_too_many_ids_are_said_kindly(bucket, fetch) -> None:
    assert "Type at least one PMCID" in fetch(" ").warning[0].value
    assert "takes 50 at a time" in fetch(" ".join(f"PMC{n}" for n in range(51))).warning[0].value
    assert bucket.asked == []
