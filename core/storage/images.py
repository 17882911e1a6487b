"""The image store: every figure once, in a folder, under the hash of its bytes."""

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from core.errors import NotFound

_SUFFIX = {"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp"}


@dataclass(frozen=True)
class ImageStore:
    """Images by content hash: the same bytes are stored once, whichever article brings them.

    Attributes:
        folder: holds `ab/abcd....png`: two hex digits, then the whole hash.
    """

    folder: Path

    def put(self, data: bytes, media_type: str) -> str:
        """Store the bytes and give their sha256 in hex. Storing the same bytes again changes nothing.

        The file appears under its name only when complete: a killed import leaves no half image.

        Raises:
            ValueError: empty bytes, or a media type no browser shows.
        """
        if not data or media_type not in _SUFFIX:
            raise ValueError(f"no image of type {media_type!r} with {len(data)} bytes can be stored")
        sha256 = hashlib.sha256(data).hexdigest()
        found = self._find(sha256)
        if found is not None and found.stat().st_size == len(data):
            return sha256
        target = self.folder / sha256[:2] / (sha256 + _SUFFIX[media_type])
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".part-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        return sha256

    def has(self, sha256: str) -> bool:
        """True when the image is in the store."""
        return self._find(sha256) is not None

    def read(self, sha256: str) -> bytes:
        """Give the bytes of an image.

        Raises:
            NotFound: the store has no image of that hash.
        """
        return self.path(sha256).read_bytes()

    def path(self, sha256: str) -> Path:
        """Give the file of an image.

        Raises:
            NotFound: the store has no image of that hash.
        """
        found = self._find(sha256)
        if found is None:
            raise NotFound(
                f"The image {sha256[:12]} is not in the image store.", "Import its article again, or restore a backup."
            )
        return found

    def hashes(self) -> set[str]:
        """Give the hashes of all stored images."""
        return {file.stem for file in self.folder.glob("??/*") if not file.name.startswith(".")}

    def damaged(self) -> tuple[str, ...]:
        """Give the hashes of images whose bytes are no longer those that were stored."""
        return tuple(
            sha256
            for sha256 in sorted(self.hashes())
            if hashlib.sha256(self.path(sha256).read_bytes()).hexdigest() != sha256
        )

    def _find(self, sha256: str) -> Path | None:
        # Only hexadecimal names are ever looked for: a hash from an address cannot leave the folder.
        if len(sha256) != 64 or any(letter not in "0123456789abcdef" for letter in sha256):
            return None
        for suffix in _SUFFIX.values():
            file = self.folder / sha256[:2] / (sha256 + suffix)
            if file.is_file():
                return file
        return None
