"""Source sentences with the case-specific evidence or process that led to the diagnosis."""

import re
from collections.abc import Sequence

from core.extraction.case_text import CaseText, Statement
from core.extraction.cues import Kind
from core.extraction.sort import Sorted
from core.extraction.vocabulary import IMAGING_STUDY, SPECIAL_TEST
from core.language.terms import content_stems

REASONING = re.compile(
    r"\b(?:suggest\w*|consistent with|compatible with|in keeping with|confirm\w*|diagnos\w+|based on|"
    r"on the basis of|because of|led (?:us )?to|"
    r"exclud\w+|rul(?:ed?|ing) out|unlikely|less likely|differential|indicat(?:ed|ing|es|ive)|support(?:s|ed|ing)?|"
    r"pointed (?:to|toward)s?|"
    r"suspicion|suspected|presumed|establish\w*|characteristic|pathognomonic|due to|secondary to|attributed to|"
    r"in contrast|was thought|were thought|"
    r"made us|prompted|rais(?:ed|ing) (?:the )?(?:suspicion|concern|possibility)|misdiagnos\w+|could be explained|"
    r"explained by)\b",
    re.IGNORECASE,
)
_ABOUT_CASE = re.compile(
    r"\b(?:our|this|the|the present|present|current) (?:patient|case)(?:'s)?\b|\bin (?:our|this|"
    r"the present) (?:patient|case)\b|\b(?:he|she|his|her) (?:had|was|"
    r"presented|underwent|did)\b|\bwe (?:diagnosed|thought|considered|believe|performed|suspected|excluded|assume|"
    r"concluded|made|found|detected)\b",
    re.IGNORECASE,
)


# What a decisive test found, told without an arguing word.
_DECISIVE = re.compile(
    r"\b(?:positive|grew|identified|isolated|detected|elevated|raised|negative|absent|no evidence|"
    r"did not (?:contain|show|reveal|grow)|"
    r"carried|harbou?red|expressed|stained)\b",
    re.IGNORECASE,
)
# A result told of this case in the discussion, and words of general teaching that speak against it.
_TOLD_RESULT = re.compile(
    r"\b(?:was|were) (?:\w+ )?(?:suggestive|reported as|confirmed|stained|established|not established|positive|"
    r"negative|consistent|normal|"
    r"elevated|considered|excluded|ruled out|diagnosed|suspected|presumed)\b|\b(?:pointed|established|confirmed|"
    r"showed|revealed|suggested)\b",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"\b(?:usually|often|commonly|frequently|generally|typically|rarely|may|might|can|cases?|patients|studies|"
    r"study|literature|et al|"
    r"series|authors?|reported by|described by|incidence|prevalence|percent|in most)\b|%",
    re.IGNORECASE,
)
_ARGUES_ANYWHERE = re.compile(r"diagnos|suggest|confirm|consistent", re.IGNORECASE)


def find_reasoning(text: CaseText, pieces: Sequence[Sorted], diagnosis: Sequence[Statement]) -> tuple[Statement, ...]:
    """Give the source sentences with the case-specific evidence or process that led to the diagnosis, in order.

    From the narrative: sentences that argue, and sentences of tests that are decisive or name a word of the diagnosis.
    From the discussion: arguing sentences and test results of this patient, and arguing sentences that cite a figure;
    general teaching is left out.
    """
    stems = {stem for one in diagnosis for stem in content_stems(one.text)}
    chosen = [piece.statement for piece in pieces if _is_reason(piece, stems)]
    for one in text.discussion:
        argues = REASONING.search(one.plain) is not None
        is_own = _ABOUT_CASE.search(one.plain) is not None
        is_test = SPECIAL_TEST.search(one.plain) is not None or IMAGING_STUDY.search(one.plain) is not None
        told = is_test and _TOLD_RESULT.search(one.plain) and not _GENERAL.search(one.plain)
        if (argues and (is_own or one.figures)) or (is_own and is_test) or told:
            chosen.append(one)
    return tuple(dict.fromkeys(chosen))


def _is_reason(piece: Sorted, diagnosis_stems: set[str]) -> bool:
    plain = piece.statement.plain
    if piece.kind in (Kind.OUTCOME, Kind.TREATMENT, Kind.NOTHING) and not _ARGUES_ANYWHERE.search(plain):
        return False
    argues = REASONING.search(plain) is not None
    names = bool(diagnosis_stems & set(content_stems(piece.statement.text)))
    if argues and (names or piece.kind in (Kind.SPECIAL, Kind.IMAGING, Kind.DIAGNOSIS, Kind.ARGUMENT, Kind.ROUTINE)):
        return True
    is_test = piece.kind in (Kind.SPECIAL, Kind.IMAGING)
    return is_test and (names or (piece.kind is Kind.SPECIAL and _DECISIVE.search(plain) is not None))
