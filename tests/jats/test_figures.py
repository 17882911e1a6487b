"""Figures: where they stand, what is one, label, caption, pictures, order, and where the text cites them."""

import pytest

from core.domain.article import CaseReport
from tests.jats.making import XLINK, article, fig, read


def labels(report: CaseReport) -> list[str]:
    return [figure.label for figure in report.figures]


def hrefs(report: CaseReport) -> list[list[str]]:
    return [[graphic.href for graphic in figure.graphics] for figure in report.figures]


def cited(report: CaseReport) -> dict[str, list[str]]:
    return {figure.label: [report.text_at(span) for span in figure.citations] for figure in report.figures}


def ranks(report: CaseReport) -> dict[str, int | None]:
    return {figure.label: figure.citation_rank for figure in report.figures}


def case(text: str, count: int = 3, more: str = "") -> CaseReport:
    floats = "".join(fig(number) for number in range(1, count + 1))
    return read(article(f"<sec><title>Case</title><p>{text}</p></sec>{more}", f"<floats-group>{floats}</floats-group>"))


def xref(number: int, text: str | None = None) -> str:
    return f"<xref ref-type='fig' rid='f{number}'>{f'Figure {number}' if text is None else text}</xref>"


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("<sec><title>Case</title><p>a</p></sec>", f"<floats-group>{fig()}</floats-group>"),
        ("<sec><title>Case</title><p>a</p></sec>", f"<floats-wrap>{fig()}</floats-wrap>"),
        (f"<sec><title>Case</title><p>a {fig()} b</p></sec>", ""),
        (f"<sec><title>Case</title><p>a</p>{fig()}</sec>", ""),
        (f"<p>a</p>{fig()}", ""),
        (f"<p>a <list><list-item><p>b {fig()}</p></list-item></list></p>", ""),
        (f"<p>a <boxed-text><p>b</p>{fig()}</boxed-text></p>", ""),
        ("<p>a</p>", f"<back><app-group><app><title>Appendix</title>{fig()}</app></app-group></back>"),
    ],
)
def test_a_figure_is_found_wherever_it_stands_and_its_caption_stays_out_of_the_text(body, after):
    report = read(article(body, after))
    assert (labels(report), hrefs(report)) == (["Figure 1"], [["pic1"]])
    assert report.caption(report.figures[0]) == "A film."
    assert not any("A film" in part.text for part in report.parts if part.kind in ("section", "table", "box"))
    assert report.body_chars == report.kept_chars + sum(one.chars for one in report.set_aside)


def test_graphics_outside_a_figure_are_no_figures():
    body = (
        "<p>a <inline-graphic xlink:href='eq1'/> b <graphic xlink:href='loose'/></p><disp-formula><graphic xlink:href='e'/></disp-formula>"
        "<table-wrap><label>Table 1</label><graphic xlink:href='t1'/></table-wrap><boxed-text><graphic xlink:href='ga'/></boxed-text>"
    )
    assert read(article(body, f"<back><bio>{fig()}</bio></back>")).figures == ()


def test_a_figure_of_the_abstract_is_not_the_articles():
    assert read(article(meta=f"<abstract abstract-type='graphical'><p>x</p>{fig()}</abstract>")).figures == ()


@pytest.mark.parametrize(
    ("caption", "text"),
    [
        ("<caption><p>One.</p><p>Two.</p></caption>", "One.\nTwo."),
        ("<caption><title>Title.</title><p>More.</p></caption>", "Title.\nMore."),
        ("<caption><title>Only title</title></caption>", "Only title"),
        ("<caption><p>Photo.</p></caption><attrib>Credit: A B</attrib>", "Photo.\nCredit: A B"),
        ("<p>Loose paragraph.</p>", "Loose paragraph."),
        ("Loose text", "Loose text"),
        ("<caption><p>10<sup>9</sup> cells <xref ref-type='bibr' rid='r'>[4]</xref></p></caption>", "10⁹ cells"),
    ],
)
def test_captions_are_read_in_each_of_their_shapes(caption, text):
    report = read(article(f"<p>a</p>{fig(caption=caption)}"))
    assert report.caption(report.figures[0]) == text


def test_files_and_tables_inside_a_figure_lose_no_text():
    inside = (
        "<caption><p>Main.</p><p><supplementary-material><caption><p>Source data.</p></caption><media xlink:href='d.csv'/>"
        "</supplementary-material></p></caption><table-wrap><table><tr><td>Na</td><td>140</td></tr></table></table-wrap>"
    )
    for body, after in ((fig(caption=inside), ""), ("", f"<floats-group>{fig(caption=inside)}</floats-group>")):
        report = read(article(f"<p>a</p>{body}", after))
        assert report.caption(report.figures[0]) == "Main."
        assert sorted(part.text for part in report.parts if part.kind in ("caption", "table")) == [
            "Main.",
            "Na | 140",
            "Source data.",
        ]


