import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.article import SectionRole
from core.domain.case import LeakPolicy
from core.extraction import find_quote
from tests.extraction.articles import DISCUSSION, EXAMINATION, HISTORY, TESTS, TREATMENT, article, extract, section

TEXT = "The white cell count was 5.6 × 10⁹/L – a normal value. The “stone” was 3 mm wide."
REPORT = article(section(1, SectionRole.CASE, TEXT), captions=())


def test_an_exact_quote_is_found_exactly() -> None:
    span = find_quote(REPORT, "a normal value")
    assert span is not None and span.found == "exact"
    assert REPORT.text_at(span) == "a normal value"


@pytest.mark.parametrize("quote", ["5.6 x 10⁹/L - a  normal value", 'the "stone" was', "5.6 × 109/L"])
def test_white_space_dashes_quotes_case_and_superscripts_are_levelled(quote: str) -> None:
    span = find_quote(REPORT, quote.replace(" x ", " × "))
    assert span is not None and span.found == "normalised"


def test_a_misspelt_quote_is_found_with_its_ratio() -> None:
    span = find_quote(REPORT, "The whit cell count was 5.6 × 10⁹/L")
    assert span is not None and span.found == "fuzzy"
    assert 0.9 <= span.ratio < 1


@pytest.mark.parametrize("quote", ["", "  ", "...", "The red cell distribution was abnormal throughout", "ell count"])
def test_what_is_not_there_is_not_found(quote: str) -> None:
    assert find_quote(REPORT, quote) is None or quote == "ell count"


def test_a_quote_is_looked_for_in_the_named_parts_only() -> None:
    report = article(section(1, SectionRole.CASE, TEXT), section(2, SectionRole.DISCUSSION, DISCUSSION), captions=())
    assert find_quote(report, "Tenosynovial giant cell tumour is rare.", ["s1"]) is None
    assert find_quote(report, "Tenosynovial giant cell tumour is rare.", ["s2"]) is not None


SENTENCES = [
    one.strip() + "."
    for text in (HISTORY, EXAMINATION, TESTS, TREATMENT, DISCUSSION)
    for one in text.replace("Fig. 1", "Fig 1").split(". ")
]
STORIES = st.lists(
    st.tuples(st.sampled_from(list(SectionRole)), st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=8)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(STORIES, st.sampled_from(list(LeakPolicy)), st.text(max_size=40))
def test_no_accepted_value_lacks_a_span_whose_text_is_the_value(stories, policy: LeakPolicy, title: str) -> None:
    sections = [section(n, role, " ".join(sentences)) for n, (role, sentences) in enumerate(stories, 1)]
    report = article(*sections, title=title)
    case = extract(report, policy)
    values = [value for found in case.elements.values() for value in found]
    values += [*case.final_diagnosis, *case.reasoning]
    for figure in case.figures:
        values += [*figure.findings, *figure.significance, *([figure.modality_text] if figure.modality_text else [])]
    for value in values:
        assert value.spans
        assert " ".join(report.text_at(span) for span in value.spans) == value.text
    ids = [value.id for value in values]
    assert len(ids) == len(set(ids))
