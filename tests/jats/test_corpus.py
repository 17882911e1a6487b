"""The real articles of ../shared/corpus: exact values for each, the hand-made references, and nothing lost.

`corpus_expected.json` was written from a run that had been compared by hand with the sources and with the index of
jats.md section 5; it holds counts, names and titles, no text of the articles.
"""

import json
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest
from lxml import etree

from core.domain.article import CaseReport
from core.errors import ImportRefused
from core.jats import ReadArticle, open_packages, read_article
from tests.conftest import PROJECT_ROOT
from tests.jats.making import picture, read

CORPUS = PROJECT_ROOT.parent / "shared" / "corpus"
EXPECTED: dict[str, dict] = json.loads((Path(__file__).parent / "corpus_expected.json").read_text())
READABLE = [name for name, facts in EXPECTED.items() if "refused" not in facts]
GOLD = {one["id"]: one for one in json.loads((CORPUS / "gold.json").read_text())} if CORPUS.is_dir() else {}

pytestmark = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the real articles (../shared/corpus) are not on this machine"
)


@cache
def article_of(name: str) -> ReadArticle:
    (package,) = open_packages(CORPUS / name)
    return read_article(package)


def report_of(name: str) -> CaseReport:
    return article_of(name).report


def xml_of(name: str) -> Path:
    (path,) = [path for path in (CORPUS / name).iterdir() if path.suffix in (".xml", ".nxml")]
    return path


