import pytest

from core.jats.panels import find_panels


def stretches(caption: str) -> list[tuple[str, str]]:
    return [(panel.letter, caption[panel.start : panel.end]) for panel in find_panels(caption)]


def test_bracketed_letters_before_their_text_give_one_stretch_each():
    assert stretches("(a) Chest film on day one; (b) the same on day nine.") == [
        ("A", "(a) Chest film on day one;"),
        ("B", "(b) the same on day nine."),
    ]


def test_letters_behind_their_text_belong_to_what_stands_before_them():
    assert stretches("Axial (a) and coronal (b) sections of the orbit.") == [("A", "Axial (a)"), ("B", "coronal (b)")]


@pytest.mark.parametrize(
    "caption",
    [
        "A: ulcer. B: scar.",
        "A. Ulcer. B. Scar.",
        "a, Ulcer. b, Scar.",
        "a ulcer, b scar",
        "[A] ulcer [B] scar",
        "A) ulcer B) scar",
    ],
)
def test_every_way_of_marking_two_panels_is_read(caption):
    assert [panel.letter for panel in find_panels(caption)] == ["A", "B"]


def test_a_range_gives_each_of_its_letters_the_same_stretch():
    assert stretches("(a-c) Slices of the liver. (d) Spleen.") == [
        ("A", "(a-c) Slices of the liver."),
        ("B", "(a-c) Slices of the liver."),
        ("C", "(a-c) Slices of the liver."),
        ("D", "(d) Spleen."),
    ]


def test_interleaved_lists_of_letters_are_all_found():
    assert [panel.letter for panel in find_panels("a and c, Gel of one gene. b and d, Gel of another.")] == [
        "A",
        "C",
        "B",
        "D",
    ]


def test_letters_named_again_later_do_not_start_new_panels():
    assert len(find_panels("(A) Mass. (B) Its edge, not seen in (A).")) == 2


@pytest.mark.parametrize(
    "caption", ["", "One picture only.", "Deficiency of vitamin B. Skin.", "See part (c).", "(a) Only one letter."]
)
def test_captions_without_two_letters_in_order_have_no_panels(caption):
    assert find_panels(caption) == ()
