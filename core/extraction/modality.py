"""The modality of a figure from its caption or, where that says nothing, from the sentences that cite it."""

import re
from typing import NamedTuple

from core.domain.case import Modality

_ADJECTIVES = (
    r"(?:(?:plain|chest|abdominal|pelvic|axial|coronal|sagittal|contrast[- ]enhanced|non-?contrast|upright|"
    r"transthoracic|"
    r"trans(?:o)?esophageal|bedside|brain|cranial|cardiac|spinal|renal|panoramic|lateral|posteroanterior|"
    r"anteroposterior|"
    r"preoperative|postoperative|initial|t[12]-weighted|color|colour|point[- ]of[- ]care|12-lead|surface|bone|"
    r"wrist|knee|hip) ){0,3}"
)

# The first in the list wins where two begin at the same place; specific names come before general ones.
_STRONG: tuple[tuple[Modality, str], ...] = (
    (
        Modality.IMMUNOHISTOCHEMISTRY,
        r"immuno-?(?:histo-?chem\w*|stain\w*|reactiv\w+|peroxidase|positiv\w+|fluorescen\w+|"
        r"cytochem\w+)(?: stain\w*)?|\bihc\b",
    ),
    (Modality.ELECTRON_MICROSCOPY, r"electron[- ]micro\w+|ultrastructur\w+"),
    (
        Modality.CYTOLOGY,
        r"cytolog\w+|cytopatholog\w+|fine[- ]needle aspirat\w+|\bfnac?\b|papanicolaou|(?:pap|imprint|bone marrow|"
        r"blood|peripheral(?: blood)?) "
        r"(?:smears?|aspirat\w+)|cytospin",
    ),
    (
        Modality.MICROBIOLOGY,
        r"(?:blood|chocolate|sabouraud|macconkey|potato dextrose)\w* agar|agar plate|culture plate|colon(?:y|"
        r"ies) (?:of|on|morphology)|"
        r"lactophenol|gram[- ]stain\w*|koh (?:mount|preparation)|fungal culture|culture (?:showing|of|on)|"
        r"bacterial culture",
    ),
    (
        Modality.HISTOLOGY_HE,
        r"h(?:a)?ematoxylin[- ](?:and |& ?)?eosin\w*|\bh ?(?:&|and|/) ?e\b|\bh-?e stain\w*|histopatholog\w+|"
        r"histolog\w+|photomicrogra\w+|"
        r"micrograph\w*|microphotogra\w+|microscop(?:ic|y|ical)(?: \w+){0,2}? ?(?:appearance|view|examination|"
        r"image|findings?|section|"
        r"features?|picture)?|\bbiopsy\b(?: \w+){0,3}? (?:show|reveal|demonstrat|specimen)\w*|(?:tissue|skin|"
        r"kidney|renal|liver|tumor) sections?",
    ),
    (
        Modality.HISTOLOGY_OTHER,
        r"periodic acid[- ]schiff|\bpas[- ]?(?:stain\w*|positive|section)?\b(?=[ ,);.-])|masson\w*|trichrome|"
        r"ziehl\w*|grocott\w*|"
        r"\bgms\b|methenamine|congo red|reticulin|giemsa|van gieson|alcian blue|toluidine|prussian blue|"
        r"silver stain\w*|fite\b|von kossa|"
        r"elastic stain\w*|warthin",
    ),
    (
        Modality.ECHOCARDIOGRAM,
        rf"{_ADJECTIVES}echocardiogra\w+|\bt[te]e\b|\becho\b|parasternal|apical (?:four|4)[- ]chamber",
    ),
    (Modality.ECG, r"(?:12-lead )?electrocardiogra\w+|\b(?:12-lead )?e[ck]g\b|rhythm strip|holter|telemetry"),
    (
        Modality.EEG_EMG,
        r"electroencephalogra\w+|\beeg\b|electromyogra\w+|\bemg\b|nerve conduction|polysomnogra\w+|"
        r"evoked potential\w*|electroretinogra\w+",
    ),
    (Modality.OCT, r"(?:sd-?|spectral[- ]domain |swept[- ]source )?\boct\b(?! \d)|optical coherence tomogra\w+"),
    (
        Modality.ANGIOGRAM,
        r"(?:fluorescein|indocyanine(?: green)?|coronary|cerebral|digital subtraction|conventional|selective|"
        r"catheter|pulmonary|renal|aortic|"
        r"mesenteric) (?:\w+ )?angiogra\w+|\b(?:dsa|ffa|icga?)\b|arteriogra\w+|venogra\w+|aortogra\w+|"
        r"ventriculogra\w+|(?<!ct )(?<!mr )(?<!tomography )"
        r"(?<!resonance )\bangiogra(?:m|ms|phy|phic)\b|cholangiogra\w+",
    ),
    (
        Modality.PET,
        r"(?:18f-?)?(?:fdg[- ]?)?\bpet(?:[/-]ct)?\b(?:[ /-]?ct)?(?: scans?)?|positron[- ]emission\w*|"
        r"fluorodeoxyglucose",
    ),
    (
        Modality.NUCLEAR_MEDICINE,
        r"scintigra\w+|bone scans?|\bspect\b|octreo-?scan|\bmibg\b|sestamibi|technetium\w*|gallium scan|"
        r"hepatobiliary scan|\bhida\b|renogram|radionuclide",
    ),
    (
        Modality.MRI,
        rf"{_ADJECTIVES}(?:magnetic[- ]resonance\w*(?: imag\w+| angiogra\w+| cholangio\w+)?|\bmri\b(?: scans?)?|"
        rf"\bmr (?:imag\w+|angiogra\w+)|\bmrcp\b|\bmra\b)|"
        r"\bt[12][- ]?(?:weighted|w\b)|\bflair\b|diffusion[- ]weighted|gadolinium",
    ),
    (
        Modality.CT,
        rf"{_ADJECTIVES}(?:\bct\b(?: scans?| angiogra\w+| images?)?|\bcta\b|\bhrct\b|\bcbct\b|(?:computed|"
        rf"computeri[sz]ed|computer)(?: axial)? "
        r"tomogra\w+(?: scans?| angiogra\w+)?|cone[- ]beam\w*)|\btomogra(?:m|phy|phic)\b",
    ),
    (
        Modality.ULTRASOUND,
        rf"{_ADJECTIVES}(?:ultraso(?:und|no)\w*|sonogra\w+|\bpocus\b|doppler\w*|duplex|\busg\b|\beus\b|b-scan|"
        rf"biomicroscopy ultraso\w+)",
    ),
    (
        Modality.RADIOGRAPH,
        rf"{_ADJECTIVES}(?:x-? ?rays?\b|radiogra(?:ph|phs|phy|phic|m)\b|roentgen\w*|plain films?|"
        rf"orthopantomogra\w+|panoramic view|\bopg\b|mammogra\w+|"
        r"\bcxr\b|barium (?:swallow|meal|enema|study)|esophagogra\w+|oesophagogra\w+|urogra\w+|pyelogra\w+|"
        r"skeletal survey|fluoroscop\w+|cystogra\w+|myelogra\w+)",
    ),
    (
        Modality.ENDOSCOPY,
        r"(?:\w*gastro)?(?:oesophago|esophago|duodeno)?\w*endoscop\w+|gastroscop\w+|colonoscop\w+|bronchoscop\w+|"
        r"laryngoscop\w+|cystoscop\w+|"
        r"hysteroscop\w+|sigmoidoscop\w+|enteroscop\w+|rhinoscop\w+|\bercp\b|\begd\b|proctoscop\w+|nasoendoscop\w+|"
        r"arthroscop\w+|colposcop\w+|otoscop\w+",
    ),
    (Modality.SLIT_LAMP, r"slit[- ]?lamp\w*|biomicroscop\w+|anterior segment (?:photo\w+|image)|gonioscop\w+"),
    (
        Modality.FUNDUS_PHOTOGRAPH,
        r"(?:dilated |colou?r |right |left |ocular )*fund(?:us|al|oscop\w*|uscop\w*)(?: \w*photogra\w+|"
        r" examination| image)?|ophthalmoscop\w+|retinal "
        r"photogra\w+|autofluorescence|retinogra\w+",
    ),
    (
        Modality.INTRAOPERATIVE_PHOTOGRAPH,
        r"(?:intra|peri|per)-?operative(?:ly)?(?: \w+)?|operative (?:view|photo\w*|picture|image|field|findings?|"
        r"specimen photo)|surgical (?:field|view|exposure)|"
        r"(?:at|during|in) (?:the )?(?:surgery|operation|laparotomy|thoracotomy|craniotomy|exploration)|"
        r"laparoscopic (?:view|image|picture|appearance|findings)",
    ),
    (
        Modality.GROSS_PATHOLOGY,
        r"macroscop\w+(?: \w+)?|\bgross(?:ly)? (?:\w+ )?(?:appearance|specimen|pathology|view|photo\w*|picture|"
        r"examination|image|findings?|features)|gross\b(?=[ :,])|"
        r"(?:surgical|resected|excised|operative|autopsy|removed|surgically (?:excised|removed|resected)|"
        r"pathological?|resection|necropsy) (?:\w+ ){0,2}"
        r"(?:specimens?|mass|tumou?r|lesion|tissue|sample)|specimen (?:of|after|showing)|cut (?:surface|section)|"
        r"\bnecrops\w+|\bautops\w+",
    ),
    (
        Modality.CHART_OR_DRAWING,
        r"\b(?:graph|graphs|chart|trends?|time ?line|time course|pedigree|family tree|diagram\w*|schema\w*|"
        r"flow ?chart|algorithm|plot|curves?|"
        r"electropherogram|chromatogram|audiogra\w+|spirogra\w+|illustration|drawing|cartoon|sequenc(?:e|ing)|"
        r"western blot|gel electrophoresis|"
        r"over time|karyotype|clinical course|dose-response|partogram|growth charts?|"
        r"(?:changes?|evolution|levels?|values?|growth|counts?|concentrations?|kinetics|"
        r"fluctuations?)\b[^.;]{0,60}?\b(?:over|during|throughout|"
        r"before and after))\b",
    ),
)
# Words of description that only one kind of study uses; then words for photographs; then general ones.
_WEAK: tuple[tuple[Modality, str], ...] = (
    (Modality.ULTRASOUND, r"acoustic shadow\w*|(?:hypo|hyper|an|iso)-?echo(?:ic|genic)\w*|echogenic\w*"),
    (Modality.MRI, r"(?:hypo|hyper|iso)-?intens\w+|signal intensit\w+|(?:short|long) axis t2"),
    (
        Modality.CT,
        r"(?:hypo|hyper|iso)-?(?:dens|attenuat)\w+|hounsfield|ground[- ]glass|(?:axial|coronal|"
        r"sagittal) (?:image|view|section|plane)s?",
    ),
    (Modality.RADIOGRAPH, r"radio-?lucen\w+|radio-?opa\w+"),
    (
        Modality.HISTOLOGY_HE,
        r"(?:original )?magnification|[×x] ?\d{2,4}\b|\d{2,4} ?[×x]\b(?! \d)|stain(?:ed|ing|"
        r"s)?\b|\bcells\b",
    ),
    (
        Modality.CLINICAL_PHOTOGRAPH,
        r"(?:clinical |patient |external |facial |intra-?oral |extra-?oral |preoperative |postoperative |frontal )*"
        r"(?:photogra\w+|pictures?|photos?)\b|clinical (?:appearance|view|image|presentation|aspect)",
    ),
    (
        Modality.CLINICAL_PHOTOGRAPH,
        r"\b(?:skin|rash|papul\w+|plaques?|erythem\w+|ulcer\w*|swelling|hyperpigment\w+|vesic\w+|eruption|wound|"
        r"scar|patches|"
        r"eschar|face|hand|foot|feet|fingers?|tongue|scalp|nail)\b",
    ),
)
_STRONG_COMPILED = tuple(
    (modality, re.compile(rf"(?<![\w])(?:{pattern})", re.IGNORECASE)) for modality, pattern in _STRONG
)
_WEAK_COMPILED = tuple((modality, re.compile(rf"(?<![\w])(?:{pattern})", re.IGNORECASE)) for modality, pattern in _WEAK)
_HISTOLOGY = (Modality.HISTOLOGY_HE, Modality.HISTOLOGY_OTHER)
_HE = re.compile(r"h(?:a)?ematoxylin|\bh ?(?:&|and|/) ?e\b|\bhe stain", re.IGNORECASE)


