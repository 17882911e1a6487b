"""Parts of the article: sections, roles, boxes, declarations, abstracts, front matter, envelopes."""

import pytest

from core.domain.article import PartKind, SectionRole
from core.errors import ImportRefused
from core.jats.roles import plain_title, role_of_section, role_of_title
from tests.jats.making import TITLE, XLINK, article, body_text, read


def parts_of(report, kind):
    return [(part.path, part.text) for part in report.parts if part.kind == kind]


def aside(report):
    return {one.name: one.chars for one in report.set_aside}


def test_numbers_of_titles_and_labels_are_stripped_from_the_path():
    report = read(
        article(
            "<sec><title>2. Case Report</title><sec><label>2.1</label><title>2.1.\u2009Course</title><p>Text.</p></sec></sec>"
        )
    )
    assert parts_of(report, PartKind.SECTION) == [(("Case Report", "Course"), "Text.")]


def test_text_at_every_depth_is_kept_in_reading_order():
    body = "<sec><title>Case</title><p>a</p><sec><title>X</title><p>b</p><sec><title>Y</title><sec><title>Z</title><p>c</p></sec></sec></sec><p>d</p></sec>"
    assert body_text(read(article(body))) == "a\nb\nc\nd"


def test_bare_paragraphs_make_a_part_with_an_empty_path_and_are_the_case_when_no_title_names_one():
    report = read(article("<p>To the Editor,</p><p>A 40-year-old man fell.</p>"))
    (part,) = [part for part in report.parts if part.kind == "section"]
    assert (part.path, part.role, part.text) == ((), SectionRole.CASE, "To the Editor,\nA 40-year-old man fell.")


def test_a_paragraph_before_the_first_section_introduces():
    report = read(article("<p>Hello.</p><sec><title>Case</title><p>b</p></sec>"))
    assert [part.role for part in report.parts if part.kind == "section"] == ["introduction", "case"]


def test_empty_and_missing_titles_leave_the_path_of_the_section_around():
    report = read(article("<sec><title>Case</title><sec><title/><p>a</p></sec><sec><p>b</p></sec></sec>"))
    assert [path for path, _ in parts_of(report, PartKind.SECTION)] == [("Case",), ("Case",)]


def test_part_ids_are_unique_also_when_text_follows_a_subsection():
    report = read(article("<p>0</p><sec><title>Case</title><p>a</p><sec><p>b</p></sec><p>c</p></sec><p>z</p>"))
    ids = [part.id for part in report.parts]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("Case Report", "case"), ("Case presentation and management", "case"), ("Report of the cases", "case"),
        ("Presentation of case", "case"), ("Case 1", "case"), ("Patient 2", "case"), ("Observation", "case"),
        ("Patient Information", "history"), ("Presenting concerns", "history"), ("Past medical history", "history"),
        ("Physical examination", "examination"), ("Clinical findings", "examination"), ("Investigations", "investigations"),
        ("Diagnostic assessment", "investigations"), ("Histopathological findings", "investigations"),
        ("Differential Diagnosis", "differential"), ("Diagnosis", "diagnosis"), ("Treatment", "treatment"),
        ("Therapeutic intervention", "treatment"), ("Outcome and Follow-Up", "outcome"), ("Autopsy findings", "outcome"),
        ("Timeline", "timeline"), ("Discussion and conclusions", "discussion"), ("Denouement", "discussion"),
        ("Case discussion", "discussion"), ("Conclusion", "conclusion"), ("Learning Points", "learning points"),
        ("Key Points", "learning points"), ("What was known?", "learning points"), ("Introduction", "introduction"),
        ("Background", "introduction"), ("Informed consent", "declaration"), ("Conflicts of Interest", "declaration"),
        ("Author contributions", "declaration"), ("Funding", "declaration"), ("Ethics Statement", "declaration"),
        ("Data Availability Statement", "declaration"), ("Guarantor", "declaration"), ("Abbreviations", "declaration"),
        ("Materials and methods", "methods"), ("Results", "results"), ("Relato de caso", "case"), ("Discusión", "discussion"),
        ("A strange title", None), ("", None),
    ],
)  # fmt: skip
def test_titles_name_the_role_of_their_section(title, role):
    assert role_of_title(title) == role


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("2. Case", "Case"), ("2.1. Case\u2009 1", "Case 1"), ("3 Discussion", "Discussion"), ("III. Course", "Course"),
        ("1,1-diphenyl assay", "1,1-diphenyl assay"), ("12-lead ECG", "12-lead ECG"), ("", ""),
    ],
)  # fmt: skip
def test_plain_titles_lose_their_number_and_nothing_else(title, plain):
    assert plain_title(title) == plain


