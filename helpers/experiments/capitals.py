"""Where a chat model takes a capital from: rows and heads are exchanged.

Sentences with two countries are run, and a piece of one run is put into the
other (interchange intervention: Vig et al. 2020; Geiger et al. 2021; Meng et
al. 2022). Heads are also switched off, which asks another question.
"""

import numpy as np

from helpers.chat_model.inside import Inside, Record, WithoutHeads
from helpers.generation import KeyValueCache

CAPITALS = {
    "France": "Paris", "Italy": "Rome", "Germany": "Berlin",
    "Japan": "Tokyo", "Egypt": "Cairo", "Greece": "Athens",
    "England": "London", "China": "Beijing", "Austria": "Vienna",
    "Portugal": "Lisbon", "Ireland": "Dublin", "Norway": "Oslo",
    "Sweden": "Stockholm", "Cuba": "Havana", "Hungary": "Budapest",
    "Peru": "Lima",
}  # fmt: skip
SENTENCE = "The capital city of {} is called"


class Sentences:
    """One sentence for each country, run once, with all rows kept.

    tokens (B, T); capitals (B,), one token each; donor (B,): whose rows a
    sentence gets, the next country's; place: the position of the country.
    """

    def __init__(self, model, capitals=CAPITALS, sentence=SENTENCE):
        self.model = model
        texts = [sentence.format(country) for country in capitals]
        self.tokens = np.array([model.encode(text) for text in texts])
        self.capitals = np.array(
            [model.encode(f" {capital}") for capital in capitals.values()]
        )[:, 0]
        self.donor = np.roll(np.arange(len(texts)), -1)
        self.place = int(np.ptp(self.tokens, axis=0).argmax())
        self.run = Record()
        logits = model.logits(self.tokens, last=True, inside=self.run)[:, 0]
        self.said = logits.argmax(axis=-1)  # (B,)

    def go_over(self, end):
        """Tell whether the donor's capital is ahead of the own, (B,).

        end (B, d): final rows of the last token.
        """
        scores = end @ self.model.table[self.capitals].T  # (B, B)
        every = np.arange(len(end))
        return scores[every, self.donor] > scores[every, every]

    def exchange_rows(self, layers=None):
        """Give each sentence one row of its donor, before a block.

        Returns the share of sentences that go over, (positions, layers), of
        all positions from the country's on. Layer 30 is after the last block.
        """
        last = self.model.num_layers
        layers = range(last + 1) if layers is None else layers
        length = self.tokens.shape[1]
        share = np.zeros((length - self.place, len(layers)))
        for place in range(self.place, length):
            kept = KeyValueCache(self.model)
            self.model.logits(self.tokens[:, :place], cache=kept, last=True)
            for column, layer in enumerate(layers):
                x = self.run.x[layer][:, place:].copy()  # (B, T', d)
                x[:, 0] = self.run.x[layer][self.donor, place]
                end = self.model.go_on(x, layer, cache=_copy(kept))[:, -1]
                share[place - self.place, column] = self.go_over(end).mean()
        return share

    def exchange_heads(self, layers):
        """Give the last word one head's context of its donor.

        Returns how many sentences go over, integers (layers, heads).
        """
        model, count = self.model, len(self.tokens)
        kept = KeyValueCache(model)
        model.logits(self.tokens[:, :-1], cache=kept, last=True)
        kept = _copy(kept, model.heads)
        over = np.zeros((len(layers), model.heads), dtype=int)
        for row, layer in enumerate(layers):
            x = np.tile(self.run.x[layer][:, -1:], (model.heads, 1, 1))
            context = self.run.context[layer][self.donor, :, -1:]
            swap = _OneHeadEach(layer, context)
            end = model.go_on(x, layer, cache=_copy(kept), inside=swap)[:, -1]
            for head in range(model.heads):
                own = end[head * count : (head + 1) * count]
                over[row, head] = self.go_over(own).sum()
        return over

    def right(self, layer, heads):
        """Count the capitals that are said without some heads of a layer."""
        off = WithoutHeads((layer, head) for head in heads)
        end = self.model.go_on(self.run.x[layer], layer, inside=off)[:, -1]
        said = (end @ self.model.table.T).argmax(axis=-1)
        return int((said == self.capitals).sum())


class _OneHeadEach(Inside):
    """In one layer, part h of a batch gets other contexts for head h."""

    def __init__(self, layer, context):
        self.layer, self.context = layer, context  # (B, H, 1, d_k)

    def contexts(self, layer, context, weights):
        if layer != self.layer:
            return context
        context, count = context.copy(), len(self.context)
        for head in range(context.shape[1]):
            part = slice(head * count, (head + 1) * count)
            context[part, head] = self.context[:, head]
        return context


def _copy(kept, times=1):
    """Return a cache with the same keys and values, for `times` batches."""
    copy = KeyValueCache(kept.model)
    copy.keys = [np.tile(key, (times, 1, 1, 1)) for key in kept.keys]
    copy.values = [np.tile(value, (times, 1, 1, 1)) for value in kept.values]
    copy.length = len(kept)
    return copy
