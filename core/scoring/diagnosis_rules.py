"""Final diagnoses by rules: what a text asserts as final, modifiers inside."""

import re

from core.scoring.clauses import clean, sentences_of
from core.scoring.decompose import Draft
from core.scoring.statements import is_statement, without_citations

_OPEN = re.compile(
    r"^(?:open|unclear|unknown|undetermined|undefined|pending|none|not (?:known|established|made|given)|n/?a)$",
    re.IGNORECASE,
)

_DIAGNOSIS_LEAD = re.compile(
    r"^(?:(?:therefore|thus|hence|overall|in conclusion|in summary|taken together|based on [^,]*|given [^,]*),?\s+)?"
    r"(?:(?:the|a|my|our|this patient's|her|his)\s+)?(?:(?:most likely|primary|main|principal|unifying|"
    r"definitive|working|leading|final|clinical|pathological|histological|likely|probable|established|"
    r"confirmed)\s+)*"
    r"(?:diagnos[ie]s|impression)\s*(?:of|is|was|were|are|remains|:|\u2013|-|(?:is|was) (?:consistent with|"
    r"compatible with))\s*(?:(?:established|made|confirmed|considered) (?:as|to be)|that of|therefore|thus|"
    r"most likely)?\s*",
    re.IGNORECASE,
)

_DIAGNOSIS_VERB = re.compile(
    r"^.{0,160}?\b(?:(?:was|were|is|are|been) (?:finally |ultimately |therefore |"
    r"subsequently )?diagnosed (?:with|as(?: having)?)|diagnosis of|consistent with|compatible with|"
    r"in keeping with|diagnostic of|"
    r"confirm(?:s|ed|ing)? (?:the (?:diagnosis|presence) of )?|establish(?:es|ed)|represents?|points? to|"
    r"suffer(?:s|ed|ing) from|conclude[sd]? that (?:this|the patient) (?:is|has|had))\s+",
    re.IGNORECASE,
)

_DIAGNOSIS_TAIL = re.compile(
    r"\s+(?:was|were|is|has been) (?:finally |ultimately |therefore |thus |subsequently )?(?:made|established|"
    r"confirmed|reached|diagnosed|given|considered the final diagnosis)\b.*$|"
    r",?\s+(?:was |is )?(?:confirmed|supported|proven|established|evidenced|as evidenced|based|"
    r"on the basis)\s+(?:by|on|of|upon|at|through|histologically)\b.*$",
    re.IGNORECASE,
)

_NOT_FINAL = re.compile(
    r"\b(?:differential|differentials|ruled out|rule out|excluded|less likely|unlikely|was considered|"
    r"were considered|initially (?:suspected|thought|considered)|"
    r"alternative(?:s| diagnos)|cannot be excluded|instead of|rather than|history of|treat(?:ed|ment)|recommend\w*)\b",
    re.IGNORECASE,
)

_CONDITION = re.compile(
    r"(?:itis|itides|osis|oses|oma|omas|omata|emia|emias|aemia|aemias|pathy|pathies|iasis|plasia|trophy|megaly|"
    r"cele|ectasis|ectasia|plegia|paresis|algia|uria|penia|"
    r"rrhage|rrhages|rrhagia|syndrome|syndromes|disease|diseases|disorder|infection|infections|infarction|"
    r"infarct|tumou?rs?|cancer|carcinomatosis|failure|insufficiency|obstruction|injury|injuries|"
    r"deficiency|rupture|perforation|fractures?|thrombosis|embolism|embolus|hernias?|herniation|abscess|"
    r"abscesses|ulcers?|aneurysms?|dissection|stenosis|block|fibrillation|flutter|"
    r"tachycardia|bradycardia|regurgitation|effusions?|edema|oedema|shock|arrest|sepsis|crisis|hypertension|"
    r"hypotension|hypoplasia|agenesis|atresia|compression|metastas[ie]s|metastatic|"
    r"toxicity|poisoning|detachment|dystrophy|malformation|pneumonia|tuberculosis|diabetes|nephropathy|"
    r"preeclampsia|cholestasis|lymphoma|leuk(?:a)?emia|leiomyosarcoma|sarcoma|mutation|variant|"
    r"volvulus|intussusception|torsion|cysts?|stones?|calculi|calculus|ischa?emia|asthma|dementia|epilepsy|"
    r"stroke|palsy|neuropathy|myopathy|hypoxia|acidosis|alkalosis|pneumothorax|hemothorax|"
    r"measles|malaria|cholera|typhoid|rabies|tetanus|syphilis|leprosy|psoriasis|eczema|lupus|scurvy|rickets|gout)\b",
    re.IGNORECASE,
)

