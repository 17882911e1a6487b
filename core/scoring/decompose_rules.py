"""The rules baseline for decomposition: a documented floor that works on any text, with no model."""

import re
from collections.abc import Mapping

from core.domain.items import Side, Target
from core.domain.record import PromptRef
from core.scoring.clauses import clean, sentences_of, split_clauses, split_list, strip_markup
from core.scoring.decompose import Decomposition, Draft, number_items
from core.scoring.requests import find_score_requests

_ANNOTATION = re.compile(
    r"\b(?:arrows?|arrowheads?|asterisks?|stars?|circle[sd]?|markers?|marked|dotted|dashed|labell?ed|"
    r"(?:red|blue|green|yellow|white|black|coloured|colored) (?:lines?|boxe?s?|circles?|dots?|bars?|triangles?)|"
    r"triangles (?:mark|show|point|indicate)|"
    r"box(?:es)?|scale bar|inset)\b",
    re.IGNORECASE,
)
_ANNOTATION_BRACKET = re.compile(
    r"\s*[\[(][^()\[\]]*\b(?:arrows?|arrowheads?|asterisks?|stars?|circles?|markers?|lines?|box(?:es)?|"
    r"inset)\b[^()\[\]]*[\])]",
    re.IGNORECASE,
)
_PANEL = re.compile(r"^\s*(?:\(?[a-hA-H](?:\s*[-\u2013,&]\s*[a-hA-H])?[).:]|[A-H](?=\s+[A-Z]))\s*")
_CITATION = re.compile(
    r"\s*[\[(](?:see\s+)?(?:figs?|figures?|images?|tables?|panels?|photos?|videos?|plates?)\b\.?[^()\[\]]*[\])]",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"^(?:open|unclear|unknown|undetermined|undefined|pending|none|not (?:known|established|made|given)|n/?a)$",
    re.IGNORECASE,
)
_TECHNIQUE_BRACKET = re.compile(
    r"\s*[\[(][^()\[\]]*(?:\bH\s*&\s*E\b|\bh(?:a)?ematoxylin\b|magnification|\bPAS\b|[\u00d7x]\s*\d{2,4}\b|"
    r"\d{2,4}\s*[\u00d7x](?!\s*\d)|scale bar)[^()\[\]]*[\])]",
    re.IGNORECASE,
)
_PANEL_BRACKET = re.compile(r"\s*\(\s*[a-hA-H](?:\s*[-\u2013,&]\s*[a-hA-H])*\s*\)")
_IMAGING = (
    r"(?:x-?rays?|radiographs?|radiography|ct|mri|magnetic resonance|tomograph\w*|scans?|ultrasound|"
    r"ultrasonograph\w*|sonograph\w*|"
    r"echocardiogra\w*|electrocardiogra\w*|ecg|ekg|eeg|emg|angiogra\w*|pet(?:[-/]ct)?|endoscop\w*|"
    r"colonoscop\w*|fundus|fundoscop\w*|oct|"
    r"slices?|magnification|appearance|photographs?|photos?|photomicrographs?|micrographs?|pictures?|images?|"
    r"imaging|views?|sections?|histolog\w*|histopatholog\w*|"
    r"microscop\w*|immunohistochem\w*|stain(?:s|ing)?|specimens?|biops\w*|smears?|cytolog\w*|slit[- ]lamp|"
    r"examination|figures?|panels?|"
    r"tracings?|films?|studies|study|it|this|these|findings?|analysis|pocus)"
)
_SHOWING = (
    r"(?:show(?:s|ed|ing|n)?|demonstrat(?:es?|ed|ing)|reveal(?:s|ed|ing)?|depict(?:s|ed|ing)?|display(?:s|ed|"
    r"ing)?|illustrat(?:es?|ed|ing)|"
    r"exhibit(?:s|ed|ing)?|disclos(?:es?|ed|ing)|detect(?:s|ed|ing)?|identif(?:ies|ied|ying)|is notable for|"
    r"was notable for|there (?:is|are|was|were))"
)
_LEAD_IN = re.compile(rf"^[^;]*?\b{_IMAGING}\b[^;]*?\b{_SHOWING}\b\s*(?:that\s+|:\s*)?", re.IGNORECASE)
_SHORT_LEAD = re.compile(
    rf"^(?:it|this|these|they|we|i|one|also|and|\W)*\s*(?:can |could )?(?:also )?\b(?:{_SHOWING}|see|saw|noted|"
    rf"observed?)\b\s*:?\s*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?:(?:key |direct |visible |main |imaging |image |radiographic |clinical )*(?:observations?|findings?|"
    r"description|what (?:i|we) see|"
    rf"[\w &/-]{{0,40}}?\b{_IMAGING}\b[\w ,&/-]{{0,40}}?|on admission|at presentation))\s*:\s+",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"^(?:there (?:is|are|was|were|appears to be)|(?:is|are|was|were) (?:seen|noted|present))\s+(?:also\s+)?",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r",?\s+(?:(?:is|are|was|were|can be|could be|has been|have been)\s+(?:also\s+|clearly\s+)?(?:seen|noted|"
    r"present|evident|observed|visible|visuali[sz]ed|identified|"
    r"demonstrated|found|detected|apparent|appreciated|shown)(?:\s+(?=in|on|at|over|within|along|involving|"
    r"throughout|around)|\s*$)|(?:seen|noted|present|evident|visible)\s*$)",
    re.IGNORECASE,
)
_IMPRESSION_LABEL = re.compile(
    r"^(?:impression|interpretation|conclusion|assessment|diagnosis|overall impression|comment|significance|"
    r"clinical relevance|limitations?|note|differential\w*)\b[^:]{0,40}:",
    re.IGNORECASE,
)
_IMPRESSION = re.compile(
    r"[,;]?\s*\(?(?:(?:which|that|and|findings?)\s+)?(?:(?:is|are|was|were|appears?|most|highly|strongly|very|"
    r"more|would be|being)\s+)*"
    r"(?:consistent with|compatible with|suggestive of|in keeping with|suspicious for|suspicious of|"
    r"concerning for|indicative of|diagnostic of|"
    r"characteristic of|typical (?:of|for)|pathognomonic (?:of|for)|representing|represents?|"
    r"likely represent\w*|confirming|confirms?|confirmed|"
    r"suggest(?:s|ing|ed)?|indicat(?:es|ing|ed)|favou?r(?:s|ing|ed)?|support(?:s|ing)?(?=\s+(?:the|an?)\b)|"
    r"raising (?:suspicion|concern)|raises? (?:suspicion|concern)|in favou?r of|"
    r"due to|secondary to|corresponding to|likely|probably|possibly|could be|may be|may represent|"
    r"could represent|cannot be excluded|pointing to)\b.*$",
    re.IGNORECASE,
)
_IMPRESSION_SUBJECT = re.compile(
    r"^(?:(?:taken )?together,? |overall,? |thus,? |therefore,? )?(?:(?:all |of )*(?:these|this|that|those|the|"
    r"such|which|it)\b(?:\s+[\w-]+){0,4}?)\s+"
    r"(?:(?:strongly |further |most )?(?:suggest(?:s|ed)?|support(?:s|ed)?|indicate[sd]?|raise[sd]?|"
    r"favou?r(?:s|ed)?|confirm(?:s|ed)?|points?|pointed|"
    r"represents?|represented|excludes?|excluded|makes?)\b"
    r"|(?:is|are|was|were|would be|could be|may be|might be)\s+(?:(?:most|highly|strongly|more|very|therefore|"
    r"thus)\s+)*(?:consistent|compatible|suggestive|in keeping|"
    r"typical|characteristic|diagnostic|indicative|concerning|suspicious|due to|likely|the result|"
    r"pathognomonic|in line)\b)",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"^(?:(?:the|an?|these|some|typical|characteristic|classic|nonspecific|non-specific|"
    r"specific)\s+)*(?:features?|findings?|appearances?|changes?|images?|patterns?|signs?|"
    r"evidence|picture|presence)$"
    r"|^(?:i|we)\b(?:\s+\w+){0,2}$"
    r"|^(?:at|on|in|during|after|before|from|within|initially|subsequently)\b(?:\s+\S+){0,2}$",
    re.IGNORECASE,
)
_WITH_STAYS = frozenset(
    "continuous continuity correlates correlated correlate associated compared consistent compatible "
    "filled lined covered surrounded contact communicating communicates communication infected stained "
    "treated packed studded".split()
)
_ARTICLE = re.compile(r"^(?:(?:an?|the|some|its|his|her|[b-h](?=\s+(?:left|right)))\s+)+", re.IGNORECASE)
_PERSON = re.compile(
    r"^(?:the patient|patient|he|she)\s+(?:had|has|presented with|presented|was noted to have|developed)\s+|"
    r"^presented(?: with)?\s+|^presence of\s+",
    re.IGNORECASE,
)
_NOT_ASSESSED = re.compile(
    r"\bnot assess(?:ed|able)\b|\bdoes not see images\b|\bcannot (?:be )?(?:assess|evaluat|interpret|see|"
    r"view)\w*\b|\bno finding reported\b|\bunable to (?:view|see|assess)\b|"
    r"\bno images? (?:was|were|is|are) (?:provided|available)\b",
    re.IGNORECASE,
)
_MODIFIER_SPLIT = re.compile(
    r"\s+with\s+(?!(?:an?\s+|the\s+)?(?:\w+[- ]){0,4}(?:distribution|pattern|appearance|margins?|borders?|"
    r"edges?|contours?|shape|configuration|density|texture|surface|size|diameter|predominance|respect)\b)"
    r"|,?\s+(?:along with|together with|accompanied by|as well as|without(?=\s))\s*"
    r"|,\s+(?=(?:with|without|no)\b)|\s+(?=without\b)",
    re.IGNORECASE,
)
_TREATMENT = re.compile(
    r"^(?:(?:i|we) (?:would )?(?:recommend|suggest|advise)|recommend\w*|(?:initial |further )?(?:management|"
    r"treatment|therapy|plan|next steps?)\b|start(?:ed)?\b|initiate|"
    r"refer\b|follow[- ]?up\b|(?:the patient|he|she) (?:should|was (?:started|treated|given|discharged|referred)))",
    re.IGNORECASE,
)
_ABOUT_TEXT = re.compile(
    r"^(?:thank you|thanks|i hope|here is|below is|in summary\W*$|as an ai|i am (?:an|not)|please note|disclaimer|"
    r"based on (?:the )?(?:available|provided|given) (?:information|data|evidence)\W*$|"
    r"let me|step \d+\W*$|the (?:following|diagnostic reasoning)\b[^.]*:$)",
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
_PLANNED_PATH = re.compile(
    r"^[\W\d]*(?:final diagnos[ie]s|diagnostic reasoning|reasoning|primary|secondary|diagnos[ie]s)\W*$", re.IGNORECASE
)


_HEADING_LINE = re.compile(r"#{1,6}\s+[^\n]*|(?:\d{1,2}[.)]\s*)?(\*{2,3}|__)[^*_]{1,60}\1:?|[^\n]{1,60}:\W*")
_DIAGNOSIS_LABEL = re.compile(
    r"^(?:primary|secondary|other|additional|main|principal|underlying|complications?|associated|comorbid\w*|"
    r"contributing)"
    r"(?:\s+(?:diagnos[ie]s|conditions?|factors?|complications?))?\s*:\s*",
    re.IGNORECASE,
)


class RulesDecomposer:
    """Splits by sentence, clause and list patterns; the same text always gives the same items.

    Final diagnosis: sentences that assert one, lead-in and grounds removed; modifiers ("due to", "with", "of") stay
    inside, coordinated conditions are split. Reasoning: clauses that can stand alone; treatment plans and talk about
    the text are left out, wrong claims are kept. Image findings: lead-ins ("the radiograph shows") and impressions
    ("consistent with ...") are cut, observations split at lists and "with". Sentences that ask for a score are no
    clinical statement and give no item.
    """

    name = "rules baseline"
    engine = "rules"
    prompts: tuple[PromptRef, ...] = ()

    def decompose(
        self,
        target: Target,
        text: str,
        *,
        side: Side,
        figure_id: str | None = None,
        modality: str = "",
        subject: str = "",
        abbreviations: Mapping[str, str] | None = None,
    ) -> Decomposition:
        """Give the items of one text (see Decomposer); never unscored. Modality and subject are not used."""
        split = {
            Target.FINAL_DIAGNOSIS: final_diagnosis_drafts,
            Target.DIAGNOSTIC_REASONING: reasoning_drafts,
            Target.IMAGE_FINDINGS: image_finding_drafts,
        }[target]
        drafts = split(text)
        if side is Side.REFERENCE and target is Target.FINAL_DIAGNOSIS and not drafts:
            # The article's reported diagnosis is one by definition, whatever sentence it stands in.
            drafts = [Draft(clean(sentence), sentence) for sentence in sentences_of(text) if clean(sentence)]
        return Decomposition(items=number_items(drafts, side, target, figure_id))


def _is_statement(sentence: str) -> bool:
    bare = strip_markup(sentence)
    if _HEADING_LINE.fullmatch(sentence.strip()):
        return False
    return bool(
        re.search(r"\w{2,}", bare)
        and not _PLANNED_PATH.match(bare)
        and not _ABOUT_TEXT.match(bare)
        and not find_score_requests(bare)
    )


def reasoning_drafts(text: str) -> list[Draft]:
    """Give the steps of diagnostic reasoning of a text, in order."""
    drafts = []
    for sentence in sentences_of(text):
        if not _is_statement(sentence) or sentence.rstrip().endswith(":"):
            continue
        for clause in split_clauses(_CITATION.sub("", strip_markup(sentence))):
            if len(clause.split()) < 2 or _TREATMENT.match(clause):
                continue
            drafts.append(Draft(clause, sentence))
    return drafts


def final_diagnosis_drafts(text: str) -> list[Draft]:
    """Give the final diagnoses that a text asserts, in order.

    A text that is only a list of names (no verb of diagnosis) is taken name by name; from prose, only sentences with a
    verb of diagnosis are taken.
    """
    drafts = []
    for sentence in sentences_of(text):
        if not _is_statement(sentence):
            continue
        for part in re.split(r"\s*;\s+", clean(_CITATION.sub("", sentence))):
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
            if not (_CONDITION.search(before) and _CONDITION.search(head_after)):
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


def image_finding_drafts(text: str) -> list[Draft]:
    """Give the visible observations that a description of one figure states, in order; impressions are left out."""
    drafts = []
    for sentence in sentences_of(text):
        if not _is_statement(sentence) or _NOT_ASSESSED.search(sentence):
            continue
        bare = _PANEL.sub("", strip_markup(sentence))
        if _IMPRESSION_LABEL.match(bare) or _IMPRESSION_SUBJECT.match(bare):
            continue
        for clause in split_clauses(_LABEL.sub("", bare)):
            drafts += _observations(clause, sentence)
    return drafts


def _observations(clause: str, sentence: str) -> list[Draft]:
    if _IMPRESSION_SUBJECT.match(clause):
        return []
    body = _CITATION.sub("", _TECHNIQUE_BRACKET.sub("", _ANNOTATION_BRACKET.sub("", clause)))
    body = _PANEL_BRACKET.sub("", _PANEL.sub("", body))
    lead = _LEAD_IN.match(body) or _SHORT_LEAD.match(body)
    had_lead = lead is not None
    if lead is not None:
        body = body[lead.end() :]
    body = _IMPRESSION.sub("", body)
    body = _PERSON.sub("", _TAIL.sub(" ", _THERE.sub("", clean(body))))
    if not had_lead and _is_technique(body):
        return []
    drafts = []
    for part in _split_observations(body):
        for member in split_list(part):
            member = _ARTICLE.sub("", clean(_TAIL.sub(" ", _THERE.sub("", member))))
            if re.search(r"[^\W\d]{3,}", member) and not _GENERIC.match(member) and not _is_technique(member):
                drafts.append(Draft(member, sentence, bool(_ANNOTATION.search(member))))
    return drafts


def _split_observations(body: str) -> list[str]:
    pieces, start, prefix = [], 0, ""
    for joint in _MODIFIER_SPLIT.finditer(body):
        words = body[start : joint.start()].split()
        if words and words[-1].lower() in _WITH_STAYS:
            continue
        pieces.append(prefix + clean(body[start : joint.start()]))
        start = joint.end()
        prefix = "without " if joint.group().strip(" ,").lower() == "without" else ""
    pieces.append(prefix + clean(body[start:]))
    return [piece for piece in pieces if piece.strip()]


def _is_technique(phrase: str) -> bool:
    """True for a phrase that names only how the figure was made (`axial CT of the chest`, `one year after surgery`)."""
    return bool(
        re.match(
            rf"^(?:an?|the)?\s*(?:[\w-]+\s+){{0,5}}?{_IMAGING}(?:\s+(?:of|from|at|before|after|during|in|on|"
            rf"with|through|performed|taken|obtained|plane|view)\b.*)?$",
            phrase,
            re.IGNORECASE,
        )
        or re.match(
            r"^(?:\w+\s+){1,3}(?:after|before|following)\s+(?:surgery|treatment|operation|admission)$",
            phrase,
            re.IGNORECASE,
        )
    )