def test_subsections_of_a_discussion_stay_discussion_and_sec_type_fills_a_silent_title():
    assert role_of_section("Treatment", "", SectionRole.DISCUSSION) is SectionRole.DISCUSSION
    assert role_of_section("Something", "cases", None) is SectionRole.CASE
    assert role_of_section("Something", "", SectionRole.CASE) is SectionRole.CASE
    assert role_of_section("Consent", "", SectionRole.CASE) is SectionRole.DECLARATION


def test_declarations_boxes_and_key_points_are_set_aside_by_name():
    report = read(article(
        "<boxed-text><p>Known facts.</p></boxed-text><sec><title>Key Points</title><p>Point<table-wrap><table><tr><td>one</td></tr>"
        "</table></table-wrap></p></sec><sec><title>Case</title><p>A man.</p><boxed-text><title>Capsule</title><p>Answer.</p></boxed-text>"
        "</sec><sec><title>Consent</title><p>Given.</p></sec>"
    ))  # fmt: skip
    assert body_text(report) == "A man."
    assert aside(report) == {"section titles": 21, "boxes": 26, "key points": 8, "declarations": 6}
    assert report.body_chars == report.kept_chars + sum(aside(report).values())


def test_books_balance_and_name_what_is_not_in_a_part():
    report = read(article("<sec><title>Case</title><p>Seen [<xref ref-type='bibr' rid='b'>1</xref>] here.</p></sec>"))
    assert (report.body_chars, report.kept_chars, aside(report)) == (18, 11, {"section titles": 4, "citation marks": 3})
    assert report.warnings == ()  # "CaseSeen [1] here." has 18 characters: 4 of the title, 3 of the mark, 11 kept


def test_sub_articles_and_responses_stay_out():
    after = (
        "<sub-article article-type='reviewer-report' id='s'><front-stub/><body><p>I like it.</p>"
        f"<fig id='r1'><graphic {XLINK} xlink:href='resp'/></fig></body></sub-article><response><body><p>Thanks.</p></body></response>"
    )
    report = read(article(after=after))
    assert report.figures == ()
    assert not any("like it" in part.text or "Thanks" in part.text for part in report.parts)
    assert "Left out: 1 sub-article (reviewer report), not part of the article itself." in report.warnings


def test_a_body_of_a_sub_article_is_not_the_body_of_the_article():
    xml = f"<article><front><article-meta>{TITLE}</article-meta></front><sub-article><body><p>Comments</p></body></sub-article></article>"
    with pytest.raises(ImportRefused, match="no body of its own"):
        read(xml)


@pytest.mark.parametrize(
    ("xml", "words"),
    [
        (f"<article><front><article-meta>{TITLE}</article-meta></front></article>", "only the front matter"),
        ("<article><front/><body>  </body></article>", "no body"),
        ("<article><front/><floats-group><graphic/></floats-group></article>", "scanned pages or pictures"),
        (
            "<article><front/><!--The publisher of this article does not allow downloading of the full text in XML form.--></article>",
            "publisher does not allow",
        ),
        (article(article_type="reviewer-report"), "reviewer's comment"),
        (article(article_type="retraction"), "retraction notice"),
        (
            article(meta="<title-group><article-title>Retraction: A case</article-title></title-group>"),
            "retraction notice",
        ),
    ],
)
def test_what_is_no_article_is_refused_with_its_reason(xml, words):
    with pytest.raises(ImportRefused, match=words) as refusal:
        read(xml)
    assert refusal.value.next_step


