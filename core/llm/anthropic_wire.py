"""The messages wire of Anthropic, and of gateways that speak it."""

import base64
from datetime import UTC, datetime

import anthropic
import httpx2

from core.domain.model_call import Message, Usage
from core.llm.http_problems import status_problem
from core.llm.openai_wire import count
from core.llm.registry import ModelEntry
from core.llm.transport import http_client
from core.llm.wire import WireProblem, WireReply, WireRequest

_STOP = {
    "end_turn": "complete",
    "stop_sequence": "complete",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "context_full",
    "refusal": "refused",
}


class AnthropicWire:
    """One model behind `messages.create`; one request for each `send`."""

    sdk = f"anthropic {anthropic.__version__.split('.')[0]}"

    def __init__(self, entry: ModelEntry, key: str) -> None:
        self._entry = entry
        # Older gateways want the key in x-api-key; the package of today sends it as Bearer.
        headers = {"x-api-key": key} if key and entry.base_url else None
        self._client = anthropic.Anthropic(
            api_key=key or "not-needed",
            base_url=entry.base_url,
            max_retries=0,
            timeout=entry.timeout_s,
            default_headers=headers,
            http_client=http_client(entry.timeout_s),
        )

    def send(self, request: WireRequest) -> WireReply:
        """Send one request; raises WireProblem when there is no reply to judge."""
        try:
            message = self._client.messages.create(**self._arguments(request))
        except anthropic.APITimeoutError as error:
            raise WireProblem("timeout", "The provider did not answer in time.", is_retryable=True) from error
        except anthropic.APIStatusError as error:
            raise status_problem(
                error.status_code, error.body or error.message, error.response.headers, datetime.now(UTC)
            ) from error
        except (anthropic.APIConnectionError, httpx2.HTTPError) as error:
            detail = f"The provider could not be reached ({type(error.__cause__ or error).__name__})."
            raise WireProblem("provider_error", detail, is_retryable=True) from error
        except (anthropic.AnthropicError, ValueError) as error:
            # A body that is no JSON, a key that fits into no header: the text may hold the key, so its kind is told.
            raise WireProblem("provider_error", f"The reply could not be read ({type(error).__name__}).") from error
        return _read(message)

    def _arguments(self, request: WireRequest) -> dict[str, object]:
        entry = self._entry
        system = "\n\n".join(message.text for message in request.messages if message.role == "system")
        arguments: dict[str, object] = {
            "model": entry.model,
            "messages": [_message(message) for message in request.messages if message.role != "system"],
            "max_tokens": request.max_output_tokens,
        }
        if system:
            arguments["system"] = system
        output: dict[str, object] = {}
        if request.schema is not None and entry.structured == "json_schema":
            output["format"] = {"type": "json_schema", "schema": request.schema}
        if entry.reasoning_effort:
            output["effort"] = entry.reasoning_effort
        if output:
            arguments["output_config"] = output
        # The package has no temperature any more; models that still take one get it in the body.
        temperature = {} if entry.temperature is None else {"temperature": entry.temperature}
        if extra := temperature | entry.extra_body:
            arguments["extra_body"] = extra
        return arguments


def _message(message: Message) -> dict[str, object]:
    if not message.images:
        return {"role": message.role, "content": message.text}
    parts: list[dict[str, object]] = []
    for image in message.images:
        data = base64.b64encode(image.data).decode("ascii")
        source = {"type": "base64", "media_type": image.media_type, "data": data}
        parts.append({"type": "image", "source": source})
    return {"role": message.role, "content": [*parts, {"type": "text", "text": message.text}]}


def _read(message: object) -> WireReply:
    content = getattr(message, "content", None)
    if not isinstance(content, list):
        raise WireProblem("provider_error", "The provider's reply holds no answer.", is_retryable=True)
    texts = [block.text for block in content if getattr(block, "type", "") == "text" and isinstance(block.text, str)]
    signal = getattr(message, "stop_reason", None)
    stop = _STOP.get(signal, "other") if isinstance(signal, str) else "other"
    return WireReply(
        text="".join(texts),
        stop=stop,
        stop_reason=str(signal or ""),
        refusal="".join(texts) if stop == "refused" else "",
        model=str(getattr(message, "model", "") or ""),
        request_id=str(getattr(message, "_request_id", "") or ""),
        usage=_usage(getattr(message, "usage", None)),
    )


def _usage(usage: object) -> Usage:
    # The provider counts plain, cache-read and cache-written input apart; all of it was read.
    parts = [count(usage, name) for name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")]
    details = getattr(usage, "output_tokens_details", None)
    return Usage(
        input_tokens=sum(part or 0 for part in parts) if parts[0] is not None else None,
        cached_input_tokens=parts[1],
        output_tokens=count(usage, "output_tokens"),
        reasoning_tokens=count(details, "thinking_tokens"),
    )
