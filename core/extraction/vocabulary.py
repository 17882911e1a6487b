"""General clinical vocabulary of the rules engine: tests, imaging studies, procedures, drugs, diseases.

The lists hold what a textbook of internal medicine, a laboratory's order form and the stems of the WHO's International
Nonproprietary Names hold; nothing in them is taken from one article. Each is one compiled expression.
"""

import re


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{pattern})(?![\w])", re.IGNORECASE)


# Baseline tests: blood count, chemistry, inflammation, coagulation, urinalysis, blood gas.
ROUTINE_TEST = _words(
    r"ha?emoglobin|hb|hgb|ha?ematocrit|hct|htc|leu[ck]ocyt\w+|white (?:blood )?cells?(?: counts?)?|wbcs?|"
    r"red (?:blood )?cells?|rbcs?|"
    r"erythrocyte sedimentation(?: rate)?|erythrocytes?(?: count)?|esr|platelets?(?: counts?)?|thrombocyt\w+|"
    r"neutrophil\w*|"
    r"lymphocyt(?:es|openia|osis|ic count)|eosinophil(?:s|ia| count)|monocytes|reticulocytes?|mcv|mean corpuscular \w+|"
    r"peripheral (?:blood )?smear|c[- ]reactive protein|crp|procalcitonin|creatinine(?: clearance)?|e?gfr|"
    r"(?:blood )?urea(?: nitrogen)?|bun|uric acid|sodium|natr?a?emia|potassium|chloride|bicarbonate|hco3|calcium|"
    r"phosph(?:ate|orus)|"
    r"magnesium|glucose|glyc[a]?emia|hba1c|glycated h\w+|albumin|total protein|bilirubin|transaminases?|"
    r"aminotransferases?|ast|alt|"
    r"sgot|sgpt|alkaline phosphatase|alp|ggt|gamma[- ]glutamyl\w*|lactate(?: dehydrogenase)?|ldh|"
    r"creatine (?:phospho)?kinase|cpk|ck|ck-mb|"
    r"amylase|lipase|cholesterol|triglycerides?|ferritin|haptoglobin|vitamin b12|folate|prothrombin(?: time)?|inr|"
    r"a?ptt|"
    r"partial thromboplastin\w*|fibrinogen|d-dimers?|bile acids|proteinuria|urin(?:e|ary) (?:analysis|protein|"
    r"dipstick|sediment|output)|"
    r"urinalysis|arterial blood gas\w*|blood gas\w*|pa?o2|pa?co2|base excess|tsh|thyroid function|"
    r"thyroid[- ]stimulating \w+|"
    r"renal function|liver function|kidney function|electrolytes|cell counts?|blood counts?|chemistry panel|"
    r"metabolic panel|"
    r"troponin\w*|bnp|nt-probnp|cd4(?:\+)?(?: (?:t )?(?:cell )?count)?|blood cultures?|urine cultures?|"
    r"coagulation\w*|inflammatory markers"
)

