"""What a call is, as a hash: two calls with the same key would send the same bytes."""

import hashlib
import json

from core.domain.model_call import Message, ModelRequest, SentMessage
from core.llm.registry import ModelEntry


def request_key(request: ModelRequest, schema: dict[str, object] | None) -> str:
    """Give the hash of what is asked, whoever is asked: role, messages, image bytes, schema, prompts, repeat."""
    return _digest(
        {
            "role": request.role,
            "messages": [message.model_dump() for message in sent_messages(request.messages)],
            "schema": schema,
            "prompts": [ref.model_dump() for ref in request.prompts],
            "repeat": request.repeat,
        }
    )


def call_key(request_digest: str, entry: ModelEntry, sdk: str, max_output_tokens: int) -> str:
    """Give the hash of a call: what is asked, of which model at which address, with which parameters and package."""
    return _digest(
        {
            "request": request_digest,
            "engine": entry.engine,
            "base_url": entry.base_url,
            "model": entry.model,
            "structured": entry.structured,
            "token_limit": entry.token_limit,
            "max_output_tokens": max_output_tokens,
            "temperature": entry.temperature,
            "seed": entry.seed,
            "reasoning_effort": entry.reasoning_effort,
            "extra_body": entry.extra_body,
            "sdk": sdk,
        }
    )


def sent_messages(messages: tuple[Message, ...]) -> tuple[SentMessage, ...]:
    """Give messages as the ledger keeps them: images by the hash of the bytes sent."""
    return tuple(
        SentMessage(role=message.role, text=message.text, images=tuple(image.sha256 for image in message.images))
        for message in messages
    )


def _digest(content: dict[str, object]) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
