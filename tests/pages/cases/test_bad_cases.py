"""Cases that cannot be used as they are: a clear state on the page and on the command line, never an exception."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from core.__main__ import app
from core.domain.article import CaseReport, SectionRole
from core.services.cases import get_case
from core.services.workspace import open_workspace
from core.settings import read_settings
from core.storage import articles
from tests.extraction.articles import EXAMINATION, HISTORY, TREATMENT, article, section
from tests.pages.cases.test_case_pages import texts

SCAN = "Haemoglobin was 13.1 g/dL. Magnetic resonance imaging showed a lobulated mass in the recess (Fig. 1). "
BIOPSY = "Biopsy showed villous proliferation with haemosiderin. "
DIAGNOSED = "The final diagnosis was tenosynovial giant cell tumour. "
LOOK = "These findings in the biopsy supported the diagnosis in our patient."


@dataclass(frozen=True)
class Bad:
    """An article, the state that its case must have, and words that must be on the page."""

    report: CaseReport
    states: tuple[str, ...]
    words: str = ""


def of(tests: str, discussion: str = LOOK, title: str = "A swollen knee", history: str = HISTORY) -> CaseReport:
    return article(
        section(1, SectionRole.HISTORY, history),
        section(2, SectionRole.EXAMINATION, EXAMINATION),
        section(3, SectionRole.INVESTIGATIONS, tests),
        section(4, SectionRole.TREATMENT, TREATMENT),
        section(5, SectionRole.DISCUSSION, discussion),
        title=title,
    )


SPANISH = (
    "Una paciente de 45 años presentó una tumefacción de la rodilla izquierda con dolor que había empezado tres "
    "semanas antes del ingreso. La paciente no tenía fiebre y los análisis de la sangre fueron normales. La resonancia "
    "de la rodilla mostró una masa lobulada (Fig. 1). La biopsia de la lesión confirmó el diagnóstico y la "
    "paciente fue operada con buena evolución. "
)
EVERY = (
    "A 45-year-old woman with known tenosynovial giant cell tumour presented to our clinic. Her tenosynovial giant "
    "cell tumour had been diagnosed abroad. Her mother spoke of the confirmed tenosynovial giant cell tumour."
)
CASES = {
    "no diagnosis": Bad(of(SCAN + BIOPSY), ("ineligible",), "No final diagnosis"),
    "two diagnoses": Bad(
        of(SCAN + BIOPSY + DIAGNOSED + "She was also diagnosed with pulmonary sarcoidosis."), ("eligible",)
    ),
    "a differential only": Bad(
        of(SCAN + "The differential diagnosis included gout, sarcoidosis and synovial sarcoma."),
        ("ineligible",),
        "No final diagnosis",
    ),
    "a diagnosis only in the title": Bad(
        of(SCAN + BIOPSY, title="Tenosynovial giant cell tumour of the knee: a case report"), ("eligible", "ineligible")
    ),
    "a text in Spanish": Bad(of(SPANISH * 2, SPANISH, history=SPANISH), ("ineligible",), "only English is supported"),
    "every sentence leaks": Bad(of(SCAN + BIOPSY + DIAGNOSED, history=EVERY), ("eligible",), "Not released"),
}
VIEWS = ("Source and values", "Edit", "What the model sees", "Leak audit", "Figures", "Reference", "Versions")


@pytest.fixture
def stored(empty_study, request):
    """The study with one of the bad articles in it."""
    ws = open_workspace(read_settings())
    bad = CASES[request.param]
    with ws.store.write() as session:
        articles.save_article(session, bad.report, datetime.now(UTC), False)
    return ws, bad


@pytest.mark.parametrize("stored", CASES, indirect=True)
def test_a_bad_case_has_a_clear_state_on_the_command_line_and_on_every_tab(stored, open_page) -> None:
    ws, bad = stored
    case_id = bad.report.id
    data = ["--data", str(ws.settings.data_folder)]
    result = CliRunner().invoke(app, ["extract", *data])
    assert result.exit_code == 0, result.stderr
    assert "Traceback" not in result.output and "fault" not in result.output
    case = get_case(ws, case_id)
    assert case.eligibility.state in bad.states
    if case.eligibility.state == "ineligible":
        assert case.eligibility.reasons and case.eligibility.reasons[0] in result.stdout
    for view in VIEWS:
        page = open_page("cases/case.py", id=case_id, view=view)
        assert not page.exception, view
        assert bad.words in texts(page.error), view
    # Neither the model's dialogue nor the reference dialogue is made of what cannot be used.
    ran = CliRunner().invoke(app, ["run", "--model", "rules", case_id, *data])
    assert ran.exit_code == 1 or case.is_released
    assert "Traceback" not in ran.output and "fault" not in ran.output


def test_both_of_two_diagnoses_are_references(empty_study) -> None:
    from core.services.extracting import extract

    ws = open_workspace(read_settings())
    with ws.store.write() as session:
        articles.save_article(session, CASES["two diagnoses"].report, datetime.now(UTC), False)
    case = extract(ws, CASES["two diagnoses"].report.id)
    said = " ".join(value.text for value in case.final_diagnosis)
    assert "giant cell tumour" in said and "sarcoidosis" in said


def test_a_case_whose_every_sentence_leaks_is_held_under_auto_and_says_why(empty_study, open_page) -> None:
    from core.domain.case import LeakPolicy
    from core.services.extracting import extract

    ws = open_workspace(read_settings())
    bad = CASES["every sentence leaks"]
    with ws.store.write() as session:
        articles.save_article(session, bad.report, datetime.now(UTC), False)
    case = extract(ws, bad.report.id, LeakPolicy.AUTO)
    assert "more than half of the history" in case.held_reason
    page = open_page("cases/case.py", id=case.case_id)
    assert "Held: Clearing the leaks" in texts(page.error)
    assert any(button.label == "Release the case" for button in page.button)
