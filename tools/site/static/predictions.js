// The boxes in which a reader predicts what was measured. A guess is kept in
// the reader's browser only, under the id of its cell, which never changes.
(() => {
  // A number in six digits, as Python's :g shows it.
  function short(x) {
    const [digits, power] = x.toExponential(5).split("e");
    if (power >= -4 && power < 6) return String(Number(x.toPrecision(6)));
    const places = String(Math.abs(power)).padStart(2, "0");
    return `${Number(digits)}e${power < 0 ? "-" : "+"}${places}`;
  }

  function numbers(number, shown) {
    const measured = Number(shown), [, fraction] = shown.split(".");
    const places = fraction?.length ?? 2;
    const said = `your prediction ${short(number)}, measured ${shown}`;
    if (number.toFixed(places) === measured.toFixed(places)) return `✓ ${said}`;
    const gap = Math.abs(number - measured);
    const off = `${said}: off by ${fraction ? gap.toFixed(places) : short(gap)}`;
    const percent = fraction && measured >= 0 && measured <= 1
      && number >= 10 && number <= 100;
    return !percent ? off
      : `${off}. In percent? ${short(number)} % is ${short(number / 100)}`;
  }

  function words(guess, shown) {
    const plain = (text) => text.toLowerCase().replace(/[-–—]/g, " ").trim()
      .replace(/\s+/g, " ");
    const mark = plain(guess) === plain(shown) ? "✓" : "→";
    return `${mark} your prediction: ${guess}. Measured: ${shown}`;
  }

  // What checks.prediction says to a guess: [its sentence, was it one?].
  function compare(guess, shown, isNumber) {
    if (!isNumber) return [words(guess, shown), true];
    const number = Number(guess);
    if (Number.isFinite(number)) return [numbers(number, shown), true];
    const quote = guess.includes("'") ? '"' : "'";
    const typed = `${quote}${guess}${quote}`;
    const cut = typed.length > 40 ? `${typed.slice(0, 39)}…` : typed;
    return [`→ a number, please, not ${cut}. Measured: ${shown}`, false];
  }

  function store(work) {
    try {
      return work(localStorage);
    } catch { // a browser that keeps nothing: it is shown all the same
      return null;
    }
  }

  function predict(box) {
    const { cell, measured } = box.dataset, key = `guess ${cell}`;
    const isNumber = "number" in box.dataset;
    const form = document.createElement("form");
    const label = document.createElement("label");
    const input = document.createElement("input");
    const button = document.createElement("button");
    const reply = document.createElement("p");
    form.className = "predict";
    label.textContent = `Your prediction${isNumber ? ", a number" : ""}`;
    input.maxLength = 80;
    button.textContent = "Compare";
    reply.setAttribute("role", "status");
    label.append(input);
    form.append(label, button, reply);
    const show = (guess) => {
      const [said, counts] = compare(guess, measured, isNumber);
      reply.textContent = said;
      return counts;
    };
    const kept = store((shelf) => shelf.getItem(key));
    if (kept && show(kept)) input.value = kept;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      // The cell above asks for a word in quotes, as Python does.
      const guess = input.value.trim().replace(/^(["'])(.*)\1$/, "$2").trim();
      if (!guess) {
        reply.textContent = "Type your prediction first.";
      } else if (show(guess)) {
        store((shelf) => shelf.setItem(key, guess));
      }
    });
    box.append(form);
  }

  // Once, guesses were kept under the place of a cell, where another is now.
  function forgetPlaces(shelf) {
    Object.keys(shelf).filter((key) => key.startsWith("prediction /"))
      .forEach((key) => shelf.removeItem(key));
  }

  globalThis.attentionGuesses = { compare };

  function start() {
    store(forgetPlaces);
    document.querySelectorAll(".prediction").forEach(predict);
  }
  if (document.readyState !== "loading") start();
  else document.addEventListener("DOMContentLoaded", start);
})();
