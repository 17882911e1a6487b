"""What only the whole article tells: the role of untitled text, and the section of a floating table."""

import re

from core.domain.article import CASE_ROLES, PartKind, SectionRole
from core.jats.body import Draft

_PATIENT = re.compile(
    r"\b\d{1,3}[-\s\u2010\u2011]?(?:years?|months?|weeks?|days?|yr)[-\s\u2010\u2011]old\b"
    r"|\b(?:the|our|this|a) patient\b",
    re.IGNORECASE,
)


def settle_roles(drafts: list[Draft]) -> None:
    """Give text under no telling title a role.

    Before the first section it introduces; where no title names a case, text that speaks of a patient is the case.
    """
    sections = [draft for draft in drafts if draft.kind is PartKind.SECTION and draft.in_body]
    roles = {draft.role for draft in sections}
    if roles & CASE_ROLES or roles & {SectionRole.METHODS, SectionRole.RESULTS}:
        if sections[0].role is SectionRole.OTHER and not sections[0].path and len(sections) > 1:
            sections[0].role = SectionRole.INTRODUCTION
        return
    untold = [draft for draft in sections if draft.role is SectionRole.OTHER]
    if any(draft.path for draft in untold) and not any(_PATIENT.search(draft.text) for draft in untold):
        return
    for draft in drafts:
        if draft.in_body and draft.role is SectionRole.OTHER and draft.kind in (PartKind.SECTION, PartKind.TABLE):
            draft.role = SectionRole.CASE


def place_floating_tables(drafts: list[Draft]) -> None:
    """Give a table outside the body the role and path of the first section that links to it."""
    floating = [draft for draft in drafts if draft.kind is PartKind.TABLE and not draft.in_body]
    for draft in floating:
        label = draft.text.split("\n", 1)[0]
        match = re.match(r"(tab(?:le)?\.?\s*(\w+))", label, re.IGNORECASE)
        if not match:
            continue
        pattern = re.compile(
            rf"\btab(?:le)?s?\.?\s*(?:\w+\s*(?:,|and|&|[-\u2013])\s*)*{re.escape(match.group(2))}\b", re.IGNORECASE
        )
        for section in drafts:
            if section.kind is PartKind.SECTION and section.in_body and pattern.search(section.text):
                draft.role, draft.path = section.role, section.path
                break
