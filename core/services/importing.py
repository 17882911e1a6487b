"""Import: articles from paths and uploads into the store, each whole or not at all."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from core.domain.article import CaseReport, Figure, ImageRef, Licence
from core.errors import AppError, ImportRefused
from core.jats import Package, ReadArticle, check_image, open_packages, open_uploads, read_article
from core.services.progress import Progress, silent
from core.services.workspace import Workspace
from core.storage import articles as store

__all__ = [
    "ImportOutcome",
    "attach_image",
    "import_package",
    "import_paths",
    "import_upload",
]

Status = Literal["imported", "updated", "refused"]


@dataclass(frozen=True)
class ImportOutcome:
    """What became of one article.

    Attributes:
        id: of the article; empty when it was refused before it had one.
        source: name of the file it was read from.
        status: `imported` (first time), `updated` (its article was there already) or `refused`.
        reason: why it was refused, or what the update changed; empty otherwise.
        next_step: what can be done about a refusal.
        version: of the stored article; None when refused or in a dry run.
        report: the article as read; None when refused.
        is_dry_run: nothing was stored.
    """

    id: str
    source: str
    status: Status
    reason: str = ""
    next_step: str = ""
    version: int | None = None
    report: CaseReport | None = None
    is_dry_run: bool = False

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is unusual about the article and what its licence forbids, one sentence each."""
        return (*_licence_warnings(self.report.licence), *self.report.warnings) if self.report else ()


def import_paths(
    workspace: Workspace,
    paths: Iterable[Path],
    dry_run: bool = False,
    is_demonstration: bool = False,
    progress: Progress = silent,
) -> Iterator[ImportOutcome]:
    """Import everything found at the paths, giving one outcome per article as it is read.

    Every article is a transaction of its own: one that is refused leaves nothing behind and stops nothing. Importing
    the same again changes nothing; a changed article becomes a new version.

    Args:
        workspace: the study.
        paths: folders, XML files and archives.
        dry_run: read and report, store nothing.
        is_demonstration: the articles were written for the demonstration study.
        progress: called after each article with (articles read, 0 since the number is not known, source).
    """
    done = 0
    for path in paths:
        try:
            packages = open_packages(path)
        except ImportRefused as refusal:
            yield _refused(Path(path).name or str(path), refusal, dry_run)
            continue
        for outcome in _from_packages(workspace, packages, Path(path).name, dry_run, is_demonstration):
            done += 1
            progress(done, 0, outcome.source)
            yield outcome


def import_upload(
    workspace: Workspace, files: Mapping[str, bytes], dry_run: bool = False, progress: Progress = silent
) -> tuple[ImportOutcome, ...]:
    """Import files uploaded together: an XML with its pictures, or archives; name -> bytes.

    Gives one outcome per article found, and a refused one when there is none.
    """
    name = next(iter(files), "the upload")
    outcomes = []
    for outcome in _from_packages(workspace, open_uploads(files), name, dry_run, is_demonstration=False):
        outcomes.append(outcome)
        progress(len(outcomes), 0, outcome.source)
    return tuple(outcomes)


def import_package(
    workspace: Workspace, package: Package, dry_run: bool = False, is_demonstration: bool = False
) -> ImportOutcome:
    """Import one package; a refusal is an outcome, not an error."""
    try:
        article = read_article(package)
    except ImportRefused as refusal:
        return _refused(package.source, refusal, dry_run)
    return _store(workspace, article, dry_run, is_demonstration)


def attach_image(workspace: Workspace, article_id: str, figure_id: str, name: str, data: bytes, person: str) -> int:
    """Attach a picture by hand to the first graphic of a figure that lacks one, and give the new article version.

    Raises:
        NotFound: no such article.
        ImportRefused: the bytes are no picture, or the figure has no graphic without picture.
    """
    checked = check_image(data)
    if checked.ref is None:
        raise ImportRefused(f"{name} cannot be used as a picture: {checked.problem}.", "Attach a PNG, JPEG or TIFF.")
    image = checked.ref.model_copy(update={"notes": (*checked.ref.notes, f"attached by {person}")})
    with workspace.store.read() as session:
        report = store.get_article(session, article_id)
        is_demonstration = store.is_demonstration(session, article_id)
    changed = report.model_copy(update={"figures": _with_image(report, figure_id, name, image)})
    return _save(workspace, changed, {image.sha256: checked.data}, is_demonstration).version


