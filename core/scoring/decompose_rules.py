"""The rules baseline for decomposition: a documented floor that works on any text, with no model."""

from collections.abc import Mapping

from core.domain.items import Side, Target
from core.domain.record import PromptRef
from core.scoring.clauses import clean, sentences_of
from core.scoring.decompose import Decomposition, Draft, number_items
from core.scoring.diagnosis_rules import final_diagnosis_drafts
from core.scoring.image_rules import image_finding_drafts
from core.scoring.reasoning_rules import reasoning_drafts
from core.scoring.statements import says_nothing


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
            drafts = [
                Draft(clean(sentence), sentence)
                for sentence in sentences_of(text)
                if clean(sentence) and not says_nothing(sentence)
            ]
        return Decomposition(items=number_items(drafts, side, target, figure_id, abbreviations))
