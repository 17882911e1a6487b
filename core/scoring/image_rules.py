"""Visible observations by rules: lead-ins, techniques and impressions are cut, lists are split."""

import re

from core.scoring.clauses import clean, sentences_of, split_clauses, split_list, strip_markup
from core.scoring.decompose import Draft
from core.scoring.statements import is_statement, without_citations

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

_TECHNIQUE_BRACKET = re.compile(
    r"\s*[\[(][^()\[\]]*(?:\bH\s*&\s*E\b|\bh(?:a)?ematoxylin\b|magnification|\bPAS\b|[\u00d7x]\s*\d{2,4}\b|"
    r"\d{2,4}\s*[\u00d7x](?!\s*\d)|scale bar)[^()\[\]]*[\])]",
    re.IGNORECASE,
)

_PANEL_START = re.compile(r"(?<=[.;:])[ \t]+(?=\([a-hA-H]\)\s)")
_NOT_VISIBLE = re.compile(
    r"\b(?:administered|was started|were started|was given|were given|was treated|were treated|underwent|"
    r"discharged|consent)\b",
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
    r"(?:show(?:s|ed|ing|n)?|present(?:s|ed)(?!\s+(?:with|to|at|as))|demonstrat(?:es?|ed|ing)|reveal(?:s|ed|ing)?|depict(?:s|ed|ing)?|display(?:s|ed|"
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
    r"^(?:(?:(?:key |direct |visible |main |imaging |image |radiographic |clinical )*(?:observations?|findings?|"
    r"description|what (?:i|we) see|"
    rf"[\w &/-]{{0,40}}?\b{_IMAGING}\b[\w ,&/-]{{0,40}}?|on admission|at presentation))\s*:\s+)+",
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
    r"^of (?:note|interest|significance|importance)$"
    rf"|^(?:\w+ly,?\s+)?(?:during|on|upon|at|in)\s+(?:[\w-]+\s+){{0,4}}(?:{_IMAGING}|surgery|admission|laparotomy|"
    r"follow-?up)(?:\s+of\b.*)?$"
    r"|^(?:(?:the|an?|these|some|typical|characteristic|classic|nonspecific|non-specific|"
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


def image_finding_drafts(text: str) -> list[Draft]:
    """Give the visible observations that a description of one figure states, in order; impressions are left out."""
    drafts = []
    for sentence in sentences_of(_PANEL_START.sub("\n", text)):
        if not is_statement(sentence) or _NOT_ASSESSED.search(sentence):
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
    body = without_citations(_TECHNIQUE_BRACKET.sub("", _ANNOTATION_BRACKET.sub("", clause)))
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
            if _is_observation(member):
                drafts.append(Draft(member, sentence, bool(_ANNOTATION.search(member))))
    return drafts


def _is_observation(member: str) -> bool:
    has_words = re.search(r"[^\W\d]{3,}", member) is not None
    return has_words and not (_GENERIC.match(member) or _NOT_VISIBLE.search(member) or _is_technique(member))


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
