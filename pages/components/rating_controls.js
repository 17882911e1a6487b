// The rating form: choices, scores with their descriptors, texts. All of it saves through the keeper.

function radioName(turn, field) {
  return `cr-${turn}-${field}`;
}

class RatingForm {
  constructor(root, component) {
    this.root = root;
    this.component = component;
    this.data = component.data;
    this.nodes = {};
    this.focused = null;
    this.keeper = new DraftKeeper(
      this.data.assignment,
      (payload) => this.component.setStateValue("drafts", payload),
      () => this.refresh(),
      () => this.root.isConnected,
    );
    this.onKey = (event) => this.keyPressed(event);
    this.onClick = (event) => {
      const isLeaving = (node) =>
        node instanceof HTMLElement &&
        ((node.dataset.testid || "").startsWith("stBaseButton") || node.classList.contains("step-bar"));
      if (event.composedPath().some(isLeaving)) this.leavingSince = Date.now();
    };
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("click", this.onClick);
    this.build();
  }

  stop() {
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("click", this.onClick);
    this.keeper.stop();
  }

  id(field) {
    return `${this.data.turn}/${field}`;
  }

  value(field) {
    return this.keeper.value(this.id(field));
  }

  set(field, value, quiet = false) {
    this.keeper.set(this.data.turn, field, value, quiet);
  }

  build() {
    this.root.replaceChildren();
    this.nodes = {};
    this.status = make("span", { className: "status", role: "status", "aria-live": "polite" });
    this.root.append(make("div", { className: "head" }, make("h2", {}, this.data.title), this.status));
    for (const question of this.data.questions) this.root.append(this.drawQuestion(question));
    this.refresh();
  }

  drawQuestion(question) {
    const drawers = { score: "drawScore", choice: "drawChoice", choices: "drawChoices", text: "drawText" };
    const box = this[drawers[question.kind]](question);
    box.dataset.field = question.field;
    box.addEventListener("focusin", () => this.focusOn(question.field));
    this.nodes[question.field] = { ...(this.nodes[question.field] || {}), box, question };
    const notice = make("div", { className: "notice", role: "alert", hidden: true });
    box.append(notice);
    this.nodes[question.field].notice = notice;
    return box;
  }

  legend(question, id) {
    const isTop = this.data.questions.includes(question);
    return make(
      "span",
      { className: "label", id },
      question.label,
      question.is_required ? make("span", { className: "required", title: "required" }, " *") : null,
      question.is_required ? make("span", { className: "unseen" }, " (required)") : null,
      isTop && question.key && this.data.shows_keys ? make("kbd", {}, question.key) : null,
    );
  }

  drawChoice(question, extra = []) {
    const name = radioName(this.data.turn, question.field);
    const options = make("div", { className: "options" });
    const inputs = [];
    question.options.forEach((option, n) => {
      const input = make("input", { type: "radio", name, value: option.value });
      // A second click takes the answer back: a native radio button cannot be unset.
      input.addEventListener("click", () => {
        const isSame = this.value(question.field) === option.value;
        this.set(question.field, isSame ? null : option.value);
      });
      inputs.push({ input, value: option.value });
      options.append(make("label", { className: "pill" }, input, make("span", {}, option.label)));
    });
    const labelId = `${name}-label`;
    const row = make("div", { className: "row" }, this.legend(question, labelId), options, ...extra);
    const box = make("div", { className: "question", role: "radiogroup", "aria-labelledby": labelId }, row);
    if (question.help) row.querySelector(".label").after(make("span", { className: "help" }, question.help));
    this.nodes[question.field] = { inputs };
    this.appendDetails(box, question);
    return box;
  }

  drawChoices(question) {
    const labelId = `${radioName(this.data.turn, question.field)}-label`;
    const options = make("div", { className: "options" });
    const sentences = make("details", { className: "sentences" }, make("summary", {}, "sentences of the answers"));
    let turn = "";
    const inputs = question.options.map((option) => {
      const input = make("input", { type: "checkbox", value: option.value });
      input.addEventListener("change", () => {
        const chosen = inputs.filter((entry) => entry.input.checked).map((entry) => entry.value);
        this.set(question.field, chosen.length ? chosen : null);
      });
      const words = this.data.sentences[option.value];
      if (words) {
        const ofTurn = option.value.split(",")[0];
        if (ofTurn !== turn) sentences.append(make("div", { className: "of-turn" }, (turn = ofTurn)));
        sentences.append(make("label", { className: "sentence" }, input, make("span", {}, words)));
      } else options.append(make("label", { className: "pill" }, input, make("span", {}, option.label)));
      return { input, value: option.value };
    });
    const row = make("div", { className: "row" }, this.legend(question, labelId), options);
    if (question.help) row.querySelector(".label").append(make("span", { className: "help" }, ` ${question.help}`));
    this.nodes[question.field] = { inputs, isMultiple: true };
    const box = make("div", { className: "question", role: "group", "aria-labelledby": labelId }, row);
    if (turn) box.append(sentences);
    return box;
  }

