"""A model that replies from a script, in the shape of core.domain.model_call.ChatModel."""

import json
from collections.abc import Callable

from core.domain.model_call import CallFacts, FailedCall, ModelReply, ModelRequest, Role, StructuredReply


class ScriptedModel:
    """Gives the replies of each role in order; a str instead of a dict is the reason of a failed call.

    The check of the step is applied as the real model applies it: a reply with problems is `invalid`.
    """

    engine = "recorded"

    def __init__(self, name: str = "scripted", **replies: list) -> None:
        self.name = name
        self.requests: list[ModelRequest] = []
        self._replies = {Role(role.replace("_", " ")): list(script) for role, script in replies.items()}

    def reply(self, request: ModelRequest) -> ModelReply | FailedCall:
        raise AssertionError("method B asks for structured answers only")

    def answer(self, request: ModelRequest, record: type, check: Callable | None = None):
        self.requests.append(request)
        facts = CallFacts(model_asked=self.name)
        script = self._replies[request.role].pop(0)
        if isinstance(script, str):
            return FailedCall(reason=script, detail="The call failed.", facts=facts)
        answer = record.model_validate_json(json.dumps(script))
        problems = check(answer) if check else []
        if problems:
            return FailedCall(reason="invalid", detail=" ".join(problems), facts=facts)
        return StructuredReply[record](answer=answer, facts=facts)