def plain(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


@pytest.mark.parametrize("name", [name for name in EXPECTED if name not in READABLE])
def test_what_cannot_be_read_is_refused_with_its_reason(name):
    (package,) = open_packages(CORPUS / name)
    with pytest.raises(ImportRefused, match=re.escape(EXPECTED[name]["refused"])):
        read_article(package)


@pytest.mark.parametrize("name", READABLE)
def test_each_article_gives_its_exact_values(name):
    report, facts = report_of(name), EXPECTED[name]
    found = {
        "id": report.id,
        "type": report.article_type,
        "licence": report.licence.code,
        "published": report.published_on,
        "body": report.body_chars,
        "kept": report.kept_chars,
        "aside": {one.name: one.chars for one in report.set_aside},
        "sections": [
            ["/".join(part.path)[:60], part.role.value, len(part.text)]
            for part in report.parts
            if part.kind == "section"
        ],
        "tables": sum(part.kind == "table" for part in report.parts),
        "figures": [
            [
                figure.label,
                [graphic.href.rpartition("/")[2] for graphic in figure.graphics],
                sum(graphic.image is not None for graphic in figure.graphics),
                figure.caption_part is not None,
                figure.first_cited_in,
                figure.citation_rank,
            ]
            for figure in report.figures
        ],
    }
    assert found == facts


@pytest.mark.parametrize("name", READABLE)
def test_the_books_of_the_body_balance(name):
    report = report_of(name)
    assert report.body_chars == report.kept_chars + sum(one.chars for one in report.set_aside)
    assert not any("accounted" in warning for warning in report.warnings)


@pytest.mark.parametrize("name", READABLE)
def test_every_piece_of_body_text_is_in_a_part_or_a_title(name):
    """Look for each text node of the source, read here on its own, in the normalised text of the report."""
    source = re.sub(rb"&(?!amp|lt|gt|quot|apos|#)(\w+);", b" ", xml_of(name).read_bytes().lstrip())
    root = etree.fromstring(source, etree.XMLParser(remove_comments=True, remove_pis=True, no_network=True))
    strip = "descendant-or-self::*[local-name()='{}']"
    article = root.xpath(f"({strip.format('article')})[1]")[0]
    (body,) = article.xpath("*[local-name()='body']")
    stored = {
        plain(
            " ".join(part.text for part in report_of(name).parts)
            + " ".join(sum((part.path for part in report_of(name).parts), ()))
        )
    }
    # Text that stands loose in a figure and repeats its label and caption is stored once.
    whole = "".join(stored) + "".join(
        plain(figure.label + report_of(name).caption(figure)) for figure in report_of(name).figures
    )
    ignored = {"xref", "label", "math", "tex-math", "alt-text", "object-id", "ref-list", "permissions", "sup", "sub"}
    missing = []
    for node in body.iter():
        for text, inside in ((node.text, node), (node.tail, node.getparent())):
            if node is body and inside is not body:
                continue
            if text and len(text.strip()) > 3:
                text = re.sub(r"^[\s\d.]+(?=[A-Z])", "", text)  # numbers of titles are stripped on purpose
                if etree.QName(inside).localname == "title" and inside.getparent().find(".//ref-list") is not None:
                    continue  # the title of a section that holds nothing but references
                chain = [inside, *inside.iterancestors()]
                if not ignored & {etree.QName(one).localname for one in chain} and plain(text) not in whole:
                    missing.append(text.strip()[:60])
    assert missing == []


@pytest.mark.parametrize("name", READABLE)
def test_no_caption_stands_in_the_narrative(name):
    report = report_of(name)
    narrative = plain(" ".join(part.text for part in report.parts if part.kind == "section"))
    captions = [plain(part.text) for part in report.parts if part.kind == "caption" and len(part.text) > 60]
    assert not [caption for caption in captions if caption in narrative]


@pytest.mark.parametrize("name", READABLE)
def test_every_span_points_into_its_part_and_ids_are_unique(name):
    report = report_of(name)
    assert len({part.id for part in report.parts}) == len(report.parts)
    for figure in report.figures:
        for span in figure.citations:
            text = report.text_at(span)
            assert text and text == text.strip() and "\n" not in text
        for panel in figure.panels:
            assert report.caption(figure)[panel.start : panel.end].strip()
        for graphic in figure.graphics:
            assert (graphic.image is None) == bool(graphic.problem)
            if graphic.image:
                assert graphic.image.sha256 in article_of(name).images


@pytest.mark.parametrize("name", READABLE)
def test_the_report_survives_a_round_trip_through_the_store(name):
    report = report_of(name)
    assert CaseReport.model_validate_json(report.model_dump_json()) == report


@pytest.mark.parametrize("name", [name for name in GOLD if name in READABLE])
def test_title_figures_and_quotes_of_the_hand_made_references_are_found(name):
    report, gold = report_of(name), GOLD[name]
    assert report.title == gold["title"] and report.article_type == gold["article_type"]
    assert [
        (f.label, [g.href for g in f.graphics], f.caption_part is not None, f.first_cited_in, f.citation_rank)
        for f in report.figures
    ] == [
        (f["label"], f["hrefs"], f["has_caption"], re.sub(r"^[\d.]+\s+", "", f["first_cited_in"]), f["citation_rank"])
        for f in gold["figures"]
    ]
    everything = plain(" ".join(part.text for part in report.parts))
    quotes = [gold["demographics"], gold["chief_complaint"], *gold["reasoning"]]
    for field in ("history", "examination", "routine_labs", "key_findings"):
        quotes += gold[field]
    for finding in gold["image_findings"]:
        quotes += finding["quotes"] + finding["significance"]
    assert [quote for quote in quotes if quote and plain(quote) not in everything] == []


def test_the_article_with_two_patients_gives_both_with_their_text():
    report = report_of("PMC4739221")
    assert [patient.name for patient in report.patients] == ["Case 1", "Case 2"]
    assert [[span.part for span in patient.spans] for patient in report.patients] == [["s2.1"], ["s2.2"]]
    assert [name for name in READABLE if report_of(name).patients] == ["PMC4739221"]


@pytest.mark.parametrize("name", ["PMC6497212", "PMC4735894"])
def test_the_envelopes_of_a_real_article_give_the_same_report(name):
    text = xml_of(name).read_text().lstrip()
    inner = text[text.index("<article") :]
    for wrapped in (
        f"<pmc-articleset>{inner}</pmc-articleset>",
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><GetRecord><record><metadata>'
        + inner.replace("<article ", '<article xmlns="https://jats.nlm.nih.gov/ns/archiving/1.3/" ', 1)
        + "</metadata></record></GetRecord></OAI-PMH>",
    ):
        left_out = {"source", "source_sha256"}
        assert read(wrapped).model_dump(exclude=left_out) == report_of(name).model_dump(exclude=left_out)


def test_stand_in_pictures_under_the_names_of_the_addresses_are_found(tmp_path):
    for name in ("PMC4735894", "PMC6497212", "PMC5894222", "PMC7500000"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / xml_of(name).name).write_bytes(xml_of(name).read_bytes())
        for number, figure in enumerate(report_of(name).figures):
            for graphic in figure.graphics:
                known = graphic.href.endswith(".jpg")
                (folder / (graphic.href if known else graphic.href + ".jpg")).write_bytes(
                    picture((300 + number, 200), "JPEG")
                )
        (package,) = open_packages(folder)
        read_back = read_article(package)
        graphics = [graphic for figure in read_back.report.figures for graphic in figure.graphics]
        assert graphics and all(graphic.image for graphic in graphics)
        assert len(read_back.images) == len(graphics)
