from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest

import ludion


def test_a_choice_has_a_line_for_every_move() -> None:
    game = ludion.game("connect4")
    choice = game.player("mcts(sims=2000)").choose(game.start())
    assert choice.move == "4" and choice.simulations == 2000
    assert [line.move for line in choice.lines] == game.start().moves
    assert sum(line.visits for line in choice.lines) >= 1999
    assert choice.value is not None and -1 <= choice.value <= 1
    assert choice.line is not None and choice.line.variation[0] == "4"
    assert "visits" in str(choice) and "<table>" in choice._repr_html_()
    assert list(choice.to_pandas()["move"]) == game.start().moves


def test_the_same_seed_gives_the_same_choice() -> None:
    game = ludion.game("connect4")
    def visits(seed: int) -> list[int]:
        choice = game.player("mcts(sims=500)", seed=seed).choose(game.start())
        return [line.visits for line in choice.lines]
    assert visits(5) == visits(5) != visits(6)


def test_a_proof_is_told() -> None:
    game = ludion.game("tictactoe")
    state = game.start().play_line("a1 b1 a2 b2")
    line = game.player("mcts(sims=200)").choose(state).line
    assert line is not None and (line.move, line.proven) == ("a3", "win")


def test_budgets_and_reports() -> None:
    game = ludion.game("connect4")
    player = game.player("mcts")
    reports: list[ludion.Choice] = []
    choice = player.choose(game.start(), "200ms", on_report=reports.append, interval=0.02)
    assert 0.15 < choice.seconds < 2 and len(reports) >= 2
    assert reports[0].simulations < choice.simulations
    assert player.choose(game.start(), budget="100sims").simulations == 100

    def stop(report: ludion.Choice) -> bool:
        return False

    stopped = player.choose(game.start(), "60s", on_report=stop, interval=0.01)
    assert stopped.seconds < 30
    with pytest.raises(ludion.InputError, match="is not a budget"):
        player.choose(game.start(), "soon")
    with pytest.raises(ludion.InputError, match="the state is of tictactoe"):
        player.choose(ludion.game("tictactoe").start())
    with pytest.raises(ZeroDivisionError):
        player.choose(game.start(), "10s", on_report=lambda _: 1 / 0, interval=0.01)  # type: ignore[arg-type,return-value]


