// Original pixels with zoom, pan, fit, 1:1, brightness, contrast, invert; by mouse, touch and keyboard.
// What a reviewer set stays while the page lives: per picture, in this module.
const settings = new Map();

function fresh() {
  return { scale: null, x: 0, y: 0, brightness: 100, contrast: 100, invert: false };
}

class Viewer {
  constructor(root) {
    this.root = root;
    this.data = null;
    this.shown = 0;
    this.pointers = new Map();
    this.resize = new ResizeObserver(() => this.apply());
    this.build();
  }

  build() {
    this.heading = make("h2", {});
    this.tabs = make("div", { className: "tabs", role: "tablist", "aria-label": "Pictures" });
    this.img = make("img", { alt: "", draggable: "false" });
    this.img.addEventListener("load", () => {
      this.message.hidden = true;
      this.apply();
    });
    this.img.addEventListener("error", () => {
      this.message.textContent = "This picture cannot be shown. Reload the page; if it stays away, tell the study lead.";
      this.message.hidden = false;
    });
    this.message = make("p", { className: "message", role: "status", hidden: true });
    this.stage = make(
      "div",
      { className: "stage", tabindex: "0", role: "group", "aria-label": "Picture. Plus and minus zoom, arrows move, 0 fits, W shows original size, I inverts." },
      this.img,
      this.message,
    );
    this.listen();
    const button = (label, title, act) => make("button", { type: "button", title, "aria-label": title, onclick: act }, label);
    this.invertButton = button("invert", "Invert (I)", () => this.change({ invert: !this.state.invert }));
    this.size = make("span", { className: "size" });
    const slider = (name, label) => {
      const input = make("input", { type: "range", min: 20, max: 300, step: 5, "aria-label": label });
      input.addEventListener("input", () => this.change({ [name]: Number(input.value) }));
      this[name] = input;
      return make("label", { className: "slider" }, label, input);
    };
    this.tools = make(
      "div",
      { className: "tools" },
      button("−", "Zoom out (−)", () => this.zoom(1 / 1.25)),
      button("+", "Zoom in (+)", () => this.zoom(1.25)),
      button("fit", "Fit (0)", () => this.change({ scale: null, x: 0, y: 0 })),
      button("1:1", "Original size (W)", () => this.change({ scale: 1, x: 0, y: 0 })),
      slider("brightness", "brightness"),
      slider("contrast", "contrast"),
      this.invertButton,
      button("reset", "Reset everything", () => this.change(fresh())),
      this.size,
    );
    this.notice = make("p", { className: "smaller", hidden: true });
    this.root.replaceChildren(make("div", { className: "top" }, this.heading, this.tabs), this.stage, this.tools, this.notice);
    this.resize.observe(this.stage);
  }

