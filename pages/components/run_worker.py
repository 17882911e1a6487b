"""The worker of the app's own process, started with the server."""

import logging
import threading

from core.errors import AppError
from pages.components.resources import workspace


class AppWorker:
    """A worker that begins in the background, so that the first page does not wait for it."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name="app worker", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End; what is in hand is taken up when the app starts again."""
        self._ended.set()
        self._thread.join(timeout=15)

    def _work(self) -> None:
        # The first page is drawn meanwhile.
        if self._ended.wait(2.0):
            return
        from core.services.run_worker import Worker

        try:
            worker = Worker(workspace())
            worker.start()
        except (AppError, OSError) as error:
            # The pages say what is wrong with the study; without a worker they do runs themselves.
            logging.getLogger(__name__).warning("no runs are done in this process: %s", error)
            return
        self._ended.wait()
        worker.stop()


def start_worker() -> AppWorker:
    """Give the worker of this process."""
    return AppWorker()
