"""A server on this machine that answers as the PMC bucket does, and misbehaves on request."""

import hashlib
import json
import socket
import struct
import threading
from collections import defaultdict
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

from core.jats.bucket_http import BucketClient
from core.jats.bucket_pace import Clock

NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"


def md5_of(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


class Bucket:
    """Objects by key, and for some keys what goes wrong: a list of faults, one for each request, then all is well.

    Faults: an HTTP status (`503`, `"403 AccessDenied"`), `"slow"`, `"cut"` (breaks off), `"reset"`, `"garbled"` (other
    bytes of the same length), `"huge"`. A listing's key is its prefix.
    """

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.faults: dict[str, list] = defaultdict(list)
        self.asked: list[str] = []
        self.agents: set[str] = set()
        self.page_size = 1000
        self.retry_after = ""
        self.address = ""
        self.may_answer = threading.Event()

    def add(
        self, pmcid: str, version: int, xml: bytes, media: dict[str, bytes] | None = None, pdf: bool = True, **metadata
    ) -> None:
        """Put one article version into the bucket; `metadata` overrides fields of its JSON."""
        name = f"{pmcid}.{version}"
        files = {f"{name}.xml": xml, **(media or {})}
        for file, data in files.items():
            self.objects[f"{name}/{file}"] = data

        def url(file: str) -> str:
            return f"s3://pmc-oa-opendata/{name}/{file}?md5={md5_of(files[file])}"

        described = {
            "pmcid": pmcid,
            "version": version,
            "title": "Cough in a baker",
            "citation": "J Small Cases. 2019 May 14;3(2):149-152",
            "is_pmc_openaccess": True,
            "is_manuscript": False,
            "is_historical_ocr": False,
            "is_retracted": False,
            "license_code": "CC BY",
            "xml_url": url(f"{name}.xml"),
            "media_urls": [url(file) for file in media or {}],
        }
        if pdf:
            described["pdf_url"] = f"s3://pmc-oa-opendata/{name}/{name}.pdf?md5={'0' * 32}"
        self.objects[f"{name}/{name}.json"] = json.dumps(described | metadata).encode()

    def asked_for(self, ending: str) -> int:
        return sum(one.endswith(ending) for one in self.asked)

    def page(self, query: dict[str, str]) -> bytes:
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        entries = set()
        for key in self.objects:
            if key.startswith(prefix):
                head, found, _ = key[len(prefix) :].partition(delimiter) if delimiter else (key, "", "")
                entries.add(prefix + head + delimiter if found else key)
        ordered = sorted(entries)
        start = int(query.get("continuation-token") or 0)
        shown = ordered[start : start + self.page_size]
        rows = "".join(
            f"<CommonPrefixes><Prefix>{escape(one)}</Prefix></CommonPrefixes>"
            if one.endswith("/")
            else f"<Contents><Key>{escape(one)}</Key></Contents>"
            for one in shown
        )
        more = start + self.page_size < len(ordered)
        token = f"<NextContinuationToken>{start + self.page_size}</NextContinuationToken>" if more else ""
        return (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="{NAMESPACE}"><Name>pmc-oa-opendata</Name>'
            f"<IsTruncated>{str(more).lower()}</IsTruncated>{token}{rows}</ListBucketResult>"
        ).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    bucket: Bucket

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        key = unquote(parts.path).lstrip("/")
        asked = key or f"list {query.get('prefix', '')} {query.get('continuation-token', '')}".strip()
        self.bucket.asked.append(asked)
        self.bucket.agents.add(self.headers.get("User-Agent", ""))
        faults = self.bucket.faults[key or query.get("prefix", "")]
        fault = faults.pop(0) if faults else None
        if fault == "slow":
            self.bucket.may_answer.wait(5)
        if fault == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
            return
        if isinstance(fault, int) or (isinstance(fault, str) and fault[:3].isdigit()):
            status, _, code = str(fault).partition(" ")
            self._error(int(status), code or "SlowDown")
        elif key and key not in self.bucket.objects:
            self._error(404, "NoSuchKey")
        else:
            data = self.bucket.objects[key] if key else self.bucket.page(query)
            if fault == "garbled":
                data = data[::-1]
            elif fault == "huge":
                data = data + b" " * 5_000_000
            self._answer(200, data, shown=len(data) // 2 if fault == "cut" else None)

    def _error(self, status: int, code: str) -> None:
        body = f'<?xml version="1.0"?>\n<Error><Code>{code}</Code><Message>No.</Message></Error>'.encode()
        # As S3 does: errors come in chunks, without a length.
        self.send_response(status)
        if self.bucket.retry_after:
            self.send_header("Retry-After", self.bucket.retry_after)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n")

    def _answer(self, status: int, body: bytes, shown: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:shown])
        if shown is not None:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that hung up on a slow answer is no fault of the server's."""


@contextmanager
def running_bucket():
    """Give a bucket on a port of its own."""
    bucket = Bucket()
    handler = type("Handler", (_Handler,), {"bucket": bucket})
    server = _Server(("127.0.0.1", 0), handler)
    bucket.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield bucket
    finally:
        bucket.may_answer.set()
        server.shutdown()
        server.server_close()
        thread.join()


class FakeTime:
    """A clock that sleeping moves on, and nothing else."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []
        self._clock = Clock(sleep=self.sleep, monotonic=lambda: self.now, jitter=lambda: 1.0)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def clock(self) -> Clock:
        return self._clock


def client_of(address: str, time: FakeTime | None = None, pause_s: float = 0.0, timeout_s: float = 2.0) -> BucketClient:
    """Give a client that does not sleep."""
    return BucketClient(address, pause_s, timeout_s, (time or FakeTime()).clock())
