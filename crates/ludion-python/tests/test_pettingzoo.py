"""The environments of PettingZoo pass its own tests, and tell the same as the states of the
games."""

from __future__ import annotations

import pickle
import warnings
from functools import partial
from typing import Any

import ludion
import ludion.pettingzoo
import numpy
import pytest
from pettingzoo.test import api_test, render_test, seed_test  # type: ignore[import-untyped]

DUELS = [info.name for info in ludion.games() if info.kind == "duel"]
VARIANTS = ["matches(21, misere)", "hexapawn(4, 5, cylinder)", "checkers(english)"]


def play_random(env: Any, seed: int) -> dict[str, float]:
    """Plays a random game and returns the sum of the rewards of each agent."""
    env.reset(seed=seed)
    for i, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed + i)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        total[agent] += reward
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    return total


@pytest.mark.parametrize("spec", DUELS + VARIANTS)
def test_pettingzoo_accepts_every_duel(spec: str) -> None:
    with warnings.catch_warnings():
        # It warns about masks of agents who are not to move, and of boards that are empty.
        warnings.simplefilter("ignore")
        api_test(ludion.pettingzoo.env(spec), num_cycles=200)
        seed_test(partial(ludion.pettingzoo.env, spec, opening=1), num_cycles=50)


@pytest.mark.parametrize("spec", ["connect4", "matches", "dice", "checkers", "hexapawn"])
def test_every_render_mode_draws(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    checks = {"svg": lambda picture: picture.startswith("<svg")}
    render_test(partial(ludion.pettingzoo.env, spec), custom_tests=checks)
    assert capsys.readouterr().out.strip()


def test_a_drawing_shows_the_board() -> None:
    env: Any = ludion.pettingzoo.env("tictactoe", "ansi")
    env.reset(options={"moves": "b2 a1"})
    assert env.render() == "3 . . .\n2 . x .\n1 o . .\n  a b c\n"


@pytest.mark.parametrize("spec", DUELS)
def test_rewards_and_masks_are_those_of_the_states(spec: str) -> None:
    env = ludion.pettingzoo.raw_env(spec)
    random = numpy.random.default_rng(7)
    env.reset(seed=7)
    while not env.position.is_over:
        agent, state = env.agent_selection, env.position
        side = env.possible_agents.index(agent)
        assert side == state.to_play
        seen = env.observe(agent)
        assert sorted(numpy.flatnonzero(seen["action_mask"]).tolist()) == sorted(state.actions)
        assert numpy.array_equal(seen["observation"], state.planes())
        other = env.observe(env.possible_agents[1 - side])
        assert not other["action_mask"].any()
        env.step(int(random.choice(state.actions)))
    assert tuple(env.rewards[agent] for agent in env.possible_agents) == env.position.returns
    assert all(env.terminations.values())


def test_the_winner_gets_one_and_the_loser_minus_one() -> None:
    env: Any = ludion.pettingzoo.env("connect4")
    totals = [play_random(env, seed) for seed in range(20)]
    results = {(one["player_0"], one["player_1"]) for one in totals}
    assert {(1.0, -1.0), (-1.0, 1.0)} <= results
    assert results <= {(1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)}


def test_the_seed_decides_the_opening() -> None:
    def text(seed: int) -> str:
        env = ludion.pettingzoo.raw_env("connect4", opening=6)
        env.reset(seed=seed)
        return env.position.text

    assert text(1) == text(1)
    assert len({text(seed) for seed in range(8)}) > 4


def test_a_game_can_begin_at_any_state() -> None:
    env = ludion.pettingzoo.raw_env("connect4")
    env.reset(options={"moves": "445"})
    assert env.agent_selection == "player_1"
    text = env.position.text
    env.reset(options={"state": text})
    assert env.position.text == text
    with pytest.raises(ludion.InputError, match="the game is over"):
        env.reset(options={"moves": "1212121"})


def test_a_long_game_is_truncated() -> None:
    env = ludion.pettingzoo.raw_env("checkers", longest=2)
    env.reset(seed=1)
    for _ in range(2):
        env.step(env.position.actions[0])
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_an_illegal_action_loses() -> None:
    env: Any = ludion.pettingzoo.env("tictactoe")
    env.reset()
    env.step(4)
    env.last()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.step(4)
    assert env.rewards == {"player_0": 0, "player_1": -1.0}
    raw = ludion.pettingzoo.raw_env("tictactoe")
    raw.reset()
    raw.step(4)
    with pytest.raises(ludion.InputError, match="action 4 is not legal"):
        raw.step(4)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ludion.InputError, match="is a puzzle"):
        ludion.pettingzoo.env("hextris")
    with pytest.raises(ludion.InputError, match="no render mode"):
        ludion.pettingzoo.env("connect4", "window")
    with pytest.raises(ludion.InputError, match="end before an opening"):
        ludion.pettingzoo.env("tictactoe", opening=9).reset(seed=1)


def test_an_environment_can_be_pickled() -> None:
    env = pickle.loads(pickle.dumps(ludion.pettingzoo.raw_env("connect4(5, 4)", "ansi")))
    env.reset()
    assert env.game.spec == "connect4(cols=5, rows=4)"
