"""Data with published or cross-checked answers (statistics.md section 4)."""

NA = None
# Krippendorff 2011: 12 units x 4 observers.
K1 = [
    list(row)
    for row in zip(
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NA, NA, NA],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NA, 3],
        [NA, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NA],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NA],
        strict=True,
    )
]
# Shrout and Fleiss 1979: 6 targets x 4 judges.
K3 = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
# Bland and Altman 1986: peak flow, first readings.
WRIGHT = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
# Own fixture, checked with sklearn, scipy, krippendorff, pingouin and irrCAC.
A = [5, 4, 3, 2, 4, 5, 1, 3, 4, 2, 5, 3]
B = [5, 4, 4, 2, 3, 5, 2, 3, 5, 2, 4, 3]
C = [4, 4, 3, 1, 4, 5, 1, 2, 4, 3, 5, 3]
J = [5, 5, 4, 3, 4, 5, 2, 4, 4, 3, 5, 3]
PANEL = [list(row) for row in zip(A, B, C, strict=True)]


def pairs_of(table):
    """The pairs that a table of counts stands for, categories 1, 2, 3 ..."""
    first, second = [], []
    for i, row in enumerate(table, start=1):
        for j, count in enumerate(row, start=1):
            first += [i] * count
            second += [j] * count
    return first, second
