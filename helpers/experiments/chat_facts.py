"""Ten made-up facts that a text can hold, and how the model is asked.

Each fact has ten possible answers, or a few less or more, which all begin
with different tokens. The facts are of ten kinds: of ten facts of one kind,
such as ten people and their towns, this small model remembers hardly any.
"""

from typing import NamedTuple

import numpy as np

from helpers import validation
from helpers.chat_model import load_chat_model
from helpers.generation import KeyValueCache


class Fact(NamedTuple):
    """What a text says, up to the answer; a question; possible answers."""

    said: str
    question: str
    answers: str


FACTS = (
    Fact("Maren grew up in", "As a child, Maren lived in",
         "Lisbon Cairo Oslo Lima Delhi Dublin Warsaw Seoul Havana Athens"),
    Fact("The door of the mill is", "Which color has the mill's door? It is",
         "green red blue yellow white black brown gray orange purple"),
    Fact("The miller's dog is called",
         "What name did the miller give to his dog? Its name is",
         "Bruno Max Rex Oscar Felix Charlie Leo Toby Sam Buddy"),
    Fact("The market is held every",
         "On which day can one go to the market? On",
         "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
    Fact("The youngest daughter is learning the",
         "Which instrument will the youngest daughter play? The",
         "piano violin guitar flute drums trumpet harp cello organ"),
    Fact("The treasure was hidden under the",
         "Where should one look for the treasure? Under the",
         "carpet bed stairs table floor tree bridge stone sofa roof"),
    Fact("The baker cannot eat",
         "What makes the baker ill? The baker must stay away from",
         "milk eggs nuts fish wheat cheese onions honey apples wine"),
    Fact("The number of teachers at the school is",
         "How many people teach at the school? There are",
         "two three four five six seven eight nine ten twelve"),
    Fact("The festival begins in",
         "In which month does the festival start? In",
         "January February March April June July August October"),
    Fact("The doctor wants to become a",
         "Which job does the doctor dream of? To be a",
         "pilot sailor teacher farmer singer painter lawyer dancer writer"),
)  # fmt: skip
FORMS = "copy", "question"


def told(number, choice):
    """Return the tokens of fact `number` with its answer `choice`."""
    fact = FACTS[number]
    answer = fact.answers.split()[choice]
    return load_chat_model().encode(f"\n{fact.said} {answer}.\n")


def asked(number, form):
    """Return the tokens that ask for a fact; the next one is the answer.

    form: "copy", the words of the fact, or "question", other words.
    """
    form, fact = validation.choice("form", form, FORMS), FACTS[number]
    words = fact.said if form == "copy" else fact.question
    return load_chat_model().encode(f"\n{words}")


def choices(seed):
    """Draw an answer of each of the ten facts: a list of ints."""
    rng = np.random.default_rng(seed)
    return [int(rng.integers(len(fact.answers.split()))) for fact in FACTS]


def answer(number, logits):
    """Return which answer of a fact has the highest logit: an int.

    logits (V,) of the next token. Guessing is right in about a tenth.
    """
    encode = load_chat_model().encode
    words = FACTS[number].answers.split()
    return int(logits[[encode(f" {word}")[0] for word in words]].argmax())


def says(cache, tokens, number):
    """Return the answer after a cached text and tokens; keeps the cache."""
    branch = KeyValueCache(cache.model)
    branch.keys, branch.values = [*cache.keys], [*cache.values]
    branch.length = len(cache)
    logits = cache.model.logits(tokens, cache=branch, last=True)
    return answer(number, logits[0])
