"""The demonstration study is complete, honest about itself, and its figures are what the script draws."""

import hashlib
import io
import json
import re
import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.domain.dialogue import Stage
from core.domain.instrument import Dimension
from core.domain.judgement import JudgedScore
from core.domain.review import Length, Rating, ReviewMode
from core.jats import open_packages, read_article
from core.review.form import dialogue_questions, fields_of, problem_with, turn_questions

DEMO = Path(__file__).resolve().parent.parent / "data" / "demo"
sys.path.insert(0, str(DEMO))

import draw_figures  # noqa: E402
from drawing import ecg  # noqa: E402

DRAWN = [(article, name) for article, figures in draw_figures.FIGURES.items() for name in figures]
CLOUD_FOLDERS = sorted((DEMO / "articles").glob("PMC*.1"))
PACKAGE = DEMO / "articles" / f"{draw_figures.LEGACY_ID}.tar.gz"


def committed_bytes(article: str, name: str) -> bytes:
    if article == draw_figures.LEGACY_ID:
        with tarfile.open(PACKAGE) as package:
            return package.extractfile(f"{article}/{name}").read()
    return (DEMO / "articles" / f"{article}.1" / name).read_bytes()


def article_texts() -> dict[str, str]:
    texts = {folder.name: (folder / f"{folder.name}.xml").read_text(encoding="utf-8") for folder in CLOUD_FOLDERS}
    return texts | {draw_figures.LEGACY_ID: next((DEMO / "legacy_source").glob("*.nxml")).read_text(encoding="utf-8")}


@pytest.mark.parametrize(("article", "name"), DRAWN, ids=[name for _, name in DRAWN])
def test_drawing_a_figure_again_gives_the_committed_picture(article, name):
    committed = Image.open(io.BytesIO(committed_bytes(article, name)))
    again = Image.open(io.BytesIO(draw_figures.encode(draw_figures.FIGURES[article][name](), name)))
    assert again.size == committed.size
    # Pixels and not file hashes: another build of zlib or libjpeg may pack the same picture into other bytes.
    difference = np.asarray(again.convert("RGB"), dtype=int) - np.asarray(committed.convert("RGB"), dtype=int)
    assert np.abs(difference).mean() < 0.5


@pytest.mark.parametrize(("article", "name"), DRAWN, ids=[name for _, name in DRAWN])
def test_a_figure_is_800_to_1600_px_wide_and_under_250_kb(article, name):
    data = committed_bytes(article, name)
    assert 800 <= Image.open(io.BytesIO(data)).width <= 1600
    assert len(data) < 250_000


def test_p_waves_and_qrs_complexes_are_two_regular_trains_without_a_fixed_relation():
    rhythm = ecg.ADMISSION
    pp, rr = np.diff(rhythm.p_onsets_s), np.diff(rhythm.qrs_onsets_s)
    assert np.allclose(pp, 60 / 88, atol=2e-6) and np.allclose(rr, 60 / 38, atol=2e-6)
    p_onsets = np.array(rhythm.p_onsets_s)
    intervals = [qrs - p_onsets[p_onsets <= qrs].max() for qrs in rhythm.qrs_onsets_s]
    assert np.ptp(intervals) > 0.3


def test_the_limb_leads_obey_einthoven():
    assert np.allclose(ecg.LEADS["I"] + ecg.LEADS["III"], ecg.LEADS["II"])
    assert np.allclose(ecg.LEADS["aVR"] + ecg.LEADS["aVL"] + ecg.LEADS["aVF"], 0)


