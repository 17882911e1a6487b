"""Prompts as files: named, versioned, hashed, with checked variables and fenced data."""

from core.prompting.fence import fence, fence_token
from core.prompting.prompt import Prompt, latest_versions, load_prompt

__all__ = ["Prompt", "fence", "fence_token", "latest_versions", "load_prompt"]
