// The article on the left, what was extracted on the right; a click on either side finds the other.
// All text enters through textContent, so nothing in an article can become markup.

function paragraph(part, marks, onPick) {
  const block = document.createElement("div");
  block.className = "text";
  const edges = new Set([0, part.text.length]);
  marks.forEach((m) => { edges.add(m.start); edges.add(m.end); });
  const cuts = [...edges].sort((a, b) => a - b);
  for (let i = 0; i + 1 < cuts.length; i += 1) {
    const [from, to] = [cuts[i], cuts[i + 1]];
    const covering = marks.filter((m) => m.start <= from && to <= m.end);
    const words = part.text.slice(from, to);
    if (!covering.length) { block.append(words); continue; }
    const mark = document.createElement("mark");
    mark.textContent = words;
    mark.dataset.values = covering.map((m) => m.value).join(" ");
    mark.dataset.group = covering[0].group;
    mark.tabIndex = 0;
    mark.setAttribute("role", "button");
    mark.title = covering.map((m) => m.label).join(" · ");
    mark.onclick = () => onPick(covering[0].value, "value");
    mark.onkeydown = (e) => { if (e.key === "Enter") onPick(covering[0].value, "value"); };
    block.append(mark);
  }
  return block;
}

export default function (component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".source-view");
  const left = root.querySelector(".article");
  const right = root.querySelector(".values");
  const stamp = JSON.stringify(data);
  if (root.dataset.stamp === stamp) return;
  root.dataset.stamp = stamp;
  left.replaceChildren();
  right.replaceChildren();

  const pick = (value, towards) => {
    root.querySelectorAll(".picked").forEach((e) => e.classList.remove("picked"));
    const inText = [...left.querySelectorAll("mark")].filter((m) => m.dataset.values.split(" ").includes(value));
    const row = right.querySelector(`[data-value="${CSS.escape(value)}"]`);
    inText.forEach((m) => m.classList.add("picked"));
    if (row) row.classList.add("picked");
    const target = towards === "text" ? inText[0] : row;
    const pane = towards === "text" ? left : right;
    if (target) pane.scrollTo({ top: target.offsetTop - pane.offsetTop - 60, behavior: "smooth" });
  };

  data.parts.forEach((part) => {
    const box = document.createElement("section");
    const head = document.createElement("h4");
    head.textContent = part.title;
    box.append(head);
    const marks = data.values.flatMap((v) => v.spans.filter((s) => s.part === part.id)
      .map((s) => ({ ...s, value: v.id, group: v.group, label: v.label })));
    box.append(paragraph(part, marks, pick));
    left.append(box);
  });

  let group = "";
  data.values.forEach((v) => {
    if (v.label !== group) {
      group = v.label;
      const head = document.createElement("h4");
      head.textContent = group;
      right.append(head);
    }
    const row = document.createElement("button");
    row.type = "button";
    row.dataset.value = v.id;
    row.dataset.group = v.group;
    row.textContent = v.text;
    if (v.note) {
      const note = document.createElement("small");
      note.textContent = v.note;
      row.append(document.createElement("br"), note);
    }
    row.onclick = () => pick(v.id, "text");
    right.append(row);
  });
  if (!data.values.length) right.textContent = "Nothing was extracted.";
}
