"""A name for each worker that stays the same over restarts and that no two living workers of a machine share."""

import fcntl
import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_MOST = 1000


@dataclass(frozen=True)
class Slot:
    """A worker's place.

    Attributes:
        worker_id: host and number of the place.
        lock: held open as long as the process lives; the system lets go of it however the process ends.
    """

    worker_id: str
    lock: IO[bytes]

    def leave(self) -> None:
        """Give the place back."""
        self.lock.close()


def take_slot(folder: Path) -> Slot:
    """Give the first free place of this machine, so that a process started again finds the work it left behind.

    Args:
        folder: of the running study; made when missing. A place is a locked file in it.

    Raises:
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    host = "".join(letter if letter.isalnum() else "-" for letter in socket.gethostname())[:40]
    for number in range(1, _MOST):
        # Python opens files so that child processes do not inherit them: a child cannot keep the place.
        lock = (folder / f"worker-{number}.lock").open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            continue
        lock.truncate(0)
        lock.write(str(os.getpid()).encode())
        lock.flush()
        return Slot(f"{host}-{number}", lock)
    raise OSError("there is no free place for a worker")