  drawText(question) {
    const id = radioName(this.data.turn, question.field);
    const area = make("textarea", { id, rows: 2, spellcheck: "true" });
    area.addEventListener("input", () => this.set(question.field, area.value, true));
    area.addEventListener("blur", () => this.keeper.flush());
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.keeper.flush();
      if (event.key === "Escape") area.blur();
      // The app's own one-letter shortcuts look at the host element, not into it.
      else if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
    });
    this.nodes[question.field] = { area };
    const label = make("label", { className: "label", for: id }, question.label);
    return make("div", { className: "question text" }, label, area);
  }

  drawScore(question) {
    const name = radioName(this.data.turn, question.field);
    const inputs = [];
    const scale = make("div", { className: "options scale" });
    const words = make("div", { className: "words" });
    const show = (n) => {
      words.textContent = n ? `${n} · ${question.descriptors[n - 1]}` : "";
    };
    const add = (value, label, isNumber) => {
      const input = make("input", { type: "radio", name, value, "aria-label": isNumber ? `${label}: ${question.descriptors[value - 1]}` : label });
      input.addEventListener("click", () => {
        this.set(question.field, this.value(question.field) === value ? null : value);
      });
      const pill = make("label", { className: isNumber ? "pill number" : "pill" }, input, make("span", {}, label));
      if (isNumber) {
        pill.addEventListener("mouseenter", () => show(value));
        input.addEventListener("focus", () => show(value));
        pill.addEventListener("mouseleave", () => this.refresh());
      }
      inputs.push({ input, value });
      scale.append(pill);
    };
    [1, 2, 3, 4, 5].forEach((n) => add(n, String(n), true));
    const short = { "not applicable": "n/a", "cannot judge": "can't judge" };
    question.options.forEach((option) => add(option.value, short[option.value] || option.label, false));
    const list = make("ol", { className: "all", hidden: true }, question.descriptors.map((text) => make("li", {}, text)));
    const toggle = make("button", { type: "button", className: "link", "aria-expanded": "false" }, "all five");
    toggle.addEventListener("click", () => {
      list.hidden = !list.hidden;
      toggle.setAttribute("aria-expanded", String(!list.hidden));
      toggle.textContent = list.hidden ? "all five" : "hide";
    });
    const labelId = `${name}-label`;
    const box = make(
      "div",
      { className: "question score", role: "radiogroup", "aria-labelledby": labelId },
      make("div", { className: "row" }, this.legend(question, labelId), scale),
      make("div", { className: "asked" }, question.help),
      make("div", { className: "descriptor" }, words, toggle),
      list,
    );
    this.nodes[question.field] = { inputs, words, show };
    this.appendDetails(box, question);
    return box;
  }

  appendDetails(box, question) {
    if (!question.details.length) return;
    const details = make("div", { className: "details" });
    for (const detail of question.details) {
      const part = this.drawQuestion(detail);
      part.classList.add("detail");
      details.append(part);
    }
    box.append(details);
  }

  focusOn(field) {
    const top = field.split(".")[0];
    if (!this.data.questions.some((question) => question.field === top)) return;
    this.focused = top;
    for (const question of this.data.questions) {
      this.nodes[question.field].box.classList.toggle("focused", question.field === top);
    }
  }

  // Which details a value asks for: confidence for a number, turns for 3 or less, a reason for "cannot judge".
  wants(detail, value) {
    if (detail.field.endsWith(".confidence")) return typeof value === "number";
    if (detail.field.endsWith(".evidence")) return typeof value === "number" && value <= 3;
    if (detail.field.endsWith(".reason")) return value === "cannot judge";
    if (detail.field.endsWith(".severity")) return value === "possible" || value === "likely";
    return true;
  }

  refresh() {
    if (!this.status) return;
    for (const [field, node] of Object.entries(this.nodes)) {
      const value = this.value(field);
      if (node.inputs) {
        for (const entry of node.inputs) {
          entry.input.checked = node.isMultiple ? Array.isArray(value) && value.includes(entry.value) : value === entry.value;
          entry.input.disabled = this.data.is_read_only;
        }
      }
      if (node.area) {
        const text = value === null ? "" : String(value);
        const isBusy = node.area.getRootNode().activeElement === node.area && this.id(field) in this.keeper.entries;
        if (!isBusy && node.area.value !== text) node.area.value = text;
        node.area.readOnly = this.data.is_read_only;
      }
      if (node.show) node.show(typeof value === "number" ? value : 0);
      for (const detail of node.question ? node.question.details : []) {
        this.nodes[detail.field].box.hidden = !this.wants(detail, value);
      }
      this.showNotice(field, node);
    }
    this.showStatus();
  }

  showNotice(field, node) {
    if (!node.notice) return;
    const problem = this.keeper.problem(this.id(field));
    node.notice.hidden = !problem;
    if (!problem) return;
    node.notice.replaceChildren(make("span", {}, `${problem.message} `));
    if (problem.state === "conflict") {
      const stored = this.keeper.saved[this.id(field)];
      const words = stored ? (Array.isArray(stored.value) ? stored.value.join(", ") : stored.value) : "nothing";
      node.notice.append(
        make("span", {}, `Stored there: “${words === null ? "nothing" : words}”. `),
        make("button", { type: "button", onclick: () => this.keeper.takeStored(this.id(field)) }, "Keep the stored one"),
        make("button", { type: "button", onclick: () => this.keeper.keepMine(this.id(field)) }, "Use mine"),
      );
    }
  }

  showStatus() {
    const state = this.keeper.state();
    const saved = this.data.last_saved_at ? `saved ${clock(this.data.last_saved_at)} ✓` : "nothing entered yet";
    const words = {
      saved: this.data.is_read_only ? "committed" : saved,
      saving: "saving …",
      late: "not saved yet, trying again …",
      problem: "not saved: see below",
    };
    this.status.textContent = words[state];
    this.status.dataset.state = state;
  }

  keyPressed(event) {
    if (this.data.is_read_only || !this.data.shows_keys || isTyping(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || !this.root.isConnected) return;
    const key = event.key.toUpperCase();
    if (key === "N" || key === "P") this.leavingSince = Date.now();
    // Until the next turn is drawn this form still stands there: a digit typed ahead must not rate the wrong turn.
    if (Date.now() - (this.leavingSince || 0) < 2000) return;
    const named = this.data.questions.find((question) => question.key && question.key === key);
    if (named) {
      event.preventDefault();
      this.moveTo(named.field);
      return;
    }
    if (!/^[1-9]$/.test(event.key)) return;
    const field = this.focused || this.data.questions[0].field;
    const node = this.nodes[field];
    const entry = node.inputs && node.inputs[Number(event.key) - 1];
    if (!entry || (node.question.kind === "score" && Number(event.key) > 5)) return;
    event.preventDefault();
    if (node.isMultiple) {
      entry.input.click();
      return;
    }
    this.set(field, entry.value);
    const place = this.data.questions.findIndex((question) => question.field === field);
    const next = this.data.questions.slice(place + 1).find((question) => question.is_required);
    if (next) this.moveTo(next.field);
  }

  moveTo(field) {
    const node = this.nodes[field];
    const chosen = node.inputs.find((entry) => entry.input.checked) || node.inputs[0];
    chosen.input.focus({ preventScroll: true });
    node.box.scrollIntoView({ block: "nearest" });
    this.focusOn(field);
    if (node.show && typeof this.value(field) !== "number") node.show(0);
  }

  update(component) {
    const isOther = component.data.signature !== this.data.signature;
    this.component = component;
    this.data = component.data;
    this.keeper.isPaused = this.data.is_read_only;
    this.keeper.update(this.data.saved, this.data.results);
    if (isOther) this.build();
    else this.refresh();
  }
}

export default function (component) {
  const root = rootOf(component.parentElement, "rating-form");
  if (root.form && root.form.data.assignment !== component.data.assignment) {
    root.form.stop();
    root.form = null;
  }
  if (!root.form) {
    root.form = new RatingForm(root, component);
    root.form.ticking = setInterval(() => root.form && root.form.showStatus(), 1000);
  }
  root.form.update(component);
  // The clean-up also runs while the form stays; a moment later it is known whether it has left the page.
  return () =>
    setTimeout(() => {
      if (!root.form || root.isConnected) return;
      clearInterval(root.form.ticking);
      root.form.stop();
      root.form = null;
    }, 0);
}
