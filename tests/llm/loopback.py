"""A server on this machine that speaks both wire formats and misbehaves on request (llm.md section 3)."""

import json
import socket
import struct
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

GOOD = {"verdicts": [{"id": "R1", "score": 4, "level": "strict"}, {"id": "R2", "score": 2, "level": "none"}]}
MANY = json.dumps(GOOD)


def _changed(**change) -> str:
    return json.dumps({"verdicts": [GOOD["verdicts"][0] | change, GOOD["verdicts"][1]]})


TEXTS = {
    "ok": MANY,
    "wrong enum": _changed(level="perfect"),
    "out of bounds": _changed(score=7),
    "score as text": _changed(score="4"),
    "score as fraction": _changed(score=4.5),
    "score as bool": _changed(score=True),
    "score null": _changed(score=None),
    "unknown field": _changed(confidence=0.9),
    "missing field": json.dumps({"verdicts": [{"id": "R1", "score": 4}, GOOD["verdicts"][1]]}),
    "prose": f"Here is my answer: {MANY} I hope it helps.",
    "two blocks": f"```json\n{MANY}\n```\n```json\n{MANY}\n```",
    "duplicate keys": MANY.replace('"score": 4', '"score": 4, "score": 5'),
    "not a number": MANY.replace('"score": 4', '"score": NaN'),
    "ids missing": json.dumps({"verdicts": GOOD["verdicts"][:1]}),
    "ids invented": json.dumps({"verdicts": [*GOOD["verdicts"], {"id": "R9", "score": 5, "level": "strict"}]}),
    "list order": json.dumps({"verdicts": [v | {"id": str(n)} for n, v in enumerate(GOOD["verdicts"])]}),
    "id twice": json.dumps({"verdicts": [GOOD["verdicts"][0]] * 2}),
    "a list": json.dumps(GOOD["verdicts"]),
    "half a json": MANY[:40],
    "plain text": "I would give it a 5.",
    "fenced": f"```json\n{MANY}\n```",
}
STOPS = {
    "truncated": (MANY[:40], "length", "max_tokens"),
    "truncated with whole json": (MANY, "length", "max_tokens"),
    "truncated and empty": (None, "length", "max_tokens"),
    "truncated thinking": ("<think>It may be", "length", "max_tokens"),
    "context full": (MANY[:40], "length", "model_context_window_exceeded"),
    "filtered": (None, "content_filter", "refusal"),
    "filtered with json": (MANY, "content_filter", "refusal"),
    "empty": ("", "stop", "end_turn"),
    "blank": (" \n", "stop", "end_turn"),
    "null": (None, "stop", "end_turn"),
    "tool call": (None, "tool_calls", "tool_use"),
    "no stop signal": (MANY, None, None),
    "paused": (MANY, "function_call", "pause_turn"),
}


def schema_of(body: dict) -> dict | None:
    """Give the schema that a request asks for, whichever wire; None for free text."""
    chat = body.get("response_format", {}).get("json_schema", {}).get("schema")
    return chat or body.get("output_config", {}).get("format", {}).get("schema")


def filled(schema: dict) -> object:
    """Give the smallest value that fits a schema: empty lists, first choices, `x` for texts."""
    if "anyOf" in schema:
        return filled(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "object":
        return {name: filled(field) for name, field in schema["properties"].items()}
    return {"array": [], "string": "x", "integer": 1, "number": 1.0, "boolean": False, "null": None}[schema["type"]]


class Loopback:
    """What the server was asked, and what it will do: a behaviour for each request, the last one for all others."""

    def __init__(self) -> None:
        self.behaviours: list[str] = ["ok"]
        self.requests: list[dict] = []
        self.bodies: list[dict] = []
        self.url = ""
        self.delay_s = 0.0
        self.lock = threading.Lock()

    def next(self) -> str:
        with self.lock:
            return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]


