"""The menu offers what the person in this tab may see."""

from core.services.studies import reviewers
from core.services.workspace import open_workspace
from core.settings import read_settings


def test_who_has_entered_as_a_reviewer_is_offered_no_page_with_scores(demo_study, open_page) -> None:
    reviewer = reviewers(open_workspace(read_settings()))[0]
    page = open_page("setup/start.py", reviewer=reviewer.id)
    assert not page.exception
    assert not page.metric
    shown = " ".join(link.proto.label for link in page.get("page_link"))
    assert "My reviews" in shown and "Judge" not in shown


def test_an_unregistered_page_is_not_run_for_a_reviewer(demo_study, open_page) -> None:
    reviewer = reviewers(open_workspace(read_settings()))[0]
    page = open_page("results/compare.py", reviewer=reviewer.id)
    assert all("Judge and clinicians" not in title.value for title in page.title)
