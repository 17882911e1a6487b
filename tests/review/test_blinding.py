import pytest

from core.review.blinding import REMOVED, plain_answer, without_names


def test_headings_emphasis_rules_and_pictograms_go_and_the_words_stay() -> None:
    text = "# Impression\n\n---\n**Likely** `sepsis` 🚑\n* first\n2) second\n> quoted"
    assert plain_answer(text) == "Impression\n\nLikely sepsis\n- first\n- second\nquoted"


def test_a_table_becomes_lines() -> None:
    assert plain_answer("| finding | side |\n|---|---|\n| mass | left |") == "finding; side\nmass; left"


@pytest.mark.parametrize(
    "text",
    [
        "Hb 9.1 g/dL, CRP 12 mg/L, temperature 38.5 °C",
        "2 * 3 * 4 mm and a_b_c stay",
        "S-100+, CD34-, p < 0.05 → schwannoma",
        "HER2 2+ (IHC); T1/T2 signal ↑",
    ],
)
def test_clinical_text_is_left_alone(text: str) -> None:
    assert plain_answer(text) == text


def test_model_names_are_taken_out() -> None:
    for name in (
        "GPT-4.1",
        "ChatGPT",
        "o4-mini",
        "Claude Haiku 4.5",
        "claude-sonnet-4",
        "Gemini 2.5 Pro",
        "Qwen3-235B",
        "OpenAI",
    ):
        assert without_names(f"As {name} I think so.", []) == f"As {REMOVED} I think so.", name
        assert without_names(f"Signed, {name}.", []) == f"Signed, {REMOVED}.", name


def test_the_names_of_this_dialogue_are_taken_out_and_ordinary_words_stay() -> None:
    text = "House-model-7 says: within the reference range."
    assert without_names(text, ["house-model-7", "reference"]) == f"{REMOVED} says: within the reference range."


def test_words_of_medicine_that_look_like_names_stay() -> None:
    text = "Claude syndrome is a midbrain stroke; a sonnet, an opus; Gemini surgical system; gpt (ALT) 40 U/L."
    assert without_names(text, []) == text
