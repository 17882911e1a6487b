"""How much a word says about what is found: names of findings most, places, grades and broad categories least."""

from collections import Counter
from collections.abc import Iterable

from core.language.terms import stem

NAMES_A_FINDING = 0.6
UNITS = frozenset("mm cm m mg g kg ml l % percent minut second hour ms".split())

# Words that place or grade a finding but do not name one: sharing them alone is never a match.
_PLACING = (
    "left right bilateral unilateral upper lower middle anterior posterior medial lateral proximal distal "
    "superior inferior mild moderate severe acute chronic large small multiple diffuse focal extensive marked "
    "slight normal increased decreased elevated raised low high positive negative regular irregular narrow broad wide "
    "thick thin t1 t2 t1w t2w flair dwi adc size area region side level lobe zone wall part"
)
_BROAD = (
    "disease disorder syndrome condition infection inflammation tumor neoplasm cancer carcinoma malignancy "
    "abnormality process change involvement injury failure cell tissue test result examination biopsy ct mri "
    "scan radiograph ultrasound history symptom pain age woman man male female clinical diagnostic primary secondary"
)
_ORGANS = (
    "lung pulmonary pleura pleural liver hepatic kidney renal heart cardiac myocardial brain cerebral spleen "
    "pancreas stomach gastric colon bowel intestine intestinal skin cutaneous bone eye retina retinal uterus ovary "
    "breast thyroid pituitary abdomen abdominal chest thorax head neck hand wrist foot leg arm knee hip spine "
    "blood serum"
)
_SHAPES = "mass lesion opacity structure swelling growth"
_BASE = {
    **{stem(word): 0.4 for word in _ORGANS.split()},
    **{stem(word): 0.35 for word in _BROAD.split()},
    **{stem(word): NAMES_A_FINDING for word in _SHAPES.split()},
    **{stem(word): 0.2 for word in _PLACING.split()},
}


class WordWeights:
    """Weights 0-1 of the words of one comparison.

    A word that stands in three or more items of a side names the subject of the whole text (`QRS complex` in an ECG)
    rather than one finding; its weight falls with each further item.

    Args:
        sides: for each side, the stems of its items.
    """

    def __init__(self, *sides: Iterable[frozenset[str]]) -> None:
        self._spread: Counter[str] = Counter()
        for items in sides:
            for word, n in Counter(word for stems in items for word in stems).items():
                self._spread[word] = max(self._spread[word], n)

    def of(self, word: str) -> float:
        """Give the weight of one stem; numbers weigh as little as places."""
        base = 0.2 if word[0].isdigit() else _BASE.get(word, 1.0)
        return base / max(1, self._spread[word] - 1)

    def total(self, stems: Iterable[str]) -> float:
        """Give the summed weight of stems."""
        return sum(self.of(word) for word in stems)

    def name_a_finding(self, stems: Iterable[str]) -> bool:
        """True when a word says what is found, and not only where, how much, or of which broad category."""
        return any(self.of(word) >= NAMES_A_FINDING for word in stems)

    @staticmethod
    def is_placing(word: str) -> bool:
        """True for words that only place or grade, which guard axes speak of."""
        return word[0].isdigit() or _BASE.get(word, 1.0) <= 0.2
