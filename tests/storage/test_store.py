"""The store's units of work, times, enumerations, and who may change what."""

import multiprocessing
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError, IntegrityError, StatementError

from core.domain.run import Run, RunState
from core.errors import InvalidInput
from core.settings import read_settings
from core.storage import article_rows, articles, cases, runs
from core.storage.base import open_store
from tests.storage.small_records import AT, case, report


def test_every_connection_has_the_pragmas_of_the_manual(store) -> None:
    with store.read() as session:
        assert session.exec(text("PRAGMA journal_mode")).scalar() == "wal"
        assert session.exec(text("PRAGMA foreign_keys")).scalar() == 1
        assert session.exec(text("PRAGMA busy_timeout")).scalar() == 10_000
        assert session.exec(text("PRAGMA synchronous")).scalar() == 1
        assert session.exec(text("PRAGMA recursive_triggers")).scalar() == 1


def test_a_write_that_raises_keeps_nothing(store) -> None:
    with pytest.raises(RuntimeError), store.write() as session:
        articles.save_article(session, report(), AT)
        raise RuntimeError("stopped")
    with store.read() as session:
        assert articles.count_articles(session) == 0


def test_a_read_does_not_wait_for_a_writer(store) -> None:
    with store.write() as writing:
        articles.save_article(writing, report(), AT)
        with store.read() as reading:
            assert articles.count_articles(reading) == 0


def test_times_come_back_in_utc(store) -> None:
    zone = timezone(timedelta(hours=5))
    with store.write() as session:
        articles.save_article(session, report(), datetime(2026, 1, 2, 3, 0, tzinfo=zone))
    with store.read() as session:
        listed = articles.list_articles(session)[0].imported_at
    assert listed == datetime(2026, 1, 1, 22, 0, tzinfo=UTC)
    assert listed.utcoffset() == timedelta(0)


def test_a_time_without_zone_is_refused(store) -> None:
    with pytest.raises(StatementError), store.write() as session:
        session.add(article_rows.ArticleRow(id="PMC1", created_at=datetime(2026, 1, 1)))  # noqa: DTZ001


def test_an_unknown_state_is_refused_by_the_database(store) -> None:
    with store.write() as session:
        runs.save_run(session, Run(id="run1", title="t", state=RunState.RUNNING, person="p", started_at=AT))
    with pytest.raises(IntegrityError), store.write() as session:
        session.exec(text("UPDATE run SET state = 'runing'"))


def test_what_was_imported_extracted_or_answered_is_never_changed(store) -> None:
    with store.write() as session:
        articles.save_article(session, report(), AT)
        cases.save_case(session, "PMC1", case())
    for statement in ("UPDATE article_version SET title = 'x'", "DELETE FROM case_version"):
        with pytest.raises(DatabaseError, match="never changed"), store.write() as session:
            session.exec(text(statement))


def _import_many(folder: str, number: int) -> None:
    store = open_store(read_settings(folder))
    for n in range(10):
        with store.write() as session:
            # Reads first, writes later: the order that fails at once without the lock taken at the start.
            articles.count_articles(session)
            articles.save_article(session, report(article_id=f"PMC{number}{n:03d}"), AT)


def test_processes_that_read_then_write_wait_for_each_other(store, tmp_path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_import_many, args=(str(tmp_path), number)) for number in (1, 2, 3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    with store.read() as session:
        assert articles.count_articles(session) == 30


def test_a_full_disk_is_a_sentence_and_keeps_nothing(store) -> None:
    with pytest.raises(InvalidInput, match="full"), store.write() as session:
        used = session.exec(text("PRAGMA page_count")).scalar()
        session.exec(text(f"PRAGMA max_page_count = {used + 2}"))
        for number in range(2000):
            articles.save_article(session, report().model_copy(update={"id": f"PMC7{number:05d}"}), AT)
    with store.read() as session:
        assert not articles.list_articles(session)