def test_five_articles_stand_in_the_cloud_layout_and_one_is_a_legacy_package():
    assert len(CLOUD_FOLDERS) == 5
    for folder in CLOUD_FOLDERS:
        hrefs = re.findall(r'xlink:href="([^"]+\.(?:png|jpg))"', article_texts()[folder.name])
        assert hrefs and all((folder / href).is_file() for href in hrefs)
    with tarfile.open(PACKAGE) as package:
        names = [member.name for member in package.getmembers()]
    text = article_texts()[draw_figures.LEGACY_ID]
    for href in re.findall(r'<graphic xlink:href="([^"]+)"', text):
        assert not href.endswith((".jpg", ".gif", ".png"))
        assert f"{draw_figures.LEGACY_ID}/{href}.jpg" in names and f"{draw_figures.LEGACY_ID}/{href}.gif" in names


@pytest.mark.parametrize("folder", CLOUD_FOLDERS, ids=lambda folder: folder.name)
def test_the_metadata_json_names_every_file_with_its_md5(folder):
    record = json.loads((folder / f"{folder.name}.json").read_text(encoding="utf-8"))
    addresses = [record["xml_url"], *record["media_urls"]]
    assert {a.split("/")[-1].split("?")[0] for a in addresses} == {
        path.name for path in folder.iterdir() if path.suffix != ".json"
    }
    for address in addresses:
        name, md5 = re.fullmatch(rf"s3://pmc-oa-opendata/{folder.name}/(.+)\?md5=([0-9a-f]{{32}})", address).groups()
        assert hashlib.md5((folder / name).read_bytes()).hexdigest() == md5


@pytest.mark.parametrize("article", article_texts())
def test_every_article_says_that_it_is_invented_and_its_figures_computed(article):
    text = article_texts()[article]
    assert "are invented" in text and "computed by a program" in text
    body = re.sub(r"<[^>]+>", " ", text.split("<abstract>", 1)[1])
    assert 700 <= len(body.split()) <= 1500


def lines_of(path: str) -> list[dict]:
    return [json.loads(line) for line in (DEMO / path).read_text(encoding="utf-8").splitlines()]


MANIFEST = json.loads((DEMO / "manifest.json").read_text(encoding="utf-8"))
RATINGS = json.loads((DEMO / "ratings.json").read_text(encoding="utf-8"))
CASES = [article["case"] for article in MANIFEST["articles"]]
TURNS = {
    (line["case"], answers["setting"]): [(turn["stage"], turn["figure"]) for turn in line["turns"]]
    for answers in MANIFEST["answers"]
    for line in lines_of(answers["path"])
}


@pytest.fixture(scope="module")
def reports():
    packages = (package for article in MANIFEST["articles"] for package in open_packages(DEMO / article["path"]))
    return {read.report.id: read.report for read in map(read_article, packages)}


def test_every_file_the_manifest_names_is_there():
    named = MANIFEST["articles"] + MANIFEST["answers"] + MANIFEST["judges"]
    paths = [entry["path"] for entry in named if entry["path"]] + [MANIFEST["ratings"], MANIFEST["reports"]]
    assert [path for path in paths if not (DEMO / path).exists()] == []
    assert MANIFEST["demonstration"] is True and RATINGS["demonstration"] is True


def test_every_article_is_read_without_a_warning_and_with_all_its_images(reports):
    assert sorted(reports) == sorted(CASES)
    for report in reports.values():
        assert report.warnings == ()
        assert report.licence.code == "CC BY"
        drawn = draw_figures.FIGURES[report.id]
        assert [g.file_name for f in report.figures for g in f.graphics] == list(drawn)
        assert all(g.image and g.image.width_px >= 800 for f in report.figures for g in f.graphics)
        assert all(f.citations and report.caption(f) for f in report.figures)


def test_both_sets_of_answers_have_one_answer_for_every_turn_of_every_case(reports):
    for answers in MANIFEST["answers"]:
        for case, report in reports.items():
            images = [(Stage.IMAGE, figure.id) for figure in report.figures]
            whole = [(Stage.HISTORY, None), (Stage.EXAMINATION, None), *images, (Stage.SYNTHESIS, None)]
            assert TURNS[case, answers["setting"]] == whole
    for answers in MANIFEST["answers"]:
        for line in lines_of(answers["path"]):
            assert line["demonstration"] is True
            assert all(len(turn["text"]) > 60 for turn in line["turns"])
            synthesis = line["turns"][-1]["text"]
            assert synthesis.startswith("Diagnostic reasoning\n") and "\n\nFinal diagnosis\n" in synthesis


