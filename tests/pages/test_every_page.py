"""Every page opens, says what it is, and raises nothing, on an empty and on the demonstration store."""

import pytest

from tests.pages.conftest import page_paths


@pytest.mark.parametrize("path", page_paths())
def test_page_opens_on_an_empty_store(path, empty_study, open_page) -> None:
    page = open_page(path)
    assert not page.exception, [e.value for e in page.exception]
    assert page.title, "the page has no title"


@pytest.mark.parametrize("path", page_paths())
def test_page_opens_on_the_demonstration_study(path, demo_study, open_page) -> None:
    page = open_page(path)
    assert not page.exception, [e.value for e in page.exception]
    assert page.title, "the page has no title"
