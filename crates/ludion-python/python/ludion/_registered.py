"""Games of Ludion in OpenSpiel's own list of games, so that its algorithms in C++ accept them too.

``ludion.spiel.register`` imports this module, which imports OpenSpiel.
"""

# OpenSpiel has no stubs.
# pyright: basic, reportMissingModuleSource=false

from __future__ import annotations

import importlib
from typing import Any, Optional

import numpy

from . import spiel
from ._ludion import State as Position

_pyspiel: Any = importlib.import_module("pyspiel")
_observation: Any = importlib.import_module("open_spiel.python.observation")


class RegisteredState(_pyspiel.State):  # type: ignore[misc]
    """A state that OpenSpiel keeps the history of."""

    def __init__(self, game: Any, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        """Returns the player to move, or the player that stands for the end of the game."""
        side = self.position.to_play
        return spiel.TERMINAL if side is None else side

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.actions) if player == self.position.to_play else []

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.move(action)

    def is_terminal(self) -> bool:
        """Returns whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """Returns the result for each player."""
        return list(self.position.returns)

    def __str__(self) -> str:
        return self.position.text


class _PlanesObserver:
    """Writes the planes of a state where OpenSpiel looks for observations."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.tensor = numpy.zeros(int(numpy.prod(shape)), numpy.float32)
        self.dict = {"planes": self.tensor.reshape(shape)}

    def set_from(self, state: RegisteredState, player: int) -> None:
        """Writes the planes as a player sees them."""
        self.dict["planes"][:] = state.position.planes(player)

    def string_from(self, state: RegisteredState, player: int) -> str:
        """Returns the state in the notation of the game."""
        return state.position.text


def register(game: spiel.Game, name: str) -> None:
    """Adds a game to OpenSpiel's list under a name."""
    kind: Any = spiel.game_type(game.game, name)
    info: Any = _pyspiel.GameInfo(
        num_distinct_actions=game.num_distinct_actions(),
        max_chance_outcomes=0,
        num_players=game.num_players(),
        min_utility=game.min_utility(),
        max_utility=game.max_utility(),
        utility_sum=game.utility_sum(),
        max_game_length=game.max_game_length(),
    )

    class RegisteredGame(_pyspiel.Game):  # type: ignore[misc]
        """A game of Ludion in OpenSpiel's list."""

        def __init__(self, params: Optional[dict[str, Any]] = None) -> None:
            super().__init__(kind, info, params or {})

        def new_initial_state(self, text: Optional[str] = None) -> RegisteredState:
            """Returns the state in which every game begins, or the one that a text describes."""
            start = game.game.start() if text is None else game.game.read(str(text))
            return RegisteredState(self, start)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            """Returns the object that OpenSpiel asks for observations."""
            if iig_obs_type is None or (
                iig_obs_type.public_info and not iig_obs_type.perfect_recall
            ):
                return _PlanesObserver(game.game.plane_shape)
            return _observation.IIGObserverForPublicInfoGame(iig_obs_type, params)

    _pyspiel.register_game(kind, RegisteredGame)
