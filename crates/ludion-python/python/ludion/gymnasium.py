"""Gymnasium environments: puzzles, duels against a player of Ludion, and self-play of many games.

>>> import ludion.gymnasium
>>> env = ludion.gymnasium.DuelEnv("connect4", opponent="mcts(sims=50)")
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

An observation has the planes of the state as the agent sees it, of shape (planes, rows, columns).
``info["action_mask"]`` is 1 for every legal action, and all 0 when the episode is over.

Importing this module registers the environments with Gymnasium as "ludion/Puzzle-v0" and
"ludion/Duel-v0", for example ``gymnasium.make("ludion/Duel-v0", spec="connect4")``.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Optional, Union

import gymnasium
import gymnasium.vector
import numpy
from gymnasium import spaces
from numpy.typing import NDArray

from ._environments import RENDER_MODES, begin, check_render_mode, render
from ._games import GameLike, game
from ._ludion import InputError, Player, State
from ._numbers import check_numbers
from ._seats import PlayerLike, player
from .vector import VectorStates

if TYPE_CHECKING:
    from ._environments import Rendered

__all__ = ["DuelEnv", "PuzzleEnv", "SelfPlayVectorEnv"]

Planes = NDArray[numpy.float32]
Action = Union[int, numpy.integer[Any]]
StepResult = tuple[Planes, float, bool, bool, dict[str, Any]]

_ILLEGAL = ("end", "ignore", "raise")
_SEEDS = 2**63


class _GameEnv(gymnasium.Env[Planes, Action]):
    """What the environments of one game share."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(
        self,
        spec: GameLike,
        render_mode: Optional[str],
        illegal: str,
        illegal_reward: float,
        opening: int,
        longest: Optional[int],
    ) -> None:
        check_render_mode(render_mode)
        check_numbers(opening=opening, longest=longest)
        if illegal not in _ILLEGAL:
            raise InputError(f"illegal is one of {', '.join(_ILLEGAL)}, not {illegal!r}")
        self.game = game(spec)
        self.render_mode = render_mode
        self.position: State = self.game.start()
        self._illegal, self._illegal_reward = illegal, illegal_reward
        self._opening, self._longest, self._plies = opening, longest, 0
        self._is_open = False
        self.observation_space = spaces.Box(0.0, 1.0, self.game.plane_shape, numpy.float32)
        self.action_space = spaces.Discrete(self.game.action_count)

    def _begin(self, seed: Optional[int], options: Optional[dict[str, Any]]) -> None:
        super().reset(seed=seed)
        self.position = begin(self.game, self.np_random, self._opening, options)
        self._plies, self._is_open = 0, True

    def _side(self) -> int:
        """Returns the side of the agent."""
        return 0

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.position.legal_mask().astype(numpy.int8)}

    def _observed(self) -> Planes:
        return self.position.planes(self._side())

    def _played(self, action: Action) -> Optional[StepResult]:
        """Plays an action of the agent. Returns the result of the step if the action is not
        legal."""
        if self.position.is_over or not self._is_open:
            raise InputError("no game is under way; reset begins one")
        try:
            number = operator.index(action)
        except TypeError:
            raise InputError(f"action {action!r} is not allowed; it is a whole number") from None
        try:
            self.position = self.position.play(number)
        except InputError:
            if self._illegal == "raise":
                raise
            info = {**self._info(), "illegal": True}
            ends = self._illegal == "end"
            if ends:
                self._is_open = False
                info["action_mask"] = numpy.zeros_like(info["action_mask"])
            return self._observed(), self._illegal_reward, ends, self._counted(ends), info
        return None

    def _counted(self, is_over: bool) -> bool:
        """Counts a step and returns whether the episode is truncated."""
        self._plies += 1
        return not is_over and self._longest is not None and self._plies >= self._longest

    def _result(self) -> StepResult:
        over = self.position.is_over
        return self._observed(), self._reward(), over, self._counted(over), self._info()

    def _reward(self) -> float:
        """Returns the reward of the last step."""
        return self.position.returns[self._side()]

    def render(self) -> Rendered:
        """Returns the drawing of the state in the render mode, or writes it to standard output."""
        return render(self.position, self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class PuzzleEnv(_GameEnv):
    """A puzzle, such as "hextris(turning, seed=3)". The reward is the points that the action gives, or
    all points at the end of the game if the puzzle counts them there.

    ``illegal`` says what an illegal action does. "end": the episode is terminated. "ignore": the
    state stays as it is, and only the reward tells. Both give the reward ``illegal_reward`` and set
    ``info["illegal"]``. "raise": ``InputError`` is raised.

    An episode begins with ``opening`` random moves, drawn with the seed of ``reset``; the puzzle
    itself has no chance. An episode of ``longest`` steps is truncated. ``render_mode`` is "human"
    (text to standard output), "ansi", "rgb_array", "svg" or None. ``reset`` takes the options
    "state", a state at which the game begins, and "moves", which are played from there.
    """

    def __init__(
        self,
        spec: GameLike = "hextris",
        *,
        render_mode: Optional[str] = None,
        illegal: str = "end",
        illegal_reward: float = -1.0,
        opening: int = 0,
        longest: Optional[int] = None,
    ) -> None:
        super().__init__(spec, render_mode, illegal, illegal_reward, opening, longest)
        if not self.game.is_puzzle:
            name = self.game.spec
            raise InputError(f"{name} has two sides; DuelEnv and ludion.pettingzoo have such games")
        self._points = 0

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Begins a new game."""
        self._begin(seed, options)
        self._points = self.position.points or 0
        self._show()
        return self._observed(), self._info()

    def step(self, action: Action) -> StepResult:
        """Plays an action."""
        result = self._played(action) or self._result()
        self._show()
        return result

    def _reward(self) -> float:
        points = self.position.points
        if points is None:
            return super()._reward()
        gained = points - self._points
        self._points = points
        return float(gained)


class DuelEnv(_GameEnv):
    """A game for two sides, in which a player of Ludion is the opponent. The reward is 1, 0 or -1
    at the end of the game.

    ``opponent`` is a spec, such as "mcts(sims=50)", or a player that is written in Python;
    ``budget`` is what it may spend on a move. ``side`` is the side of the agent: 0, 1, or None to
    draw it anew for each episode. The seed of ``reset`` decides all that is drawn, also by the
    opponent, unless its budget is a time. The other arguments are those of ``PuzzleEnv``: an
    illegal action (``illegal="end"``) loses the game. ``longest`` counts the moves of the agent.
    """

    def __init__(
        self,
        spec: GameLike = "connect4",
        opponent: PlayerLike = "random",
        *,
        side: Optional[int] = None,
        budget: Optional[str] = None,
        render_mode: Optional[str] = None,
        illegal: str = "end",
        illegal_reward: float = -1.0,
        opening: int = 0,
        longest: Optional[int] = None,
    ) -> None:
        super().__init__(spec, render_mode, illegal, illegal_reward, opening, longest)
        if self.game.is_puzzle:
            raise InputError(f"{self.game.spec} is a puzzle; PuzzleEnv has puzzles")
        if side not in (None, 0, 1):
            raise InputError(f"there is no side {side}; the sides are 0 and 1")
        self.opponent: Player = player(self.game, opponent)
        self.side = side or 0
        """The side of the agent in this episode."""
        self._fixed_side, self._budget = side, budget

    def _side(self) -> int:
        return self.side

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Begins a new game; the opponent has moved if the first move is its own."""
        self._begin(seed, options)
        drawn = int(self.np_random.integers(2))
        self.side = drawn if self._fixed_side is None else self._fixed_side
        self.opponent.begin(int(self.np_random.integers(_SEEDS)))
        first = self.position
        self._answer()
        if self.position.is_over:
            raise InputError(f"the opponent ends the game before the agent moves, in {first.text}")
        self._show()
        return self._observed(), self._info()

    def step(self, action: Action) -> StepResult:
        """Plays an action of the agent and the answer of the opponent."""
        result = self._played(action)
        if result is None:
            self._answer()
            result = self._result()
        self._show()
        return result

    def _answer(self) -> None:
        """Lets the opponent play until it is the turn of the agent or the game is over."""
        while self.position.to_play == 1 - self.side:
            chosen = self.opponent.choose(self.position, self._budget)
            self.position = self.position.play(chosen.move)

    def _info(self) -> dict[str, Any]:
        return {**super()._info(), "side": self.side}


class SelfPlayVectorEnv(gymnasium.vector.VectorEnv[Planes, NDArray[Any], NDArray[Any]]):
    """Many games of one kind that are stepped by one call. The caller plays both sides: observation
    and mask are those of the side to move, and the reward is that of the side that moved.

    ``info["action_mask"]`` has the legal actions of every game and ``info["to_play"]`` the side to
    move, -1 if the game is over. A game that is over begins again in the next step, which ignores
    its action (``AutoresetMode.NEXT_STEP``). An illegal action raises ``InputError`` and changes
    nothing.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "svg"], "render_fps": 2}

    def __init__(
        self, spec: GameLike = "connect4", num_envs: int = 1, *, render_mode: Optional[str] = None
    ) -> None:
        check_render_mode(render_mode)
        modes: Any = getattr(gymnasium.vector, "AutoresetMode", None)
        if modes is not None:
            self.metadata = {**self.metadata, "autoreset_mode": modes.NEXT_STEP}
        self.states = VectorStates(spec, num_envs)
        self.num_envs = num_envs
        self.render_mode = render_mode
        one = self.states.game
        shape, actions = one.plane_shape, one.action_count
        self.single_observation_space = spaces.Box(0.0, 1.0, shape, numpy.float32)
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = spaces.Box(0.0, 1.0, (num_envs, *shape), numpy.float32)
        self.action_space = spaces.MultiDiscrete([actions] * num_envs)

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Begins all games again."""
        super().reset(seed=seed)
        self.states.reset(seed)
        return self.states.planes(), self._info()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Planes, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Plays an action in every game."""
        rewards = self.states.step(actions)
        done = self.states.done.copy()
        return self.states.planes(), rewards, done, numpy.zeros_like(done), self._info()

    def _info(self) -> dict[str, Any]:
        states = self.states
        return {"action_mask": states.legal.astype(numpy.int8), "to_play": states.to_play.copy()}

    def render(self) -> Optional[tuple[Any, ...]]:
        """Returns the drawings of all states in the render mode."""
        drawn = [render(self.states.batch[i], self.render_mode) for i in range(self.num_envs)]
        return None if self.render_mode is None else tuple(drawn)


for _name, _kind in (("Puzzle", "PuzzleEnv"), ("Duel", "DuelEnv")):
    gymnasium.register(  # pyright: ignore[reportUnknownMemberType]
        f"ludion/{_name}-v0", entry_point=f"ludion.gymnasium:{_kind}"
    )
