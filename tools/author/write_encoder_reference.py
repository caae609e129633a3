"""Write what all-MiniLM-L6-v2 computes according to transformers.

    python -m venv /tmp/reference
    /tmp/reference/bin/pip install torch==2.13.0 transformers==5.23.0 \\
        safetensors
    /tmp/reference/bin/python -m tools.author.write_encoder_reference

Writes data/encoder_reference.safetensors and its line in data/SHA256SUMS:
for each text its ids, hidden states and attention weights, from BertModel
with the numbers of data/all-MiniLM-L6-v2 in float32. Nothing of helpers
takes part. The course itself never needs transformers.
"""

import json
from importlib import import_module  # transformers is in no list of ours

import numpy as np
from safetensors.numpy import load_file, save_file

from tools.author.sums import DATA, write_sums

MODEL = DATA / "all-MiniLM-L6-v2"
NAME = "encoder_reference.safetensors"
TEXTS = (
    "we sat on the bank and watched the water",
    "flibbertigibbet, said the Café owner!",
)
CONFIG = dict(
    vocab_size=30522,
    hidden_size=384,
    num_hidden_layers=6,
    num_attention_heads=12,
    intermediate_size=1536,
    hidden_act="gelu",
    max_position_embeddings=512,
    type_vocab_size=2,
    layer_norm_eps=1e-12,
)


def load_model(torch, transformers):
    """Return BertModel with the stored numbers, every one of them used."""
    model = transformers.BertModel(transformers.BertConfig(**CONFIG))
    model.set_attn_implementation("eager")  # the one that returns weights
    arrays = load_file(MODEL / "model.safetensors")
    state = {
        name: torch.from_numpy(array.astype(np.float32))
        for name, array in arrays.items()
        if array.dtype == np.float16
    }
    missing, unexpected = model.load_state_dict(state, strict=False)
    assert not missing and not unexpected, (missing, unexpected)
    return model.eval()


def write(data=DATA):
    """Run all texts and write the arrays."""
    torch, transformers = map(import_module, ("torch", "transformers"))
    model = load_model(torch, transformers)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(MODEL / "tokenizer.json")
    )
    arrays = {}
    for i, text in enumerate(TEXTS):
        ids = tokenizer(text, return_tensors="pt", padding=False).input_ids
        with torch.no_grad():
            found = model(
                ids, output_hidden_states=True, output_attentions=True
            )
        arrays[f"{i}.ids"] = ids[0].numpy()
        hidden = torch.cat(found.hidden_states)  # (7, T, 384)
        weights = torch.cat(found.attentions)  # (6, 12, T, T)
        arrays[f"{i}.hidden"] = hidden.numpy()
        arrays[f"{i}.weights"] = weights.numpy()
    made_by = f"transformers {transformers.__version__}"
    metadata = {"texts": json.dumps(TEXTS), "made_by": made_by}
    save_file(arrays, data / NAME, metadata=metadata)
    write_sums(data)


if __name__ == "__main__":
    write()
