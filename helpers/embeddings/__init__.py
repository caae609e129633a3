"""Words become vectors: the static word table of all-MiniLM-L6-v2.

Each of 30,522 vocabulary entries has one row of 384 numbers, the same
in every sentence. The files, their origin and their license: see
data/all-MiniLM-L6-v2/README.md.
"""

from .files import data_file, model_arrays, stored, tokenizer, word_table
from .lookup import cosine, embed, tokenize, vectors
from .table import WordTable
from .wordpiece import encode, words
