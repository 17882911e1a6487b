// Reference items against output items. Verdicts are real controls; each is sent until its row is read back.
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
    const select = make("select", { "aria-label": `Verdict on ${row.reference || row.output}` }, make("option", { value: "" }, "not given"), row.options.map((o) => make("option", { value: o }, o)));
    select.value = root.pending.get(id) ?? row.verdict;
    select.disabled = table.is_read_only;
    select.addEventListener("change", () => {
      if (!select.value) {
        select.value = row.verdict;
        return;
      }
      root.pending.set(id, select.value);
      root.send();
    });
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
    if (!next.done) component.setTriggerValue("verdict", { row: next.value[0], verdict: next.value[1], sent: Date.now() });
  };
  for (const table of data.tables) {
    for (const row of table.rows) {
      const id = `${table.evaluation_id}|${table.target}|${table.figure_id || ""}|${row.row}`;
      if (root.pending.get(id) === row.verdict) root.pending.delete(id);
    }
  }
  const text = JSON.stringify([data, [...root.pending]]);
  if (root.drawn !== text) {
    const hadOpen = [...root.querySelectorAll("details")].map((d) => d.open);
    root.drawn = text;
    root.replaceChildren(...data.tables.map((table) => drawTable(table, root, component)));
    [...root.querySelectorAll("details")].forEach((d, n) => (d.open = hadOpen[n] || false));
  }
  if (root.pending.size) root.send();
  clearInterval(root.again);
  root.again = setInterval(() => {
    if (root.isConnected) root.send();
    else clearInterval(root.again);
  }, 2000);
}