  listen() {
    const stage = this.stage;
    stage.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event);
      },
      { passive: false },
    );
    stage.addEventListener("pointerdown", (event) => {
      stage.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    stage.addEventListener("pointermove", (event) => {
      const before = this.pointers.get(event.pointerId);
      if (!before) return;
      const now = { x: event.clientX, y: event.clientY };
      const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      if (others.length) {
        const far = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) || 1;
        this.zoom(far(now, others[0]) / far(before, others[0]), event);
      } else {
        this.change({ x: this.state.x + now.x - before.x, y: this.state.y + now.y - before.y });
      }
      this.pointers.set(event.pointerId, now);
    });
    const end = (event) => this.pointers.delete(event.pointerId);
    stage.addEventListener("pointerup", end);
    stage.addEventListener("pointercancel", end);
    stage.addEventListener("dblclick", () => this.change({ scale: this.state.scale === 1 ? null : 1, x: 0, y: 0 }));
    stage.addEventListener("keydown", (event) => {
      const step = 40;
      const acts = {
        "+": () => this.zoom(1.25),
        "=": () => this.zoom(1.25),
        "-": () => this.zoom(1 / 1.25),
        0: () => this.change({ scale: null, x: 0, y: 0 }),
        w: () => this.change({ scale: 1, x: 0, y: 0 }),
        i: () => this.change({ invert: !this.state.invert }),
        ArrowLeft: () => this.change({ x: this.state.x + step }),
        ArrowRight: () => this.change({ x: this.state.x - step }),
        ArrowUp: () => this.change({ y: this.state.y + step }),
        ArrowDown: () => this.change({ y: this.state.y - step }),
      };
      const act = acts[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });
  }

  get picture() {
    return this.data.images[this.shown];
  }

  get state() {
    if (!settings.has(this.picture.id)) settings.set(this.picture.id, fresh());
    return settings.get(this.picture.id);
  }

  change(values) {
    settings.set(this.picture.id, { ...this.state, ...values });
    this.apply();
  }

  fitScale() {
    const box = this.stage.getBoundingClientRect();
    return Math.min(box.width / this.picture.width_px, box.height / this.picture.height_px, 1);
  }

  zoom(factor, at = null) {
    const now = this.state.scale === null ? this.fitScale() : this.state.scale;
    const scale = Math.min(16, Math.max(0.02, now * factor));
    const box = this.stage.getBoundingClientRect();
    // The point under the pointer stays where it is.
    const dx = at ? at.clientX - box.left - box.width / 2 : 0;
    const dy = at ? at.clientY - box.top - box.height / 2 : 0;
    const k = scale / now;
    this.change({ scale, x: dx - (dx - this.state.x) * k, y: dy - (dy - this.state.y) * k });
  }

  apply() {
    if (!this.data || !this.data.images.length) return;
    const { scale, x, y, brightness, contrast, invert } = this.state;
    const used = scale === null ? this.fitScale() : scale;
    this.img.style.width = `${this.picture.width_px}px`;
    this.img.style.transform = `translate(-50%, -50%) translate(${x}px, ${y}px) scale(${used})`;
    this.img.style.filter = `brightness(${brightness}%) contrast(${contrast}%) invert(${invert ? 1 : 0})`;
    this.img.style.imageRendering = used >= 3 ? "pixelated" : "auto";
    this.brightness.value = brightness;
    this.contrast.value = contrast;
    this.invertButton.setAttribute("aria-pressed", String(invert));
    this.size.textContent = `${this.picture.width_px} × ${this.picture.height_px} · ${Math.round(used * 100)} %`;
  }

  show(number) {
    this.shown = number;
    const picture = this.picture;
    // A fresh link for the same picture is no reason to load it again.
    if (this.img.dataset.id !== picture.id) {
      this.img.dataset.id = picture.id;
      this.img.src = picture.url;
    }
    this.img.alt = picture.alt;
    this.heading.textContent = picture.alt;
    this.notice.textContent = picture.notice;
    this.notice.hidden = !picture.notice;
    for (const [n, tab] of [...this.tabs.children].entries()) {
      tab.setAttribute("aria-selected", String(n === number));
      tab.tabIndex = n === number ? 0 : -1;
    }
    this.apply();
  }

  update(data) {
    const isOther = !this.data || this.data.turn !== data.turn || this.data.images.length !== data.images.length;
    this.data = data;
    if (isOther) {
      this.tabs.replaceChildren(
        ...data.images.map((picture, n) => {
          const tab = make("button", { type: "button", role: "tab", title: picture.alt }, picture.short);
          tab.addEventListener("click", () => this.show(n));
          tab.addEventListener("keydown", (event) => {
            const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (!move) return;
            this.show((n + move + data.images.length) % data.images.length);
            this.tabs.children[this.shown].focus();
          });
          return tab;
        }),
      );
      this.tabs.hidden = data.images.length < 2;
      this.show(data.first);
    } else {
      this.show(this.shown);
    }
  }
}

export default function (component) {
  const root = rootOf(component.parentElement, "viewer");
  if (!root.viewer) root.viewer = new Viewer(root);
  root.style.setProperty("--limit", component.data.height);
  root.viewer.update(component.data);
  return () =>
    setTimeout(() => {
      if (!root.isConnected) root.viewer.resize.disconnect();
    }, 0);
}