def test_abstracts_come_in_the_plural_and_the_untyped_one_is_first():
    meta = TITLE + (
        "<abstract abstract-type='author-highlights'><p>Short.</p></abstract><abstract><sec><title>Background</title><p>Why.</p></sec>"
        "<sec><title>Conclusion</title><p>So.</p></sec></abstract><trans-abstract xml:lang='pt'><p>Curto.</p></trans-abstract>"
        "<kwd-group><kwd>fever</kwd><kwd>rash</kwd></kwd-group>"
    )
    report = read(article(meta=meta))
    assert [(part.id, part.path, part.text) for part in report.parts if part.kind == "abstract"] == [
        ("abstract", ("Abstract",), "Background\nWhy.\nConclusion\nSo."),
        ("abstract2", ("Abstract", "author-highlights"), "Short."),
        ("abstract3", ("Abstract", "pt"), "Curto."),
    ]
    assert report.part("keywords").text == "fever; rash"


@pytest.mark.parametrize(
    ("kind", "value"), [("pmc", "123"), ("pmcid", "123"), ("pmcid", "PMC123"), ("pmcid", "PMC123.2")]
)
def test_the_pmcid_is_read_in_each_of_its_spellings(kind, value):
    meta = f'<article-id pub-id-type="pmcaid">9</article-id><article-id pub-id-type="{kind}">{value}</article-id>'
    report = read(article(meta=meta))
    assert (report.id, report.identifiers.pmcid) == ("PMC123", "PMC123")


def test_without_a_pmcid_the_id_is_made_of_the_doi_so_that_a_second_import_finds_it():
    meta = '<article-id pub-id-type="doi">10.1000/ABC</article-id>'
    first, second = read(article(meta=meta)), read(article("<p>Other text.</p>", meta=meta.lower()))
    assert first.id == second.id and first.id.startswith("art-")


def test_front_matter_is_read_and_missing_days_stay_missing():
    meta = (
        '<article-id pub-id-type="pmid">77</article-id><article-categories><subj-group><subject>Case Report</subject></subj-group>'
        "</article-categories><title-group><article-title>Fever in <italic>a</italic> man<xref ref-type='fn' rid='x'>*</xref></article-title>"
        "</title-group><contrib-group><contrib contrib-type='author'><name><surname>Roe</surname><given-names>A B</given-names></name>"
        "</contrib><contrib contrib-type='editor'><name><surname>Ed</surname></name></contrib></contrib-group>"
        "<pub-date pub-type='ppub'><year>2020</year></pub-date><pub-date pub-type='epub'><month>Feb</month><year>2019</year></pub-date>"
        "<pub-date pub-type='pmc-release'><day>1</day><month>1</month><year>2018</year></pub-date>"
    )
    report = read(article(meta=meta, article_type="letter", **{"xml:lang": "en"}))
    assert (report.title, report.authors, report.published_on) == ("Fever in a man", ("A B Roe",), "2019-02")
    assert (report.article_type, report.subjects, report.language, report.journal) == (
        "letter",
        ("Case Report",),
        "en",
        "J",
    )
    assert report.identifiers.pmid == "77"


def test_an_article_that_names_nothing_reads_with_empty_fields():
    report = read("<article><body><p>Only text.</p></body></article>")
    assert (report.title, report.authors, report.published_on, report.article_type) == ("", (), "", "")
    assert (report.licence.code, report.is_retracted, report.identifiers.pmcid) == ("", None, None)


