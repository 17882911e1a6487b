"""Everything sent to a model over the demonstration articles, through import, extraction, audit, plan and encoding."""

from pathlib import Path

import pytest

from core.dialogue import build_plan, run_dialogue
from core.domain.case import Element, LeakPolicy
from core.domain.dialogue import Stage
from core.llm import encode_image
from core.services.cases import article_of
from core.services.extracting import extract
from core.services.importing import import_paths
from tests.conftest import PROJECT_ROOT
from tests.dialogue.conftest import NOW, ScriptedModel

DEMO = PROJECT_ROOT / "data" / "demo" / "articles"
# Stems of each reported diagnosis, by hand from the README of the demonstration study.
ANSWERS = {
    "PMC99000001": ("lyme", "borreli", "third-degree", "complete heart block"),
    "PMC99000002": ("aspergill", "fungus ball"),
    "PMC99000003": ("schwannom", "neurilemm"),
    "PMC99000004": ("eosinophilic oesophagitis", "eosinophilic esophagitis"),
    "PMC99000005": ("chorioretinopathy",),
    "PMC99000006": ("sporotrich", "sporothrix"),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    from core.services.workspace import open_workspace
    from core.settings import read_settings

    workspace = open_workspace(read_settings(tmp_path_factory.mktemp("sent")))
    found = []
    for outcome in import_paths(workspace, sorted(Path(DEMO).iterdir())):
        case = extract(workspace, outcome.id, LeakPolicy.AUTO)
        article = article_of(workspace, case)
        plan = build_plan(case, article)
        model = ScriptedModel()
        run_dialogue(plan, model, lambda image: workspace.images.read(image.sha256), encode_image, at=NOW)
        found.append((case, article, plan, model.requests))
    return found


def said(request) -> str:
    texts = [m.text for m in request.messages if m.role != "assistant"] + [
        i.name for m in request.messages for i in m.images
    ]
    return " ".join(" ".join(texts).lower().split())


def test_every_demonstration_case_has_all_stages_and_all_figures(runs) -> None:
    assert {case.case_id for case, *_ in runs} == set(ANSWERS)
    for _, article, plan, requests in runs:
        assert {turn.stage for turn in plan.turns} == set(Stage)
        assert sum(turn.stage is Stage.IMAGE for turn in plan.turns) == len(article.figures)
        assert len(requests) == len(plan.turns)


def test_the_answer_is_in_no_request_before_synthesis(runs) -> None:
    for case, _, _, requests in runs:
        for request in requests[:-1]:
            assert [stem for stem in ANSWERS[case.case_id] if stem in said(request)] == [], case.case_id


def test_no_request_holds_title_caption_finding_treatment_outcome_or_file_name(runs) -> None:
    for case, article, _, requests in runs:
        closed = [article.title, *(article.caption(figure) for figure in article.figures)]
        closed += [part.text for part in article.parts if part.kind in ("abstract", "keywords", "box") and part.text]
        closed += [value.text for figure in case.figures for value in (*figure.findings, *figure.significance)]
        closed += [value.text for key in (Element.INTERVENTIONS, Element.OUTCOME) for value in case.values(key)]
        names = [g.file_name or g.href for figure in article.figures for g in figure.graphics]
        # A finding of one or two words ("fatigue") may stand in the history by itself.
        wanted = [" ".join(text.lower().split()).strip(" .") for text in closed]
        for request in requests:
            text = said(request)
            assert [words for words in wanted if len(words) >= 25 and words in text] == [], case.case_id
            assert [name for name in names if name.lower() in text] == []


def test_images_leave_without_their_file_s_metadata(runs) -> None:
    for _, _, _, requests in runs:
        for image in (image for message in requests[-1].messages for image in message.images):
            assert image.name.startswith("image-")
            assert not any(mark in image.data for mark in (b"tEXt", b"iTXt", b"zTXt", b"eXIf", b"Exif", b"iCCP"))
