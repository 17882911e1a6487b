"""Models: the registry with what each model still needs, who does what, and the prompts in force."""

import pandas as pd
import streamlit as st

from core.errors import AppError
from core.services.models import RULES_BASELINE, ModelInfo, list_models, list_prompts, list_roles
from pages.components.notices import show_error
from pages.components.registry_parts import draw_editor, draw_trial
from pages.components.resources import workspace
from pages.components.words import count_of

ws = workspace()
st.title("Models")
st.write(
    "Every role can be given to the rules baseline, which needs no key and no network, or to a model of the registry, "
    "a text file that can be edited. Keys stay in the environment; this page only says whether they are there."
)


def state_of(model: ModelInfo) -> str:
    """Give where a model stands, in a few words."""
    if model.state == "retired":
        return f"✕ retired on {model.shutdown_on}"
    if model.state == "no key":
        return "○ key missing"
    return "● server on this machine" if model.is_local else "● ready"


def key_of(model: ModelInfo) -> str:
    """Give whether a model's key is set; its value is never asked for."""
    if not model.key_env:
        return "none needed"
    return f"{model.key_env}: {'present' if model.has_key else 'missing'}"


def roles_of(name: str) -> str:
    """Give what a model does by default."""
    used = [role for role, model in roles.items() if model == name]
    return "every role" if len(used) == len(roles) else ", ".join(used)


try:
    models, roles = list_models(ws), list_roles(ws)
except AppError as error:
    show_error(error)
    models, roles = (), {}

if models:
    ready = sum(model.state == "ready" for model in models)
    st.subheader("Registry")
    st.caption(f"{count_of(len(models), 'model')}, {ready} with all they need.")
    st.dataframe(
        pd.DataFrame(
            {
                "Name": [RULES_BASELINE, *(model.name for model in models)],
                "State": ["● ready", *(state_of(model) for model in models)],
                "Key": ["none needed", *(key_of(model) for model in models)],
                "Used for": [roles_of(name) for name in (RULES_BASELINE, *(model.name for model in models))],
                "Engine": ["rules", *(model.engine for model in models)],
                "Group": ["baseline", *(model.group or "not stated" for model in models)],
                "Images": ["no", *("yes" if model.takes_images else "no" for model in models)],
                "Note": ["The floor that a paid judge must beat.", *(model.note for model in models)],
            }
        ),
        hide_index=True,
        height="content",
        column_config={
            "Name": st.column_config.TextColumn(width=170),
            "State": st.column_config.TextColumn(width=175),
            "Key": st.column_config.TextColumn(width=210),
            "Used for": st.column_config.TextColumn(width=110),
            "Engine": st.column_config.TextColumn(width=80),
            "Group": st.column_config.TextColumn(width=80),
            "Images": st.column_config.TextColumn(width=60),
        },
    )
    for model in models:
        if model.state == "retired":
            st.warning(model.problem, icon=":material/event_busy:")
        elif model.warning:
            st.warning(f"{model.name}: {model.warning}", icon=":material/event_busy:")
    st.subheader("Who does what")
    st.caption("What each role uses when nothing else is chosen; a run can choose otherwise.")
    st.table(
        pd.DataFrame({"Role": [role.capitalize() for role in roles], "Model": list(roles.values())}).set_index("Role")
    )

    draw_trial(ws, models)
draw_editor(ws)

st.subheader("Prompts in force")
try:
    prompts = list_prompts()
except AppError as error:
    show_error(error)
    st.stop()
st.dataframe(
    pd.DataFrame(
        {
            "Prompt": [prompt.name for prompt in prompts],
            "Version": [prompt.version for prompt in prompts],
            "Purpose": [prompt.purpose for prompt in prompts],
            "Reply": [prompt.output or "free text" for prompt in prompts],
            "Last change": [prompt.changed for prompt in prompts],
            "Hash": [prompt.sha256[:12] for prompt in prompts],
        }
    ),
    hide_index=True,
    height="content",
)
names = {prompt.name: prompt for prompt in prompts}
chosen = st.selectbox("Read a prompt", list(names), index=None, placeholder="choose a prompt", key="prompt_choice")
if chosen:
    prompt = names[chosen]
    st.caption(f"{prompt.name}, version {prompt.version} · sha256 {prompt.sha256}")
    for name, meaning in (*prompt.variables.items(), *prompt.data.items()):
        kind = "fenced as data" if name in prompt.data else "put in as it is"
        st.caption(f"`{name}`: {meaning} ({kind})")
    st.code(prompt.template.strip(), language=None, wrap_lines=True)
