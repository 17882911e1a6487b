// Evidence so far, or the answer of one turn. Everything is set as text: markup in a report or an answer stays words.

function drawEvidence(root, data) {
  root.replaceChildren(make("h2", {}, data.title));
  const scroll = make("div", { className: "scroll", tabindex: "0", role: "region", "aria-label": data.title });
  for (const turn of data.turns) {
    const lines = [];
    let field = null;
    for (const line of turn.evidence) {
      // Values of one kind that follow each other stand under one name.
      if (line.field !== field) lines.push(make("div", { className: "line" }, make("span", { className: "field" }, line.field)));
      field = line.field;
      lines[lines.length - 1].append(make("p", {}, line.text));
    }
    if (turn.n_images) lines.push(make("div", { className: "line" }, make("p", {}, `${turn.n_images} picture${turn.n_images > 1 ? "s" : ""}`)));
    if (!lines.length) lines.push(make("p", { className: "none" }, "nothing new was disclosed at this turn"));
    const mark = turn.is_new ? make("span", { className: "new" }, "● new") : null;
    const box = make("details", { open: true, className: turn.is_new ? "is-new" : "" }, make("summary", {}, turn.title, mark), ...lines);
    scroll.append(box);
  }
  root.append(scroll);
}

function drawAnswer(root, data) {
  root.replaceChildren(make("h2", {}, data.title));
  const scroll = make("div", { className: "scroll", tabindex: "0", role: "region", "aria-label": data.title });
  if (data.answer === null) scroll.append(make("p", { className: "none" }, data.problem));
  for (const part of data.parts || []) {
    scroll.append(make("details", { open: part.is_open }, make("summary", {}, part.title), ...paragraphs(part.answer || part.problem)));
  }
  if (data.answer) scroll.append(...paragraphs(data.answer));
  root.append(scroll);
}

function paragraphs(text) {
  const blocks = [];
  for (const block of text.split(/\n\s*\n/)) {
    let list = null;
    for (const line of block.split("\n")) {
      if (line.startsWith("- ")) {
        if (!list) blocks.push((list = make("ul")));
        list.append(make("li", {}, line.slice(2)));
      } else if (line.trim()) {
        list = null;
        blocks.push(make("p", {}, line));
      }
    }
  }
  return blocks;
}

export default function (component) {
  const { data, parentElement } = component;
  const root = rootOf(parentElement, data.kind);
  const text = JSON.stringify(data);
  if (root.drawn === text) return;
  const isSameTurn = root.turn === data.turn;
  const scrolled = root.querySelector(".scroll") ? root.querySelector(".scroll").scrollTop : 0;
  root.drawn = text;
  root.turn = data.turn;
  root.style.setProperty("--limit", data.height);
  if (data.kind === "evidence") drawEvidence(root, data);
  else drawAnswer(root, data);
  const region = root.querySelector(".scroll");
  const fresh = root.querySelector(".is-new");
  if (isSameTurn) region.scrollTop = scrolled;
  else if (fresh) region.scrollTop = Math.max(0, fresh.offsetTop - region.offsetTop - 40);
}
