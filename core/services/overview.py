"""Where a study stands, in a few numbers."""

from dataclasses import dataclass

from core.services.workspace import Workspace
from core.storage.overview import counts
from core.storage.overview import marks as marks_of


@dataclass(frozen=True)
class Overview:
    """Counts of the whole study.

    Attributes:
        articles: articles stored.
        article_versions: of them, all versions.
        case_versions: all versions of all cases.
        cases: of these, how many have been extracted.
        released: of these, how many a model may be run on.
        dialogues: of all kinds.
        evaluations: atomic evaluations.
        judgements: by all judges.
        assignments: dialogues given to reviewers.
        committed: of these, how many are committed.
        has_demonstration: an article of the demonstration study is among them.
    """

    articles: int
    article_versions: int
    case_versions: int
    cases: int
    released: int
    dialogues: int
    evaluations: int
    judgements: int
    assignments: int
    committed: int
    has_demonstration: bool

    @property
    def is_empty(self) -> bool:
        """True when nothing has been imported."""
        return self.articles == 0


def overview(workspace: Workspace) -> Overview:
    """Give the counts; all 0 for an empty study."""
    with workspace.store.read() as session:
        found = counts(session)
    return Overview(**{name: found[name] for name in Overview.__dataclass_fields__})


def marks(workspace: Workspace) -> tuple[int, ...]:
    """Give numbers that change whenever anything is added that a result rests on."""
    with workspace.store.read() as session:
        return marks_of(session)
