"""Words that stand in many diagnoses and give none away: parts of the body, and qualifiers."""

from functools import lru_cache

from core.language.terms import STOP_WORDS, stem

_QUALIFIERS = """
acute chronic subacute severe mild moderate massive giant large small huge multiple single solitary bilateral
unilateral left right upper lower
anterior posterior lateral medial superior inferior proximal distal central peripheral internal external deep
superficial primary secondary recurrent
progressive advanced early late stage grade type class simple complex complete partial total isolated diffuse focal
local localized generalized disseminated
spontaneous idiopathic acquired congenital familial hereditary sporadic benign malignant invasive metastatic poorly
well moderately differentiated
undifferentiated atypical typical classic rare common unusual extensive ectopic independent dependent separate
synchronous involving involvement associated
related induced caused secondary complicated attached following without with adult pediatric paediatric juvenile
infantile neonatal elderly pregnancy pregnant
male female patient fatal high low middle old new active inactive symptomatic asymptomatic positive negative infected
infectious inflammatory ruptured
perforated purely probable likely possible definite confirmed proven biopsy pathogenic variant missense germline
somatic mutation gene source transformation
post pre non sub intra extra supra infra trans peri para multi poly mono first second third fourth one two three four
level levels elevated decreased
increased overt silent occult mixed unclassified specified unspecified clinical severe significant presence absence
origin aetiology etiology cause
complication manifestation presentation course onset form size cm mm day week month year age
"""
_ANATOMY = """
abdomen abdominal adrenal airway ankle anus anal aorta aortic appendage arm artery arterial arteries atrium atrial
auricular axilla axillary back bile biliary
bladder blood body bone bones bony bowel brachial brain breast bronchus bronchial canal cardiac carotid cartilage
caval cavernous cavity cecum cerebellar
cerebral cervical cervix chest clavicle clivus clival colon colonic conjunctival cornea corneal coronary cortex
cranial cutaneous dental diaphragm disc disk duct
duodenum duodenal dural ear elbow endocardial endometrial epidermal epidural esophagus esophageal eye eyelid face
facial fallopian fascia femoral femur fibula
finger flank flexor foot forearm frontal gallbladder gastric gastrointestinal genital gland glandular gluteal groin
gum hand head heart hepatic hilum hip humerus
ileum ileal iliac inguinal intestine intestinal intracranial iris ischial jaw jejunal joint kidney knee labial larynx
laryngeal leg lens limb lip liver lumbar lung
lymph lymphatic lymphoid macula macular mandible mandibular marrow maxilla maxillary mediastinum mediastinal
meningeal mesenteric mitral mouth mucosa mucosal
muscle muscular myocardial nail nasal nasopharyngeal neck nerve nervous neural node nodal nose occipital ocular optic
oral orbit orbital organ ovary ovarian palate palm
palmar pancreas pancreatic parietal parotid pelvis pelvic penile penis pericardial perineal peripheral peritoneal
peritoneum pharynx pituitary placenta placental
plantar pleura pleural portal prostate pulmonary pupil radial rectum rectal renal retina retinal retroperitoneal rib
salivary scalp scrotum scrotal sella septum
septal interatrial interventricular shoulder sigmoid sinus skeletal skin skull small soft spinal spine spleen splenic
sternum stomach stoma submandibular system systemic
temporal tendon tendons testicular testis thigh thorax thoracic throat thumb thymus thyroid tibia tissue toe tongue
tonsil trachea tracheal tract tricuspid
trunk cord chamber ulnar skeleton foramen ligament meniscus cuff appendicular buttock breast nipple areola philtrum
umbilical ureter ureteral urethra urethral urinary uterus uterine vagina vaginal valve valvular vascular
vein venous ventricle ventricular vertebra vertebral
vessel visceral vocal vulva wall wound wrist valve inferotemporal fluid cell cells
"""


@lru_cache(maxsize=1)
def _anatomy() -> frozenset[str]:
    return frozenset(stem(word) for word in _ANATOMY.split())


@lru_cache(maxsize=1)
def _qualifiers() -> frozenset[str]:
    return frozenset(stem(word) for word in _QUALIFIERS.split()) - frozenset(stem(word) for word in STOP_WORDS)


def is_anatomy(word_stem: str) -> bool:
    """Tell whether a stem (core.language.terms.stem) names a part of the body."""
    return word_stem in _anatomy()


def is_qualifier(word_stem: str) -> bool:
    """Tell whether a stem qualifies a disease (course, side, extent, cause) without naming one."""
    return word_stem in _qualifiers()
