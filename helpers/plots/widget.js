// The attention view: above each word a bar, as high as its weight. Weights
// are computed here, from scores, so no kernel is needed to look around.

function make(tag, name, text = "") {
  const node = document.createElement(tag);
  node.className = `av-${name}`;
  node.textContent = text; // never HTML: somebody typed these words
  return node;
}

function softmax(scores, temperature) {
  const scaled = scores.map((s) => (s === null ? -Infinity : s / temperature));
  const top = Math.max(...scaled);
  if (top === -Infinity) return scaled.map(() => 0); // all are masked
  const parts = scaled.map((s) => Math.exp(s - top));
  const sum = parts.reduce((a, b) => a + b);
  return parts.map((part) => part / sum);
}

// A row of choices, one of them made: arrows move, Tab enters and leaves.
function radioGroup(name, label, nodes, pick) {
  const group = make("div", name);
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", label);
  nodes.forEach((node, i) => {
    node.type = "button";
    node.setAttribute("role", "radio");
    node.addEventListener("click", () => pick(i));
    node.addEventListener("keydown", (event) => {
      const last = nodes.length - 1;
      const next = i === last ? 0 : i + 1, before = i === 0 ? last : i - 1;
      const to = {
        ArrowRight: next, ArrowDown: next, ArrowLeft: before, ArrowUp: before,
        Home: 0, End: last,
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      pick(to);
      nodes[to].focus();
    });
    group.append(node);
  });
  const mark = (chosen) => nodes.forEach((node, i) => {
    node.setAttribute("aria-checked", i === chosen);
    node.tabIndex = i === chosen ? 0 : -1;
  });
  return { group, mark };
}

function wordButton(token) {
  const node = make("button", "word");
  const bar = make("span", "bar"), number = make("span", "number");
  bar.ariaHidden = "true"; // the line below says it
  bar.append(number, make("span", "fill"));
  node.append(bar, make("span", "token", token));
  return { node, number };
}

// Words and bars, for as long as the sentence is the same.
function sentence(model, peek) {
  const maps = model.get("maps"), buttons = maps.tokens.map(wordButton);
  const nodes = buttons.map(({ node }) => node);
  const keep = (i) => {
    peek(null);
    model.set("query", i);
    model.save_changes();
  };
  const words = radioGroup("words", "Which word asks?", nodes, keep);
  let last = ""; // where the mouse was: words also slide under a resting one
  words.group.addEventListener("pointermove", (event) => {
    const place = `${event.clientX} ${event.clientY}`;
    const under = nodes.indexOf(event.target.closest(".av-word"));
    if (last !== "" && last !== place) peek(under === -1 ? null : under);
    last = place;
  });
  words.group.addEventListener("pointerleave", () => {
    last = "";
    peek(null);
  });
  function draw(asks, row, weights) {
    words.mark(model.get("query"));
    buttons.forEach(({ node, number }, i) => {
      const masked = row[i] === null;
      node.classList.toggle("av-asks", i === asks);
      node.classList.toggle("av-masked", masked);
      node.style.setProperty("--weight", weights[i]);
      const text = weights[i] < 0.005 ? "·" : weights[i].toFixed(2);
      number.textContent = masked ? "–" : text;
    });
  }
  return { maps, group: words.group, draw };
}

function inWords(tokens, asks, weights) {
  const best = weights.map((weight, i) => [weight, tokens[i]])
    .sort((a, b) => b[0] - a[0]).slice(0, 3)
    .filter(([weight]) => weight >= 0.005)
    .map(([weight, token]) => `${token} ${weight.toFixed(2)}`);
  return `${tokens[asks]} looks at ${best.join(", ") || "nothing"}`;
}

function temperature(model) {
  const box = make("label", "heat", "temperature ");
  const input = make("input", "slider"), shown = make("output", "shown");
  Object.assign(input, { type: "range", min: -1, max: 1, step: 0.05 });
  input.addEventListener("input", () => {
    model.set("temperature", 10 ** input.value);
    model.save_changes();
  });
  box.append(input, shown);
  function draw() {
    const value = model.get("temperature");
    input.value = Math.log10(value);
    shown.textContent = value.toFixed(value < 1 ? 2 : 1);
    input.setAttribute("aria-valuetext", shown.textContent);
  }
  return { box, draw };
}

// A sentence goes to the kernel; what comes back are new maps, or an error.
function questions(model, dim) {
  const form = make("form", "ask"), label = make("label", "label");
  const input = make("input", "input"), reply = make("p", "reply");
  const button = make("button", "send", "Show");
  let waiting;
  Object.assign(input, { type: "text", maxLength: 300, autocomplete: "off" });
  Object.assign(input, { spellcheck: false, value: model.get("sentence") });
  reply.setAttribute("role", "status");
  label.append("Your sentence", input);
  form.append(label, button, reply);
  const say = (text, wrong = false) => {
    clearTimeout(waiting);
    reply.textContent = text;
    reply.classList.toggle("av-wrong", wrong);
    dim(wrong); // the bars are those of another sentence
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say("Asking the model …");
    const lost = () => say("No answer. Is the kernel running, or busy with "
      + "a cell? Run the cells again, from the top.", true);
    waiting = setTimeout(lost, 8000);
    try {
      model.send({ sentence: input.value });
    } catch {
      lost();
    }
  });
  return { form, answer: ({ error }) => say(error, error !== "") };
}

function render({ model, el: root }) {
  const names = model.get("names"), title = model.get("title");
  const line = make("p", "line"), heat = temperature(model);
  const dim = (old) => root.classList.toggle("av-old", old);
  const asking = questions(model, dim);
  const heads = radioGroup("heads", "Which map?",
    names.map((name) => make("button", "head", name)), (i) => {
      model.set("head", i);
      model.save_changes();
    });
  let words = sentence(model, (i) => draw(i));
  function draw(peeked = null) {
    const maps = model.get("maps"), head = model.get("head");
    if (maps !== words.maps) { // a new sentence
      const old = words.group;
      words = sentence(model, (i) => draw(i));
      old.replaceWith(words.group);
    }
    const asks = peeked ?? model.get("query"), row = maps.scores[head][asks];
    const weights = softmax(row, model.get("temperature"));
    words.draw(asks, row, weights);
    heads.mark(head);
    heat.draw();
    // what the mouse passes over is seen, and not read aloud
    line.setAttribute("aria-live", peeked === null ? "polite" : "off");
    const whose = names.length > 1 ? `${names[head]}: ` : "";
    line.textContent = whose + inWords(maps.tokens, asks, weights);
  }
  draw();
  root.classList.add("av");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", title || "attention view");
  root.dataset.lmSuppressShortcuts = "true"; // or JupyterLab takes the keys
  root.addEventListener("keydown", (event) => event.stopPropagation());
  if (title) root.append(make("p", "title", title));
  root.append(make("p", "hint", "Point at a word, click it, or move with the "
    + "arrow keys: the bars show where it looks."));
  const choices = make("div", "choices");
  if (names.length > 1) choices.append(heads.group);
  choices.append(heat.box);
  root.append(words.group, line, choices);
  if (model.get("can_ask")) root.append(asking.form);
  const redraw = () => {
    dim(false); // somebody goes on with it
    draw();
  };
  const changes = "change:maps change:query change:head change:temperature";
  model.on(changes, redraw);
  model.on("msg:custom", asking.answer);
  return () => {
    model.off(changes, redraw);
    model.off("msg:custom", asking.answer);
  };
}

export default { render };