_MODIFYING = re.compile(
    r"\b(?:due to|secondary to|caused by|associated with|complicated by|complicating|involving|affecting|with|"
    r"without|of|in|following|after|from|resulting|leading to|presenting|attached|arising|including|as|by)\b",
    re.IGNORECASE,
)

_LINKING = re.compile(
    r"\b(?:due to|secondary to|caused by|associated with|complicated by|complicating|involving|affecting|with|"
    r"resulting in|"
    r"leading to|presenting (?:as|with)|including|arising from)\b",
    re.IGNORECASE,
)

_DIAGNOSIS_LABEL = re.compile(
    r"^(?:primary|secondary|other|additional|main|principal|underlying|complications?|associated|comorbid\w*|"
    r"contributing)"
    r"(?:\s+(?:diagnos[ie]s|conditions?|factors?|complications?))?\s*:\s*",
    re.IGNORECASE,
)


def final_diagnosis_drafts(text: str) -> list[Draft]:
    """Give the final diagnoses that a text asserts, in order.

    A text that is only a list of names (no verb of diagnosis) is taken name by name; from prose, only sentences with a
    verb of diagnosis are taken.
    """
    drafts = []
    for sentence in sentences_of(text):
        if not is_statement(sentence):
            continue
        for part in re.split(r"\s*;\s+", clean(without_citations(sentence))):
            drafts += [Draft(item, sentence) for item in _asserted_diagnoses(_DIAGNOSIS_LABEL.sub("", clean(part)))]
    return drafts


def _asserted_diagnoses(part: str) -> list[str]:
    lead = _DIAGNOSIS_LEAD.match(part) or _DIAGNOSIS_VERB.match(part)
    if lead is None and (_NOT_FINAL.search(part) or _is_prose(part)):
        return []
    if lead is not None and _NOT_FINAL.search(part[: lead.end()]):
        return []
    body = _DIAGNOSIS_TAIL.sub("", part[lead.end() :] if lead else part)
    body = re.split(r",?\s+(?:with differential|rather than|instead of|and not|but not|not)\s+", body, maxsplit=1)[0]
    return _split_diagnoses(_DIAGNOSIS_LABEL.sub("", clean(body)))


def _names_a_condition(text: str) -> bool:
    """True for a word that names a disease by its form, or a short form in capitals (`ARDS`)."""
    return bool(_CONDITION.search(text) or re.search(r"\b[A-Z]{3,}\b", text))


def _is_prose(sentence: str) -> bool:
    """True for a sentence that narrates (a finite verb before any condition) instead of naming a diagnosis."""
    verb = re.search(
        r"\b(?:is|are|was|were|has|had|have|shows?|showed|reveal(?:s|ed)|suggest(?:s|ed)|support(?:s|ed)|"
        r"indicate[sd]?|underwent|presented|"
        r"demonstrate[sd]?|makes?|can|cannot|could|may|might|should|would|grew|became|started|received|developed)\b",
        sentence,
        re.IGNORECASE,
    )
    return verb is not None


def _split_diagnoses(phrase: str) -> list[str]:
    """Split coordinated conditions; everything that modifies a condition stays with it."""
    parts = [part for part in re.split(r"\s*;\s*(?:and\s+)?", phrase) if part]
    found = []
    for part in parts:
        pieces: list[str] = []
        start = 0
        for joint in re.finditer(r",\s+and\s+|\s+and\s+|,\s+|\s+plus\s+", part):
            before, after = part[start : joint.start()], part[joint.end() :]
            if before.count("(") > before.count(")"):
                continue
            following = re.split(r",\s+and\s+|\s+and\s+|,\s+", after, maxsplit=1)[0]
            head_after = _MODIFYING.split(following, maxsplit=1)[0]
            if not (_names_a_condition(before) and _names_a_condition(head_after)):
                continue
            # `A due to B and C`: C belongs to the cause unless an article introduces it as a diagnosis of its own.
            is_own = re.match(r"(?:an?|the|separate|concomitant|coexisting)\s", following, re.IGNORECASE)
            if _LINKING.search(before) and not is_own:
                continue
            pieces.append(before)
            start = joint.end()
        pieces.append(part[start:])
        found += [re.sub(r"^(?:an?|the)\s+", "", clean(piece), flags=re.IGNORECASE) for piece in pieces]
    expanded = []
    for piece in found:
        sides = re.match(r"^(right|left|upper|lower) and (right|left|upper|lower) (.+)$", piece, re.IGNORECASE)
        expanded += [f"{sides[1]} {sides[3]}", f"{sides[2]} {sides[3]}"] if sides else [piece]
    return [piece for piece in expanded if re.search(r"[^\W\d]{3,}|[A-Z]{2,}", piece) and not _OPEN.match(piece)]