# Tests that speak for one diagnosis.
SPECIAL_TEST = _words(
    r"biops(?:y|ies|ied)|(?:histo)?patholog(?:y|ic|ical|ically|ist)|histolog(?:y|ic|ical|ically)|"
    r"immuno(?:histochem\w+|stain\w*|"
    r"fluorescen\w+|phenotyp\w+|reactiv\w+|globulin\w*|blot|electrophor\w+)|ihc|stain(?:s|ed|ing)?|microscop(?:y|"
    r"ic|ically)|"
    r"macroscopic\w*|gross (?:examination|specimen|appearance)|cytolog\w+|cytopatholog\w+|fine[- ]needle\w*|fnac?|"
    r"aspirat(?:e|es|ion)|"
    r"(?:sputum|tissue|fungal|bacterial|mycobacterial|wound|pus|viral|stool|csf|fluid|blood|urine|"
    r"bone marrow) cultures?|"
    r"cultures? (?:was|were|grew|of|from|yielded|showed|revealed)|cultured|grew(?! (?:slow|rapid|quick|gradual|"
    r"progressive|steadi)ly| (?:in size|larger|bigger|up|over|to|worse|tired|weak\w*|"
    r"older|from|again|until))|isolated|isolates?|smears?|(?-i:Gram)|"
    r"acid-fast|ziehl\w*|"
    r"pcr|polymerase chain\w*|rt-pcr|sequenc(?:ing|ed|e)|genom(?:e|ic)|gene|genes|genetic|mutations?|variants?|"
    r"exome|allele|"
    r"karyotyp\w+|cytogenetic\w*|chromosom\w+|(?-i:FISH)|in situ hybridi[sz]ation|flow cytometry|bone marrow|"
    r"serolog\w+|"
    r"(?:auto)?antibod(?:y|ies)|antigens?|anti-(?!tubercul|biotic|fungal|viral|inflammatory|hypertens|coagul|"
    r"malarial|epilep|platelet|cancer|retroviral|depress|psychot|acid)\w+|titers?|titres?|ig[gmae]\d?|ana|"
    r"p?-?c?-?anca|rheumatoid factor|"
    r"complement (?:levels?|c\d)|"
    r"tumou?r markers?|a?-?fetoprotein|afp|cea|ca[- ]?(?:19-9|125|15-3)|psa|prostate[- ]specific\w*|(?:beta|ß|β)?-?hcg|"
    r"prolactin|acth|cortisol|igf-?1|metanephrin\w*|catecholamin\w*|aldosterone|renin|parathyroid hormone|pth|"
    r"gonadotropins?|"
    r"testosterone|estradiol|insulin (?:level|assay)|c-peptide|gastrin|calcitonin|vanillyl\w+|"
    r"dexamethasone suppression\w*|odst|lddst|hddst|"
    r"mantoux|tuberculin|quantiferon|igra|release assays?|cerebrospinal fluid|csf|lumbar puncture|pleural fluid|"
    r"ascitic fluid|"
    r"synovial fluid|"
    r"bronchoalveolar\w*|bal|frozen[- ]sections?|ki-?67|cd\d{1,3}|s-?100|synaptophysin|chromogranin|vimentin|"
    r"cytokeratin|desmin|"
    r"proliferati(?:on|ve) index|necrops(?:y|ic)|autops(?:y|ic)|electrophoresis|coombs|toxicolog\w+|drug levels?|"
    r"enzyme (?:assay|activity)|patch test\w*|skin (?:prick )?test\w*|sweat (?:chloride )?test|nerve conduction\w*|"
    r"electromyogra\w+|emg|"
    r"stool microscopy|oligoclonal|porphyrin\w*|ceruloplasmin|amyloid|congo red|ha?ematoxylin\w*|"
    r"high-power fields?|culture was|h(?:ematoxylin)?&e|"
    r"malignan(?:t|cy) cells"
)

_CT = r"ct(?: scans?| angiogra\w+)?|cta|hrct|computed tomogra\w+|computeri[sz]ed (?:axial )?tomogra\w+|tomogra\w+"
_MRI = r"mri(?: scans?)?|mr (?:imaging|angiogra\w+)|mrcp|mra|magnetic resonance\w*|fmri"
IMAGING_STUDY = _words(
    rf"{_CT}|{_MRI}|x[- ]?rays?|roentgen\w*|radiogra(?:ph|phs|phy|phic|phically)|radiolog(?:y|ic|ical|ically)|"
    rf"ultrasound\w*|ultrasono\w+|sonogra\w+|"
    r"doppler|duplex|echocardiogra\w+|echo|tte|tee|electrocardiogra\w+|ecg|ekg|tracings?|pocus|holter|"
    r"electroencephalogra\w+|eeg|"
    r"angiogra\w+|arteriogra\w+|venogra\w+|dsa|scintigra\w+|bone scans?|spect|(?-i:PET)|pet[/-]ct|positron\w*|"
    r"mammogra\w+|"
    r"endoscop(?:y|ic|ically)|gastroscop\w+|colonoscop\w+|oesophagogastro\w+|esophagogastro\w+|egd|bronchoscop\w+|"
    r"laryngoscop\w+|cystoscop\w+|"
    r"ercp|hysteroscop\w+|arthroscop\w+|laparoscop(?:y|ic diagnosis)|fundus(?: photogra\w+| examination|"
    r" fluorescein)?|funduscop\w+|ophthalmoscop\w+|"
    r"(?-i:OCT)|sd-oct|optical coherence\w*|fluorescein angiogra\w+|dermoscop\w+|dermatoscop\w+|audiogra\w+|"
    r"audiometr\w+|"
    r"spirometr\w+|"
    r"barium (?:swallow|meal|enema)|orthopantomogra\w+|panoramic|cbct|cone[- ]beam\w*|dexa|densitometry|"
    r"catheteri[sz]ation"
)

