"""What words say which element a clause belongs to: expressions with weights, and what each section role expects.

General clinical vocabulary (CARE checklist headings; Gagnier et al., J Clin Epidemiol 2014, and everyday words of case
reports). A weight of 3 nearly decides, 1 is a hint.
"""

import re
from enum import StrEnum
from typing import NamedTuple

from core.domain.article import SectionRole
from core.extraction.vocabulary import IMAGING_STUDY, OPERATION, ROUTINE_TEST, SPECIAL_TEST, TREATMENT


class Kind(StrEnum):
    """What a clause of the narrative is about; finer than the elements it ends up in."""

    CONCERN = "concern"
    ILLNESS = "illness"
    MEDICAL = "medical history"
    FAMILY = "family history"
    SOCIAL = "psychosocial history"
    EXAMINATION = "examination"
    ROUTINE = "routine test"
    SPECIAL = "special test"
    IMAGING = "imaging"
    DIAGNOSIS = "diagnosis"
    TREATMENT = "treatment"
    OUTCOME = "outcome"
    ARGUMENT = "argument"
    NOTHING = "nothing"


class Cue(NamedTuple):
    """An expression that speaks for a kind."""

    kind: Kind
    weight: float
    pattern: re.Pattern[str]


def _cue(kind: Kind, weight: float, pattern: str) -> Cue:
    return Cue(kind, weight, re.compile(pattern, re.IGNORECASE))


_NUMBER_WORD = r"(?:\d+(?:[.,/-]\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|few|many)"
_UNIT = r"(?:hours?|days?|weeks?|months?|years?)"

# Words of description: of the body at the bedside, of an image or a specimen after a test.
WEAK_EXAMINATION = re.compile(
    r"\b(?:abnormalit(?:y|ies)|swelling|lesions?|papules?|plaques?|nodules?|ulcer(?:s|ated|ation)?|erythem\w+|"
    r"hyperpigment\w+|"
    r"vesicles?|bullae|"
    r"macules?|mass|lump|mobile|fluctua\w+|firm|soft|non-?tender|distended|distension|deformity|sensation|"
    r"atrophy|wasting|"
    r"extremit(?:y|ies)|limbs?|mucosa|conjunctiva\w*|weigh(?:ed|s)|obes(?:e|ity)|striae|central obesity)\b",
    re.IGNORECASE,
)

