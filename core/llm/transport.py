"""HTTP for the providers' packages, with a deadline for a whole request and a cap on its size."""

import ssl
import time
from collections.abc import Callable, Iterator
from functools import lru_cache

import httpx2

MAX_REPLY_BYTES = 32 * 1024 * 1024


def http_client(timeout_s: float, monotonic: Callable[[], float] = time.monotonic) -> httpx2.Client:
    """Give a client that ends a request after `timeout_s`, however slowly the reply drips in.

    A read timeout alone starts anew with each byte; a server that sends one now and then would hold the run for ever.
    Redirects are not followed: a key goes to the address in the registry and nowhere else.
    """
    return httpx2.Client(
        transport=_DeadlineTransport(timeout_s, monotonic),
        timeout=httpx2.Timeout(timeout_s, connect=min(10.0, timeout_s)),
        follow_redirects=False,
    )


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    # Reading the certificates takes 70 ms; every model of the process shares them.
    return httpx2.create_ssl_context()


class _DeadlineTransport(httpx2.HTTPTransport):
    def __init__(self, timeout_s: float, monotonic: Callable[[], float]) -> None:
        super().__init__(
            verify=_certificates(), limits=httpx2.Limits(max_connections=200, max_keepalive_connections=50)
        )
        self._timeout_s = timeout_s
        self._monotonic = monotonic

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        deadline = self._monotonic() + self._timeout_s
        response = super().handle_request(request)
        stream = _DeadlineStream(response.stream, request, deadline, self._monotonic)
        return httpx2.Response(
            status_code=response.status_code, headers=response.headers, stream=stream, extensions=response.extensions
        )


class _DeadlineStream(httpx2.SyncByteStream):
    def __init__(
        self, stream: httpx2.SyncByteStream, request: httpx2.Request, deadline: float, monotonic: Callable[[], float]
    ) -> None:
        self._stream = stream
        self._request = request
        self._deadline = deadline
        self._monotonic = monotonic

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            if self._monotonic() > self._deadline:
                raise httpx2.ReadTimeout("the reply took too long", request=self._request)
            if size > MAX_REPLY_BYTES:
                raise httpx2.ReadError("the reply is too large", request=self._request)
            yield chunk

    def close(self) -> None:
        self._stream.close()