# Drugs by the stems of their international nonproprietary names, and by class.
DRUG = _words(
    r"[a-z]{3,}(?:cillin|mycin|micin|floxacin|oxacin|cycline|azole|conazole|vir|avir|tidine|prazole|sartan|olol|"
    r"statin|mab|zumab|ximab|tinib|"
    r"rubicin|platin|taxel|bicin|trexate|uracil|citabine|abine|sone|solone|nisolone|olone|parin|xaban|gatran|"
    r"gliptin|formin|glitazone|"
    r"gliflozin|afil|setron|triptan|zepam|zolam|barbital|caine|curium|dronate|tretin|retinoin|fungin|penem|bactam|"
    r"oxime|cef\w*|"
    r"sulfa\w*|zolid|thiazide|semide|lactone|pine|idone|pramine|oxetine|tadine|profen|fenac|coxib|phylline|terol|"
    r"tropium|lukast|quine|"
    r"dapsone|niazid|butol|zinamide|ampicin|rifampin|bromocriptine|cabergoline|octreotide|lanreotide|metyrapone|"
    r"methimazole|"
    r"amphotericin|nystatin|terbinafine|colchicine|azathioprine|cyclosporine?|tacrolimus|mycophenolate|"
    r"cyclophosphamide|vincristine|"
    r"methotrexate|imatinib|hydroxyurea|thalidomide|levothyroxine|thyroxine|insulin|heparin|warfarin|aspirin|"
    r"paracetamol|acetaminophen|morphine|"
    r"fentanyl|ivermectin|albendazole|praziquantel|mebendazole|artesunate|prednisone|dexamethasone)|cef[a-z]{3,}|"
    r"immunoglobulins?|corticosteroids?|steroids?|antibiotics?|antifungals?|antivirals?|anti-?tubercul\w+|"
    r"antimalarials?|antiepileptics?|"
    r"anticoagula\w+|antihistamines?|diuretics?|chemotherap\w+|immunosuppress\w+|antiretroviral\w*|"
    r"bisphosphonates?|antiplatelet\w*"
)
OPERATION = _words(
    r"[a-z]+(?:ectomy|ectomies|ostomy|otomy|plasty|rrhaphy|pexy|desis|centesis|tripsy)|resect(?:ion|ed)|"
    r"excis(?:ion|ed|ional)|"
    r"debridement|drainage|bypass|graft(?:ing)?|transplant(?:ation|ed)?|amputation|fixation|osteosynthesis|"
    r"emboli[sz]ation|stent(?:ing|ed)?|"
    r"ablation|repair|decompress(?:ion|ed)|curettage|laparoscopy|laparotomy|craniotomy|thoracotomy|sternotomy|"
    r"phototherapy|"
    r"radiotherapy|radiation(?: therapy)?|dialysis|plasmapheresis|plasma exchange|photocoagulation|vitrectomy|"
    r"keratoplasty|reconstruction"
)
TREATMENT = _words(
    r"treat(?:ed|ment|ments|ing)|therap(?:y|ies|eutic)|administ(?:ered|ration)|(?:was|were|been) (?:given|"
    r"prescribed|started|commenced|initiated|"
    r"placed on|put on|switched|transfused|intubated|operated|managed|resuscitated)|prescribed|started on|"
    r"commenced on|initiated|"
    r"mg/day|mg/kg|twice daily|once daily|daily dose|dose of|intravenous(?:ly)?|orally|surg(?:ery|ical|ically)|"
    r"operat(?:ion|ed|ive)|"
    r"resect(?:ion|ed)|excis(?:ion|ed)|underwent (?:\w+ ){0,4}\w*(?:ectomy|otomy|plasty|ostomy|surgery|resection|"
    r"repair|excision)|transfusion|"
    r"chemotherapy|radiotherapy|dialysis|ventilat(?:ion|ed|or)|intubat\w+|resuscitation|an(?:a)?esthesia|"
    r"anastomosis|sutur\w+|incision|"
    r"stent\w*|catheter|drain(?:ed|age)?|regimen|rehabilitation|physiotherapy|conservative(?:ly)? (?:management|"
    r"treated|managed)?|supportive"
)

