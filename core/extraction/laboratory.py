"""Laboratory values: rows of tables, and whether a test result is a routine one."""

import re

from core.domain.case import Modality
from core.extraction.case_text import CaseText, Statement
from core.extraction.modality import name_modality
from core.extraction.vocabulary import ROUTINE_TEST, SPECIAL_TEST

_BASELINE = frozenset({Modality.RADIOGRAPH, Modality.ECG, Modality.ECHOCARDIOGRAM, Modality.ULTRASOUND, Modality.CT})
_NORMAL = re.compile(
    r"\b(?:normal|unremarkable|clear|within (?:normal|the normal|reference)|no (?:abnormalit\w+|evidence|sign|"
    r"significant|free|acute|pathological|"
    r"infiltrat\w+|lesions?|mass)|did not (?:reveal|show|demonstrate|disclose)|without (?:abnormalit\w+|evidence|"
    r"any)|non-?contributory|negative|regular)\b",
    re.IGNORECASE,
)
_ABNORMAL = re.compile(
    r"\b(?:mass|lesion|tumou?r|abnormal(?!it)\w*|enlarged|thicken\w*|dilat\w+|effusion|infiltrates?|consolidation|"
    r"enhanc\w+|nodules?|cyst\w*|stenosis|occlusion|fracture|"
    r"edema|oedema|but|except|however|although)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d")
_RESULT_CELL = re.compile(
    r"\d|\b(?:positive|negative|normal|reactive|nil|absent|detected|trace)\b|[+-]\B", re.IGNORECASE
)
_OTHER_STUDIES = re.compile(
    r"\b(?:author|authors|references?(?! (?:range|value|interval|limit|level))|study|studies|et al|"
    r"year of publication|series|literature|"
    r"no\. of (?:cases|patients)|reported)\b",
    re.IGNORECASE,
)
_AFTERWARDS = re.compile(
    r"\b(?:post-?operative|after (?:treatment|surgery|therapy)|follow-?up|postpartum|differential diagnosis)\b",
    re.IGNORECASE,
)


def is_routine(plain: str, study: str = "") -> bool:
    """Tell whether a study without a figure is a normal baseline study (protocol.md section 2).

    Args:
        plain: the sentence, levelled.
        study: words that name the study, where the sentence itself does not.
    """
    words = name_modality(plain, only_named=True) or name_modality(study, only_named=True)
    if words is not None and words.modality not in _BASELINE:
        return False
    return bool(_NORMAL.search(plain)) and not _ABNORMAL.search(_NORMAL.sub("", plain))


def read_rows(text: CaseText) -> tuple[list[Statement], list[Statement]]:
    """Give the rows of the patient's laboratory tables as (routine, special) results.

    Tables of other reports (authors, years, references) and of later values (after treatment, follow-up) are left
    out, as are rows without a result cell.
    """
    by_table: dict[str, list[Statement]] = {}
    for row in text.rows:
        by_table.setdefault(row.part, []).append(row)
    routine: list[Statement] = []
    special: list[Statement] = []
    for rows in by_table.values():
        head = " ".join(row.plain for row in rows[:2])
        if _OTHER_STUDIES.search(head) or _AFTERWARDS.search(rows[0].plain):
            continue
        if sum("et al" in row.plain or "[" in row.plain for row in rows) > 0.3 * len(rows):
            continue
        for row in rows:
            cells = [cell.strip() for cell in row.plain.split("|")]
            if len(cells) < 2 or not any(_RESULT_CELL.search(cell) for cell in cells[1:]):
                continue
            if SPECIAL_TEST.search(cells[0]):
                special.append(row)
            elif ROUTINE_TEST.search(cells[0]):
                routine.append(row)
    return routine, special