CUES: tuple[Cue, ...] = (
    _cue(Kind.CONCERN, 3, r"\b(?:chief|main|presenting|primary) (?:complaint|concern|symptom)s?\b"),
    _cue(
        Kind.CONCERN,
        2,
        r"\b(?:presented|presents|presenting|admitted|referred|attended|consulted|hospitali[sz]ed|brought|seen|visited|"
        r"came)\b[^.;]{0,90}\b(?:with|for|complaining|due to|because of|after|following)\b",
    ),
    _cue(Kind.CONCERN, 1.5, r"\bcomplain(?:ed|ing|ts?)\b"),
    _cue(
        Kind.ILLNESS, 2, rf"\b{_NUMBER_WORD}[- ]{_UNIT}(?:'s?)?[- ](?:history|duration)\b|\bof {_NUMBER_WORD} {_UNIT}"
    ),
    _cue(
        Kind.ILLNESS,
        1.5,
        r"\b(?:symptom(?:s|atic)?|complain\w*|onset|worsen\w*|aggravat\w*|progress(?:ed|ive(?:ly)?)|associated with|"
        r"noticed|experienc\w+|suffer\w*|denie[sd]|reported (?:that|no|a|having|feeling)|accompanied|"
        r"unable to|woke|episodes? of)\b",
    ),
    _cue(
        Kind.ILLNESS,
        1,
        r"\b(?:pain|fever|chills|cough|dyspn\w+|shortness of breath|vomit\w*|nausea|fatigue|malaise|weakness|numbness|"
        r"headache|dizz\w+|diarrh\w+|constipation|weight (?:loss|gain)|night sweats|anorexia|appetite|itching|pruritus|"
        r"swelling|bleeding|h(?:a)?emoptysis|palpitations?|syncope|seizures?|blurr\w+|diplopia|rash|stiffness|"
        r"par(?:a)?esthesia|dysphagia|h(?:a)?ematuria|oliguria|lethargy|confusion)\b",
    ),
    _cue(Kind.ILLNESS, 1, r"\b(?:no|any) (?:history of|recent|associated)\b"),
    _cue(
        Kind.ILLNESS,
        1,
        rf"\b{_NUMBER_WORD} {_UNIT} (?:prior|before|ago|earlier|later|previously)\b|\bsince (?:then|the)\b",
    ),
    _cue(
        Kind.MEDICAL,
        3,
        r"\b(?:(?:past|previous|prior|medical|surgical|obstetric\w*|drug|medication|allergy|ocular|clinical|"
        r"significant) (?:medical |surgical |and surgical |clinical )*history|comorbid\w*|history (?:was|is) "
        r"(?:un|non|not|significant|notable|otherwise|positive|negative)|past history)\b",
    ),
    _cue(
        Kind.MEDICAL,
        2,
        r"\b(?:known (?:case|to have|diabetic|hypertensive|asthmatic|history)|a known\b|previously (?:healthy|well|"
        r"diagnosed|"
        r"treated)|diagnosed with [^.]{3,80} (?:years?|months?) (?:ago|earlier|before|prior)|had undergone|"
        r"allerg(?:y|ies|ic)|(?:his|her|current|regular|home|daily) medications?|on (?:chronic|long-term|regular) |"
        r"gravida|para \d|g\d ?p\d|vaccinat\w+|immuni[sz]\w+|born (?:at|by|after|to)|birth weight|transplant\w*)\b",
    ),
    _cue(
        Kind.MEDICAL,
        1.5,
        r"\b(?:history of|diabet\w+|hypertens(?:ion|ive)|hypothyroidism|asthma|coronary artery disease|"
        r"atrial fibrillation|stroke|HIV[- ](?:positive|negative|infect\w+)|"
        r"(?:years?|months?) (?:ago|earlier|previously|before)|since childhood|in childhood)\b",
    ),
    _cue(Kind.FAMILY, 7, r"\b(?:famil(?:y|ial) (?:medical )?history|consanguin\w+)\b"),
    _cue(Kind.FAMILY, 3, r"\bfamily members?\b|\brelatives?\b"),
    # What a relative had, with whoever it is as the subject of the clause.
    _cue(
        Kind.FAMILY,
        4,
        r"^\W*(?:(?:his|her|the patient's|an?|one|two|three|no|neither|both) )(?:(?:maternal|paternal|elder|older|"
        r"younger|"
        r"twin|first-degree|of (?:his|her)) )*(?:mother|father|parents?|sisters?|brothers?|siblings?|sons?|daughters?|"
        r"uncles?|aunts?|cousins?|grand\w+|relatives?) (?:also )?(?:had|has|have|died|was diagnosed|were diagnosed|"
        r"suffer\w*|"
        r"was healthy|were healthy|is healthy|are healthy|was affected|were affected|is affected)\b",
    ),
    # A relative who tells or brings is no family history.
    _cue(
        Kind.FAMILY,
        4,
        r"(?<!\bper )(?<!\bby )(?<!\bto )(?<!\bwith )\b(?:his|her|the patient's) (?:\w+ )?(?:mother|father|parents|"
        r"sisters?|"
        r"brothers?|siblings?|sons?|daughters?|uncle|aunt|cousins?|grand\w+)\b"
        r"(?! (?:\w+ )?(?:noticed|noted|reported|brought|said|observed|stated|described|sought|denied|thought|"
        r"found|took|gave|told))",
    ),
    _cue(
        Kind.SOCIAL,
        3,
        r"\b(?:smok(?:er|ed|es|ing)|tobacco|cigarettes?|pack[- ]years?|alcohol\w*|drinks?|illicit|recreational drugs?|"
        r"drug abuse|worked as|works as|work(?:ed|s) (?:up to|in|at|for)|occupation\w*|farmer|gardener|housewife|"
        r"retired|employ\w+|lives? (?:alone|"
        r"with|in)|lived (?:alone|"
        r"with|in)|married|travel(?:l?ed|s)?|sexual(?:ly)? (?:active|contact|partner)|pets?|exposure to (?:tobacco|"
        r"asbestos|animals?|birds?|chemicals?|dust|smoke)|"
        r"social history|socioeconomic|"
        r"sick contacts?|stress(?:ful)? (?:life|event))\b",
    ),
    _cue(
        Kind.EXAMINATION,
        3,
        r"\b(?:(?:physical|clinical|general|neurologic(?:al)?|abdominal|cardiac|cardiovascular|respiratory|chest|"
        r"systemic|(?:mental|psychiatric) (?:state|status)|psychiatric|"
        r"ophthalm\w+|ocular|dermatologic(?:al)?|oral|intraoral|extraoral|local|rectal|pelvic|vaginal|dental|"
        r"musculoskeletal|skin|"
        r"breast|head and neck) exam(?:ination|s)?|(?:on|upon|at|general) (?:\w+ ){0,2}examination|"
        r"examination (?:revealed|"
        r"showed|was|of the|demonstrated|disclosed|found|confirmed)|physical(?:ly)? (?:exam|findings)|vital signs?|"
        r"exam(?:ination)? (?:findings|revealed|showed))\b",
    ),
    _cue(
        Kind.EXAMINATION,
        2,
        r"\b(?:blood pressure|heart rate|pulse(?: rate| oximetry)?|respiratory rate|breath(?:ing)? rate|"
        r"(?:body )?temperature (?:was|of)|"
        r"oxygen saturation|o2 saturation|saturation|spo2|sao2|(?:a)?febrile|palpa(?:tion|ble|ted)|auscultat\w+|"
        r"percussion|tender(?:ness)?|"
        r"murmurs?|heart sounds?|bowel sounds|breath sounds|glasgow|gcs|visual acuity|bcva|intraocular pressure|"
        r"slit[- ]lamp|"
        r"anterior segment|reflex(?:es)?|muscle (?:strength|power)|bmi|body mass index|crackles|rales|wheez\w+|"
        r"rhonchi|jaundice\w*|pallor|pale|"
        r"icter\w+|conscious\w*|alert|oriented|lymphadenopathy|organomegaly|hepato(?:spleno)?megaly|splenomegaly|"
        r"guarding|dysmorphi\w+|hypertelorism|palpebral fissures?|low-set ears?|epicanth\w+|(?:micro|retro)gnathia|"
        r"clinodactyly|pectus|(?:height|weight|head circumference) (?:was|of) \d+|percentiles?|centiles?|"
        r"inspection|gait|cranial nerves?|babinski|pupils?|range of motion|tachycardi\w+|tachypn\w+|hypotensi(?:ve|on)|"
        r"normotensive|h(?:a)?emodynamically|capillary refill|well[- ]nourished|ill[- ]looking|(?<!had )appeared|"
        r"dehydrated|"
        r"edema|oedema|"
        r"mmhg|beats (?:per|/)|bpm|breaths (?:per|/))\b|°C|degrees celsius",
    ),
    Cue(Kind.ROUTINE, 1.5, ROUTINE_TEST),
    _cue(
        Kind.ROUTINE,
        2,
        r"\b(?:laborator(?:y|ies)|blood (?:tests?|work|investigations?|results?)|(?:complete|"
        r"full) blood (?:cell )?counts?|cbc|fbc|"
        r"biochemi\w+|ha?ematolog(?:y|ical) (?:tests?|investigations?|parameters?|profiles?|values?|work-?up)|"
        r"liver (?:function|enzymes)|renal function|kidney function|urinalysis|"
        r"urine analysis|"
        r"electrolytes|coagulation|blood gas(?:es)?|routine (?:investigations?|tests?|blood|laboratory))\b",
    ),
    Cue(Kind.SPECIAL, 2.5, SPECIAL_TEST),
    _cue(
        Kind.SPECIAL,
        1.5,
        r"\b(?:tested (?:positive|negative)|(?:was|were|strongly|weakly) (?:positive|negative)|positive for|"
        r"negative for|"
        r"intra-?operative(?:ly)?|at (?:surgery|operation|laparotomy)|operative findings|specimens?|resected|"
        r"tumou?r cells|"
        r"atypia|mitos[ei]s|mitotic|necrosis|infiltrat\w+|granuloma\w*|hyphae|spores|bacilli|cells? (?:with|"
        r"showing))\b",
    ),
    Cue(Kind.IMAGING, 2.5, IMAGING_STUDY),
    _cue(
        Kind.IMAGING,
        1,
        r"\b(?:imaging|radiograph\w*|contrast|enhanc\w+|hypo-?(?:dense|intense|echoic)|hyper-?(?:dense|intense|echoic)|"
        r"signal intensity|t[12][- ]weighted|attenuation|opacit(?:y|ies)|radiolucen\w+|radiopa\w+|echogenic\w*|"
        r"ejection fraction)\b",
    ),
    _cue(
        Kind.DIAGNOSIS,
        3,
        r"\b(?:(?:final|definit(?:e|ive)|working|provisional|clinical|presumptive|initial|correct|tentative|"
        r"histopathological|"
        r"preoperative|postoperative) diagnos[ei]s|(?:was|were|been) (?:then |finally |subsequently |therefore |"
        r"thus )?diagnosed|"
        r"diagnosis (?:of|was|is|were|made)|we diagnosed|diagnosed (?:as|with))\b",
    ),
    _cue(
        Kind.DIAGNOSIS,
        1.5,
        r"\b(?:differential(?: diagnos[ei]s)?|suspicion|suspected|suspicious (?:of|for)|ruled out|rule out|"
        r"excluded|presumed|"
        r"confirmed|considered|impression)\b",
    ),
    _cue(
        Kind.DIAGNOSIS,
        2,
        r"\b(?:could be (?:a result of|due to|caused by|explained by)|the (?:idea|hypothesis|possibility|concern|"
        r"likelihood) (?:that|of)|concern for|"
        r"(?:was|were) (?:thought|felt|considered|deemed) (?:to be )?|less likely|more likely|unlikely|"
        r"argued against|spoke against)\b",
    ),
    Cue(Kind.TREATMENT, 2.5, TREATMENT),
    Cue(Kind.TREATMENT, 1.5, OPERATION),
    _cue(
        Kind.TREATMENT,
        3,
        r"\b(?:began|begun|started|commenced|continued|resumed)\b[^.;]{0,60}\b(?:therapy|treatment|medications?)\b",
    ),
    _cue(
        Kind.TREATMENT,
        1.5,
        r"\b(?:replaced (?:by|with)|discontinued|withdrawn|switched|advised|recommended|"
        r"tapered)\b",
    ),
    _cue(
        Kind.TREATMENT,
        3,
        r"\b(?:he|she|they|patient|boy|girl|infant|child|baby|neonate|man|woman) (?:\w+ )?(?:then |also )?received\b|"
        r"\b(?:cardioversion|cardioverted|defibrillat\w+)\b",
    ),
    _cue(
        Kind.OUTCOME,
        2,
        r"\b(?:had )?(?:returned|fallen|fell|rose|risen|normali[sz]ed|stayed|closed|faded|flattened|"
        r"regained) (?:to|normal|below|"
        r"after|completely|within)\b",
    ),
    _cue(
        Kind.TREATMENT,
        2,
        r"\b\d+(?:\.\d+)? ?(?:mg|g|mcg|units?)(?:/kg|/day| daily| twice| once| every| per day| orally| iv\b| po\b)",
    ),
    # What surgery showed is a finding; that it was done is treatment.
    _cue(
        Kind.SPECIAL,
        3.5,
        r"\b(?:intra-?operative(?:ly)?|per-?operative(?:ly)?|(?:at|during|on) (?:the )?(?:surgery|operation|laparotomy|"
        r"laparoscopy|exploration|thoracotomy|craniotomy|time of surgery)|surgical (?:exploration|examination|"
        r"findings))\b"
        r"(?=[^.;]*\b(?:revealed|showed|found|noted|seen|was|were|extended|contained|identified|confirmed|observed|"
        r"clear|"
        r"demonstrated|disclosed|appeared)\b)",
    ),
    _cue(
        Kind.SPECIAL,
        3,
        r"\b(?:examination|analysis|microscopy) of (?:the )?(?:\w+ )?(?:sputum|urine|stool|fluid|specimens?|tissue|"
        r"aspirate|"
        r"csf|biops\w+|smears?|sections?|samples?|lesion)\b",
    ),
    _cue(
        Kind.SPECIAL,
        -2.5,
        r"\bperipheral (?:blood )?(?:smear|film)\b|\b(?:acute|intracranial|significant|no|any|other|underlying|"
        r"obvious|cardiac|"
        r"pulmonary|surgical) patholog(?:y|ies)\b",
    ),
    # An examination of tissue or images is not the clinician's.
    _cue(
        Kind.EXAMINATION,
        -4,
        r"\b(?:(?:histo|patho|micro|macro|radio|ultra|echo|cyto|immuno|electro|sono)\w+|laboratory|surgical|gross|"
        r"imaging|x-ray|"
        r"ct|mri|post-?mortem|ultrasound) (?:and \w+ )?(?:examinations?|exams?|study|studies)\b|"
        r"\bexamination of (?:the )?(?:\w+ )?"
        r"(?:sputum|urine|stool|fluid|specimens?|tissue|aspirate|csf|biops\w+|smears?|sections?|samples?)\b",
    ),
    _cue(
        Kind.MEDICAL,
        2.5,
        r"\bat (?:the )?(?:age of|\w+ (?:years?|months?) of age)|\b(?:in|since|from|"
        r"during) (?:early )?(?:childhood|birth|adolescence|"
        r"infancy)\b|\bas a child\b|\bhad (?:previously |already |also )?been (?:diagnosed|treated|operated|"
        r"followed)\b|\bhistory of "
        r"(?:type|previous|prior|treated)\b|\btype (?:2|1|ii|i) diabetes\b",
    ),
    _cue(
        Kind.OUTCOME,
        3,
        r"\b(?:follow(?:ed)?[- ]?up|(?:was |been )?discharged|discharge|recover(?:ed|y)|uneventful|recurrence|"
        r"relapse[sd]?|"
        r"remission|died|death|expired|passed away|survived|disease[- ]free|symptom[- ]free|asymptomatic (?:at|"
        r"after|since)|"
        r"resolved|resolution|returned to (?:normal|work|school)|outcome|post-?operative (?:course|period|day)|"
        r"last (?:visit|seen)|to date|healed|(?:remain(?:s|ed)|is|was|been) (?:completely |entirely )?(?:free of|"
        r"free from|well|"
        r"asymptomatic)|had (?:fully |since )?(?:returned|recovered|gone back))\b",
    ),
    _cue(
        Kind.OUTCOME,
        1.5,
        r"\b(?:improv(?:ed|ement|ing)|gradually (?:decreased|improved|resolved)|subsid\w+|disappear\w*|"
        r"stable (?:at|on|since)|"
        rf"(?:at|after|within) (?:the )?{_NUMBER_WORD}[- ]{_UNIT}|{_NUMBER_WORD} {_UNIT} (?:after|post|following))\b",
    ),
    _cue(
        Kind.ARGUMENT,
        2,
        r"\b(?:in the literature|to our knowledge|has been (?:reported|described)|have been (?:reported|described)|"
        r"reported cases|et al|studies|incidence|prevalence|commonly|usually|typically|rarely|is (?:a|an|"
        r"the) (?:rare|common|"
        r"uncommon|benign|malignant))\b|\binformed consent\b|\bwritten consent\b|\bethic\w+ (?:committee|approval)\b",
    ),
    _cue(
        Kind.NOTHING,
        5,
        r"\b(?:the|this) (?:case|report|study|article)(?: below| here)? (?:describes|reports|presents|illustrates|"
        r"aims)|\b(?:aim|purpose) of "
        r"(?:the|this)|\bwe (?:herein |here )?(?:wish to |would like to |want to )?(?:report|describe|present) (?:a|"
        r"an|the|two|here|this|on)\b|"
        r"^\W*(?:to the editors?|dear (?:editors?|sirs?|colleagues?)|sirs?[,:]|editor[,:])|"
        r"\bhere(?:in)?,? we\b",
    ),
    # Such a score says that a drug was at fault; it is no measurement.
    _cue(
        Kind.DIAGNOSIS,
        4,
        r"\bnaranjo\b|\bcausality (?:assessment|scale|score)s?\b|\badverse drug reaction probability\b",
    ),
    _cue(
        Kind.DIAGNOSIS,
        3,
        r"\b(?:on the bas[ei]s of|based on|given|because of|due to|with) (?:\w+ ){0,3}?(?:clinical )?suspicion\b",
    ),
    _cue(Kind.NOTHING, 5, r"\b(?:informed|written) consent\b|\bconsent (?:was|has been|for|form)\b|\bconsented to\b"),
)

