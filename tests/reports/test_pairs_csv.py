"""Import of report pairs: any column names, faults with their lines, all or nothing."""

import pytest

from core.errors import InvalidInput
from core.reports.pairs_csv import read_head, read_pairs

HEADER = "pair,dataset,modality,model,reference,prediction\n"


def pairs(text: str, **options):
    return read_pairs(text.encode(), "pairs.csv", **options)


def fault(text: str, **options) -> str:
    with pytest.raises(InvalidInput) as caught:
        pairs(text, **options)
    return caught.value.message


def test_a_plain_file_gives_its_pairs_in_order() -> None:
    found = pairs(HEADER + 'A,D,CT,M,"No cyst, no mass.",Cyst.\nB,D,CT,M,Ulcer.,\n')
    assert [(c.line, c.pair.pair, c.pair.prediction) for c in found] == [(2, "A", "Cyst."), (3, "B", "")]
    assert found[0].pair.reference == "No cyst, no mass."


def test_quoted_line_breaks_a_byte_order_mark_and_other_separators_are_read() -> None:
    text = "\ufeff" + HEADER.replace(",", ";") + 'A;D;CT;M;"Line one.\nLine two.";Cyst.\nB;D;CT;M;Ulcer.;Ulcer.\n'
    found = pairs(text)
    assert [c.line for c in found] == [2, 4]
    assert found[0].pair.reference == "Line one.\nLine two."


def test_other_column_names_are_guessed_or_mapped() -> None:
    text = "Study_ID,ground_truth,candidate,who\nA,Cyst.,Mass.,M1\n"
    head = read_head(text.encode(), "x.csv")
    assert dict(head.guess) == {"pair": "Study_ID", "reference": "ground_truth", "prediction": "candidate"}
    found = pairs(text, mapping={**head.guess, "model": "who"}, constants={"dataset": "D"})
    assert (found[0].pair.model, found[0].pair.dataset, found[0].pair.modality) == ("M1", "D", "")


def test_every_fault_names_its_line() -> None:
    message = fault(
        HEADER + "A,D,CT,M,Cyst.,Cyst.\n,D,CT,M,Cyst.,Cyst.\nB,D,CT,M,,Cyst.\nC,D,CT\nA,D,CT,M,Mass.,Mass.\n"
    )
    assert "line 3: no pair" in message
    assert "line 4: no reference" in message
    assert "line 5: 3 cells where the header has 6" in message
    assert "line 6: the same dataset, pair and model stand on line 2 already" in message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        (HEADER, "no report pairs"),
        ("pair,reference\nA,Cyst.\n", "No column of pairs.csv is chosen for: dataset, model, prediction"),
        ("pair,pair\nA,B\n", "the column pair twice"),
        (HEADER + 'A,D,CT,M,"Cyst.,Cyst.\n', "line 2"),
        (HEADER + "A,D,CT,M,Cy\0st.,Cyst.\n", "no text file"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(text: str, words: str) -> None:
    assert words in fault(text)


def test_a_file_in_another_encoding_names_the_line() -> None:
    with pytest.raises(InvalidInput, match="line 2"):
        read_pairs((HEADER + "A,D,CT,M,Gr\xf6\xdfe,x\n").encode("latin-1"), "pairs.csv")


def test_a_column_that_is_not_there_is_named() -> None:
    assert "no column named nope" in fault(HEADER + "A,D,CT,M,x,y\n", mapping={"pair": "nope"})
