import pytest

from core.language.terms import content_stems, expand_abbreviations, find_term, normalise, stem, term_key, tokenise


@pytest.mark.parametrize(
    "words",
    [
        ("effusion", "effusions"),
        ("oedema", "edema", "edematous", "oedematous"),
        ("tumour", "tumours", "tumor"),
        ("tuberculosis", "tuberculous"),
        ("necrosis", "necrotic", "necrotizing", "necrotising"),
        ("metastasis", "metastases", "metastatic"),
        ("leukaemia", "leukemia", "leukemic"),
        ("pleura", "pleural"),
        ("granuloma", "granulomas", "granulomata", "granulomatous"),
        ("calcification", "calcified", "calcifications"),
        ("bronchus", "bronchi", "bronchial"),
        ("embolus", "emboli", "embolism"),
        ("opacity", "opacities"),
        ("dilated", "dilatation", "dilation"),
        ("thorax", "thoracic"),
        ("biopsy", "biopsies"),
        ("stenosis", "stenoses", "stenotic", "stenosed"),
        ("vertebra", "vertebrae", "vertebral"),
        ("haemorrhage", "hemorrhages", "haemorrhagic"),
        ("localised", "localized"),
        ("fracture", "fractures", "fractured"),
    ],
)
def test_one_word_family_has_one_stem(words):
    assert len({stem(word) for word in words}) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("arthritis", "arthrosis"),
        ("leukemia", "leukopenia"),
        ("ileum", "ilium"),
        ("hypertension", "hypotension"),
        ("nephritis", "nephrosis"),
        ("peroneal", "perineal"),
        ("anemia", "anomia"),
        ("mucous", "mycosis"),
    ],
)
def test_different_conditions_keep_different_stems(first, second):
    assert stem(first) != stem(second)


def test_word_order_and_inflection_do_not_change_the_key_of_a_term():
    assert term_key("Effusion of the pleura") == term_key("pleural effusions")


def test_normalised_text_keeps_inflection_and_numbers():
    assert normalise("An 8.5 cm Tumour – Crohn’s type") == "an 8.5 cm tumor crohn type"


def test_negation_and_small_words_are_no_content():
    assert content_stems("There is no evidence of a fracture") == (stem("fracture"),)


def test_offsets_point_into_the_text_as_given():
    text = "T2-weighted hyperintensity, left"
    assert [text[token.start : token.end] for token in tokenise(text)] == ["T2", "weighted", "hyperintensity", "left"]


def test_abbreviations_are_replaced_as_whole_words_only():
    abbreviations = {"CTS": "carpal tunnel syndrome", "MI": "myocardial infarction"}
    assert expand_abbreviations("carpal tunnel syndrome (CTS)", abbreviations) == "carpal tunnel syndrome"
    assert expand_abbreviations("acute MI, not MIBG", abbreviations) == "acute myocardial infarction, not MIBG"


def test_a_term_is_found_in_another_inflection_and_hyphenation():
    text = "Right-sided pleural effusions were drained."
    assert [text[start:end] for start, end in find_term(text, "right sided pleural effusion")] == [
        "Right-sided pleural effusions"
    ]
    assert find_term(text, "") == []
