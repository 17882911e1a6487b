"""What the running study holds, step by step of the flow."""

from dataclasses import dataclass

from core.services.workspace import Workspace
from core.storage import overview as storage


@dataclass(frozen=True)
class Overview:
    """Counts of everything stored; a case counts by its newest version.

    Attributes:
        articles: imported articles.
        cases: extracted cases.
        released: cases on which a model may be run.
        dialogues: reference, model and imported dialogues.
        evaluations: atomic evaluations of dialogues.
        judgements: judgements by any judge.
        studies: review studies.
        assignments: dialogues given to reviewers.
        committed: assignments whose ratings are in.
    """

    articles: int
    cases: int
    released: int
    dialogues: int
    evaluations: int
    judgements: int
    studies: int
    assignments: int
    committed: int

    @property
    def is_empty(self) -> bool:
        """True when nothing has been imported yet."""
        return self.articles == 0


def overview(workspace: Workspace) -> Overview:
    """Give the counts of the running study; all 0 on an empty store."""
    with workspace.store.read() as session:
        return Overview(**storage.counts(session))
