export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = rootOf(parentElement, "step-bar");
  const text = JSON.stringify(data);
  if (root.drawn === text) return;
  root.drawn = text;
  const items = data.steps.map((step) => {
    const isCurrent = step.key === data.current;
    const words = step.is_open ? (step.is_done ? "done" : "open") : "not open yet";
    const button = make(
      "button",
      { type: "button", disabled: !step.is_open, "aria-current": isCurrent ? "step" : null, className: step.is_done ? "done" : "" },
      make("span", { className: "mark", "aria-hidden": "true" }, step.is_done ? "✓" : step.is_open ? "○" : "·"),
      step.title,
      make("span", { className: "unseen" }, ` (${words})`),
    );
    button.addEventListener("click", () => setTriggerValue("step", step.key));
    return make("li", {}, button);
  });
  root.replaceChildren(make("nav", { "aria-label": "Steps of this dialogue" }, make("ol", {}, items)));
}