# Names of what a procedure field may hold: imaging studies, special and routine investigations, without results.
PROCEDURE_NAME = _words(
    rf"(?:(?:contrast[- ]enhanced|plain|chest|abdominal|pelvic|brain|cranial|cardiac|transthoracic|"
    rf"trans(?:o)?esophageal|renal|thoracic|"
    rf"abdominopelvic|upright|upper|lower|gastrointestinal|spinal|lumbar|cervical|head|neck|whole[- ]body|"
    rf"point[- ]of[- ]care|"
    rf"12-lead|coronary|cerebral|carotid|scrotal|thyroid|transvaginal|transabdominal|doppler|high[- ]resolution|"
    rf"dilated|diagnostic|open|"
    rf"core|needle|incisional|excisional|punch|skin|liver|kidney|renal|bone marrow|lymph node|transbronchial) ){{0,3}}"
    rf"(?:{_CT}|{_MRI}|x[- ]?rays?(?: of the \w+)?|radiographs?|radiography|ultrasound|ultrasonography|sonography|"
    rf"echocardiogra(?:m|phy)|electrocardiogra(?:m|phy)|ecg|eeg|electroencephalogra(?:m|phy)|angiogra(?:m|phy)|"
    rf"scintigraphy|bone scan|"
    rf"pet(?:[/-]ct)?|mammography|endoscopy|gastroscopy|colonoscopy|bronchoscopy|cystoscopy|laryngoscopy|ercp|"
    rf"fundus (?:photography|examination)|"
    rf"fundoscopy|optical coherence tomography|fluorescein angiography|dermoscopy|audiometry|spirometry|biops(?:y|ies)|"
    rf"histopatholog(?:y|ical examination)|histological examination|immunohistochemistry|"
    rf"immunohistochemical (?:staining|analysis|study)|cytology|"
    rf"fine[- ]needle aspiration(?: cytology)?|bone marrow aspirat(?:e|ion)|lumbar puncture|flow cytometry|pcr|"
    rf"polymerase chain reaction|"
    rf"(?:whole[- ])?exome sequencing|(?:genetic|molecular) (?:testing|analysis)|sequencing|karyotyping|"
    rf"serolog(?:y|ical tests?)|blood cultures?|"
    rf"sputum culture|urine culture|culture|mantoux test|nerve conduction stud(?:y|ies)|electromyography|autopsy|"
    rf"necropsy|"
    rf"complete blood count|full blood count|urinalysis|blood gas analysis|liver function tests?|renal function tests?)"
)

