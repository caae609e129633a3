"""The models: classifier, language model, probe, pretrained encoder."""

from .block import (
    block_parameters,
    block_parts,
    transformer_block,
    transformer_block_backward,
)
from .classifier import AttentionClassifier
from .encoder import Encoder, EncoderOutput, encoder_block, load_encoder
from .grouped import GroupedClassifier
from .language_model import LanguageBatches, LanguageModel
from .pooled import PooledClassifier
from .probe import LinearProbe
from .text_language_model import (
    TextLanguageModel,
    read_text_model,
    stored_text_model,
    text_language_model,
)