def test_a_figure_without_caption_or_label_is_kept_and_says_so():
    report = read(article(f"<p>a</p>{fig(caption='', label='')}"))
    (figure,) = report.figures
    assert (figure.label, figure.caption_part, figure.id) == ("", None, "fig1")
    assert "fig1 has no caption." in report.warnings


def test_labels_are_kept_as_printed_without_closing_punctuation():
    printed = ["Fig.&#160;1.", "Figure 2:", "FIGURE 3", "Image 4"]
    report = read(article("<p>a</p>" + "".join(fig(number, label=label) for number, label in enumerate(printed, 1))))
    assert labels(report) == ["Fig. 1", "Figure 2", "FIGURE 3", "Image 4"]


def test_a_figure_inside_a_figure_is_one_of_its_own_and_captions_do_not_double():
    inner = f"<p content-type='supplemental-figure'>{fig(2, label='Figure 1—figure supplement 1', caption='<caption><p>Inner.</p></caption>')}</p>"
    report = read(article(f"<p>a</p>{fig(1, caption=f'<caption><p>Outer.</p></caption>{inner}')}"))
    assert labels(report) == ["Figure 1", "Figure 1—figure supplement 1"]
    assert [report.caption(figure) for figure in report.figures] == ["Outer.", "Inner."]
    assert hrefs(report) == [["pic1"], ["pic2"]]


def test_members_of_a_group_with_labels_of_their_own_are_figures_of_their_own():
    assert labels(read(article(f"<p>a</p><fig-group>{fig(1)}{fig(2)}</fig-group>"))) == ["Figure 1", "Figure 2"]


def test_lettered_members_of_a_labelled_group_are_one_figure():
    group = (
        f"<fig-group id='g'><label>Figure 1</label><caption><p>Both eyes.</p></caption>"
        f"{fig(1, label='A', caption='<caption><p>Right.</p></caption>')}{fig(2, label='B', caption='<caption><p>Left.</p></caption>')}</fig-group>"
    )
    report = read(article(f"<p>a</p>{group}"))
    assert (labels(report), hrefs(report)) == (["Figure 1"], [["pic1", "pic2"]])
    assert report.caption(report.figures[0]) == "Both eyes.\nA\nRight.\nB\nLeft."


def test_a_pair_in_two_languages_is_one_figure_with_both_captions():
    pair = (
        "<fig-group id='g1'><fig id='p1' xml:lang='pt'><label>Figura 1</label><caption><p>Pele.</p></caption></fig>"
        "<fig id='e1' xml:lang='en'><label>Figure 1</label><caption><p>Skin.</p></caption><graphic xlink:href='x'/></fig></fig-group>"
    )
    report = read(article(f"<p>Ver <xref ref-type='fig' rid='g1'>figura 1</xref>.</p>{pair}", **{"xml:lang": "pt"}))
    assert ranks(report) == {"Figura 1": 1}
    assert (labels(report), hrefs(report)) == (["Figura 1"], [["x"]])
    assert report.caption(report.figures[0]) == "Pele."
    assert report.part("fig1.caption.en").text == "Skin."


@pytest.mark.parametrize(
    ("graphics", "found"),
    [
        ("<graphic xlink:href='gr1a'/><graphic xlink:href='gr1b'/>", ["gr1a", "gr1b"]),
        (
            "<alternatives><graphic content-type='thumb' xlink:href='x.gif'/><graphic content-type='image' xlink:href='x.jpg'/></alternatives>",
            ["x.jpg"],
        ),
        ("<alternatives><graphic xlink:href='x.tif'/><graphic xlink:href='x.png'/></alternatives>", ["x.png"]),
        ("<graphic xlink:href=''/><graphic xlink:href='https://host/y.jpg'/>", ["https://host/y.jpg"]),
        ("<graphic xlink:href='x.gif'/><graphic xlink:href='x.jpg'/>", ["x.jpg"]),
        ("<graphic xlink:href='T1.001'/><graphic xlink:href='T1.002'/>", ["T1.001", "T1.002"]),
        ("<media xlink:href='v.mp4'/>", []),
    ],
)
def test_the_pictures_of_a_figure_are_told_from_their_renditions(graphics, found):
    report = read(article(f"<p>a</p><fig id='f1'><label>Figure 1</label><caption><p>c</p></caption>{graphics}</fig>"))
    assert hrefs(report) == [found]


