"""Nim: three heaps of matches. A move takes some of one heap; who takes the last match wins."""

import ludion


class Nim:
    all_moves = [f"{heap}:{count}" for heap in "abc" for count in range(1, 6)]

    def start(self):
        return (3, 4, 5), 0

    def status(self, state):
        heaps, side = state
        return side if any(heaps) else ("second", "first")[side]

    def moves(self, state):
        return [f"{'abc'[i]}:{n}" for i, heap in enumerate(state[0]) for n in range(1, heap + 1)]

    def play(self, state, move):
        heaps, side = list(state[0]), state[1]
        heaps["abc".index(move[0])] -= int(move[2:])
        return tuple(heaps), 1 - side

    def picture(self, state):
        return list(state[0])


if __name__ == "__main__":
    print(ludion.game(Nim).solve())
    print(ludion.match(Nim, "mcts(sims=500)", "random", pairs=20, store="none"))
