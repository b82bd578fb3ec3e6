"""Players and evaluators that are written in Python, by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Optional, Union, cast

from . import _ludion
from ._ludion import Game, InputError, Player, State
from ._protocols import Evaluator, PythonPlayer

if TYPE_CHECKING:
    from ._games import GameLike

Choose = Callable[[State, Optional[str]], Union[str, int]]
"""A player as a function of a state and a budget, which returns a move."""

PlayerLike = Union[str, Player, PythonPlayer, type[PythonPlayer], Choose]
"""A player: a spec, a player of Ludion, or one that is written in Python."""

_names: dict[str, object] = {}


def _name_of(thing: object, kind: str) -> str:
    """Returns a name for an object under which no other object of the kind is known."""
    name = getattr(thing, "name", None) or getattr(thing, "__name__", type(thing).__name__)
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", str(name)).strip("_") or kind
    number = 1
    unique = plain
    while _names.get(f"{kind} {unique}", thing) is not thing:
        number += 1
        unique = f"{plain}-{number}"
    _names[f"{kind} {unique}"] = thing
    return unique


def add_player(player: Union[PythonPlayer, type[PythonPlayer], Choose], name: Optional[str] = None) -> str:
    """Makes a player that is written in Python known under a name, and returns its spec,
    ``python(NAME)``, which can be used wherever players are named."""
    known = name or _name_of(player, "player")
    _check_name(known)

    def make(seed: int) -> Choose:
        one: object = player() if isinstance(player, type) else player
        begin = getattr(one, "begin", None)
        if begin is not None:
            begin(seed)
        choose = getattr(one, "choose", None)
        return cast(Choose, choose if choose is not None else one)

    if not callable(player) and not hasattr(player, "choose"):
        raise InputError(f"{player!r} is no player; it is a function or has a method choose")
    _ludion.add_player(known, make)
    return f"python({known})"


def add_evaluator(evaluate: Evaluator, name: Optional[str] = None) -> str:
    """Makes an evaluator that is written in Python known under a name, and returns its spec,
    ``python(NAME)``, for the parameter ``eval`` of a player: ``mcts(eval=python(NAME))``."""
    known = name or _name_of(evaluate, "evaluator")
    _check_name(known)
    if not callable(evaluate):
        raise InputError(f"{evaluate!r} is no evaluator; it is a function of an array of planes")
    _ludion.add_evaluator(known, evaluate)
    return f"python({known})"


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        raise InputError(f"{name!r} is no name; it has letters, digits, - and _")


def player_spec(player: PlayerLike) -> str:
    """Returns the spec of a player."""
    if isinstance(player, str):
        return check_spec(player, "player")
    if isinstance(player, Player):
        return player.spec
    return add_player(cast(Any, player))


def player_specs(players: Iterable[PlayerLike], least: int) -> list[str]:
    """Returns the specs of players, of which there must be at least a number."""
    if not isinstance(players, Iterable) or isinstance(players, str):
        raise InputError(f"players {players!r} is not allowed; it is a list of players")
    specs = [player_spec(one) for one in players]
    if len(specs) < least:
        needed = "1 player is" if least == 1 else f"{least} players are"
        raise InputError(f"players has {len(specs)} entries; at least {needed} needed")
    return specs


def check_spec(spec: str, what: str) -> str:
    """Returns a spec that begins with a name; a command would take others for options."""
    if not spec.strip() or spec.strip().startswith("-"):
        raise InputError(f"{spec!r} is no {what}; a spec begins with a name")
    return spec


def player(
    game: GameLike,
    spec: PlayerLike,
    *,
    evaluator: Optional[Evaluator] = None,
    seed: int = 1,
) -> Player:
    """Makes a player of a game. ``evaluator`` is a function that evaluates the leaves of its search,
    as with ``eval=python(NAME)`` in the spec.

    >>> import ludion
    >>> ludion.player("tictactoe", "mcts(sims=100)").choose(ludion.game("tictactoe").start()).move
    'b2'
    """
    from ._games import game as open_game

    opened = open_game(game)
    text = player_spec(spec)
    if evaluator is not None:
        text = _with_value(text, f"eval={add_evaluator(evaluator)}")
    return opened.player(text, seed=seed)


def restore_player(game: Game, spec: str, seed: int) -> Player:
    """Returns the player that was pickled, at the beginning of a game."""
    return game.player(spec, seed=seed)


def _with_value(spec: str, value: str) -> str:
    """Returns a spec with one more value."""
    head, bracket, rest = spec.partition("(")
    if bracket and not rest.rstrip().endswith(")"):
        return spec  # not a spec, which the game tells
    inner = rest.rstrip()[:-1].strip() if bracket else ""
    return f"{head}({inner}, {value})" if inner else f"{head}({value})"