def test_processing_instructions_in_a_graphic_do_no_harm():
    graphic = f"<graphic {XLINK} xlink:href='x.jpg'><?image-md5 99?><?cloud urn:cdn:blobs?></graphic>"
    assert hrefs(read(article(f"<p>a</p><fig id='f1'>{graphic}</fig>"))) == [["x.jpg"]]


def test_label_order_wins_over_document_order_and_the_difference_is_said():
    report = read(article("<p>a</p>" + "".join(fig(number) for number in (3, 4, 2))))
    assert labels(report) == ["Figure 2", "Figure 3", "Figure 4"]
    assert [figure.id for figure in report.figures] == ["fig1", "fig2", "fig3"]
    assert any("order Figure 3, Figure 4, Figure 2" in warning for warning in report.warnings)


def test_unnumbered_figures_and_other_kinds_keep_their_places():
    report = read(
        article(
            f"<p>a</p>{fig(1, label='Scheme 1')}{fig(2, label='')}{fig(3, label='Figure 2')}{fig(4, label='Figure 1')}"
        )
    )
    assert labels(report) == ["Scheme 1", "", "Figure 1", "Figure 2"]


def test_the_citing_sentences_are_found_with_words_outside_the_link():
    report = case(
        f"He came on foot. The film ({xref(1, '1(a)')}) was normal (Fig. 9). Later (Figures {xref(2, '2(a)')}) not.", 2
    )
    assert cited(report) == {
        "Figure 1": ["The film (1(a)) was normal (Fig. 9)."],
        "Figure 2": ["Later (Figures 2(a)) not."],
    }


def test_order_of_first_citation_is_counted_over_the_text_and_uncited_figures_have_no_rank():
    report = case(f"See {xref(2)}. Then {xref(1)} and {xref(2)}.")
    assert ranks(report) == {"Figure 1": 2, "Figure 2": 1, "Figure 3": None}
    assert report.figures[2].citations == () and report.figures[2].first_cited_in is None


@pytest.mark.parametrize(
    "text",
    [
        f"See {xref(1, 'Figs. 1')}–{xref(3, '3')}.",
        f"See {xref(1, 'Figs. 1')}{xref(2, '')}–{xref(3, '3')}.",
        f"See {xref(1, 'Figure 1')} to {xref(3, 'Figure 3')}.",
        f"See {xref(1, 'Figures 1–3')}.",
        f"See {xref(1, 'Fig. 1a')}-{xref(1, 'c')}, {xref(2, '')}{xref(3, '3')}.",
        "See <xref ref-type='fig' rid='f1 f2 f3'>Figures 1, 2, 3</xref>.",
    ],
)
def test_ranges_lists_and_empty_links_cite_every_figure_they_mean(text):
    assert ranks(case(text)) == {"Figure 1": 1, "Figure 2": 2, "Figure 3": 3}


def test_a_dangling_link_cites_nothing_and_breaks_nothing():
    assert ranks(case("See <xref ref-type='fig' rid='nowhere'>Figure 7</xref>.", 1)) == {"Figure 1": None}


def test_a_figure_no_link_names_is_found_by_its_label_in_the_text():
    report = case(f"The scan (Figure 2) was odd. So was {xref(1)}. Figure 20 is another.", 2)
    assert cited(report)["Figure 2"] == ["The scan (Figure 2) was odd."]
    assert ranks(report) == {"Figure 1": 2, "Figure 2": 1}


def test_a_label_in_another_language_is_found_in_the_text():
    report = read(article(f"<p>Ver as figuras 1 e 2, e a figura 1.</p>{fig(1, label='Figura 1')}"))
    assert cited(report) == {"Figura 1": ["Ver as figuras 1 e 2, e a figura 1."]}


def test_the_innermost_section_of_the_first_citation_is_named():
    more = f"<sec><title>2. Case</title><sec><title>2.2. Imaging</title><p>So {xref(2)}.</p></sec></sec>"
    report = case(f"See {xref(1)}.", 2, more)
    assert [figure.first_cited_in for figure in report.figures] == ["Case", "Imaging"]


def test_citations_in_captions_boxes_and_declarations_do_not_count():
    box = f"<boxed-text><p>{xref(1)}</p></boxed-text><sec><title>Consent</title><p>For {xref(1)}.</p></sec>"
    assert ranks(case("Nothing.", 1, box)) == {"Figure 1": None}