# What a section is for speaks for kinds, and against others.
ROLE_PRIOR: dict[SectionRole, dict[Kind, float]] = {
    SectionRole.HISTORY: {
        Kind.ILLNESS: 3,
        Kind.MEDICAL: 2,
        Kind.SOCIAL: 1,
        Kind.FAMILY: 1,
        Kind.CONCERN: 1,
        Kind.EXAMINATION: -1,
        Kind.OUTCOME: -2,
        Kind.TREATMENT: -1.5,
        Kind.SPECIAL: -0.5,
    },
    SectionRole.EXAMINATION: {Kind.EXAMINATION: 4, Kind.OUTCOME: -2, Kind.ILLNESS: -1, Kind.CONCERN: -2},
    SectionRole.INVESTIGATIONS: {
        Kind.ROUTINE: 2.5,
        Kind.SPECIAL: 2,
        Kind.IMAGING: 2,
        Kind.ILLNESS: -3,
        Kind.MEDICAL: -1.5,
        Kind.CONCERN: -3,
        Kind.EXAMINATION: -2,
        Kind.TREATMENT: -1,
        Kind.OUTCOME: -1,
    },
    SectionRole.DIFFERENTIAL: {Kind.DIAGNOSIS: 5},
    SectionRole.DIAGNOSIS: {Kind.DIAGNOSIS: 4, Kind.SPECIAL: 1.5, Kind.ILLNESS: -2, Kind.CONCERN: -3},
    SectionRole.TREATMENT: {Kind.TREATMENT: 5, Kind.OUTCOME: 3, Kind.CONCERN: -4, Kind.ILLNESS: -3, Kind.MEDICAL: -3},
    SectionRole.OUTCOME: {Kind.OUTCOME: 6, Kind.TREATMENT: 2, Kind.CONCERN: -4, Kind.ILLNESS: -4, Kind.MEDICAL: -3},
}