ENVELOPES = {
    "plain": '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE article PUBLIC "-//NLM//DTD" "../../gone.dtd">{}',
    "oai": '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><GetRecord><record><metadata>{}</metadata></record></GetRecord></OAI-PMH>',
    "efetch": '<?xml version="1.0"?><pmc-articleset>{}</pmc-articleset>',
    "cloud": '\n<!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "x.dtd">\n{}',
    "bom": "\ufeff{}",
}


@pytest.mark.parametrize("envelope", ENVELOPES)
def test_the_four_envelopes_give_the_same_report(envelope):
    body = "<sec><title>Case</title><p>See <xref ref-type='fig' rid='f1'>Fig. 1</xref>; <mml:math><mml:mi>x</mml:mi></mml:math>.</p></sec>"
    floats = "<floats-group><fig id='f1'><label>Fig. 1</label><graphic xlink:href='p'/></fig></floats-group>"
    plain = article(body, floats, article_type="case-report")
    inner = plain
    if envelope == "oai":
        inner = plain.replace("<article ", '<article xmlns="https://jats.nlm.nih.gov/ns/archiving/1.3/" ', 1)
    if envelope == "cloud":
        inner = (
            plain.replace(f" {XLINK}", "")
            .replace("<graphic ", f"<graphic {XLINK} ")
            .replace("<mml:math>", f"<mml:math {XLINK}>")
        )
    left_out = {"source_sha256"}
    assert read(ENVELOPES[envelope].format(inner)).model_dump(exclude=left_out) == read(plain).model_dump(
        exclude=left_out
    )


def test_a_file_that_leaves_its_prefixes_to_the_dtd_is_read():
    xml = article("<sec><title>Case</title><p>a</p><fig id='f1'><graphic xlink:href='p'/></fig></sec>").replace(
        f" {XLINK}", ""
    )
    assert read(xml).figures[0].graphics[0].href == "p"


def test_back_matter_is_stored_but_never_as_case_content():
    back = (
        "<back><ack><title>Acknowledgments</title><p>Thanks.</p></ack><fn-group><fn><p>No conflict.</p></fn></fn-group>"
        "<glossary><title>Abbreviations</title><def-list><def-item><term>MI</term><def><p>infarct</p></def></def-item></def-list></glossary>"
        "<sec><title>Learning Points</title><p>Remember.</p></sec><ref-list><ref><mixed-citation>Ref.</mixed-citation></ref></ref-list></back>"
    )
    report = read(article(after=back))
    assert [(part.kind, part.text) for part in report.parts if part.id.startswith("b")] == [
        ("declaration", "Thanks."),
        ("declaration", "No conflict."),
        ("back", "MI: infarct"),
        ("box", "Remember."),
    ]
    assert report.body_chars == 17


def test_supplementary_files_and_films_are_reported_and_their_captions_stored():
    body = (
        "<sec><title>Case</title><p>a</p><supplementary-material id='s1'><label>Video 1</label><caption><p>A clip.</p></caption>"
        "<media xlink:href='v1.avi'/></supplementary-material></sec>"
    )
    report = read(article(body))
    assert report.figures == ()
    assert [part.text for part in report.parts if part.kind == "caption"] == ["Video 1 \nA clip.".replace(" \n", "\n")]
    assert any("v1.avi is not a figure" in warning for warning in report.warnings)


def test_a_title_that_begins_with_the_word_retraction_need_not_be_a_notice():
    meta = "<title-group><article-title>Retraction of the ear drum in a child</article-title></title-group>"
    assert read(article(meta=meta, article_type="letter")).is_retracted is None


def test_retraction_is_known_from_the_title_or_a_related_article():
    assert (
        read(article(meta="<title-group><article-title>RETRACTED: A case</article-title></title-group>")).is_retracted
        is True
    )
    related = TITLE + "<related-article related-article-type='retraction-forward'/>"
    assert read(article(meta=related)).is_retracted is True
    assert read(article()).is_retracted is None
