"""Games of Ludion with the methods of OpenSpiel, for its algorithms that are written in Python.

>>> import ludion.spiel
>>> game = ludion.spiel.load_game("connect4")
>>> state = game.new_initial_state()
>>> state.apply_action(3)
>>> state.legal_actions()
[0, 1, 2, 3, 4, 5, 6]

OpenSpiel itself is needed only for ``get_type``, whose answer is a ``pyspiel.GameType``. A state
here changes by ``apply_action``, unlike ``ludion.State``; ``State.position`` is the present one.
The names of games and the texts of moves are those of Ludion.

Algorithms of OpenSpiel in C++ accept only games of its own list, to which ``register`` adds a game.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Optional, Union

from ._games import GameLike
from ._games import game as open_game
from ._ludion import Game as LudionGame
from ._ludion import InputError
from ._ludion import State as Position

__all__ = ["Game", "State", "load_game", "register"]

TERMINAL = -4
"""What ``current_player`` returns when the game is over: ``pyspiel.PlayerId.TERMINAL``."""
INVALID = -3
"""What stands for no player: ``pyspiel.PlayerId.INVALID``."""

# Random games end within this number of plies: ``Game.check`` verifies it.
_MOST_PLIES = 100_000
_FROM = "from "


def load_game(spec: GameLike, parameters: Optional[Mapping[str, object]] = None) -> Game:
    """Returns the game that a spec describes, such as "connect4", "hexapawn(4, 4)", or a game that
    is written in Python. ``parameters`` are added to the spec, as in ``load_game("connect4",
    {"cols": 5})``."""
    if parameters:
        if not isinstance(spec, str) or "(" in spec:
            raise InputError("parameters are given in the spec, or as a mapping, not both")
        values = (f"{name}={_shown(value)}" for name, value in parameters.items())
        spec = f"{spec}({', '.join(values)})"
    return Game(open_game(spec))


_registered: dict[str, str] = {}


def register(spec: GameLike, name: Optional[str] = None) -> str:
    """Adds a game to the list of OpenSpiel and returns its name there, by default "ludion_" and the
    name of the game: ``pyspiel.load_game(ludion.spiel.register("connect4"))``. Such a game is
    slower than that of ``load_game``, but algorithms in C++ accept it, too. This needs OpenSpiel.
    """
    game = Game(open_game(spec))
    known = name or f"ludion_{game.game.name}"
    if _registered.get(known, game.game.full_spec) != game.game.full_spec:
        raise InputError(f"{known} is {_registered[known]}; give this game another name")
    if known not in _registered:
        importlib.import_module("._registered", __package__).register(game, known)
        _registered[known] = game.game.full_spec
    return known


def _shown(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


class PlayerAction(NamedTuple):
    """An action with the player that chose it."""

    player: int
    action: int


class Game:
    """A game with the methods of ``pyspiel.Game``. ``load_game`` makes one."""

    def __init__(self, game: LudionGame) -> None:
        self.game = game
        """The game of Ludion."""
        self._actions = game.action_count
        self._players = 1 if game.is_puzzle else 2
        self._type: Any = None

    def new_initial_state(self, text: Optional[str] = None) -> State:
        """Returns the state in which every game begins, or the one that a text of Ludion
        describes."""
        return State(self, self.game.start() if text is None else self.game.read(text))

    def new_initial_states(self) -> list[State]:
        """Returns a list of the only initial state."""
        return [self.new_initial_state()]

    def num_distinct_actions(self) -> int:
        """Returns the number of actions: each is below it."""
        return self._actions

    def policy_tensor_shape(self) -> list[int]:
        """Returns the shape of an array with an entry for each action."""
        return [self._actions]

    def num_players(self) -> int:
        """Returns the number of players: 2, and 1 for a puzzle."""
        return self._players

    def max_chance_outcomes(self) -> int:
        """Returns 0: no game has chance nodes."""
        return 0

    def max_chance_nodes_in_history(self) -> int:
        """Returns 0: no game has chance nodes."""
        return 0

    def min_utility(self) -> float:
        """Returns the lowest return of a player; minus infinity for a puzzle."""
        return -math.inf if self.game.is_puzzle else -1.0

    def max_utility(self) -> float:
        """Returns the highest return of a player; infinity for a puzzle."""
        return math.inf if self.game.is_puzzle else 1.0

    def utility_sum(self) -> Optional[float]:
        """Returns 0, the sum of the returns of both players; None for a puzzle."""
        return None if self.game.is_puzzle else 0.0

    def max_game_length(self) -> int:
        """Returns a bound of the number of plies. It is exact for games that fill a board, and for
        other games 100,000, within which random games end."""
        _, rows, columns = self.game.plane_shape
        return rows * columns if self.game.name in ("connect4", "tictactoe") else _MOST_PLIES

    def max_history_length(self) -> int:
        """Returns the same as ``max_game_length``."""
        return self.max_game_length()

    def max_move_number(self) -> int:
        """Returns the same as ``max_game_length``."""
        return self.max_game_length()

    def observation_tensor_shape(self) -> list[int]:
        """Returns the shape of the planes of a state: planes, rows, columns."""
        return list(self.game.plane_shape)

    def observation_tensor_size(self) -> int:
        """Returns the number of entries of an observation."""
        return math.prod(self.game.plane_shape)

    def information_state_tensor_shape(self) -> list[int]:
        """Raises ``InputError``: there are observations only."""
        raise InputError("there is no information state tensor; use the observation tensor")

    def information_state_tensor_size(self) -> int:
        """Raises ``InputError``: there are observations only."""
        raise InputError("there is no information state tensor; use the observation tensor")

    def get_parameters(self) -> dict[str, Any]:
        """Returns an empty mapping: the parameters are in the spec, ``str(game)``."""
        return {}

    def get_type(self) -> Any:
        """Returns the properties of the game, a ``pyspiel.GameType``. This needs OpenSpiel."""
        if self._type is None:
            self._type = game_type(self.game, f"ludion_{self.game.name}")
        return self._type

    def action_to_string(self, player: int, action: int) -> str:
        """Returns a text for an action without a state; that of a state has the notation of
        moves."""
        return f"Action(id={action}, player={player})"

    def serialize(self) -> str:
        """Returns the spec of the game, which ``load_game`` reads."""
        return self.game.spec

    def deserialize_state(self, text: str) -> State:
        """Returns the state that ``State.serialize`` wrote."""
        lines = text.splitlines()
        begun = lines[0][len(_FROM) :] if lines and lines[0].startswith(_FROM) else None
        state = self.new_initial_state(begun)
        for line in lines[0 if begun is None else 1 :]:
            state.apply_action(int(line))
        return state

    def to_string(self) -> str:
        """Returns the spec of the game."""
        return self.game.spec

    def __str__(self) -> str:
        return self.game.spec

    def __repr__(self) -> str:
        return f"ludion.spiel.load_game({self.game.spec!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.game)

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, (self.game,)


def game_type(game: LudionGame, name: str) -> Any:
    """Returns the properties of a game, a ``pyspiel.GameType``, under a name."""
    kind: Any = importlib.import_module("pyspiel").GameType
    utility = kind.Utility.GENERAL_SUM if game.is_puzzle else kind.Utility.ZERO_SUM
    players = 1 if game.is_puzzle else 2
    return kind(
        short_name=name,
        long_name=game.full_spec,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )


# The last move of a state and what was before it, shared by all states that follow: the past of the
# state before, that state, and the action. A plain tuple is made faster than a named one.
_Past = tuple[Any, Position, int]


class State:
    """A state with the methods of ``pyspiel.State``: ``apply_action`` changes it."""

    __slots__ = ("_game", "_past", "_plies", "_start", "position")

    def __init__(self, game: Game, position: Position) -> None:
        self._game = game
        self._start = position
        self._past: Optional[_Past] = None
        self._plies = 0
        self.position = position
        """The present state as one of Ludion."""

    def get_game(self) -> Game:
        """Returns the game of the state."""
        return self._game

    def get_type(self) -> Any:
        """Returns the properties of the game, a ``pyspiel.GameType``."""
        return self._game.get_type()

    def num_players(self) -> int:
        """Returns the number of players."""
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        """Returns the number of actions of the game."""
        return self._game.num_distinct_actions()

    def current_player(self) -> int:
        """Returns the player to move, 0 or 1, and -4 if the game is over."""
        side = self.position.to_play
        return TERMINAL if side is None else side

    def is_terminal(self) -> bool:
        """Returns whether the game is over."""
        return self.position.is_over

    def is_chance_node(self) -> bool:
        """Returns False: no game has chance nodes."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Returns False: the players move in turn."""
        return False

    def is_mean_field_node(self) -> bool:
        """Returns False: there is no mean field game."""
        return False

    def is_player_node(self) -> bool:
        """Returns whether a player is to move."""
        return not self.position.is_over

    def is_initial_state(self) -> bool:
        """Returns whether no action was played."""
        return self._plies == 0

    def is_initial_non_chance_state(self) -> bool:
        """Returns whether no action was played."""
        return self._plies == 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Raises ``InputError``: no game has chance nodes."""
        raise InputError("this is no chance node")

    def legal_actions(self, player: Optional[int] = None) -> list[int]:
        """Returns the legal actions in ascending order; none for a player who is not to move."""
        if player is not None and player != self.position.to_play:
            return []
        return sorted(self.position.actions)

    def legal_actions_mask(self, player: Optional[int] = None) -> list[int]:
        """Returns a list with 1 for every legal action."""
        mask = [0] * self._game.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Plays an action."""
        after = self.position.play(action)
        self._past = (self._past, self.position, int(action))
        self.position = after
        self._plies += 1

    def apply_action_with_legality_check(self, action: int) -> None:
        """Plays an action; every action is checked here."""
        self.apply_action(action)

    def apply_actions(self, actions: Sequence[int]) -> None:
        """Raises ``InputError``: the players move in turn."""
        raise InputError("the players move in turn; use apply_action")

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last action back."""
        if self._past is None or self._past[2] != action:
            raise InputError(f"action {action} was not the last one")
        self._past, self.position, _ = self._past
        self._plies -= 1

    def child(self, action: int) -> State:
        """Returns the state after an action; this one stays as it is."""
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self) -> State:
        """Returns a copy of the state."""
        state = State.__new__(State)
        state._game, state._start = self._game, self._start
        state._past, state._plies = self._past, self._plies
        state.position = self.position
        return state

    def returns(self) -> list[float]:
        """Returns the sum of the rewards of each player: 1, 0 or -1, or the points of a puzzle."""
        return list(self.position.returns)

    def rewards(self) -> list[float]:
        """Returns the reward of each player for the last action: that of the end of the game."""
        return list(self.position.returns)

    def player_return(self, player: int) -> float:
        """Returns the return of a player."""
        return self.position.returns[player]

    def player_reward(self, player: int) -> float:
        """Returns the reward of a player for the last action."""
        return self.position.returns[player]

    def _seen_by(self, player: Optional[int]) -> int:
        if player is not None:
            return player
        return self.position.to_play or 0

    def observation_tensor(self, player: Optional[int] = None) -> list[float]:
        """Returns the planes of the state as a player sees it, by default the one to move."""
        entries: list[float] = self.position.planes(self._seen_by(player)).ravel().tolist()
        return entries

    def information_state_tensor(self, player: Optional[int] = None) -> list[float]:
        """Raises ``InputError``: there are observations only."""
        raise InputError("there is no information state tensor; use the observation tensor")

    def observation_string(self, player: Optional[int] = None) -> str:
        """Returns the state in the notation of the game."""
        return self.position.text

    def information_state_string(self, player: Optional[int] = None) -> str:
        """Returns the history of the state."""
        return self.history_str()

    def action_to_string(self, player_or_action: int, action: Optional[int] = None) -> str:
        """Returns the move of an action: ``action_to_string(player, action)`` or
        ``action_to_string(action)``."""
        return self.position.move(int(player_or_action if action is None else action))

    def string_to_action(self, player_or_move: Union[int, str], move: Optional[str] = None) -> int:
        """Returns the action of a move: ``string_to_action(player, move)`` or
        ``string_to_action(move)``."""
        text = player_or_move if move is None else move
        return self.position.action(str(text))

    def full_history(self) -> list[PlayerAction]:
        """Returns the actions from the initial state, each with its player."""
        found: list[PlayerAction] = []
        past = self._past
        while past is not None:
            past, position, action = past
            side = position.to_play
            found.append(PlayerAction(INVALID if side is None else side, action))
        return found[::-1]

    def history(self) -> list[int]:
        """Returns the actions from the initial state."""
        return [one.action for one in self.full_history()]

    def history_str(self) -> str:
        """Returns the actions from the initial state as text."""
        return ", ".join(str(action) for action in self.history())

    def move_number(self) -> int:
        """Returns the number of actions from the initial state."""
        return self._plies

    def serialize(self) -> str:
        """Returns the history as text, one action a line; ``Game.deserialize_state`` reads it."""
        lines = [str(action) for action in self.history()]
        if self._start != self._game.game.start():
            lines.insert(0, _FROM + self._start.text)
        return "".join(line + "\n" for line in lines)

    def to_string(self) -> str:
        """Returns the state in the notation of the game."""
        return self.position.text

    def __str__(self) -> str:
        return self.position.text

    def __repr__(self) -> str:
        return self.position.text

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return Game.deserialize_state, (self._game, self.serialize())
