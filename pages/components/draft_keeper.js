// Keeps what was entered until the server has read it back from its database.
//
// Every change lies in localStorage under assignment/turn/field with the revision it was made on and a nonce. It is
// sent after a short quiet time, and again every two seconds while it still lies there; it is taken away only when the
// stored row equals it. So a reload, a dropped connection or a killed server lose nothing but the last half second.
const QUIET_MS = 500;
const AGAIN_MS = 2000;

class DraftKeeper {
  constructor(assignment, send, onChange, isAlive) {
    this.prefix = `caserounds/${assignment}/`;
    this.send = send;
    this.onChange = onChange;
    this.isAlive = isAlive;
    this.saved = {};
    this.results = {};
    this.entries = {};
    this.timer = null;
    this.isPaused = false;
    this.load();
    this.again = setInterval(() => this.flush(), AGAIN_MS);
  }

  load() {
    for (let n = 0; n < localStorage.length; n += 1) {
      const name = localStorage.key(n);
      if (!name.startsWith(this.prefix)) continue;
      try {
        const entry = JSON.parse(localStorage.getItem(name));
        this.entries[`${entry.turn}/${entry.field}`] = entry;
      } catch {
        localStorage.removeItem(name);
      }
    }
  }

  store(id, entry) {
    this.entries[id] = entry;
    try {
      localStorage.setItem(this.prefix + id, JSON.stringify(entry));
    } catch {
      // A full or forbidden store: the entry still lives in this page and is sent from here.
    }
  }

  drop(id) {
    delete this.entries[id];
    localStorage.removeItem(this.prefix + id);
  }

  value(id) {
    // Once committed only the stored value counts, whatever still lies in the browser.
    if (!this.isPaused && id in this.entries) return this.entries[id].value;
    return this.saved[id] ? this.saved[id].value : null;
  }

  problem(id) {
    if (this.isPaused) return null;
    const entry = this.entries[id];
    const result = entry ? this.results[entry.nonce] : null;
    return result && result.state !== "saved" ? result : null;
  }

  set(turn, field, value, quiet) {
    const id = `${turn}/${field}`;
    const before = this.entries[id];
    const isStuck = before && this.problem(id);
    const base = before && !isStuck ? before.base : this.saved[id] ? this.saved[id].revision : 0;
    const after = before && !isStuck ? [...before.after, before.nonce].slice(-150) : [];
    const nonce = Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
    this.store(id, { turn, field, value, base, nonce, after, at: Date.now() });
    clearTimeout(this.timer);
    // A choice goes out at once: the very next key may be the one that leaves the turn.
    if (quiet) this.timer = setTimeout(() => this.flush(), QUIET_MS);
    else this.flush();
    this.onChange();
  }

  takeStored(id) {
    this.drop(id);
    this.onChange();
  }

  keepMine(id) {
    const entry = this.entries[id];
    this.drop(id);
    this.set(entry.turn, entry.field, entry.value, false);
  }

  flush() {
    if (!this.isAlive()) {
      // The form has left the page: the next one reads the same entries from localStorage and goes on.
      this.stop();
      return;
    }
    if (this.isPaused) return;
    const waiting = Object.entries(this.entries).filter(([id]) => !this.problem(id)).map(([, entry]) => entry);
    if (!waiting.length) return;
    this.sends = (this.sends || 0) + 1;
    this.send({
      sent: `${Date.now()}-${this.sends}`,
      changes: waiting.map(({ turn, field, value, base, nonce, after }) => ({ turn, field, value, base, nonce, after })),
    });
    this.onChange();
  }

  update(saved, results) {
    this.saved = saved;
    // An answer to a later message must not forget that an earlier change is in conflict.
    const waiting = new Set(Object.values(this.entries).map((entry) => entry.nonce));
    this.results = Object.fromEntries(
      Object.entries({ ...this.results, ...results }).filter(([nonce]) => waiting.has(nonce)),
    );
    for (const [id, entry] of Object.entries(this.entries)) {
      const row = saved[id];
      if (row && JSON.stringify(row.value) === JSON.stringify(entry.value)) {
        this.drop(id);
      } else if (row && entry.after.includes(row.nonce)) {
        this.store(id, { ...entry, base: row.revision, after: entry.after.slice(entry.after.indexOf(row.nonce) + 1) });
      }
    }
  }

  state() {
    const entries = this.isPaused ? [] : Object.entries(this.entries);
    if (entries.some(([id]) => this.problem(id))) return "problem";
    if (!entries.length) return "saved";
    return entries.some(([, entry]) => Date.now() - entry.at > 4000) ? "late" : "saving";
  }

  stop() {
    clearInterval(this.again);
    clearTimeout(this.timer);
  }
}
