"""An evaluator in NumPy: a linear model of Connect Four, fitted to random games, steers mcts."""

import os

import ludion
import ludion.vector
import numpy as np

QUICK = "LUDION_QUICK" in os.environ


def record_random_games(states, steps):
    """Returns the planes of states of random games, and the results for the sides to move."""
    n = len(states)
    planes, sides, results, first = [], [], [], np.zeros(n, dtype=int)
    for step in range(steps):
        planes.append(states.planes())
        sides.append(states.to_play.copy())
        results.append(np.full(n, np.nan, dtype=np.float32))
        states.step(states.random_actions())
        for i in np.flatnonzero(states.done):
            # The result belongs to all states of the game, as the side to move saw it.
            for t in range(first[i], step + 1):
                results[t][i] = states.batch.outcome[i] * (1 - 2 * sides[t][i])
            first[i] = step + 2
    known = ~np.isnan(np.concatenate(results)) & (np.concatenate(sides) >= 0)
    return np.concatenate(planes)[known], np.concatenate(results)[known]


def fit(planes, results):
    """Returns the weights of the cells that predict the results best."""
    inputs = np.hstack([planes.reshape(len(planes), -1), np.ones((len(planes), 1))])
    weights, *_ = np.linalg.lstsq(inputs, results, rcond=None)
    return weights


def evaluator(weights):
    """Returns the function that a search calls with the planes of many states."""

    def evaluate(planes):
        n = len(planes)
        values = np.tanh(planes.reshape(n, len(weights) - 1) @ weights[:-1] + weights[-1])
        return values, np.ones((n, 7))

    return evaluate


if __name__ == "__main__":
    states = ludion.vector.VectorStates("connect4", 128 if QUICK else 2048, seed=1)
    planes, results = record_random_games(states, 100)
    weights = fit(planes, results)
    print(f"{len(planes)} states; mean of the cells of a side by column:")
    print(weights[:42].reshape(6, 7).mean(axis=0).round(3))
    spec = ludion.add_evaluator(evaluator(weights), "linear")
    player = f"mcts(sims=200, flight=64, eval={spec})"
    pairs = 2 if QUICK else 20
    print(ludion.match("connect4", player, "mcts(sims=200)", pairs=pairs, store="none"))