def test_the_recorded_judge_scores_every_case_and_setting_with_reasons():
    replies = lines_of("judge_replies.jsonl")
    settings = ["reference", *(answers["setting"] for answers in MANIFEST["answers"])]
    assert sorted((r["case"], r["setting"]) for r in replies) == sorted((c, s) for c in CASES for s in settings)
    for reply in replies:
        assert reply["demonstration"] is True and reply["judge"] == "Recorded demonstration judge"
        assert set(reply["scores"]) == {dimension.value for dimension in Dimension}
        for score in reply["scores"].values():
            JudgedScore(**score)


def test_studies_name_dialogues_and_reviewers_that_exist():
    reviewers = {reviewer["key"] for reviewer in RATINGS["reviewers"]}
    assert {ReviewMode(study["mode"]) for study in RATINGS["studies"]} == set(ReviewMode)
    for study in RATINGS["studies"]:
        assert set(study["reviewers"]) <= reviewers
        for dialogue in study["dialogues"]:
            assert dialogue["setting"] == "reference" or (dialogue["case"], dialogue["setting"]) in TURNS
    rated = {rating["reviewer"] for rating in RATINGS["ratings"] if rating["committed"]}
    assert reviewers - rated, "one reviewer starts from scratch"


def test_no_reviewer_rates_a_dialogue_twice_or_one_that_was_not_given():
    given = {
        (study["key"], reviewer, dialogue["case"], dialogue["setting"])
        for study in RATINGS["studies"]
        for reviewer in study["reviewers"]
        for dialogue in study["dialogues"]
    }
    rated = [(r["study"], r["reviewer"], r["case"], r["setting"]) for r in RATINGS["ratings"]]
    assert len(rated) == len(set(rated)) and set(rated) <= given


@pytest.mark.parametrize(
    "rating", RATINGS["ratings"], ids=lambda r: f"{r['reviewer']}-{r['case'][-1]}-{r['setting'][-1]}"
)
def test_a_rating_holds_what_the_form_allows(rating):
    length = next(Length(study["length"]) for study in RATINGS["studies"] if study["key"] == rating["study"])
    turns = TURNS[rating["case"], rating["setting"].replace("reference", "Example answers A")]
    assert [(t["stage"], t["figure"]) for t in rating["turns"]] == turns[: len(rating["turns"])]
    for turn in rating["turns"]:
        questions = fields_of(turn_questions(Stage(turn["stage"]), length))
        for field in turn.keys() - {"stage", "figure"}:
            value = tuple(turn[field]) if isinstance(turn[field], list) else turn[field]
            assert problem_with(questions[field], value) == "", (turn, field)
    if not rating["committed"]:
        assert rating["dimensions"] == {}
        return
    assert len(rating["turns"]) == len(turns)
    assert set(rating["dimensions"]) == {dimension.value for dimension in Dimension}
    for dimension, answer in rating["dimensions"].items():
        evidence = answer.get("evidence", [])
        assert all((turn["stage"], turn["figure"]) in turns for turn in evidence)
        assert answer.get("score") is None or answer["score"] > 3 or evidence, "a low score names its turns"
        Rating(
            dimension=dimension,
            **(answer | {"evidence": [str(turns.index((t["stage"], t["figure"])) + 1) for t in evidence]}),
        )
    questions = fields_of(dialogue_questions(length, len(turns)))
    assert problem_with(questions["safety"], rating["safety"]) == ""
    assert problem_with(questions["safety.severity"], rating["severity"]) == ""
    assert problem_with(questions["does_not_follow"], tuple(rating["flags"])) == ""
    assert (rating["severity"] is not None) == (rating["safety"] != "none")
