"""A conversation with the model, which can be stopped at any token."""

import inspect

from helpers import validation
from helpers.chat_model.tokens import END, START, SYSTEM, turn
from helpers.generation import KeyValueCache, next_word_probabilities


class Chat:
    """A conversation: what was said stays in the cache of keys and values.

    model: a `ChatModel`; system: the text before the first question.
    """

    def __init__(self, model, *, system=SYSTEM):
        self.model, self.cache = model, KeyValueCache(model)
        self.unread = model.encode(turn("system", _text("system", system)))

    def ask(
        self,
        question,
        *,
        max_tokens=200,
        temperature=0.7,
        top_p=0.9,
        top_k=None,
        seed=0,
    ):
        """Return a generator of the answer's text, in small pieces.

        Whoever stops taking pieces stops the model; the next question then
        comes after what was said so far.

        Parameters
        ----------
        question : str
        max_tokens : int
            The answer ends here at the latest.
        temperature, top_p, top_k
            As in `generation.next_word_probabilities`; with top_k=1 the
            best token is taken each time.
        seed : int or numpy Generator

        Raises
        ------
        TypeError, ValueError
            At once, for bad arguments, and if question and answer could be
            too long for the model.
        """
        opening = turn("user", _text("question", question))
        tokens = self.model.encode(f"{opening}{START}assistant\n")
        self._check_length(
            len(tokens), validation.positive_integer("max_tokens", max_tokens)
        )
        options = dict(temperature=temperature, top_p=top_p, top_k=top_k)
        next_word_probabilities(self.model.gain, **options)  # for its checks
        rng = validation.seeded("seed", seed)
        return self._write(tokens, max_tokens, options, rng)

    def _check_length(self, question, answer):
        said = len(self.cache) + len(self.unread)
        if said + question + answer > self.model.max_length:
            raise ValueError(
                f"question: {said} tokens so far, {question} of the question"
                f" and up to {answer} of the answer; the model was trained"
                f" on texts of up to {self.model.max_length}"
            )

    def _write(self, tokens, max_tokens, options, rng):
        from tokenizers.decoders import DecodeStream

        model, text = self.model, DecodeStream(skip_special_tokens=True)
        (end,) = model.encode(END)
        new = self.unread + tokens
        for _ in range(max_tokens):
            logits = model.logits(new, cache=self.cache, last=True)[0]  # (V,)
            chances = next_word_probabilities(logits, **options)
            token = int(rng.choice(len(chances), p=chances))
            new = [token]
            done = token in (end, 0)  # 0: <|endoftext|>
            self.unread = model.encode("\n" if done else f"{END}\n")
            self.unread = [end if done else token, *self.unread]
            if done:
                return
            if piece := text.step(model.tokenizer, token):
                yield piece


class Typed:
    """A chat by functions of your own, printed word by word.

    as_text(turns): the text of a list of pairs (role, text), open for the
    answer; read(text): reads what is new in it, and returns logits (V,);
    write(logits, **options): yields an answer's tokens, <|im_end|> included.
    An answer without it was cut, and ends in "…".
    """

    def __init__(self, model, as_text, read, write, *, system=SYSTEM):
        self.model, self.as_text = model, as_text
        self.read, self.write = read, write
        self.new_chat(system)

    def new_chat(self, system=SYSTEM):
        """Forget all turns; `system` is the text before the next question."""
        self.turns = [("system", _text("system", system))]

    def __call__(self, question, **options):
        """Print the answer to a question; the stop button ends it."""
        from tokenizers.decoders import DecodeStream

        if not isinstance(question, str) or not question.strip():
            print(f"(Expected a question, got {question!r:.40}.)")
            return
        try:
            inspect.signature(self.write).bind(None, **options)
        except TypeError as error:
            print(f"(Not asked: {error}.)")
            return
        turns = [*self.turns, ("user", question)]
        tokens, text = [], DecodeStream(skip_special_tokens=True)
        end = " …"
        try:
            for token in self.write(self.read(self.as_text(turns)), **options):
                tokens.append(int(token))
                piece = text.step(self.model.tokenizer, int(token))
                print(piece or "", end="", flush=True)
        except KeyboardInterrupt:
            end = " (stopped)"
        said = self.model.decode(tokens)
        if said.endswith(END):
            end = "" if said.removesuffix(END).strip() else "(no answer)"
        print(end)
        if tokens:  # a question that nothing was said to is forgotten
            self.turns = [*turns, ("assistant", said.removesuffix(END))]


def _text(name, value):
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name}: expected a text, got {value!r:.40}")
    return value