def _with_image(report: CaseReport, figure_id: str, name: str, image: ImageRef) -> tuple[Figure, ...]:
    figures = []
    is_placed = False
    for figure in report.figures:
        graphics = list(figure.graphics)
        place = next((n for n, graphic in enumerate(graphics) if graphic.image is None), None)
        if figure.id == figure_id and place is not None:
            graphics[place] = graphics[place].model_copy(update={"image": image, "file_name": name, "problem": ""})
            is_placed = True
        figures.append(figure.model_copy(update={"graphics": tuple(graphics)}))
    if not is_placed:
        raise ImportRefused(f"{figure_id} has no graphic without picture.", "Choose a figure whose picture is missing.")
    return tuple(figures)


def _from_packages(
    workspace: Workspace, packages: Iterator[Package], name: str, dry_run: bool, is_demonstration: bool
) -> Iterator[ImportOutcome]:
    found = False
    while True:
        try:
            package = next(packages, None)
        except ImportRefused as refusal:
            yield _refused(name, refusal, dry_run)
            return
        if package is None:
            break
        found = True
        yield import_package(workspace, package, dry_run, is_demonstration)
    if not found:
        refusal = ImportRefused(
            f"{name} holds no article.", "Import a folder, XML file or archive with a JATS article."
        )
        yield _refused(name, refusal, dry_run)


def _store(workspace: Workspace, article: ReadArticle, dry_run: bool, is_demonstration: bool) -> ImportOutcome:
    report = article.report
    if dry_run:
        with workspace.store.read() as session:
            is_first = store.article_version(session, report.id) is None
        status: Status = "imported" if is_first else "updated"
        return ImportOutcome(report.id, report.source, status, report=report, is_dry_run=True)
    saved = _save(workspace, report, article.images, is_demonstration)
    reason = ""
    if not saved.is_changed:
        reason = f"Nothing new: version {saved.version} is the same."
    elif not saved.is_first:
        reason = f"The article is stored as version {saved.version}; extract it again."
    status = "imported" if saved.is_first else "updated"
    return ImportOutcome(report.id, report.source, status, reason, version=saved.version, report=report)


def _save(
    workspace: Workspace, report: CaseReport, images: Mapping[str, bytes], is_demonstration: bool
) -> store.SavedArticle:
    # Images first: an article must never name one that is not there. One stored in vain only lies unused.
    types = {g.image.sha256: g.image.media_type for figure in report.figures for g in figure.graphics if g.image}
    for sha256, data in images.items():
        if sha256 in types:
            workspace.images.put(data, types[sha256])
    with workspace.store.write() as session:
        if store.article_version(session, report.id) is not None:
            report = _keep_images(report, store.get_article(session, report.id))
        return store.save_article(session, report, datetime.now(UTC), is_demonstration)


def _keep_images(report: CaseReport, stored: CaseReport) -> CaseReport:
    """Give the report with the stored picture of every graphic that lacks its own, for example one put in by hand."""
    known = {
        (figure.label, graphic.href): graphic
        for figure in stored.figures
        for graphic in figure.graphics
        if graphic.image is not None
    }
    figures = []
    for figure in report.figures:
        graphics = tuple(
            known.get((figure.label, graphic.href), graphic) if graphic.image is None else graphic
            for graphic in figure.graphics
        )
        figures.append(figure.model_copy(update={"graphics": graphics}))
    return report.model_copy(update={"figures": tuple(figures)})


def _licence_warnings(licence: Licence) -> Iterator[str]:
    if not licence.code:
        yield "It states no licence: ask its publisher before anything of it is passed on."
    if licence.forbids_adaptation:
        yield f"Its licence ({licence.code}) forbids adaptations (ND); it travels with every export."
    if licence.forbids_commercial_use:
        yield f"Its licence ({licence.code}) forbids commercial use (NC); it travels with every export."


def _refused(source: str, refusal: AppError, dry_run: bool) -> ImportOutcome:
    return ImportOutcome("", source, "refused", refusal.message, refusal.next_step, is_dry_run=dry_run)
