"""Several patients in one article: told apart where the text does, warned about where it only hints."""

import pytest

from core.domain.article import CaseReport
from tests.jats.making import article, read


def patients(report: CaseReport) -> list[tuple[str, str]]:
    return [(one.name, " / ".join(report.text_at(span) for span in one.spans)) for one in report.patients]


def section(text: str, title: str = "Case report") -> str:
    return f"<sec><title>{title}</title>{text}</sec>"


@pytest.mark.parametrize(
    "names",
    [
        ("Case 1", "Case 2"),
        ("2.1. Case\u2009I", "2.2. Case II"),
        ("Patient one", "Patient two"),
        ("First case", "Second case"),
        ("Case A: fever", "Case B: rash"),
    ],
)
def test_numbered_sections_part_the_patients(names):
    first, second = names
    body = section(
        section("<p>A man.</p><sec><title>Course</title><p>Well.</p></sec>", first) + section("<p>A woman.</p>", second)
    )
    assert [text for _, text in patients(read(article(body)))] == ["A man. / Well.", "A woman."]


def test_run_in_heads_part_the_patients_within_one_section():
    body = section(
        "<p>Both were seen.</p><p><bold>Case 1.</bold> A man fell.</p><p>He rose.</p><p><bold>Case 2.</bold> A girl fell.</p>"
    )
    assert patients(read(article(body))) == [
        ("Case 1", "Case 1. A man fell.\nHe rose."),
        ("Case 2", "Case 2. A girl fell."),
    ]


def test_a_statement_and_two_introductions_part_the_patients():
    body = section("<p>We report two unrelated patients.</p>", "Introduction") + section(
        "<p>A 74-year-old man presented with a rash. He left. A 30\u2010year\u2010old woman came later. She stayed.</p>"
    )
    assert patients(read(article(body))) == [
        ("Patient 1 (74-year-old man)", "A 74-year-old man presented with a rash. He left."),
        ("Patient 2 (30\u2010year\u2010old woman)", "A 30\u2010year\u2010old woman came later. She stayed."),
    ]


def test_a_statement_alone_or_two_sexes_alone_give_a_warning_only():
    stated = read(article(section("<p>We describe three patients.</p>", "Introduction") + section("<p>He came.</p>")))
    sexes = read(article(section("<p>A 74-year-old man came. A 30-year-old woman came.</p>")))
    assert stated.patients == () and any("several patients" in warning for warning in stated.warnings)
    assert sexes.patients == () and any("several people" in warning for warning in sexes.warnings)


@pytest.mark.parametrize(
    "text",
    [
        "A 40-year-old man came. His 35-year-old sister had the same. His 70-year-old mother is a woman of good health.",
        "A 34-year-old woman came. Five years later, the 39-year-old woman returned.",
        "Case 1 of a series was a man.",
        "Two cases were described in the literature. A 5-year-old boy came.",
        "She had two children. A 5-month-old girl came.",
    ],
)
def test_relatives_later_ages_and_other_reports_do_not_count(text):
    report = read(article(section(f"<p>{text}</p>")))
    assert report.patients == ()
    assert not any("several" in warning for warning in report.warnings)


def test_cases_of_the_discussion_do_not_count():
    body = section("<p>A man.</p>") + section(
        section("<p>x</p>", "Case 1") + section("<p>y</p>", "Case 2"), "Discussion"
    )
    assert read(article(body)).patients == ()
