"""Attention over real processes in a ring; keys and values travel.

H. Liu et al. (2023), *Ring Attention with Blockwise Transformers*. Each
process keeps the queries of its piece of the text. In each step it attends to
the keys and values that it holds, in blocks, and passes them on.
"""

import contextlib
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
from datetime import timedelta
from multiprocessing import connection
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.distributed as dist

from helpers import validation
from helpers.blockwise import blockwise_attention

LOOPBACK = {"linux": "lo", "darwin": "lo0"}  # elsewhere: as gloo finds it
# Elsewhere, a process with torch cannot be forked safely, or not at all.
METHOD = "forkserver" if sys.platform == "linux" else "spawn"


class Ring(NamedTuple):
    """What came out, and what each process did for it."""

    context: np.ndarray  # (T_q, d_v)
    sent: list  # bytes that each process sent
    multiplications: list  # of each process, for scores and mixture


def attend_and_pass(query, held, rank, processes):
    """Attend to all keys, piece by piece: what one process of a ring does.

    query (T_q / P, d_k); held: keys (T_k / P, d_k) and values (T_k / P, d_v),
    its own at first. Returns its context, the bytes that it sent, and how
    many numbers it multiplied.
    """
    context = np.zeros((len(query), held[1].shape[1]), query.dtype)
    log_sum, sent, multiplications = -np.inf, 0, 0
    for step in range(processes):
        arriving, waiting = [np.empty_like(a) for a in held], []
        if step < processes - 1:  # it travels while we compute
            waiting = pass_on(held, arriving, rank, processes)
            sent += sum(a.nbytes for a in held)
        new, new_sum = blockwise_attention(query, *held)
        both = np.logaddexp(log_sum, new_sum)  # (T_q / P,)
        context *= np.exp(log_sum - both)[:, None]
        context += np.exp(new_sum - both)[:, None] * new
        multiplications += len(query) * sum(a.size for a in held)
        for transfer in waiting:
            transfer.wait()
        log_sum, held = both, arriving
    return context, sent, multiplications


def pass_on(held, arriving, rank, processes):
    """Begin to send to the next process and to receive from the last one."""
    after, before = (rank + 1) % processes, (rank - 1) % processes
    waiting = []
    for tag, (old, new) in enumerate(zip(held, arriving, strict=True)):
        waiting.append(dist.isend(torch.from_numpy(old), after, tag=tag))
        waiting.append(dist.irecv(torch.from_numpy(new), before, tag=tag))
    return waiting


def ring_attention(query, key, value, processes, *, timeout=300):
    """Attend with `processes` processes of this machine, in a ring.

    query (T_q, d_k), key (T_k, d_k), value (T_k, d_v): cut into equal pieces,
    one for each process. Returns a Ring. They talk through torch.distributed
    (gloo), on this machine alone. A script that calls this needs the usual
    ``if __name__ == "__main__":``.

    Raises TypeError and ValueError as `blockwise_attention`, and if the
    pieces are not equal; RuntimeError if a process fails or is killed,
    TimeoutError after `timeout` seconds. No process of the ring is left
    behind. (On Linux, the one that they are forked from waits for the next
    ring until Python ends.)
    """
    pieces = cut(query, key, value, processes)
    timeout = validation.real_number("timeout", timeout, above=0)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for rank, piece in enumerate(pieces):
            np.savez(Path(folder) / f"{rank}.npz", *piece)
        begun = []
        try:
            for rank in range(len(pieces)):
                begun.append(begin(rank, len(pieces), folder, timeout))
            workers, pipes = zip(*begun, strict=True)
            results = collect(workers, pipes, time.monotonic() + timeout)
        finally:
            for worker, _ in begun:
                worker.kill()
                worker.join()
    contexts, sent, multiplications = zip(*results, strict=True)
    return Ring(np.concatenate(contexts), [*sent], [*multiplications])


def cut(query, key, value, processes):
    """Return the piece (query, key, value) of each process."""
    processes = validation.positive_integer("processes", processes)
    arrays = validation.query_key_value(query, key, value)
    for name, array in zip(("query", "key", "value"), arrays, strict=True):
        if array.ndim != 2 or len(array) % processes or not len(array):
            raise ValueError(
                f"{name} {array.shape}: expected 2 axes, and rows for"
                f" {processes} equal pieces"
            )
    cuts = [np.split(array, processes) for array in arrays]
    return [*zip(*cuts, strict=True)]


def begin(*given):
    """Start a process; return it and the pipe that its result comes from."""
    context = multiprocessing.get_context(METHOD)
    if METHOD == "forkserver":
        context.set_forkserver_preload([__name__])  # torch is loaded once
    mine, yours = context.Pipe(duplex=False)
    worker = context.Process(target=work, args=(*given, yours), daemon=True)
    worker.start()
    yours.close()  # so that its end is the end of the pipe
    return worker, mine


def work(rank, processes, folder, timeout, pipe):
    """Join the ring, attend, and send what came out, or the error."""
    if sys.platform in LOOPBACK:
        os.environ.setdefault("GLOO_SOCKET_IFNAME", LOOPBACK[sys.platform])
    try:
        with np.load(Path(folder) / f"{rank}.npz") as piece:
            query, *held = map(np.ascontiguousarray, piece.values())
        dist.init_process_group(
            "gloo",
            store=dist.FileStore(str(Path(folder) / "ring"), processes),
            rank=rank,
            world_size=processes,
            timeout=timedelta(seconds=timeout),
        )
        pipe.send((attend_and_pass(query, held, rank, processes), None))
        dist.barrier()  # nobody leaves while a neighbor still receives
        dist.destroy_process_group()
    except Exception:
        with contextlib.suppress(OSError):  # nobody is there to be told
            pipe.send((None, traceback.format_exc()))


def collect(workers, pipes, deadline):
    """Return the result of each worker, or say which of them failed."""
    results = [None] * len(workers)
    while missing := [i for i, each in enumerate(results) if each is None]:
        ready = connection.wait(
            [pipes[i] for i in missing], max(0, deadline - time.monotonic())
        )
        if not ready:
            late = ", ".join(map(str, missing))
            raise TimeoutError(f"no result in time from process {late}")
        for rank in [i for i in missing if pipes[i] in ready]:
            try:
                results[rank], error = pipes[rank].recv()
            except EOFError:
                error = None
            if results[rank] is None:
                explain(workers, rank, error)
    return results


def explain(workers, rank, error):
    """Raise RuntimeError: the first process that ended without a word."""
    time.sleep(0.2)  # a neighbor may tell before the system does
    for other, worker in enumerate(workers):
        if worker.exitcode:
            code = worker.exitcode
            raise RuntimeError(
                f"process {other} of {len(workers)} ended with code {code}"
            )
    raise RuntimeError(f"process {rank} of {len(workers)} failed:\n{error}")
