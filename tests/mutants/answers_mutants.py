"""Mistakes in what trial room 7 measures with."""

from planting import mutant

REWORDINGS = (
    "test_tasks.py::test_rewordings_say_the_same_or_differ_in_one_thing"
)


@mutant("tasks.rewordings:_other", REWORDINGS)
def a_look_alike_means_the_same(right, word, pick, words):
    return words[words.index(word) ^ 1]


@mutant("tasks.rewordings:_synonym", REWORDINGS)
def a_synonym_is_the_next_word(right, word, words):
    return words[(words.index(word) + 1) % len(words)]
