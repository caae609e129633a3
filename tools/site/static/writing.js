// The panels of 06 and 07 on which a language model writes: a form around
// language_model.js. The model is loaded with the first text.
(() => {
  const LONGEST = 400, TEXTS = 5; // characters of 07; texts of 06
  const SEEDS = 2 ** 32 - 2; // 32 bits, and dice adds 1
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const whole = (low, high) => (x) =>
    Number.isInteger(x) && x >= low && x <= high;

  function refuse(input, text) {
    input.focus();
    throw new Error(text);
  }

  function number(form, name, fits, wanted, other) {
    const input = form.elements[name];
    if (!input) return other;
    const text = input.value.trim(), value = Number(text.replace(",", "."));
    if (text !== "" && fits(value)) return value;
    const label = input.parentElement.textContent.trim();
    return refuse(input, `${label}: type ${wanted}.`);
  }

  function settings(form, words) {
    const { languageModel: { dice } } = globalThis;
    return {
      temperature: number(form, "temperature",
        (x) => x > 0 && x < Infinity, "a number above 0, such as 0.8"),
      topK: number(form, "top_k", whole(1, words),
        `a whole number from 1 to ${words}`, words),
      topP: number(form, "top_p", (x) => x > 0 && x <= 1,
        "a number above 0, at most 1", 1),
      random: dice(number(form, "seed", whole(0, SEEDS),
        `a whole number from 0 to ${SEEDS}`)),
    };
  }

  function pieces(model, input) { // words, or characters
    const kind = model.words ? "word" : "character", text = input.value;
    const found = model.words
      ? text.toLowerCase().replaceAll(".", " ").split(/\s+/).filter(Boolean)
      : [...text];
    if (!found.length) {
      refuse(input, `Type how the text begins: at least one ${kind}.`);
    }
    const unknown = new Set(found.filter((piece) => !model.place.has(piece)));
    if (unknown.size) {
      refuse(input, `The model has never read these ${kind}s: ${
        [...unknown].slice(0, 20).join("  ")}`);
    }
    const most = model.words ? model.length - 2 : Infinity;
    if (found.length > most) {
      refuse(input, `${found.length} words are too many: type at most ${most}.`);
    }
    return found;
  }

  class Panel {
    constructor(form) {
      Object.assign(this, { form, run: 0 });
      this.reply = form.querySelector(".reply");
      this.out = form.querySelector(".written");
      form.noValidate = true;
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.write();
      });
      const { another, stop, seed } = form.elements;
      another.addEventListener("click", () => {
        if (/^\d+$/.test(seed.value)) seed.value = Number(seed.value) + 1;
        this.write();
      });
      stop.addEventListener("click", () => {
        if (!this.busy) return;
        this.run += 1;
        this.say("Stopped.");
      });
      form.dataset.ready = "yes";
    }

    say(text, { wrong = false, busy = false } = {}) {
      this.busy = busy;
      this.reply.textContent = text;
      this.reply.classList.toggle("wrong", wrong);
    }

    async write() {
      const mine = this.run += 1, { writer, static: up } = this.form.dataset;
      try {
        this.say("Loading the model …", { busy: true });
        const model = await globalThis.attentionPlay.writer(up, writer);
        if (mine !== this.run) return;
        const begun = pieces(model, this.form.elements.prompt);
        const look = settings(this.form, model.vocabulary.length);
        this.say("Writing …", { busy: true });
        this.out.replaceChildren();
        const done = model.words
          ? await this.sentences(model, begun, look, mine)
          : await this.characters(model, begun, look, mine);
        if (mine === this.run) this.say(done);
      } catch (error) {
        if (mine === this.run) this.say(error.message, { wrong: true });
      }
    }

    line(text) { // what was given; what is written comes after it
      const line = document.createElement("div");
      const given = document.createElement("span");
      given.className = "given";
      given.textContent = text;
      line.append(given);
      this.out.append(line);
      return line;
    }

    // Shows each piece after a moment; false if somebody stopped it.
    async show(model, ids, look, mine, count, each) {
      const { write } = globalThis.languageModel;
      let rested = performance.now();
      for (const id of write(model, ids, { ...look, count })) {
        if (id !== null && each(model.vocabulary[id]) === "end") return true;
        if (id === null && performance.now() - rested < 30) continue;
        await wait(id === null ? 0 : model.words ? 60 : 12);
        if (mine !== this.run) return false;
        rested = performance.now();
      }
      return true;
    }

    async characters(model, begun, look, mine) {
      const ids = begun.map((c) => model.place.get(c));
      const line = this.line(begun.join(""));
      await this.show(model, ids, look, mine, LONGEST, (c) => line.append(c));
      return `Done: ${LONGEST} characters.`;
    }

    async sentences(model, begun, look, mine) {
      const right = new RegExp(model.right, "u");
      const ids = [".", ...begun].map((word) => model.place.get(word));
      const most = model.length - ids.length;
      let fits = 0;
      for (let n = 0; n < TEXTS; n++) {
        const text = [...begun], line = this.line(text.join(" "));
        const going = await this.show(model, ids, look, mine, most, (word) => {
          text.push(word);
          line.append(` ${word}`);
          return word === "." ? "end" : "";
        });
        if (!going) return "";
        const good = right.test(text.join(" "));
        line.prepend(good ? "✓ " : "✗ ");
        fits += good;
      }
      return `Done: ${fits} of ${TEXTS} texts fit the grammar.`;
    }
  }

  const start = () => document.querySelectorAll("form.writer")
    .forEach((form) => new Panel(form));
  if (document.readyState !== "loading") start();
  else document.addEventListener("DOMContentLoaded", start);
})();
