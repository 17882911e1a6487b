"""Article to case representation: extraction by rules or by a model, eligibility, leak audit, corrections, quality.

case = extract_case(article, article_version=1, code_version=..., at=now)   # the rules engine
case = audit_leaks(article, case, LeakPolicy.AUTO)                           # again, under another policy
case = apply_decision(case, hit, LeakAction.WITHHELD, "Dr A", at=now)        # a person's decision: next version
case = correct_case(article, case, "physical_examination", [...], who="Dr A", at=now)
"""

from core.extraction.corrections import correct_case
from core.extraction.decisions import apply_decision
from core.extraction.differences import Change, compare_versions
from core.extraction.eligibility import decide_eligibility
from core.extraction.figure_corrections import correct_figure, move_value, reassess, restore_version
from core.extraction.leaks import audit_leaks, wording_problems
from core.extraction.model_engine import (
    ExtractedElements,
    ExtractedFigure,
    ExtractedFigures,
    ExtractedReferences,
    extract_with_model,
)
from core.extraction.rules_engine import extract_case
from core.extraction.spans import find_quote

__all__ = [
    "Change",
    "ExtractedElements",
    "ExtractedFigure",
    "ExtractedFigures",
    "ExtractedReferences",
    "apply_decision",
    "audit_leaks",
    "compare_versions",
    "correct_case",
    "correct_figure",
    "decide_eligibility",
    "extract_case",
    "extract_with_model",
    "find_quote",
    "move_value",
    "reassess",
    "restore_version",
    "wording_problems",
]
