"""Requests to the PMC bucket: at a polite pace, tried again a bounded number of times, checked before they count."""

import hashlib
import re
import ssl
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote, urlsplit

import httpx2
from lxml import etree

from core import __version__
from core.errors import ImportRefused, InvalidInput
from core.jats.bucket_pace import PAUSE_S, Clock, pace_of, wait_before_try

USER_AGENT = f"CaseRounds/{__version__} (import of open access case reports from PMC)"
MAX_TRIES = 5
CONNECT_TRIES = 3
"""Who cannot be reached at all will hardly be in the next seconds, and the person waits for the answer."""
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
_CHUNK_BYTES = 256 * 1024
_ERROR_BYTES = 16 * 1024

T = TypeVar("T")


class NoSuchObject(ImportRefused):
    """The bucket holds nothing under that key."""


class TooLarge(ImportRefused):
    """The object is larger than any that is taken."""


class Unavailable(ImportRefused):
    """The bucket did not give what it holds, however often it was asked; later it may."""


class Unreachable(Unavailable):
    """There is no way to the bucket at all, so that the next request would fail too."""


class _TryAgain(Exception):
    def __init__(self, problem: ImportRefused, wait_s: float | None = None) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.wait_s = wait_s


class BucketClient:
    """Gets objects of one bucket, one after the other; close it, or use it in a `with` statement.

    Args:
        address: of the bucket; objects stand below it under their keys.
        pause_s: between the starts of two requests.
        timeout_s: how long the bucket may be silent; a whole file may take twenty times as long.
        clock: what the time is.

    Raises:
        InvalidInput: the address is none of the web, or the pause is below 0.
    """

    def __init__(
        self, address: str, pause_s: float = PAUSE_S, timeout_s: float = 30.0, clock: Clock | None = None
    ) -> None:
        try:
            parts = urlsplit(address)
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidInput(
                f"The address of the PMC bucket is no web address: {address!r}.", "Set CASEROUNDS_PMC_BUCKET."
            )
        if not 0 <= pause_s < 3600:
            raise InvalidInput(f"A pause of {pause_s} seconds cannot be kept.", "Choose one from 0 seconds on.")
        self._base = address.rstrip("/")
        self.host = parts.hostname
        self._pause_s = pause_s
        self._timeout_s = timeout_s
        self._clock = clock or Clock()
        self._pace = pace_of(self._base, self._clock)
        try:
            self._client = httpx2.Client(
                headers={"User-Agent": USER_AGENT, "Accept-Encoding": "identity"},
                timeout=httpx2.Timeout(timeout_s, connect=min(10.0, timeout_s)),
                follow_redirects=False,
                verify=_certificates(),
            )
        except (ValueError, ImportError) as error:
            raise InvalidInput(
                "The web proxy that the environment names cannot be used.", "Check HTTPS_PROXY and ALL_PROXY."
            ) from error

    def __enter__(self) -> "BucketClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connections."""
        self._client.close()

    def get(self, key: str, name: str, limit_bytes: int, query: Mapping[str, str] | None = None) -> bytes:
        """Give the bytes of a small object, or of a listing.

        Args:
            key: of the object; empty for the bucket itself.
            name: what is asked for, as the person knows it.
            limit_bytes: the largest answer that is read.
            query: parameters of the request.

        Raises:
            NoSuchObject: there is nothing under that key.
            Unreachable: there is no network, or no way to the bucket.
            Unavailable: the bucket is busy, too slow or breaks off, after all tries.
            ImportRefused: the bucket refuses for good, or the answer is too large.
        """
        return self._tried(key, name, query, lambda response: b"".join(self._chunks(response, name, limit_bytes)))

    def download(self, key: str, target: Path, md5: str, limit_bytes: int) -> int:
        """Put an object into a file that is there whole or not at all, and give its size in bytes.

        Args:
            key: of the object.
            target: the file; its folder must be there.
            md5: hex checksum the bytes must have; empty when none is known.
            limit_bytes: the largest file that is taken.

        Raises:
            ImportRefused: as `get`; also when the checksum is wrong every time (Unavailable), or the file cannot be
                written.
        """
        return self._tried(key, target.name, None, lambda response: self._save(response, target, md5, limit_bytes))

    def _save(self, response: httpx2.Response, target: Path, md5: str, limit_bytes: int) -> int:
        found = hashlib.md5(usedforsecurity=False)
        size = 0
        # The leading dot keeps an unfinished file from ever being read as part of the article.
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".", suffix=".part", delete=False) as part:
            try:
                for chunk in self._chunks(response, target.name, limit_bytes):
                    found.update(chunk)
                    part.write(chunk)
                    size += len(chunk)
                part.close()
                if md5 and found.hexdigest() != md5.lower():
                    raise _TryAgain(
                        Unavailable(
                            f"{target.name} arrived {MAX_TRIES} times with another checksum than PMC states for it.",
                            "PMC may be replacing it: try again later.",
                        )
                    )
                Path(part.name).replace(target)
            finally:
                with suppress(FileNotFoundError):
                    Path(part.name).unlink()
        return size

    def _chunks(self, response: httpx2.Response, name: str, limit_bytes: int) -> Iterator[bytes]:
        # A read timeout starts anew with each byte; a server that sends one now and then must not hold us for ever.
        deadline = self._clock.monotonic() + 20 * self._timeout_s
        size = 0
        for chunk in response.iter_bytes(_CHUNK_BYTES):
            size += len(chunk)
            if size > limit_bytes:
                raise TooLarge(
                    f"{name} has more than {limit_bytes // 1_000_000} MB.", "Fetch it by hand, if it is wanted."
                )
            if self._clock.monotonic() > deadline:
                raise httpx2.ReadTimeout("the answer takes too long", request=response.request)
            yield chunk

    def _tried(self, key: str, name: str, query: Mapping[str, str] | None, use: Callable[[httpx2.Response], T]) -> T:
        last = _TryAgain(self._busy(name))
        for tries_made in range(MAX_TRIES):
            if tries_made:
                self._clock.sleep(wait_before_try(tries_made, last.wait_s, self._clock.jitter()))
            self._keep_pace()
            try:
                return self._once(key, name, query, use)
            except _TryAgain as again:
                last = again
            except httpx2.TimeoutException:
                last = _TryAgain(Unavailable(f"{self.host} did not answer in time when asked for {name}.", _LATER))
            except httpx2.ConnectError as error:
                last = _TryAgain(self._unreachable(error))
                if tries_made + 1 >= CONNECT_TRIES:
                    break
            except (httpx2.RequestError, httpx2.StreamError):
                last = _TryAgain(Unavailable(f"{self.host} broke off before {name} was whole.", _LATER))
        raise last.problem

    def _once(self, key: str, name: str, query: Mapping[str, str] | None, use: Callable[[httpx2.Response], T]) -> T:
        with self._client.stream("GET", f"{self._base}/{quote(key)}", params=query) as response:
            if response.status_code == 200:
                try:
                    return use(response)
                except OSError as error:
                    raise ImportRefused(
                        f"{name} cannot be stored: {error.strerror or error}.", "Check free space and rights."
                    ) from error
            status = response.status_code
            if status in _TRANSIENT:
                raise _TryAgain(self._busy(name), _seconds(response.headers.get("Retry-After")))
            code = self._error_code(response)
        if status == 404 and code in ("", "NoSuchKey", "NoSuchVersion"):
            raise NoSuchObject(f"{self.host} holds no {name}.", "Check the id.")
        what = f"HTTP {status}{f', {code}' if code else ''}"
        raise ImportRefused(
            f"{self.host} refuses to give {name} ({what}).",
            "Check the address of the bucket in CASEROUNDS_PMC_BUCKET, and a proxy if there is one.",
        )

    def _error_code(self, response: httpx2.Response) -> str:
        try:
            root = xml_of(b"".join(self._chunks(response, "the error", _ERROR_BYTES)))
        except (ImportRefused, ValueError):
            return ""
        return next((child.text or "" for child in root if str(child.tag).endswith("Code")), "")

    def _busy(self, name: str) -> Unavailable:
        return Unavailable(f"{self.host} is too busy to give {name}: it was asked {MAX_TRIES} times.", _LATER)

    def _unreachable(self, error: httpx2.ConnectError) -> Unreachable:
        if "CERTIFICATE" in str(error).upper():
            return Unreachable(
                f"{self.host} cannot be trusted: its certificate is not one that this machine accepts.",
                "Ask who runs the network whether a proxy stands in between.",
            )
        return Unreachable(f"{self.host} cannot be reached: there is no network, or no way through it.", _NETWORK)

    def _keep_pace(self) -> None:
        wait = self._pace.wait_s(self._pause_s, self._clock.monotonic())
        if wait > 0:
            self._clock.sleep(wait)


_LATER = "Try again later; what is there already is not fetched again."
_NETWORK = "Check the connection and try again; what is there already is not fetched again."


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    # Reading the certificates takes 70 ms; every client of the process shares them.
    return httpx2.create_ssl_context()


def xml_of(data: bytes) -> etree._Element:
    """Give the root of a small XML answer of the bucket; ValueError when it is none."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise ValueError(f"not XML: {error}") from error


def _seconds(retry_after: str | None) -> float | None:
    return float(retry_after) if re.fullmatch(r"\s*[0-9]{1,9}\s*", retry_after or "") else None