class ModalityWords(NamedTuple):
    """A modality and the words that name it, as offsets into the text read."""

    modality: Modality
    start: int
    end: int
    is_certain: bool


def name_modality(plain: str, *, only_named: bool = False) -> ModalityWords | None:
    """Give the modality a levelled text names first; None when it names none.

    Args:
        plain: caption or sentence with levelled dashes.
        only_named: take names of studies only, not general words such as `appearance`.
    """
    best: ModalityWords | None = None
    for modality, pattern in _STRONG_COMPILED:
        if (match := pattern.search(plain)) and (best is None or match.start() < best.start):
            best = ModalityWords(modality, match.start(), match.end(), True)
    if best is not None:
        if best.modality in _HISTOLOGY:
            return _which_stain(plain, best)
        if best.modality is Modality.GROSS_PATHOLOGY and (micro := _named(plain, Modality.HISTOLOGY_HE)):
            return micro if micro.start - best.end < 25 else best
        return best
    if only_named:
        return None
    for modality, pattern in _WEAK_COMPILED:
        if match := pattern.search(plain):
            return ModalityWords(modality, match.start(), match.end(), False)
    return None


def _named(plain: str, modality: Modality) -> ModalityWords | None:
    for one, pattern in _STRONG_COMPILED:
        if one is modality and (match := pattern.search(plain)):
            return ModalityWords(one, match.start(), match.end(), True)
    return None


def _which_stain(plain: str, found: ModalityWords) -> ModalityWords:
    """Histology is `H&E` unless another stain is named and H&E is not."""
    other = _named(plain, Modality.HISTOLOGY_OTHER)
    if other and not _HE.search(plain):
        return other
    return ModalityWords(Modality.HISTOLOGY_HE, found.start, found.end, True)
