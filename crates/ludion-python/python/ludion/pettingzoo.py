"""PettingZoo environments of all games for two sides.

>>> import ludion.pettingzoo
>>> env = ludion.pettingzoo.env("connect4")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

The agents are "player_0", who has the first side, and "player_1". An observation is a dictionary,
as in the classic environments of PettingZoo: "observation" has the planes of the state as the agent
sees it, of shape (planes, rows, columns), and "action_mask" is 1 for every legal action, and 0
everywhere if it is not the agent's turn. At the end the winner gets the reward 1 and the loser -1.
"""

# PettingZoo has no stubs.
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any, Optional, Union

import numpy
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from ._environments import RENDER_MODES, begin, check_render_mode, render
from ._games import GameLike, game
from ._ludion import InputError, State
from ._numbers import check_numbers

__all__ = ["env", "raw_env"]

Observation = dict[str, NDArray[Any]]
"""The planes that an agent sees, and the mask of its legal actions."""


def env(
    spec: GameLike,
    render_mode: Optional[str] = None,
    *,
    opening: int = 0,
    longest: Optional[int] = None,
) -> AECEnv[str, Observation, Optional[int]]:
    """Returns the environment of a game with the usual wrappers of PettingZoo: an illegal action
    ends the game with the reward -1 for its agent. The arguments are those of ``raw_env``."""
    raw = raw_env(spec, render_mode, opening=opening, longest=longest)
    checked: Any = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    checked = wrappers.AssertOutOfBoundsWrapper(checked)
    ordered: AECEnv[str, Observation, Optional[int]] = wrappers.OrderEnforcingWrapper(checked)
    return ordered


class raw_env(AECEnv[str, Observation, Optional[int]], EzPickle):  # type: ignore[misc]
    """The environment of a game for two sides, without wrappers. An illegal action raises
    ``InputError``.

    ``render_mode`` is "human" (writes text to standard output after every step), "ansi" (returns
    text), "rgb_array" (returns an array of pixels), "svg" (returns a picture) or None. Each game
    begins with ``opening`` random plies, drawn with the seed of ``reset``. A game of ``longest``
    plies is truncated.

    ``reset`` takes the options "state", the text of a state at which the game begins, and "moves",
    moves that are played from there, before the opening.
    """

    metadata = {
        "render_modes": RENDER_MODES,
        "name": "ludion",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        spec: GameLike,
        render_mode: Optional[str] = None,
        *,
        opening: int = 0,
        longest: Optional[int] = None,
    ) -> None:
        EzPickle.__init__(self, spec, render_mode, opening=opening, longest=longest)
        super().__init__()
        self.game = game(spec)
        if self.game.is_puzzle:
            name = self.game.spec
            raise InputError(f"{name} is a puzzle; ludion.gymnasium.PuzzleEnv has puzzles")
        check_render_mode(render_mode)
        check_numbers(opening=opening, longest=longest)
        self.metadata = {**self.metadata, "name": self.game.spec}
        self.render_mode = render_mode
        self.position: State = self.game.start()
        self._opening, self._longest, self._plies = opening, longest, 0
        self._random, _ = seeding.np_random(None)
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        # PettingZoo asks for the same object each time.
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(self.game.action_count) for agent in self.possible_agents
        }
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: self._space() for agent in self.possible_agents
        }

    def _space(self) -> spaces.Dict:
        planes = spaces.Box(0.0, 1.0, self.game.plane_shape, numpy.float32)
        mask = spaces.Box(0, 1, (self.game.action_count,), numpy.int8)
        return spaces.Dict({"observation": planes, "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of the actions of an agent: the action numbers of the game."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """Returns what an agent sees."""
        side = self.possible_agents.index(agent)
        if agent == self.agent_selection and self.position.to_play == side:
            mask = self.position.legal_mask().astype(numpy.int8)
        else:
            mask = numpy.zeros(self.game.action_count, numpy.int8)
        return {"observation": self.position.planes(side), "action_mask": mask}

    def state(self) -> NDArray[numpy.float32]:
        """Returns the planes of the state as the first side sees it."""
        return self.position.planes(0)

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Begins a new game."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.position, self._plies = begin(self.game, self._random, self._opening, options), 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self.position.to_play or 0]
        if self.render_mode == "human":
            self.render()

    def step(self, action: Optional[int]) -> None:
        """Plays an action of the selected agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise InputError("the game is not over, so None is no action")
        self.position = self.position.play(int(action))
        self._plies += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.position.is_over:
            self.rewards = dict(zip(self.possible_agents, self.position.returns))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._longest is not None and self._plies >= self._longest:
            self.truncations = dict.fromkeys(self.agents, True)
        following = self.position.to_play
        other = self.possible_agents[1 - self.possible_agents.index(agent)]
        self.agent_selection = other if following is None else self.possible_agents[following]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Union[None, str, NDArray[numpy.uint8]]:
        """Returns the drawing of the state in the render mode, or writes it to standard output."""
        return render(self.position, self.render_mode)

    def close(self) -> None:
        """Does nothing: there is no window."""

    def __str__(self) -> str:
        return self.game.spec
