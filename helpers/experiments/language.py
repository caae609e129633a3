"""Language models of notebook 06: how they are trained and measured."""

from functools import lru_cache

import numpy as np

from helpers.attention import softmax
from helpers.generation import generate
from helpers.models import LanguageBatches, LanguageModel
from helpers.tasks import agreement
from helpers.training import cross_entropy, fit

TRAINED_ON, MEASURED_ON = 8000, 1000  # sentences
EPOCHS, LEARNING_RATE = 4, 8e-3  # chosen on seeds 0 and 1
HIDDEN = 64


class Bigram:
    """What follows each word in some sentences, counted.

    Has the `logits` of a language model: the log of how often a word
    followed, plus `extra`, over all that followed.

    sentences: lists of words; vocabulary: words; extra: added to each
    count, so that nothing is impossible (chosen on seeds 0 and 1).
    """

    max_length = None  # one word is all it reads

    def __init__(self, sentences, vocabulary, extra=0.03):
        self.vocabulary = tuple(vocabulary)
        self.place = {word: i for i, word in enumerate(self.vocabulary)}
        tokens = agreement.token_array(sentences, self.vocabulary)
        before, after = tokens[:, :-1], tokens[:, 1:]
        there = after >= 0
        counts = np.full((len(self.vocabulary),) * 2, extra)  # (V, V)
        np.add.at(counts, (before[there], after[there]), 1)
        self.log_shares = np.log(counts / counts.sum(axis=1, keepdims=True))

    def ids(self, words):
        """Return the numbers of words."""
        return np.array([self.place[word] for word in words])

    def logits(self, tokens):
        """(..., T) -> (..., T, V): of the next word after each word."""
        return self.log_shares[tokens]


@lru_cache(maxsize=8)
def material(seed):
    """Return (train, test, vocabulary, sentences) of one seed.

    train, test: the two grammars of `agreement.load`; sentences: those of
    train that a model is trained on.
    """
    train, test = agreement.load(seed)
    vocabulary = agreement.whole().words()
    return train, test, vocabulary, train.sentences(TRAINED_ON, (seed, 0))


def prepared(
    sentences, grammar, seed, *, kind=LanguageModel, noise_std=0.5, **options
):
    """Return a new model of a kind and its batches of sentences.

    Word vectors are made for the grammar. noise_std: of `LanguageBatches`;
    options: of `LanguageModel`.
    """
    vocabulary = agreement.whole().words()
    vectors = agreement.word_vectors(grammar, vocabulary)  # (V, 64)
    options = dict(hidden=HIDDEN, seed=seed) | options
    model = kind(vocabulary, vectors, **options)
    tokens = agreement.token_array(sentences, vocabulary)
    batches = LanguageBatches(
        tokens, vectors.shape[1], seed=seed, noise_std=noise_std
    )
    return model, batches


def train_on(*material, epochs=EPOCHS, learning_rate=LEARNING_RATE, **options):
    """Train a model; material and options are those of `prepared`."""
    model, batches = prepared(*material, **options)
    fit(model, batches, epochs=epochs, learning_rate=learning_rate, show=False)
    return model


def measure(model, seed, count=MEASURED_ON):
    """Measure a model on sentences that no training saw.

    Returns
    -------
    dict
        loss: in nats per word, as in training; causal_loss: each word asked
        for with nothing but the words before it (the same, with a causal
        mask); above_floor: causal_loss above that of the grammar itself on
        the same sentences. With a first noun never seen: number_unseen,
        how often the verbs of its number get more than the others;
        verb_unseen: how much of what all verbs get goes to those of its
        number and class.
    """
    grammar, test, vocabulary, _ = material(seed)
    held_out = grammar.sentences(count, (seed, 1))
    length = sum(map(len, held_out))
    floor = -sum(map(grammar.log_probability, held_out)) / length
    causal = causal_loss(model, held_out)
    tokens = agreement.token_array(held_out, vocabulary)
    loss = model.loss(tokens) if hasattr(model, "loss") else causal
    number, verb = verb_after(model, test, test.sentences(count, (seed, 2)))
    return dict(
        loss=loss,
        causal_loss=causal,
        above_floor=causal - floor,
        number_unseen=number,
        verb_unseen=verb,
    )


def surprises(model, start, *ends):
    """Return the surprise of each word of a sentence, in nats.

    start: its first words; ends: words that may come next, each by itself.
    """
    ids = model.ids([agreement.START, *start])
    chances = softmax(model.logits(ids))  # (T + 1, V): of each next word
    nats = [-np.log(row[i]) for row, i in zip(chances, ids[1:], strict=False)]
    return nats + [-np.log(chances[-1, i]) for i in model.ids(ends)]


def next_word_logits(model, texts):
    """Return (n, V): what a model expects after each text, START before it.

    texts: n lists of words; the model sees nothing else.
    """
    logits = np.empty((len(texts), len(model.vocabulary)))
    lengths = np.array([len(words) for words in texts])
    for length in set(lengths.tolist()):
        rows = np.flatnonzero(lengths == length)
        same = [(agreement.START, *texts[row]) for row in rows]
        tokens = np.array([model.ids(words) for words in same])
        logits[rows] = model.logits(tokens)[:, -1]
    return logits


def causal_loss(model, sentences):
    """Return nats per word, each word asked for after those before it."""
    total = 0
    for i in range(max(map(len, sentences))):
        long = [words for words in sentences if len(words) > i]
        logits = next_word_logits(model, [words[:i] for words in long])
        targets = model.ids([words[i] for words in long])
        total += len(long) * cross_entropy(logits, targets)[0]
    return total / sum(map(len, sentences))


def verb_after(model, grammar, sentences):
    """Ask for the verb of each sentence.

    Returns the fraction of sentences where the verbs of the right number
    get more than those of the other, and how much of what all verbs get
    goes to those of the right class and number, on average.
    """
    texts = [words[:-2] for words in sentences]
    chances = softmax(next_word_logits(model, texts))  # (n, V)
    forms = {
        (kind, number): model.ids([pair[number] for pair in pairs])
        for kind, pairs in grammar.verbs.items()
        for number in (agreement.SINGULAR, agreement.PLURAL)
    }
    right, mass = [], []
    for row, words in zip(chances, sentences, strict=True):
        first = grammar.parse(words)[0]
        of = {number: 0.0 for _, number in forms}
        for (_, number), ids in forms.items():
            of[number] += row[ids].sum()
        right.append(max(of, key=of.get) == first[1])
        mass.append(row[forms[first]].sum() / sum(of.values()))
    return float(np.mean(right)), float(np.mean(mass))


def samples(model, count=200, *, seed=0, temperature=1.0, top_k=None):
    """Let a model write sentences after "the": a list of lists of words."""
    rng = np.random.default_rng(seed)
    options = dict(max_words=12, temperature=temperature, top_k=top_k)
    return [
        generate(model, ["the"], seed=rng, **options) for _ in range(count)
    ]


def grammatical_share(model, count=200, **options):
    """Return how many of its `samples` the grammar of all nouns accepts."""
    grammar = agreement.whole()
    texts = samples(model, count, **options)
    return float(np.mean([grammar.is_grammatical(text) for text in texts]))
