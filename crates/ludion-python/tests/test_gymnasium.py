"""The environments of Gymnasium pass its checker, and tell the same as the states of the games."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import ludion
import ludion.gymnasium
import ludion.vector
import numpy
import pytest
from gymnasium.utils.env_checker import check_env
from ludion.gymnasium import DuelEnv, PuzzleEnv, SelfPlayVectorEnv

DUELS = [info.name for info in ludion.games() if info.kind == "duel"]
PUZZLES = [info.name for info in ludion.games() if info.kind == "puzzle"]


def play_random(env: Any, seed: int) -> tuple[float, int]:
    """Plays a random episode and returns the sum of the rewards and the number of steps."""
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    total, steps, over = 0.0, 0, False
    while not over:
        _, reward, ended, cut, info = env.step(env.action_space.sample(info["action_mask"]))
        total, steps, over = total + reward, steps + 1, ended or cut
    assert not info["action_mask"].any() or cut
    return total, steps


def check(env: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The checker recommends to test environments that were made by gymnasium.make.
        warnings.filterwarnings("ignore", message=".*alternative render modes.*")
        check_env(env, skip_render_check=False)


@pytest.mark.parametrize("spec", [*PUZZLES, "hextris(turning)", "hextris(well, seed=7)"])
def test_gymnasium_accepts_every_puzzle(spec: str) -> None:
    check(PuzzleEnv(spec))


@pytest.mark.parametrize("spec", DUELS)
def test_gymnasium_accepts_every_duel(spec: str) -> None:
    check(DuelEnv(spec))


@pytest.mark.parametrize("mode", ["human", "ansi", "rgb_array", "svg"])
def test_gymnasium_accepts_every_render_mode(mode: str) -> None:
    check(DuelEnv("connect4", render_mode=mode))
    check(PuzzleEnv("hextris", render_mode=mode))


def test_environments_are_registered() -> None:
    duel = gymnasium.make("ludion/Duel-v0", spec="tictactoe", opponent="minimax(depth=9)")
    assert play_random(duel, 3)[0] <= 0.0
    puzzle = gymnasium.make("ludion/Puzzle-v0", spec="hextris(dot)")
    assert play_random(puzzle, 3)[1] > 0


def test_the_reward_of_a_puzzle_is_its_points() -> None:
    env = PuzzleEnv("hextris-placements(well)")
    total, _ = play_random(env, 5)
    assert env.position.is_over
    assert total == env.position.outcome
    assert isinstance(total, float)


def test_a_puzzle_gives_its_points_along_the_way() -> None:
    env = PuzzleEnv("hextris-placements(well)", opening=2)
    _, info = env.reset(seed=5)
    first, rewards, over = env.position.points, [], False
    assert first is not None and first > 0, "the opening gave points"
    while not over:
        before = env.position.points
        _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
        assert before is not None and env.position.points == before + reward
        rewards.append(reward)
    assert env.position.points == env.position.outcome == first + sum(rewards)
    assert sum(reward > 0 for reward in rewards) > 1
    assert ludion.game("connect4").start().points is None


def test_the_seed_decides_an_episode_with_its_opponent() -> None:
    def states(seed: int) -> list[str]:
        env = DuelEnv("connect4", "mcts(sims=50)", opening=2)
        _, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        texts, over = [env.position.text], False
        while not over:
            mask = info["action_mask"]
            _, _, over, _, info = env.step(env.action_space.sample(mask))
            texts.append(env.position.text)
        return texts

    assert states(4) == states(4)
    assert states(4) != states(5)


@pytest.mark.parametrize("side", [0, 1])
def test_a_strong_opponent_does_not_lose(side: int) -> None:
    env = DuelEnv("tictactoe", "minimax(depth=9)", side=side)
    results = [play_random(env, seed)[0] for seed in range(20)]
    assert max(results) <= 0.0
    assert min(results) == -1.0


def test_an_opponent_can_be_written_in_python() -> None:
    seen: list[str] = []

    def first_move(state: ludion.State, budget: Any) -> str:
        seen.append(state.text)
        return state.moves[0]

    env = DuelEnv("connect4", first_move, side=0)
    env.reset(seed=1)
    env.step(3)
    assert env.position.text == "......./......./......./......./......./o..x..."
    assert len(seen) == 1


def test_a_drawn_side_is_told() -> None:
    env = DuelEnv("connect4")
    sides = {env.reset(seed=seed)[1]["side"] for seed in range(20)}
    assert sides == {0, 1}
    assert {DuelEnv("connect4", side=1).reset(seed=s)[1]["side"] for s in range(5)} == {1}


def test_an_illegal_action_ends_is_ignored_or_raises() -> None:
    begin: dict[str, Any] = {"options": {"moves": "b2 a1"}}
    env = DuelEnv("tictactoe", side=0)
    env.reset(seed=1, **begin)
    _, reward, ended, cut, info = env.step(4)
    assert (reward, ended, cut, info["illegal"]) == (-1.0, True, False, True)
    assert not info["action_mask"].any()

    env = DuelEnv("tictactoe", side=0, illegal="ignore", illegal_reward=-0.5)
    env.reset(seed=1, **begin)
    text = env.position.text
    _, reward, ended, cut, info = env.step(4)
    assert (reward, ended, cut, env.position.text) == (-0.5, False, False, text)
    assert info["action_mask"].sum() == 7

    env = DuelEnv("tictactoe", side=0, illegal="raise")
    env.reset(seed=1, **begin)
    with pytest.raises(ludion.InputError, match="action 4 is not legal"):
        env.step(4)


def test_an_episode_is_truncated() -> None:
    env = PuzzleEnv("hextris", longest=3)
    total, steps = play_random(env, 1)
    assert (total, steps) == (0.0, 3)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ludion.InputError, match="has two sides"):
        PuzzleEnv("connect4")
    with pytest.raises(ludion.InputError, match="is a puzzle"):
        DuelEnv("hextris")
    with pytest.raises(ludion.InputError, match="there is no side 2"):
        DuelEnv("connect4", side=2)
    with pytest.raises(ludion.InputError, match="illegal is one of"):
        DuelEnv("connect4", illegal="lose")
    with pytest.raises(ludion.InputError, match="no game is under way"):
        env = DuelEnv("tictactoe", side=0)
        env.reset(options={"moves": "a1 a2 b1 b2"})
        env.step(8)
        env.step(0)


@pytest.mark.parametrize("spec", [*DUELS, *PUZZLES])
def test_many_games_are_played_as_one_by_one(spec: str) -> None:
    states = ludion.vector.VectorStates(spec, 8, seed=1)
    single = [states.game.start() for _ in range(8)]
    for _ in range(60):
        actions = states.random_actions()
        rewards = states.step(actions)
        for i, before in enumerate(single):
            if before.is_over:
                single[i], expected = states.game.start(), 0.0
            else:
                single[i] = before.play(int(actions[i]))
                expected = single[i].returns[before.to_play or 0]
            assert states.batch[i] == single[i]
            assert rewards[i] == expected
            assert numpy.flatnonzero(states.legal[i]).tolist() == sorted(single[i].actions)
            assert states.done[i] == single[i].is_over


def test_a_vector_environment_begins_finished_games_again() -> None:
    env = SelfPlayVectorEnv("tictactoe", 16)
    observations, info = env.reset(seed=1)
    assert observations in env.observation_space
    finished = 0
    for _ in range(30):
        weights = env.np_random.random((16, 9))
        actions = numpy.where(info["action_mask"], weights, -1.0).argmax(axis=1)
        before = info["to_play"]
        observations, rewards, ended, cut, info = env.step(actions)
        assert observations in env.observation_space
        assert not cut.any()
        assert (info["to_play"][before == -1] == 0).all()
        assert (rewards[~ended] == 0).all()
        # A game of tic-tac-toe is won by the side that moved, or drawn.
        assert set(rewards[ended].tolist()) <= {0.0, 1.0}
        finished += int(ended.sum())
    assert finished > 30


def test_what_a_vector_environment_returned_is_not_changed_later() -> None:
    env = SelfPlayVectorEnv("connect4", 4)
    first, info = env.reset(seed=1)
    kept = first.copy(), {name: array.copy() for name, array in info.items()}
    env.step(numpy.zeros(4, dtype=numpy.int64))
    assert numpy.array_equal(first, kept[0])
    assert all(numpy.array_equal(info[name], array) for name, array in kept[1].items())
    with pytest.raises(ludion.InputError, match="not legal"):
        env.step(numpy.full(4, 9))


def test_a_step_needs_a_game_under_way_and_a_whole_number() -> None:
    env = DuelEnv("connect4", illegal="raise")
    with pytest.raises(ludion.InputError, match="no game is under way"):
        env.step(3)
    env.reset(seed=1)
    for wrong in (1.9, "1", None):
        with pytest.raises(ludion.InputError, match="whole number"):
            env.step(wrong)  # type: ignore[arg-type]
    env = DuelEnv("connect4")
    env.reset(seed=1)
    assert env.step(99)[2]
    with pytest.raises(ludion.InputError, match="no game is under way"):
        env.step(0)
