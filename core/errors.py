"""The named errors of CaseRounds: each says what failed, to what, and what to do next."""


class AppError(Exception):
    """Base of every error that a person is meant to read.

    Args:
        message: one sentence that names the thing and what is wrong with it.
        next_step: one sentence that says what the user can do; may be empty.
    """

    def __init__(self, message: str, next_step: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.next_step = next_step

    def __str__(self) -> str:
        return f"{self.message} {self.next_step}".strip()


class ImportRefused(AppError):
    """An article or package that cannot become a case report; nothing of it is stored."""


class NotFound(AppError):
    """Something asked for by id is not in the store, or not for this person to see."""


class NotAllowed(AppError):
    """The person may not do this: rights, blinding, a locked or committed record."""


class Conflict(AppError):
    """The stored record is newer than the one the change was based on."""


class InvalidInput(AppError):
    """A file, form or argument that does not hold what it must."""


class NotReady(AppError):
    """A step whose precondition does not hold: not eligible, not released, nothing to score."""


class ModelUnavailable(AppError):
    """An engine or model that cannot be called: unknown name, missing key, retired id."""


class CallFailed(AppError):
    """A model that was asked and gave no usable answer after all permitted tries."""
