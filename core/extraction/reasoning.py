"""Source sentences with the case-specific evidence or process that led to the diagnosis."""

import re
from collections.abc import Sequence

from core.extraction.case_text import CaseText, Statement
from core.extraction.cues import Kind
from core.extraction.sort import Sorted
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


def find_reasoning(text: CaseText, pieces: Sequence[Sorted], diagnosis: Sequence[Statement]) -> tuple[Statement, ...]:
    """Give the source sentences with the case-specific evidence or process that led to the diagnosis, in order.

    From the narrative: sentences that argue, and sentences of tests that name a word of the diagnosis. From the
    discussion: arguing sentences about this patient, and arguing sentences that cite a figure.
    """
    stems = {stem for one in diagnosis for stem in content_stems(one.text)}
    chosen: list[Statement] = []
    evidence = {Kind.SPECIAL, Kind.IMAGING, Kind.DIAGNOSIS}
    for piece in pieces:
        if piece.kind in (Kind.OUTCOME, Kind.TREATMENT, Kind.NOTHING) and not re.search(
            r"diagnos|suggest|confirm|consistent", piece.statement.plain, re.IGNORECASE
        ):
            continue
        argues = REASONING.search(piece.statement.plain) is not None
        names = len(stems & set(content_stems(piece.statement.text))) >= 1
        if (
            argues and (piece.kind in evidence or names or piece.kind is Kind.ARGUMENT or piece.kind is Kind.ROUTINE)
        ) or (names and piece.kind in (Kind.SPECIAL, Kind.IMAGING)):
            chosen.append(piece.statement)
    for one in text.discussion:
        if not REASONING.search(one.plain):
            continue
        if _ABOUT_CASE.search(one.plain) or one.figures:
            chosen.append(one)
    return tuple(dict.fromkeys(chosen))