class _Handler(BaseHTTPRequestHandler):
    loopback: Loopback
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        return

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.loopback.lock:
            self.loopback.requests.append({"path": self.path, "headers": dict(self.headers)})
            self.loopback.bodies.append(body)
        behaviour = self.loopback.next()
        time.sleep(self.loopback.delay_s)
        is_chat = self.path.endswith("/chat/completions")
        key = (self.headers.get("authorization") or "").removeprefix("Bearer ")
        if behaviour.isdigit() or behaviour.startswith(("429", "401", "400", "500")):
            self._error(behaviour, key)
        elif behaviour == "timeout":
            time.sleep(1.0)
            self._answer(is_chat, MANY, "stop", "end_turn")
        elif behaviour == "slow stream":
            self._drip(is_chat)
        elif behaviour == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
        elif behaviour == "cut body":
            self._send(200, b'{"id": "x", "choices": [', {"content-length": "5000"})
            self.close_connection = True
        elif behaviour == "html":
            self._send(200, b"<html>gateway</html>", {"content-type": "text/html"})
        elif behaviour == "no json":
            self._send(200, b"{oops", {})
        elif behaviour == "no answer":
            self._send(200, json.dumps({"id": "x", "object": "y"}).encode(), {})
        elif behaviour == "error as 200":
            self._send(200, json.dumps({"error": {"message": "5 5 5"}}).encode(), {})
        elif behaviour == "redirect":
            self._send(307, b"", {"location": "http://127.0.0.1:9/elsewhere"})
        elif behaviour == "refusal":
            self._answer(
                is_chat,
                None if is_chat else "I cannot rate this: 5",
                "stop",
                "refusal",
                refusal="I cannot rate this: 5",
            )
        elif behaviour.startswith("takes only "):
            self._dialect(behaviour.removeprefix("takes only "), body)
        elif behaviour == "fill":
            self._answer(
                is_chat, json.dumps(filled(schema_of(body))) if schema_of(body) else "An answer.", "stop", "end_turn"
            )
        elif behaviour in STOPS:
            self._answer(is_chat, *STOPS[behaviour])
        else:
            self._answer(is_chat, TEXTS.get(behaviour, behaviour), "stop", "end_turn")

    def _dialect(self, dialect: str, body: dict) -> None:
        asked = body.get("response_format", {})
        if asked.get("type") == "json_schema" or (asked and dialect == "prompt"):
            self._error("500", "")
        elif dialect == "json_object_schema" and "schema" not in asked:
            self._answer(True, "Ready, three.", "stop", "end_turn")
        elif dialect == "prompt" and "JSON schema" not in json.dumps(body["messages"]):
            self._answer(True, "Ready, three.", "stop", "end_turn")
        else:
            self._answer(True, '{"state": "ready", "number": 3}', "stop", "end_turn")

    def _error(self, behaviour: str, key: str) -> None:
        status, _, more = behaviour.partition(" ")
        headers = {"x-request-id": "req-err", "request-id": "req-err"}
        message = f"trouble {status}"
        if more.startswith("after"):
            headers["retry-after"] = more.removeprefix("after ")
        elif more == "quota":
            message = "You exceeded your current quota: insufficient_quota"
        elif more == "key":
            message = f"Incorrect API key provided: {key}. Masked: sk-te****1234."
        self._send(
            int(status), json.dumps({"type": "error", "error": {"type": "t", "message": message}}).encode(), headers
        )

    def _payload(self, is_chat: bool, text: str | None, finish: str | None, stop: str | None, refusal=None) -> bytes:
        if is_chat:
            message = {"role": "assistant", "content": text, "refusal": refusal}
            usage = {
                "prompt_tokens": 100,
                "completion_tokens": 20,
                "total_tokens": 120,
                "prompt_tokens_details": {"cached_tokens": 40},
                "completion_tokens_details": {"reasoning_tokens": 7},
            }
            content = {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": "answered-model",
                "choices": [{"index": 0, "finish_reason": finish, "message": message}],
                "usage": usage,
            }
        else:
            blocks = [{"type": "thinking", "thinking": "score 5", "signature": "s"}]
            content = {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "answered-model",
                "content": blocks + ([{"type": "text", "text": text}] if text is not None else []),
                "stop_reason": stop,
                "stop_sequence": None,
                "usage": {
                    "input_tokens": 50,
                    "cache_read_input_tokens": 40,
                    "cache_creation_input_tokens": 10,
                    "output_tokens": 20,
                    "output_tokens_details": {"thinking_tokens": 7},
                },
            }
        return json.dumps(content).encode()

    def _answer(self, is_chat: bool, text: str | None, finish: str | None, stop: str | None, refusal=None) -> None:
        headers = {"x-request-id": "req-1", "request-id": "req-1"}
        self._send(200, self._payload(is_chat, text, finish, stop, refusal), headers)

    def _drip(self, is_chat: bool) -> None:
        payload = self._payload(is_chat, MANY, "stop", "end_turn")
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        try:
            for place in range(0, len(payload), 10):
                self.wfile.write(payload[place : place + 10])
                self.wfile.flush()
                time.sleep(0.05)
        except OSError:
            self.close_connection = True

    def _send(self, status: int, payload: bytes, headers: dict[str, str]) -> None:
        try:
            self.send_response(status)
            for name, value in (
                {"content-type": "application/json", "content-length": str(len(payload))} | headers
            ).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)
        except OSError:
            self.close_connection = True


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        return


@contextmanager
def running_loopback():
    """Give a Loopback whose `url` answers until the block ends."""
    loopback = Loopback()
    handler = type("Handler", (_Handler,), {"loopback": loopback})
    server = _Server(("127.0.0.1", 0), handler)
    loopback.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield loopback
    finally:
        server.shutdown()
        server.server_close()
