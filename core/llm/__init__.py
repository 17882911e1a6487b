"""Models behind one interface: providers, local servers, recordings. The only room that imports openai or anthropic."""

from core.llm.attempts import OnAttempt
from core.llm.images import ImageLimits, encode_image
from core.llm.opening import image_encoder, list_models, open_model
from core.llm.pacing import Clock
from core.llm.probing import Probe, probe_model
from core.llm.recorded import RecordedModel, RecordedReply, as_recording, read_recording
from core.llm.redaction import Redactor
from core.llm.registry import ModelEntry, ModelInfo, Registry, read_registry, registry_path

__all__ = [
    "Clock",
    "ImageLimits",
    "ModelEntry",
    "ModelInfo",
    "OnAttempt",
    "Probe",
    "RecordedModel",
    "RecordedReply",
    "Redactor",
    "Registry",
    "as_recording",
    "encode_image",
    "image_encoder",
    "list_models",
    "open_model",
    "probe_model",
    "read_recording",
    "read_registry",
    "registry_path",
]
