"""Fetch: articles by their PMCID from the PMC Open Access bucket, then into the store as any other import."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import ImportRefused, InvalidInput
from core.jats.bucket import (
    BucketClient,
    CloudArticle,
    FetchedArticle,
    Unavailable,
    Unreachable,
    fetch_article,
    find_article,
    notes_on,
)
from core.jats.bucket_pace import PAUSE_S
from core.services.importing import ImportOutcome, Status, import_paths
from core.services.progress import Progress, silent
from core.services.workspace import Workspace

__all__ = ["Announced", "FetchOutcome", "PAUSE_S", "fetch_articles", "fetch_row", "ids_in", "open_bucket", "read_list"]

_ID = re.compile(r"(?:https?://\S*/)?(PMC\d{1,10})(?:\.(\d{1,6}))?/?", re.IGNORECASE)
_FAILURES_IN_A_ROW = 3
LIST_LIMIT_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True)
class Announced:
    """What PMC says of an article before anything of it is fetched.

    Attributes:
        name: PMCID with version, for example `PMC6497212.1`.
        title: empty when not stated.
        licence: code, for example `CC BY`; empty when not stated.
        published_on: ISO date as far as it is known; empty when it is not.
        is_retracted: None when PMC does not say.
        n_files: pictures and XML that will be fetched.
        notes: what a person should know, one sentence each.
    """

    name: str
    title: str
    licence: str
    published_on: str
    is_retracted: bool | None
    n_files: int
    notes: tuple[str, ...]

    def __str__(self) -> str:
        facts = [self.licence or "licence not stated"]
        facts.append(f"published {self.published_on}" if self.published_on else "no date stated")
        facts.extend(["RETRACTED"] if self.is_retracted else [])
        facts.append(f"{self.n_files} files" if self.n_files > 1 else "1 file")
        return f"{self.name}: {', '.join(facts)}. {self.title}".strip()


@dataclass(frozen=True)
class FetchOutcome:
    """What became of one article that was asked for.

    Attributes:
        id: as asked for, brought to the form `PMC123`; as typed when it is no PMCID.
        version: of the PMC bucket; None when none was found.
        status: `imported`, `updated` or `refused`.
        reason: why it was refused, or what the update changed; empty otherwise.
        next_step: what can be done about a refusal.
        licence: code PMC states; empty when not known.
        published_on: ISO date as far as known; empty when not.
        n_files: files of the article on this machine now, the metadata among them; 0 when nothing was fetched.
        size_bytes: of these.
        warnings: of PMC's metadata, the fetching and the import, one sentence each.
        imported: what the import said; None when it did not come to that.
    """

    id: str
    version: int | None
    status: Status
    reason: str = ""
    next_step: str = ""
    licence: str = ""
    published_on: str = ""
    n_files: int = 0
    size_bytes: int = 0
    warnings: tuple[str, ...] = ()
    imported: ImportOutcome | None = None


def ids_in(text: str) -> tuple[str, ...]:
    """Give the ids of a text, each once, in its order: separated by blanks, commas, semicolons or lines.

    What follows `#` in a line is a comment. Nothing is checked here: `fetch_articles` refuses what is no PMCID.
    """
    lines = (line.split("#", 1)[0] for line in text.lstrip("\ufeff").splitlines())
    return tuple(dict.fromkeys(word for line in lines for word in re.split(r"[\s,;]+", line) if word))


def read_list(path: Path) -> tuple[str, ...]:
    """Give the ids of a text file; see `ids_in`.

    Raises:
        InvalidInput: there is no such file, it is no text, or far too long for a list.
    """
    try:
        if path.stat().st_size > LIST_LIMIT_BYTES:
            raise InvalidInput(f"{path.name} is too long for a list of ids.", "Name a text file with one PMCID a line.")
        return ids_in(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path.name} cannot be read as a list of ids.", "Name a text file in UTF-8.") from error


def open_bucket(workspace: Workspace, pause_s: float = PAUSE_S) -> BucketClient:
    """Give a client of the study's PMC bucket; close it, or use it in a `with` statement.

    Raises:
        InvalidInput: `CASEROUNDS_PMC_BUCKET` is no web address, or the pause is below 0.
    """
    return BucketClient(workspace.settings.pmc_bucket, pause_s)


def fetch_articles(
    workspace: Workspace,
    ids: Iterable[str],
    client: BucketClient | None = None,
    progress: Progress = silent,
    announce: Callable[[Announced], None] = lambda announced: None,
) -> Iterator[FetchOutcome]:
    """Fetch and import articles, giving one outcome for each as it is done.

    Files go to `fetched/<PMCID.version>` in the study's folder and stay there: asked for again, only what is missing
    or has changed is fetched. An article is imported once all its files are there, or refused and left alone.
    When the bucket cannot be reached, or fails three articles in a row, the rest is refused without being asked for.

    Args:
        workspace: the study.
        ids: `PMC123`, `PMC123.2` for one version, or the address of the article's page in PMC.
        client: of the bucket; by default the one of the study's settings, closed at the end.
        progress: called with (articles done, articles in all, what is being fetched).
        announce: called with licence, date and retraction before an article's files are fetched.
    """
    if client is None:
        with open_bucket(workspace) as own:
            yield from fetch_articles(workspace, ids, own, progress, announce)
        return
    wanted = list(dict.fromkeys(ids))
    failures = 0
    stopped: Unavailable | None = None
    for done, asked in enumerate(wanted):
        progress(done, len(wanted), asked)
        match = _ID.fullmatch(asked.strip())
        if match is None:
            yield _no_id(asked)
            continue
        pmcid, version = match.group(1).upper(), int(match.group(2)) if match.group(2) else None
        if stopped is not None:
            yield _refused(pmcid, version, ImportRefused(f"Not tried: {stopped.message}", stopped.next_step))
            continue

        def file_progress(n: int, of: int, name: str, done: int = done) -> None:
            progress(done, len(wanted), f"{name} ({n} of {of} files)")

        try:
            outcome = _one(workspace, client, pmcid, version, file_progress, announce)
            failures = 0
        except Unavailable as problem:
            failures += 1
            if isinstance(problem, Unreachable) or failures >= _FAILURES_IN_A_ROW:
                stopped = problem
            outcome = _refused(pmcid, version, problem)
        except ImportRefused as refusal:
            failures = 0
            outcome = _refused(pmcid, version, refusal)
        yield outcome
    progress(len(wanted), len(wanted), "")


def _one(
    workspace: Workspace,
    client: BucketClient,
    pmcid: str,
    version: int | None,
    progress: Callable[[int, int, str], None],
    announce: Callable[[Announced], None],
) -> FetchOutcome:
    article = find_article(client, pmcid, version)
    announce(_announced(article))
    described = FetchOutcome(
        pmcid,
        article.version,
        "refused",
        licence=article.metadata.license_code,
        published_on=article.published_on,
        warnings=notes_on(article),
    )
    try:
        fetched = fetch_article(client, article, workspace.settings.data_folder / "fetched", progress)
    except Unavailable:
        raise
    except ImportRefused as refusal:
        return replace(described, reason=refusal.message, next_step=refusal.next_step)
    return _imported(workspace, described, fetched)


def _imported(workspace: Workspace, described: FetchOutcome, fetched: FetchedArticle) -> FetchOutcome:
    # An article's folder holds one XML; were there ever more, the one that was refused is what must be seen.
    outcomes = list(import_paths(workspace, [fetched.folder]))
    outcome = next((one for one in outcomes if one.status == "refused"), outcomes[0])
    report = outcome.report
    return replace(
        described,
        status=outcome.status,
        reason=outcome.reason,
        next_step=outcome.next_step,
        licence=described.licence or (report.licence.code if report else ""),
        published_on=(report.published_on if report else "") or described.published_on,
        n_files=fetched.n_files,
        size_bytes=fetched.size_bytes,
        warnings=tuple(dict.fromkeys((*described.warnings, *fetched.warnings, *outcome.warnings))),
        imported=outcome,
    )


def _announced(article: CloudArticle) -> Announced:
    return Announced(
        name=article.name,
        title=article.title,
        licence=article.metadata.license_code,
        published_on=article.published_on,
        is_retracted=article.metadata.is_retracted,
        n_files=len(article.pictures) + 1,
        notes=notes_on(article),
    )


def _no_id(asked: str) -> FetchOutcome:
    shown = asked[:40]
    what = "could be a PMID or a PMCID" if shown.isdigit() else "is no PMCID"
    return FetchOutcome(
        shown, None, "refused", f"{shown!r} {what}.", "Write the PMCID with its letters, for example PMC6497212."
    )


def _refused(pmcid: str, version: int | None, refusal: ImportRefused) -> FetchOutcome:
    return FetchOutcome(pmcid, version, "refused", refusal.message, refusal.next_step)


def fetch_row(outcome: FetchOutcome) -> dict:
    """Give an outcome as the stable row of `fetch --json`."""
    return {
        "id": outcome.id,
        "version": outcome.version,
        "status": outcome.status,
        "reason": " ".join(filter(None, (outcome.reason, outcome.next_step))),
        "licence": outcome.licence,
        "published_on": outcome.published_on,
        "files": outcome.n_files,
        "bytes": outcome.size_bytes,
        "warnings": list(outcome.warnings),
    }
