#!/usr/bin/env python3
"""Benchmarks of Ludion's learning against faiss (neighbours) and scikit-learn (training).

    python3 -m venv peers && peers/bin/pip install faiss-cpu==1.15.1 scikit-learn==1.9.1
    cargo build --release -p ludion-bench
    peers/bin/python bench/learning.py
    peers/bin/python bench/learning.py --json

All contenders use the same rows of random games of a game like checkers, one thread, and CPU time.
The distances of the neighbours must agree.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# One thread for all libraries; must be set before they are imported.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

PROGRAM = Path(__file__).resolve().parent.parent / "target" / "release" / "learning"
NEIGHBOURS = 4
EPOCHS = 5


def ours(*args):
    command = [PROGRAM, *map(str, args)]
    output = subprocess.run(command, text=True, capture_output=True, check=True).stdout
    return json.loads(output) if output else None


def cpu(work):
    """Return the result of some work and its CPU seconds."""
    before = time.process_time()
    return work(), time.process_time() - before


def load(file):
    """Return the keys as bytes, and the targets."""
    import numpy

    rows = numpy.fromfile(file, dtype=[("key", "u1", 16), ("target", "<f4")])
    return numpy.ascontiguousarray(rows["key"]), rows["target"].copy()


def neighbours(rows, queries):
    """Return the seconds per query of faiss's flat index, single and batched, and the sum of distances."""
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.IndexBinaryFlat(128)
    index.add(load(rows)[0])
    keys = load(queries)[0]
    few = keys[:200]
    _, single = cpu(lambda: [index.search(key[None], NEIGHBOURS) for key in few])
    (distances, _), batched = cpu(lambda: index.search(keys, NEIGHBOURS))
    return {"single": single / len(few), "batched": batched / len(keys),
            "distances": int(distances.sum())}


def training(rows):
    """Return the seconds per epoch of scikit-learn's perceptron, and per value at batch size 1."""
    import warnings

    import numpy
    from sklearn.neural_network import MLPRegressor

    warnings.simplefilter("ignore")
    keys, targets = load(rows)
    boards = numpy.unpackbits(keys[:, :8], axis=1, bitorder="little").astype(numpy.float32)
    # As in Ludion: Adam at 0.001, no weight decay, a tenth held back and evaluated after each epoch.
    net = MLPRegressor(hidden_layer_sizes=(64, 64, 32, 16), batch_size=200, max_iter=EPOCHS,
                       alpha=0.0, random_state=1, early_stopping=True, validation_fraction=0.1,
                       n_iter_no_change=10**6)
    _, spent = cpu(lambda: net.fit(boards, targets))
    _, values = cpu(lambda: [net.predict(board[None]) for board in boards[:500]])
    return {"epoch": spent / EPOCHS, "value": values / 500, "r2": net.best_validation_score_}


def measure(folder, rounds):
    """Return the medians of Ludion and of the other library, measured in turn."""
    rows, queries, boards = (Path(folder) / name for name in ("rows", "queries", "boards"))
    ours("rows", rows, 1_000_000, 1)
    ours("rows", queries, 2_000, 2)
    ours("rows", boards, 100_000, 3)
    found = {"neighbours": [], "training": []}
    for _ in range(rounds):
        pair = ours("neighbours", rows, queries), neighbours(rows, queries)
        if pair[0]["distances"] != pair[1]["distances"]:
            sys.exit("the two do not find the same distances")
        found["neighbours"].append(pair)
        found["training"].append((ours("training", boards, EPOCHS), training(boards)))
    middle = lambda pairs, side, key: statistics.median(pair[side][key] for pair in pairs)
    figures = [("neighbours", "single"), ("neighbours", "batched"), ("training", "epoch"),
               ("training", "value"), ("training", "r2")]
    return {f"{work}, {key}": {"ludion": middle(found[work], 0, key),
                               "peer": middle(found[work], 1, key)} for work, key in figures}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if not PROGRAM.exists():
        sys.exit("build the program first: cargo build --release -p ludion-bench")
    with tempfile.TemporaryDirectory() as folder:
        results = measure(folder, args.rounds)
    if args.json:
        print(json.dumps(results))
        return
    peers = {"neighbours": "faiss", "training": "scikit-learn"}
    for name, figure in results.items():
        mine, theirs = figure["ludion"], figure["peer"]
        peer = peers[name.split(",")[0]]
        if name.endswith("r2"):
            print(f"{name:<20} ludion {mine:.3f}   {peer} {theirs:.3f}")
        else:
            print(f"{name:<20} ludion {mine * 1e6:>11.2f} µs   {peer} {theirs * 1e6:>11.2f} µs"
                  f"   ratio {theirs / mine:.1f}")


if __name__ == "__main__":
    main()
