"""Each way in which text is lost or changed by other readers, with one tiny article."""

import pytest

from tests.jats.making import article, body_text, read


def text_of(body: str) -> str:
    return body_text(read(article(f"<sec><title>Case report</title>{body}</sec>")))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("6.2 × 10<sup>9</sup>/L", "6.2 × 10⁹/L"),
        ("25 kg/m<sup>2</sup>", "25 kg/m²"),
        ("10<sup>−3</sup> and 10<sup>-12</sup>", "10⁻³ and 10⁻¹²"),
        ("<sup>99m</sup>Tc and <sup>18</sup>F", "⁹⁹ᵐTc and ¹⁸F"),
        ("Ca<sup>2+</sup>, Na<sup>+</sup>", "Ca²⁺, Na⁺"),
        ("the 25<sup>th</sup> day", "the 25th day"),
        ("brand<sup>®</sup> and note<sup>*</sup>", "brand® and note*"),
        ("KRAS<sup>G12D</sup>", "KRAS^G12D"),
        ("10<sup>1.5</sup>", "10^(1.5)"),
        ("CO<sub>2</sub>, HbA<sub>1c</sub>, T<sub>max</sub>", "CO₂, HbA₁c, Tmax"),
        ("x<sup><italic>2</italic></sup>", "x²"),
    ],
)
def test_superscripts_and_subscripts_keep_their_meaning(source, text):
    assert text_of(f"<p>{source}</p>") == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("rapidly.<xref ref-type='bibr' rid='b1'>1</xref> Then", "rapidly. Then"),
        ("rapidly.<sup><xref ref-type='bibr' rid='b1'>1</xref></sup> Then", "rapidly. Then"),
        ("seen <sup><xref ref-type='bibr' rid='b1'>1</xref>)</sup> before", "seen before"),
        ("seen [<xref ref-type='bibr' rid='b1'>1</xref>].", "seen."),
        ("seen <xref ref-type='bibr' rid='b1'>[1]</xref>, too", "seen, too"),
        ("seen [<xref ref-type='bibr' rid='b1'>1</xref>, <xref ref-type='bibr' rid='b2'>3</xref>–<xref ref-type='bibr' rid='b3'>7</xref>] once", "seen once"),
        ("in [<xref ref-type='bibr' rid='b1'>1</xref>] and [<xref ref-type='bibr' rid='b2'>2</xref>] it", "in it"),
        ("rare (<xref ref-type='bibr' rid='b1'>Doe et al., 2004</xref>; <xref ref-type='bibr' rid='b2'>Roe, 2010</xref>).", "rare."),
        ("as <xref ref-type='bibr' rid='b1'>Doe (2004)</xref> showed", "as Doe (2004) showed"),
        ("(Figure, [<xref ref-type='bibr' rid='b1'>2</xref>]) here", "(Figure) here"),
        ("(at 3 mg [<xref ref-type='bibr' rid='b1'>2</xref>]) here", "(at 3 mg) here"),
        ("multi <xref ref-type='bibr' rid='b1 b2'>1,2</xref> ids", "multi ids"),
    ],
)  # fmt: skip
def test_citation_marks_go_with_their_brackets_and_never_merge_into_the_text(source, text):
    assert text_of(f"<p>{source}</p>") == text


def test_a_citation_without_ref_type_is_told_by_the_reference_it_points_to():
    after = '<back><ref-list><ref id="r9"><mixed-citation>x</mixed-citation></ref></ref-list></back>'
    body = '<sec><title>Case</title><p>Common.<xref rid="r9">9</xref> Next.</p></sec>'
    assert body_text(read(article(body, after))) == "Common. Next."


def test_the_text_after_a_figure_inside_a_paragraph_is_kept_and_its_caption_is_not_in_it():
    report = read(article(
        "<sec><title>Case</title><p>Normal chest.<fig id='f1'><label>Fig. 1</label><caption><p>A swelling</p></caption>"
        "<graphic xlink:href='x'/></fig> Then he left.</p></sec>"
    ))  # fmt: skip
    assert body_text(report) == "Normal chest. Then he left."
    assert report.caption(report.figures[0]) == "A swelling"


def test_comments_and_processing_instructions_lose_no_text():
    assert text_of("<p><!-- note -->The <?page 3?>patient <!-- x -->rose.</p>") == "The patient rose."


def test_typographic_spaces_become_plain_and_invisible_marks_go():
    assert text_of("<p>Fig.&#160;one,\u2009two\u200b, a\u00addenoma&#173;</p>") == "Fig. one, two, adenoma"


def test_named_entities_keep_their_characters():
    assert text_of("<p>a &minus;8.02 &nbsp;&iquest;&alpha;&lt;5 &amp; more</p>") == "a −8.02 ¿α<5 & more"


def test_lists_become_lines_with_bullets_or_numbers():
    bullets = "<list><list-item><label>•</label><p>first</p></list-item><list-item><p>second</p></list-item></list>"
    ordered = "<list list-type='order'><list-item><p>one</p></list-item><list-item><p>two</p></list-item></list>"
    assert text_of(f"<p>Before {bullets} after.</p>{ordered}") == "Before\n• first\n• second\nafter.\n1. one\n2. two"


