import pytest

from core.language.abbreviations import find_abbreviations


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We saw acute respiratory distress syndrome (ARDS) early.", "ARDS", "acute respiratory distress syndrome"),
        ("a failed trial of a proton pump inhibitor (PPI) followed", "PPI", "proton pump inhibitor"),
        ("heparin-induced thrombocytopenia (HIT) was excluded", "HIT", "heparin-induced thrombocytopenia"),
        ("HIV (human immunodeficiency virus) was negative", "HIV", "human immunodeficiency virus"),
        ("TB (tuberculosis) was excluded", "TB", "tuberculosis"),
        ("Abbreviations\nPOCUS: point-of-care ultrasound", "POCUS", "point-of-care ultrasound"),
    ],
)
def test_definitions_in_an_article_are_found(text: str, short: str, long: str) -> None:
    assert find_abbreviations(text) == {short: long}


@pytest.mark.parametrize("text", ["HIV (negative) at entry", "size (3 × 4 cm)", "stage (II)", "the test (normal)", ""])
def test_other_brackets_define_nothing(text: str) -> None:
    assert find_abbreviations(text) == {}


def test_the_first_definition_counts() -> None:
    text = "pulmonary embolism (PE) was suspected. Pleural effusion (PE) was seen."
    assert find_abbreviations(text)["PE"] == "pulmonary embolism"
