// The language models of 06 and 07 for the web page: what helpers/models/
// has in NumPy, for one word or character after the other, with a cache.
(() => {
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const floats = (text) => new Float32Array(bytes(text).buffer);

  class Matrix { // 8 bits a number, and a scale for each row
    constructor({ numbers, scale }) {
      this.numbers = new Int8Array(bytes(numbers).buffer);
      this.scale = floats(scale);
      this.width = this.numbers.length / this.scale.length;
    }
    row(i) {
      const start = i * this.width;
      return Float64Array.from(
        this.numbers.subarray(start, start + this.width),
        (number) => number * this.scale[i]);
    }
    times(x) { // (rows, width) times (width,): (rows,)
      const result = new Float64Array(this.scale.length);
      for (let i = 0; i < result.length; i++) {
        result[i] = this.scale[i] * dot(x, this.numbers, i * this.width);
      }
      return result;
    }
  }

  function dot(x, numbers, start = 0) { // loops, where most of the time goes
    let sum = 0;
    for (let j = 0; j < x.length; j++) sum += x[j] * numbers[start + j];
    return sum;
  }

  const add = (a, b) => a.map((value, j) => value + b[j]);
  const mean = (x) => x.reduce((sum, value) => sum + value, 0) / x.length;
  const linear = (x, w, b) => add(w.times(x), b);

  function softmax(scores) {
    const top = Math.max(...scores);
    const parts = scores.map((score) => Math.exp(score - top));
    const sum = parts.reduce((all, part) => all + part, 0);
    return parts.map((part) => part / sum);
  }

  function layerNorm(x, gain, bias) {
    const middle = mean(x), centered = x.map((value) => value - middle);
    const spread = Math.sqrt(mean(centered.map((v) => v * v)) + 1e-5);
    return centered.map((value, j) => value / spread * gain[j] + bias[j]);
  }

  const relu = (x) => x.map((value) => Math.max(0, value));

  function gelu(x) { // Abramowitz and Stegun (1964), 7.1.26
    return x.map((value) => {
      const far = Math.abs(value) / Math.SQRT2, t = 1 / (1 + 0.3275911 * far);
      const half = 0.5 * Math.exp(-far * far) * t * [
        1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592,
      ].reduce((total, factor) => total * t + factor);
      return value * (value > 0 ? 1 - half : half);
    });
  }

  // One query over all keys so far: softmax(q · k / sqrt(d_k)) times v.
  function attend(query, keys, values) {
    const root = Math.sqrt(query.length);
    const weights = softmax(keys.map((key) => dot(query, key) / root));
    const context = new Float64Array(query.length);
    values.forEach((value, t) => {
      for (let j = 0; j < value.length; j++) {
        context[j] += weights[t] * value[j];
      }
    });
    return { context, weights };
  }

  class LanguageModel {
    constructor(data) {
      Object.assign(this, data);
      this.place = new Map(data.vocabulary.map((word, i) => [word, i]));
      this.p = Object.fromEntries(Object.entries(data.arrays).map(
        ([name, a]) => [name, a.scale ? new Matrix(a) : floats(a)]));
      this.activation = data.gelu ? gelu : relu;
    }

    cache() { // keys and values of each layer and head; weights to look at
      const empty = () => Array.from(
        { length: this.layers }, () => Array.from(
          { length: this.heads }, () => []));
      return { count: 0, keys: empty(), values: empty(), weights: empty() };
    }

    // What may come after a word or character, of which the cache has all
    // that came before it.
    logits(id, cache) {
      const p = this.p;
      let x = add(p.vectors.row(id), p.positions.row(cache.count));
      for (let i = 0; i < this.layers; i++) x = this.block(x, i, cache);
      cache.count += 1;
      return linear(layerNorm(x, p.gain, p.bias), p.w_out, p.b_out);
    }

    block(x, i, cache) {
      const p = (name) => this.p[`block${i}.${name}`];
      let read = layerNorm(x, p("gain_1"), p("bias_1"));
      const [query, key, value] = [..."qkv"].map(
        (n) => linear(read, p(`w_${n}`), p(`b_${n}`)));
      const context = this.attention(query, key, value, i, cache);
      x = add(x, linear(context, p("w_o"), p("b_o")));
      read = layerNorm(x, p("gain_2"), p("bias_2"));
      const hidden = this.activation(linear(read, p("w_1"), p("b_1")));
      return add(x, linear(hidden, p("w_2"), p("b_2")));
    }

    attention(query, key, value, i, cache) { // (d,) each; returns (d,)
      const width = query.length / this.heads, merged = query.slice();
      for (let h = 0; h < this.heads; h++) {
        const part = (x) => x.subarray(h * width, (h + 1) * width);
        const keys = cache.keys[i][h], values = cache.values[i][h];
        keys.push(part(key));
        values.push(part(value));
        const { context, weights } = attend(part(query), keys, values);
        cache.weights[i][h].push(weights);
        merged.set(context, h * width);
      }
      return merged;
    }
  }

  // As generation.py: a temperature, and only the likeliest, the first k or
  // those that together reach p.
  function probabilities(logits, { temperature, topK, topP }) {
    const top = Math.max(...logits);
    const chances = softmax(logits.map((l) => (l - top) / temperature));
    const order = [...chances.keys()].sort((a, b) => chances[b] - chances[a]);
    const kept = new Float64Array(chances.length);
    let before = 0;
    for (const i of order.slice(0, topK)) {
      if (before < topP) kept[i] = chances[i];
      before += chances[i];
    }
    const sum = kept.reduce((all, chance) => all + chance, 0);
    return kept.map((chance) => chance / sum);
  }

  // Numbers from 0 to 1, the same ones for a seed: Marsaglia (2003),
  // Xorshift RNGs.
  function dice(seed) {
    let state = Math.imul(seed + 1, 0x9e3779b1) || 1;
    const next = () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) / 2 ** 32;
    };
    for (let i = 0; i < 16; i++) next(); // small seeds begin alike
    return next;
  }

  function draw(chances, random) {
    let left = random();
    const found = chances.findIndex((chance) => (left -= chance) < 0);
    return found === -1 ? chances.indexOf(Math.max(...chances)) : found;
  }

  // Yields each id that is drawn, and null after each one that is read. When
  // the cache is full, the model goes on from the later half.
  function* write(model, ids, { count, random, ...look }) {
    const written = [...ids];
    let cache = model.cache(), fresh = written.slice(-model.reads);
    for (let n = 0; n < count; n++) {
      if (cache.count + fresh.length > model.length) {
        [cache, fresh] = [model.cache(), written.slice(-model.reads)];
      }
      let logits;
      for (const id of fresh) {
        logits = model.logits(id, cache);
        yield null;
      }
      fresh = [draw(probabilities(logits, look), random)];
      written.push(...fresh);
      yield fresh[0];
    }
  }

  globalThis.languageModel = { LanguageModel, probabilities, dice, write };
})();
