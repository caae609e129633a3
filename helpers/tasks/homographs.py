"""Words with two meanings, in sentences that show which one is meant."""

from helpers.embeddings import stored

# word: (two sentences, two words near that meaning), for either meaning
_SENSES = {
    "bank": (
        ("the bank of the river", "we sat on the bank and watched the stream"),
        ("shore", "water"),
        (
            "the bank approved my loan yesterday",
            "she put her salary into the bank",
        ),
        ("money", "finance"),
    ),
    "bat": (
        ("the bat flew out of the cave", "a bat hunts insects at night"),
        ("bird", "animal"),
        (
            "he swung the bat at the ball",
            "the bat hit the ball out of the stadium",
        ),
        ("baseball", "cricket"),
    ),
    "spring": (
        ("flowers open in the spring", "after the winter comes the spring"),
        ("summer", "season"),
        (
            "the spring in the mattress is broken",
            "a metal spring pushes the lever",
        ),
        ("coil", "steel"),
    ),
    "mouse": (
        ("the mouse ran from the cat", "a mouse ate the cheese"),
        ("rat", "rabbit"),
        (
            "click the mouse to open the file",
            "the mouse and the keyboard need a cable",
        ),
        ("computer", "screen"),
    ),
    "seal": (
        ("the seal swam under the ice", "a seal ate the fish"),
        ("whale", "dolphin"),
        (
            "the seal on the letter was broken",
            "the king put his seal on the document",
        ),
        ("stamp", "signature"),
    ),
    "crane": (
        ("the crane flew over the lake", "a crane built its nest"),
        ("bird", "heron"),
        (
            "the crane lifted the steel beam",
            "a crane stood at the building site",
        ),
        ("machine", "truck"),
    ),
    "palm": (
        ("the palm grew on the beach", "coconuts fell from the palm"),
        ("tree", "leaf"),
        ("she held the coin in her palm", "the palm and the fingers hurt"),
        ("hand", "wrist"),
    ),
    "plant": (
        ("water the plant in the pot", "the plant has green leaves"),
        ("flower", "garden"),
        (
            "the plant makes cars and engines",
            "workers left the plant after the shift",
        ),
        ("factory", "industry"),
    ),
}

# word: two pairs of clues, one for each of its two meanings
_CLUES = {
    "bank": (("river", "loan"), ("water", "money")),
    "bat": (("cave", "ball"), ("wings", "game")),
    "spring": (("winter", "mattress"), ("summer", "metal")),
    "mouse": (("cat", "keyboard"), ("cheese", "screen")),
    "seal": (("fish", "letter"), ("sea", "king")),
    "crane": (("nest", "cargo"), ("bird", "ship")),
    "palm": (("beach", "hand"), ("tree", "fingers")),
    "plant": (("garden", "factory"), ("leaves", "workers")),
}
_PATTERNS = (  # eight words each
    "they talked about the {word} and the {clue}",
    "they talked about the {clue} and the {word}",
    "the {word} near the {clue} looked very strange",
    "because of the {clue} he remembered the {word}",
)


def homographs():
    """List 32 sentences around 8 words with two meanings.

    Each is (word, sentence, right, other): two probes near the meaning that
    the sentence has, two near the one that it has not. No probe is in
    a sentence of its word.
    """
    cases = []
    for word, (one, near_one, two, near_two) in _SENSES.items():
        cases += [(word, text, near_one, near_two) for text in one]
        cases += [(word, text, near_two, near_one) for text in two]
    return cases


def senses():
    """List 128 sentences of our own around the same 8 words.

    Each is (word, sense, sentence): sense 0 or 1, eight sentences for each;
    the word occurs once. From data/senses.json; raises FileNotFoundError or
    ValueError naming the file.
    """
    return [
        (word, sense, sentence)
        for word, both in stored("senses.json").items()
        for sense, sentences in enumerate(both)
        for sentence in sentences
    ]


def clue_pairs():
    """List 128 pairs of sentences that differ in one word, the clue.

    Each is (word, clue, sentence, donor, sense): word is one of the same 8
    words, clue the word in which sentence differs from donor, and sense,
    0 or 1 as in `senses`, the meaning that the word has in donor. All
    sentences have eight words.
    """
    return [
        (
            word,
            clues[1 - sense],
            *(
                pattern.format(word=word, clue=clues[one])
                for one in (1 - sense, sense)
            ),
            sense,
        )
        for pattern in _PATTERNS
        for word, pairs in _CLUES.items()
        for clues in pairs
        for sense in (0, 1)
    ]