def centre(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Prefers the centre column, and knows nothing of values."""
    count = len(planes)
    policy = np.tile([1, 2, 4, 8, 4, 2, 1], (count, 1))
    return np.zeros(count), policy


def test_an_evaluator_in_python_gets_batches_and_gives_priors() -> None:
    sizes: list[int] = []

    def evaluate(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        assert planes.dtype == np.float32 and planes.shape[1:] == (2, 6, 7)
        sizes.append(len(planes))
        return centre(planes)

    player = ludion.player("connect4", "mcts(sims=4000, flight=256)", evaluator=evaluate)
    choice = player.choose(ludion.game("connect4").start())
    assert 200 < max(sizes) <= 256 and sum(sizes) <= 4001
    priors = [line.prior for line in choice.lines]
    assert priors == pytest.approx([n / 22 for n in [1, 2, 4, 8, 4, 2, 1]], rel=0.02)
    assert choice.move == "4"
    again = ludion.player("connect4", "mcts(sims=4000, flight=256)", evaluator=evaluate)
    assert again.choose(ludion.game("connect4").start()).lines == choice.lines


def test_values_of_an_evaluator_lead_the_search() -> None:
    def likes_the_left(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # A stone of the side that has just moved in the first column is good for that side.
        values = -planes[:, 1, :, 0].sum(axis=1) / 6
        return values, np.ones((len(planes), 7))

    for spec in ["mcts(sims=300)", "deepening(depth=1)"]:
        player = ludion.player("connect4", spec, evaluator=likes_the_left)
        assert player.choose(ludion.game("connect4").start()).move == "1", spec


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda n: (np.zeros(n), np.ones((n, 6))), "shape"),
        (lambda n: (np.zeros(n + 1), np.ones((n, 7))), "values"),
        (lambda n: (np.full(n, np.nan), np.ones((n, 7))), "finite"),
        (lambda n: (np.zeros(n), -np.ones((n, 7))), "negative"),
        (lambda n: np.zeros(n), "pair|shape|dimension"),
    ],
)
def test_wrong_answers_of_an_evaluator_are_told(answer: Any, words: str) -> None:
    def evaluate(planes: np.ndarray) -> Any:
        return answer(len(planes))

    player = ludion.player("connect4", "mcts(sims=100)", evaluator=evaluate)
    with pytest.raises(ludion.InputError, match=words):
        player.choose(ludion.game("connect4").start())


def test_an_exception_of_an_evaluator_is_raised_and_does_no_harm() -> None:
    def evaluate(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        raise RuntimeError("no network")

    player = ludion.player("connect4", "mcts(sims=100000)", evaluator=evaluate)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="no network"):
            player.choose(ludion.game("connect4").start())
    assert ludion.player("connect4", "mcts(sims=100)").choose(ludion.game("connect4").start())


class FirstMove:
    """Plays the first legal move and remembers how it was asked."""

    seeds: list[int] = []
    budgets: set[Optional[str]] = set()

    def begin(self, seed: int) -> None:
        self.seeds.append(seed)

    def choose(self, state: ludion.State, budget: Optional[str]) -> str:
        self.budgets.add(budget)
        return state.moves[0]


def test_players_in_python_take_a_seat() -> None:
    result = ludion.match("tictactoe", FirstMove, "minimax(depth=3)", pairs=4, budget="50sims")
    assert result.wins + result.draws + result.losses == 8
    assert result.losses > result.wins and not result.repeatable
    assert len(set(FirstMove.seeds)) > 1 and FirstMove.budgets == {"50sims"}
    assert result.players[0].startswith("python(")

    def by_action(state: ludion.State, budget: Optional[str]) -> int:
        return state.actions[-1]

    table = ludion.tournament("tictactoe", [by_action, FirstMove(), "minimax(depth=4)"], pairs=2)
    assert table.winner.startswith("minimax") and len(table.rows()) == 3


def test_a_player_that_fails_forfeits_its_games() -> None:
    def broken(state: ludion.State, budget: Optional[str]) -> str:
        raise ValueError("out of ideas")

    with pytest.warns(UserWarning, match="out of ideas"):
        result = ludion.match("tictactoe", broken, "random", pairs=1, store="none")
    assert result.losses == 2 and result.forfeits == [2, 0]
    assert "out of ideas" in result.forfeit_reasons[0]
    with pytest.warns(UserWarning, match="z9"):
        illegal = ludion.match("tictactoe", lambda s, b: "z9", "random", pairs=1, store="none")
    assert illegal.losses == 2
    with pytest.raises(ludion.InputError, match="a player of this Python process"):
        ludion.match("tictactoe", "python(nobody)", "random", pairs=1)


def test_elo_is_infinite_if_every_game_is_won() -> None:
    result = ludion.match("tictactoe", "random", lambda s, b: "z9", pairs=2, store="none")
    assert result.elo.value == math.inf and result.elo.high == math.inf


BOT = """
import sys
moves = []
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["ugi"]:
        print("id name first-move"); print("ugiok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:2] == ["query", "legal"]:
        print("response", flush=True)
    elif words[:1] == ["go"]:
        print("bestmove a1", flush=True)
    elif words[:1] == ["quit"]:
        break
"""


def test_external_bots_play_from_python(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    spec = f'bot(cmd="{sys.executable} {file}")'
    game = ludion.game("tictactoe")
    assert game.player(spec).choose(game.start(), "2s").move == "a1"
    result = ludion.match("tictactoe", spec, "random", pairs=1, opening=0, budget="2s")
    assert result.data["forfeits"][0] >= 1, "it always answers a1"


def test_an_evaluator_gets_no_empty_batches() -> None:
    def evaluate(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        assert len(planes) > 0
        return centre(planes)

    state = ludion.game("connect4").start().play_line("44335")
    ludion.player("connect4", "mcts(sims=300)", evaluator=evaluate).choose(state)


def test_a_player_that_is_asked_while_it_thinks_says_so() -> None:
    game = ludion.game("connect4")
    player = game.player("mcts")

    def ask_again(report: ludion.Choice) -> None:
        player.choose(game.start(), "10ms")

    with pytest.raises(ludion.LudionError, match="choosing a move already"):
        player.choose(game.start(), "10s", on_report=ask_again, interval=0.01)


def test_a_malformed_spec_with_an_evaluator_is_an_error() -> None:
    with pytest.raises(ludion.InputError):
        ludion.player("connect4", "mcts(sims=100", evaluator=centre)
