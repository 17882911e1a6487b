// Reference items against output items. Verdicts are real controls; each is sent until its row is read back.
const DIFFERS = ["should be lenient", "no match", "contradiction", "it is there"];
const LEVELS = {
  strict: ["═", "strict"],
  lenient: ["≈", "lenient"],
  contradiction: ["✕", "contradiction"],
  missing: ["○", "missing"],
  extra: ["+", "extra"],
};

function number(value) {
  return value === null ? "undefined" : value.toFixed(2).replace(/^0/, "");
}

function item(text, sentence) {
  if (!text) return make("span", { className: "nothing" }, "—");
  if (!sentence || sentence === text) return make("span", {}, text);
  return make("details", {}, make("summary", {}, text), make("q", {}, sentence));
}

function drawTable(table, root, component) {
  const score = table.unscored
    ? `not scored: ${table.unscored}`
    : `${table.headline}: P ${number(table.precision)}  R ${number(table.recall)}  F1 ${number(table.f1)}  ` +
      `(${table.tp} of ${table.n_reference} reference, ${table.tp} of ${table.n_output} output)` +
      (table.f1_after === null ? "" : `  ·  after your verdicts: F1 ${number(table.f1_after)}`);
  const titles = ["Reference item (article)", "Level", "Output item (dialogue)", ...(table.has_verdicts ? ["Your verdict"] : [])];
  const head = make("tr", {}, titles.map((t) => make("th", { scope: "col" }, t)));
  const rows = table.rows.map((row) => {
    const [icon, word] = LEVELS[row.kind];
    const id = `${table.evaluation_id}|${table.target}|${table.figure_id || ""}|${row.row}`;
    const stored = [row.verdict, row.said_by, row.attribute];
    const shown = root.pending.get(id) ?? stored;
    const about = row.reference || row.output;
    const choice = (label, entries, place) => {
      const select = make("select", { "aria-label": label }, entries.map(([value, words]) => make("option", { value }, words)));
      select.value = shown[place];
      select.disabled = table.is_read_only;
      select.addEventListener("change", () => {
        const next = [...(root.pending.get(id) ?? stored)];
        next[place] = select.value;
        // A verdict stays once it is given, and what belonged to another one goes.
        if (!next[0]) return void (select.value = stored[0]);
        if (next[0] !== "it is there") next[1] = "";
        if (!DIFFERS.includes(next[0])) next[2] = "";
        root.pending.set(id, next);
        root.redraw();
        root.send();
      });
      return select;
    };
    const select = [choice(`Verdict on ${about}`, [["", "not given"], ...row.options.map((o) => [o, o])], 0)];
    if (shown[0] === "it is there") select.push(choice(`Which output item says ${about}`, [["", "which item?"], ...Object.entries(table.outputs)], 1));
    if (DIFFERS.includes(shown[0])) select.push(choice(`What differs in ${about}`, [["", "nothing differs"], ...table.attributes.map((a) => [a, `differs: ${a}`])], 2));
    const level = make("span", { className: `level ${row.kind}` }, make("b", { "aria-hidden": "true" }, icon), ` ${word}`);
    const note = row.is_annotation ? make("span", { className: "annotation" }, " figure annotation") : null;
    const state = root.pending.has(id) ? " saving …" : row.verdict ? " ✓" : "";
    return make(
      "tr",
      {},
      make("td", {}, item(row.reference, row.reference_sentence), note),
      make("td", {}, level, row.reason ? make("div", { className: "reason" }, row.reason) : null),
      make("td", {}, item(row.output, row.output_sentence)),
      table.has_verdicts ? make("td", { className: "verdict" }, select, make("span", {}, state)) : null,
    );
  });
  const body = rows.length ? make("table", {}, make("thead", {}, head), make("tbody", {}, rows)) : null;
  const by = make("span", { className: "by" }, ` matched by ${table.made_by}`);
  return make("section", {}, make("h2", {}, table.title, by), make("p", { className: "score" }, score), body);
}

export default function (component) {
  const { data, parentElement } = component;
  const root = rootOf(parentElement, "match-table");
  root.pending = root.pending || new Map();
  root.send = () => {
    const next = root.pending.entries().next();
    if (!next.done) {
      const [row, [verdict, said_by, attribute]] = next.value;
      component.setTriggerValue("verdict", { row, verdict, said_by, attribute, sent: Date.now() });
    }
  };
  for (const table of data.tables) {
    for (const row of table.rows) {
      const id = `${table.evaluation_id}|${table.target}|${table.figure_id || ""}|${row.row}`;
      if (String(root.pending.get(id)) === String([row.verdict, row.said_by, row.attribute])) root.pending.delete(id);
    }
  }
  root.redraw = () => {
    const text = JSON.stringify([data, [...root.pending]]);
    if (root.drawn === text) return;
    const hadOpen = [...root.querySelectorAll("details")].map((d) => d.open);
    const focused = root.getRootNode().activeElement?.getAttribute("aria-label");
    root.drawn = text;
    root.replaceChildren(...data.tables.map((table) => drawTable(table, root, component)));
    [...root.querySelectorAll("details")].forEach((d, n) => (d.open = hadOpen[n] || false));
    // The keyboard stays where it was.
    if (focused) [...root.querySelectorAll("select")].find((s) => s.getAttribute("aria-label") === focused)?.focus();
  };
  root.redraw();
  if (root.pending.size) root.send();
  clearInterval(root.again);
  root.again = setInterval(() => {
    if (root.isConnected) root.send();
    else clearInterval(root.again);
  }, 2000);
}
