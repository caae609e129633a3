"""Sentences whose right attention is known: small grammars of our own.

`load(name, seed)` gives a task, ready to train on; the names:

- "which_noun": is the noun that the verb fits singular or plural?
- "who_whom", "subject_and_previous", "two_hop", "two_hop_loose": two
  questions at once;
- "distance_late", "distance_early": one noun at chosen distances.

`agreement` holds sentences to predict word by word, `running_text` a text
to predict character by character.
`repeated_texts` draws texts whose end repeats what came before.
`homographs()`, `senses()` and `clue_pairs()` give sentences around words with
two meanings, `relations(count, seed)` sentences in which it is known which
word belongs to which.
`rewordings(count, seed)` gives sentences, the same said in other words,
and look-alikes.
"""

from . import agreement, running_text
from .datasets import CLASSES, LEFT_OUT, POSITIONS, load
from .distance import BETWEEN, DISTANCES, FAR, TRAINED, noun_phrases
from .homographs import clue_pairs, homographs, senses
from .lexicon import (
    KINDS,
    NO_VERB_FITS,
    WHO_CAN,
    Lexicon,
    labeled_nouns,
    load_lexicon,
)
from .one_answer import ask_for_the_other_noun, which_noun
from .relations import RELATIONS, relations
from .repetition import Texts, repeated_texts
from .rewordings import rewordings
from .sentences import Examples, Sentences, Task
from .two_answers import (
    CATEGORIES,
    COLORS,
    subject_and_previous,
    two_hop,
    two_hop_loose,
    who_whom,
)