# Words that name a disease by their form or by themselves.
DISEASE = _words(
    r"[a-z]{4,}(?:oidism|olism|onism|adism|arism|inism|icism)|[a-z-]{3,}(?:itis|itides|osis|oses|oma|omas|omata|"
    r"emia|aemia|penia|pathy|pathies|plasia|plasm|plegia|paresis|"
    r"algia|sclerosis|stenosis|"
    r"megaly|ectasis|iasis|trophy|cele|lithiasis|lith|rrhage|rrhea|uria|schisis|dystrophy|blastoma|sarcoma|"
    r"carcinoma|ptosis|cytosis)|"
    r"syndromes?|diseases?|disorders?|cancer|tumou?rs?|neoplasms?|malignanc(?:y|ies)|metastas[ei]s|metastatic|"
    r"lymphoma|leuk(?:a)?emia|"
    r"infections?|infestations?|abscess(?:es)?|h(?:a)?emorrhages?|h(?:a)?ematomas?|infarct(?:s|ion)|isch(?:a)?emia|"
    r"thromb(?:us|osis)|embol(?:ism|us)|"
    r"aneurysms?|dissection|fistulas?|hernias?|herniation|obstruction|perforation|rupture|torsion|volvulus|"
    r"intussusception|"
    r"cysts?|polyps?|ulcers?|pits?|fractures?|dislocation|detachment|deficiency|insufficiency|failure|injury|"
    r"toxicity|poisoning|intoxication|"
    r"anomal(?:y|ies)|malformations?|agenesis|hypoplasia|atresia|defects?|diabetes|hypertension|tuberculosis|"
    r"malaria|syphilis|leprosy|"
    r"sepsis|shock|dermatitis|lupus|psoriasis|gout|asthma|pneumonia|stroke|epilepsy|palsy|block|dementia|mass|"
    r"foreign body|"
    r"[a-z]*cephalus|(?:pneumo|hemo|haemo|hydro|chylo|pyo)(?:thorax|pericardium|peritoneum|mediastinum|cephalus)|"
    r"[a-z]*derma|"
    r"pneumo(?:mediastinum|pericardium|peritoneum)|scurvy|rickets|non-?compaction|(?:ectopic|molar|abdominal|"
    r"cornual|tubal) pregnancy|"
    r"degeneration|insipidus|mellitus|occlusion|crisis|paralysis|dystonia|chorea|ataxia|angina|arrhythmia|(?:tachy|"
    r"brady)cardia|"
    r"fibrillation|flutter|anaphylaxis|hypersensitivity|gangrenosum|vitiligo|lichen|pemphigus|pemphigoid|eczema|"
    r"urticaria|"
    r"erythema (?:nodosum|multiforme|migrans|marginatum|annulare|gyratum|induratum)|cataract|hydrops|goit(?:er|re)|"
    r"rhabdomyolysis|h(?:a)?emolysis|coarctation|transposition|"
    r"tetralogy|tamponade|"
    r"effusion|empyema|envenomation|scabies|achalasia|stricture|diverticul(?:um|a)|vari(?:x|ces)|[a-z]+plakia|"
    r"heterotopia|duplication|"
    r"(?:dengue|typhoid|scarlet|rheumatic|spotted|q|yellow|relapsing|hemorrhagic|haemorrhagic|lassa|"
    r"mediterranean) fever|"
    r"compression|entrapment|gangrene|amyloid|lesions?|calcul(?:i|us)|stones?|rejection|dependence|bleeding|bezoar"
)
UNSPECIFIC_DISEASE = frozenset(
    "detachment detachments impaction effusion crisis degeneration paralysis stricture occlusion duplication "
    "arrhythmia mellitus insipidus tachycardia bradycardia syndrome syndromes disease diseases disorder disorders "
    "tumor tumors tumour "
    "tumours neoplasm neoplasms lesion "
    "lesions "
    "mass infection infections injury failure defect defects block stone stones cyst cysts bleeding rupture "
    "obstruction compression shock anomaly anomalies malformation insufficiency deficiency diabetes hypertension "
    "hemorrhage haemorrhage cancer malignancy edema ischemia fracture fractures ulcer ulcers fever pain".split()
)
MICROBE = re.compile(
    r"\b(?:[A-Z][a-z]{4,}(?:us|um|a|ix|ella|ia|is|as|er|ces|ax|ium|ema|es|cter)|[A-Z]\.) ?[a-z]{4,}(?:i|is|us|um|a|"
    r"ae|ans|ens|ium|es|or|ii|e)\b"
)
GENE = re.compile(r"\b[A-Z][A-Z0-9]{1,6}\d?[A-Z]?\b(?= (?:gene|mutation|variant|exon|fusion|deletion|locus|protein))")
