// The attention views of the web page, without Python:
// a stand-in takes the place of the kernel, a network that of the model.
(() => {
  const LONGEST = 24, CHARACTERS = 300; // words, as in the notebooks
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const floats = (text) => new Float32Array(bytes(text).buffer);

  // Data comes as a script: that works for a page opened as a file, too.
  const loading = {};
  function load(folder, file, name) {
    const there = () => (globalThis.attentionData ?? {})[name];
    loading[file] ??= new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = `${folder}play/${file}.js`;
      script.onload = () => done(there());
      script.onerror = () => {
        delete loading[file];
        failed(new Error("The model could not be loaded. Try again."));
      };
      document.head.append(script);
    });
    return loading[file];
  }

  // The language model of a notebook, made once.
  async function writer(folder, number) {
    const name = `writer_${number}`, data = await load(folder, name, name);
    data.read ??= new globalThis.languageModel.LanguageModel(data);
    return data.read;
  }

  class Table {
    constructor({ words, vectors, scale }) {
      this.place = new Map(words.split(" ").map((word, i) => [word, i]));
      this.vectors = new Int8Array(bytes(vectors).buffer);
      this.scale = scale;
    }
    row(word) {
      const start = this.place.get(word) * this.scale.length;
      return this.scale.map((s, j) => s * this.vectors[start + j]);
    }
  }

  // As helpers.embeddings.words cuts: all but punctuation is a word.
  const BETWEEN =
    /(?<![\p{L}\p{N}_])'|'(?![\p{L}\p{N}_])|(?!['_])\p{P}/gu;

  function read(sentence) {
    if (sentence.length > CHARACTERS) {
      throw new Error(`Type at most ${CHARACTERS} characters.`);
    }
    const tokens = sentence.toLowerCase().replaceAll("’", "'")
      .replace(BETWEEN, " ").split(/\s+/).filter(Boolean);
    if (!tokens.length) throw new Error("Type a sentence.");
    if (tokens.length > LONGEST) {
      throw new Error(`${tokens.length} words are too many: type at most ${LONGEST}.`);
    }
    return tokens;
  }

  function position(t, width, { size, base }) {
    return Array.from({ length: width }, (_, j) => {
      const angle = t / base ** ((j - (j % 2)) / width);
      return size * (j % 2 ? Math.cos(angle) : Math.sin(angle));
    });
  }

  function project(rows, matrix) { // (T, d) times (d, d_k)
    if (!matrix) return rows;
    const width = matrix.length / rows[0].length;
    return rows.map((row) => Array.from({ length: width }, (_, c) =>
      row.reduce((sum, value, r) => sum + value * matrix[r * width + c], 0)));
  }

  const quoted = (word) => word.includes("'") ? `"${word}"` : `'${word}'`;

  function check(tokens, place) {
    const unknown = tokens.filter((token) => !place.has(token));
    if (unknown.length) {
      const named = [...new Set(unknown)].map(quoted).join(", ");
      throw new Error(`words not in the page's list: ${named}. Try others.`);
    }
  }

  function answer(network, table, sentence) {
    const tokens = read(sentence);
    check(tokens, table.place);
    let rows = tokens.map((token) => table.row(token));
    if (network.positions) {
      rows = rows.map((row, t) => {
        const waves = position(t, row.length, network.positions);
        return row.map((value, j) => value + waves[j]);
      });
    }
    const scores = network.maps.map(({ w_q, w_k, scale }) => {
      const query = project(rows, w_q && floats(w_q));
      const key = project(rows, w_k && floats(w_k));
      const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);
      return query.map((q) => key.map((k) => scale * dot(q, k)));
    });
    return { tokens: numbered(tokens), scores };
  }

  // The model of 06 reads its start first, and no word sees a later one.
  function answerInOrder(model, sentence) {
    const tokens = [".", ...read(sentence)], cache = model.cache();
    check(tokens, model.place);
    if (tokens.length > model.length) {
      throw new Error(`${tokens.length - 1} words are too many: type at most ${
        model.length - 1}.`);
    }
    tokens.forEach((token) => model.logits(model.place.get(token), cache));
    const scores = cache.weights[0].map((head) => head.map((row) =>
      tokens.map((_, i) => i < row.length ? Math.log(row[i]) : null)));
    return { tokens: numbered(tokens), scores };
  }

  function numbered(tokens) { // a word that comes twice: the₁, the₂
    const seen = {};
    return tokens.map((token) => {
      if (tokens.filter((other) => other === token).length === 1) return token;
      seen[token] = (seen[token] ?? 0) + 1;
      return token + String(seen[token])
        .replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
    });
  }

  class StandIn { // what anywidget calls a model
    constructor(state, folder, number) {
      Object.assign(this, { state, folder, number, listeners: [] });
    }
    get(name) { return this.state[name]; }
    set(name, value) {
      this.state[name] = value;
      this.tell(`change:${name}`);
    }
    save_changes() {}
    on(names, call) {
      names.split(" ").forEach((name) => this.listeners.push([name, call]));
    }
    off() {}
    tell(name, content) {
      this.listeners.filter(([known]) => known === name)
        .forEach(([, call]) => call(content));
    }
    async answer(sentence) {
      const { folder, number } = this;
      const network = await load(folder, `network_${number}`, number);
      if (network.writer) {
        return answerInOrder(await writer(folder, network.writer), sentence);
      }
      const name = network.table;
      const data = await load(folder, `table_${name}`, name);
      return answer(network, data.read ??= new Table(data), sentence);
    }
    async send({ sentence }) {
      try {
        const maps = await this.answer(sentence);
        const count = maps.tokens.length, first = this.state.first;
        const place = Math.max(-count, Math.min(count - 1, first));
        this.state.query = (place + count) % count;
        this.set("maps", maps);
        this.tell("msg:custom", { error: "" });
      } catch (error) {
        this.tell("msg:custom", { error: error.message });
      }
    }
  }

  function mount(el) {
    const state = JSON.parse(el.querySelector("script").textContent);
    const { network, static: folder } = el.dataset;
    const model = new StandIn(state, folder, network);
    globalThis.attentionWidget.render({ model, el });
    el.dataset.ready = "yes";
  }

  // What scrolls sideways can be scrolled with the keyboard, too.
  function reach(el) {
    if (el.scrollWidth > el.clientWidth + 1) el.tabIndex = 0;
  }

  globalThis.attentionPlay = { read, writer };

  function start() {
    const wide = "mjx-container[display], .bd-article pre, .bd-article td, "
      + ".pst-scrollable-table-container";
    const all = () => document.querySelectorAll(wide).forEach(reach);
    (globalThis.MathJax?.startup?.promise ?? Promise.resolve()).then(all);
    window.addEventListener("load", all);
    document.querySelectorAll(".attention-play").forEach(mount);
  }
  if (document.readyState !== "loading") start();
  else document.addEventListener("DOMContentLoaded", start);
})();
