"""Experiments: train over seeds, measure on held-out words, compare.

Import the module that holds a name. Of the classifiers of 00 to 04:

- `runs`: ``run(name)`` trains a model for each seed of a task
- `evaluation`: a model's answers; `scoreboard`: a row for each model
- `measures`: bounds and counts on which processors agree
- `baselines`: what models are compared with
- `leanings`: how near a word is to its right meaning (01)
- `soft_dictionary`, `word_weights`: of the room of 01
- `before_after`: the two models of 00; `what_was_made` of the words (02)
- `hiding`: what the answer loses without a word (02)
- `scale_measures`, `scoring_functions`: scores, gradients, other scores
- `head_measures`: what heads know
- `learning_curves`: the wait before a rise

Of language models: `language` (06), `token_counting`, and, for running text,
`text_passages`, `text_baselines`, `text_copying`, `scaling_fits`,
`text_words`; `own_text` is one that somebody brings.

Of the pretrained encoder (09): `encoder_measures`, `encoder_heads`,
`clue_pairs`, and the controls of what they find: `cls_controls`,
`sense_controls`, `sink_controls`, `weight_controls`.

Of the chat model (08): `capitals`, where it takes an answer from; in its room,
`chat_texts` that it reads, `chat_windows` and `chat_facts`.

Of long sequences (10): `timing`, `two_memories`, `published` sizes.

`stored` holds the runs that take minutes, a module for each file;
`stored_models` brings back models that several notebooks ask about.
"""