def test_labels_of_list_items_that_say_something_are_kept():
    assert text_of("<list><list-item><label>(i)</label><p>one</p></list-item></list>") == "(i) one"


def test_definition_lists_become_one_line_for_each_term():
    source = "<def-list><def-item><term>ESR</term><def><p>Sedimentation rate</p></def></def-item></def-list>"
    assert text_of(source) == "ESR: Sedimentation rate"


def test_quotes_and_statements_stand_on_lines_of_their_own():
    assert text_of("<p>He said:</p><disp-quote><p>I fell.</p></disp-quote><p>Then.</p>") == "He said:\nI fell.\nThen."


@pytest.mark.parametrize(
    ("math", "text"),
    [
        ("<mml:mover><mml:mi>V</mml:mi><mml:mo>˙</mml:mo></mml:mover><mml:msub><mml:mi>O</mml:mi><mml:mn>2</mml:mn></mml:msub>", "V̇O₂"),
        ("<mml:msup><mml:mn>10</mml:mn><mml:mn>9</mml:mn></mml:msup>", "10⁹"),
        ("<mml:mfrac><mml:mi>a</mml:mi><mml:mrow><mml:mi>b</mml:mi><mml:mo>+</mml:mo><mml:mn>1</mml:mn></mml:mrow></mml:mfrac>", "a/(b+1)"),
        ("<mml:msqrt><mml:mi>x</mml:mi></mml:msqrt>", "√(x)"),
    ],
)  # fmt: skip
def test_mathml_is_read_as_one_line(math, text):
    assert (
        text_of(f"<p>Rate <inline-formula><mml:math>{math}</mml:math></inline-formula> fell.</p>")
        == f"Rate {text} fell."
    )


def test_tex_is_read_without_its_preamble():
    tex = (
        r"\documentclass[12pt]{minimal}\usepackage{amsmath}\begin{document}$$10^{9} \times \frac{a}{b}$$\end{document}"
    )
    assert text_of(f"<p>N is <inline-formula><tex-math>{tex}</tex-math></inline-formula>.</p>") == "N is 10⁹ × (a)/(b)."


def test_only_one_of_several_renditions_is_printed():
    both = (
        "<inline-formula><alternatives><tex-math>\\begin{document}$x$\\end{document}</tex-math>"
        "<mml:math><mml:mi>x</mml:mi></mml:math><inline-graphic xlink:href='e1'/></alternatives></inline-formula>"
    )
    assert text_of(f"<p>Let {both} be.</p>") == "Let x be."


def test_table_rows_are_lines_with_spans_repeated_and_breaks_parted():
    table = (
        "<table-wrap><label>Table 1</label><caption><p>Blood</p></caption><table><thead><tr><th>Test</th><th>Day 1</th><th>Day 2</th></tr>"
        "</thead><tbody><tr><td rowspan='2'>Hb (g/dL)</td><td>12.7</td><td>9.1<xref ref-type='fn' rid='a'><sup>a</sup></xref></td></tr>"
        "<tr><td colspan='2'>8.0<break/>7.5</td></tr></tbody></table><table-wrap-foot><fn id='a'><p><sup>a</sup>low</p></fn>"
        "</table-wrap-foot></table-wrap>"
    )
    report = read(article(f"<sec><title>Case</title><p>See table.</p>{table}</sec>"))
    (part,) = [part for part in report.parts if part.kind == "table"]
    assert part.text.split("\n") == [
        "Table 1: Blood",
        "Test | Day 1 | Day 2",
        "Hb (g/dL) | 12.7 | 9.1ᵃ",
        "Hb (g/dL) | 8.0; 7.5",
        "ᵃlow",
    ]
    assert part.path == ("Case",)


def test_a_floating_table_belongs_to_the_section_that_names_it():
    floats = "<floats-group><table-wrap id='t1'><label>Table 1</label><table><tr><td>Na</td><td>140</td></tr></table></table-wrap></floats-group>"
    report = read(
        article(
            "<sec><title>Case</title><p>Values (Table 1).</p></sec><sec><title>Discussion</title><p>No.</p></sec>",
            floats,
        )
    )
    (table,) = [part for part in report.parts if part.kind == "table"]
    assert (table.role, table.path, table.text) == ("case", ("Case",), "Table 1\nNa | 140")


def test_members_of_a_table_group_are_all_read():
    group = (
        "<table-wrap-group><label>Table 1</label><caption><p>Tests</p></caption>"
        "<table-wrap><label>(a)</label><table><tr><td>x</td></tr></table></table-wrap>"
        "<table-wrap><label>(b)</label><table><tr><td>y</td></tr></table></table-wrap></table-wrap-group>"
    )
    assert text_of(f"<p>See.</p>{group}") == "See.\nTable 1: Tests\n(a)\nx\n(b)\ny"


def test_a_table_that_is_a_picture_is_reported():
    report = read(
        article(
            "<sec><title>Case</title><p>See.</p><table-wrap><label>Table 1</label><graphic xlink:href='t'/></table-wrap></sec>"
        )
    )
    assert any("the table is a picture" in warning for warning in report.warnings)
    assert report.figures == ()
