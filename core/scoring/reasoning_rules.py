"""Steps of diagnostic reasoning by rules."""

import re

from core.scoring.clauses import sentences_of, split_clauses, strip_markup
from core.scoring.decompose import Draft
from core.scoring.statements import is_statement, without_citations

_TREATMENT = re.compile(
    r"^(?:(?:i|we) (?:would )?(?:recommend|suggest|advise)|recommend\w*|(?:initial |further )?(?:management|"
    r"treatment|therapy|plan|next steps?)\b|start(?:ed)?\b|initiate|"
    r"refer\b|follow[- ]?up\b|(?:the patient|he|she) (?:should|was (?:started|treated|given|discharged|referred)))",
    re.IGNORECASE,
)


def reasoning_drafts(text: str) -> list[Draft]:
    """Give the steps of diagnostic reasoning of a text, in order."""
    drafts = []
    for sentence in sentences_of(text):
        if not is_statement(sentence) or sentence.rstrip().endswith(":"):
            continue
        for clause in split_clauses(without_citations(strip_markup(sentence))):
            if len(clause.split()) < 2 or _TREATMENT.match(clause):
                continue
            drafts.append(Draft(clause, sentence))
    return drafts
