"""The chat completions wire: OpenAI and every server that speaks it (vLLM, Ollama, llama.cpp)."""

import base64
import json
import re
from datetime import UTC, datetime

import httpx2
import openai

from core.domain.model_call import Message, Usage
from core.llm.http_problems import status_problem
from core.llm.registry import ModelEntry
from core.llm.transport import http_client
from core.llm.wire import WireProblem, WireReply, WireRequest

# Local servers without a reasoning parser send the model's thinking in front of its answer.
_THINKING = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
_STOP = {
    "stop": "complete",
    "eos": "complete",
    "end_turn": "complete",
    "length": "truncated",
    "content_filter": "filtered",
}


class OpenAIWire:
    """One model behind `chat.completions.create`; one request for each `send`."""

    sdk = f"openai {openai.__version__.split('.')[0]}"

    def __init__(self, entry: ModelEntry, key: str) -> None:
        self._entry = entry
        self._client = openai.OpenAI(
            api_key=key or "not-needed",
            base_url=entry.base_url,
            max_retries=0,
            timeout=entry.timeout_s,
            http_client=http_client(entry.timeout_s),
        )

    def send(self, request: WireRequest) -> WireReply:
        """Send one request; raises WireProblem when there is no reply to judge."""
        try:
            completion = self._client.chat.completions.create(**self._arguments(request))
        except openai.APITimeoutError as error:
            raise WireProblem("timeout", "The provider did not answer in time.", is_retryable=True) from error
        except openai.APIStatusError as error:
            raise status_problem(
                error.status_code, error.body or error.message, error.response.headers, datetime.now(UTC)
            ) from error
        except (openai.APIConnectionError, httpx2.HTTPError) as error:
            detail = f"The provider could not be reached ({type(error.__cause__ or error).__name__})."
            raise WireProblem("provider_error", detail, is_retryable=True) from error
        except (openai.OpenAIError, ValueError) as error:
            # A body that is no JSON, a key that fits into no header: the text may hold the key, so its kind is told.
            raise WireProblem("provider_error", f"The reply could not be read ({type(error).__name__}).") from error
        return _read(completion)

    def _arguments(self, request: WireRequest) -> dict[str, object]:
        entry = self._entry
        arguments: dict[str, object] = {
            "model": entry.model,
            "messages": [_message(message) for message in request.messages],
            entry.token_limit: request.max_output_tokens,
        }
        if entry.temperature is not None:
            arguments["temperature"] = entry.temperature
        if entry.seed is not None:
            arguments["seed"] = entry.seed
        if entry.reasoning_effort:
            arguments["reasoning_effort"] = entry.reasoning_effort
        if entry.extra_body:
            arguments["extra_body"] = entry.extra_body
        if request.schema is not None and (asked := _response_format(entry, request)):
            arguments["response_format"] = asked
        return arguments


def _response_format(entry: ModelEntry, request: WireRequest) -> dict[str, object] | None:
    if entry.structured == "json_schema":
        described = {"name": request.schema_name, "strict": True, "schema": request.schema}
        return {"type": "json_schema", "json_schema": described}
    if entry.structured == "json_object_schema":
        return {"type": "json_object", "schema": request.schema}
    return {"type": "json_object"} if entry.structured == "json_object" else None


def _message(message: Message) -> dict[str, object]:
    if not message.images:
        return {"role": message.role, "content": message.text}
    parts: list[dict[str, object]] = []
    for image in message.images:
        data = base64.b64encode(image.data).decode("ascii")
        parts.append(
            {"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{data}", "detail": "high"}}
        )
    return {"role": message.role, "content": [*parts, {"type": "text", "text": message.text}]}


def _read(completion: object) -> WireReply:
    # Compatible servers send anything; nothing of the reply is taken for granted.
    choices = getattr(completion, "choices", None)
    if not isinstance(choices, list) or not choices or getattr(choices[0], "message", None) is None:
        raise WireProblem("provider_error", "The provider's reply holds no answer.", is_retryable=True)
    choice, message = choices[0], choices[0].message
    signal = getattr(choice, "finish_reason", None)
    refusal = getattr(message, "refusal", None)
    content = getattr(message, "content", None)
    stop = _STOP.get(signal, "other") if isinstance(signal, str) else "other"
    if refusal and stop != "truncated":
        stop = "refused"
    is_text = content is None or isinstance(content, str)
    raw = (content or "") if is_text else json.dumps(content, default=str)
    text = _THINKING.sub("", raw)
    if stop == "complete" and (not is_text or text.lstrip().startswith("<think>")):
        stop = "other"
    return WireReply(
        text=text,
        stop=stop,
        stop_reason=str(signal or ""),
        refusal=str(refusal or ""),
        raw=raw if raw != text else "",
        model=str(getattr(completion, "model", "") or ""),
        request_id=str(getattr(completion, "_request_id", "") or ""),
        usage=_usage(getattr(completion, "usage", None)),
    )


def _usage(usage: object) -> Usage:
    prompt = getattr(usage, "prompt_tokens_details", None)
    completion = getattr(usage, "completion_tokens_details", None)
    return Usage(
        input_tokens=count(usage, "prompt_tokens"),
        cached_input_tokens=count(prompt, "cached_tokens"),
        output_tokens=count(usage, "completion_tokens"),
        reasoning_tokens=count(completion, "reasoning_tokens"),
    )


def count(holder: object, name: str) -> int | None:
    """Give a token count when the provider sent one that is a number of tokens; None else."""
    value = getattr(holder, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
