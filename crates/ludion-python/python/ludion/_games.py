"""Games, players and riddles by name, games that are written in Python, and the laboratory."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from . import _ludion
from ._commands import StorePath, call, command, options
from ._ludion import Game, InputError, Playthrough, Riddle, State
from ._protocols import PythonGame
from ._numbers import check_numbers
from ._seats import PlayerLike, check_spec, player_spec

GameLike = Union[str, Game, PythonGame, type[PythonGame]]
"""A game: a spec, a game of Ludion, or one that is written in Python."""


@dataclass(frozen=True)
class GameInfo:
    """The description of a game or riddle."""

    name: str
    """The name of the game in specs."""
    help: str
    """One line about the game."""
    kind: str
    """"duel" for two sides, "puzzle" for one side and points, "riddle" for a secret to be found."""
    parameters: list[dict[str, Any]] = field(repr=False)
    """The parameters that a spec of the game can set."""
    examples: list[str] = field(repr=False)
    """Specs of typical variants of the game."""
    players: list[str] = field(repr=False)
    """The names of the players that can play the game."""


@dataclass(frozen=True)
class PlayerInfo:
    """The description of a player."""

    name: str
    """The name of the player in specs."""
    help: str
    """One line about the player."""
    parameters: list[dict[str, Any]] = field(repr=False)
    """The parameters that a spec of the player can set."""


def games() -> list[GameInfo]:
    """Returns the descriptions of all games and riddles.

    >>> import ludion
    >>> [info.name for info in ludion.games()][:3]
    ['matches', 'divide', 'dice']
    """
    report = command("games")
    found = [
        GameInfo(
            one["name"],
            one["help"],
            "puzzle" if one["puzzle"] else "duel",
            one["params"],
            one["examples"],
            [name for name in one["players"] if name != "human"],
        )
        for one in report["games"]
    ]
    riddles = report["riddles"]
    found += [
        GameInfo(one["name"], one["help"], "riddle", one["params"], one["examples"], [])
        for one in riddles
    ]
    return found


def players() -> list[PlayerInfo]:
    """Returns the descriptions of all players."""
    report = command("players")
    listed = report["players"] if isinstance(report, dict) else report
    return [PlayerInfo(one["name"], one["help"], one["params"]) for one in listed if one["name"] != "human"]


def game(spec: GameLike, /) -> Game:
    """Returns the game that a spec describes, or a game that is written in Python.

    >>> import ludion
    >>> ludion.game("matches(7, misere)").start().text
    '7 first'
    """
    return spec if isinstance(spec, Game) else _ludion.open_game(game_spec(spec))


def game_spec(spec: GameLike) -> str:
    """Returns the spec of a game."""
    if isinstance(spec, str):
        return check_spec(spec, "game")
    return spec.spec if isinstance(spec, Game) else add_game(spec)


def riddle(spec: str = "mastermind", /) -> Riddle:
    """Returns the riddle that a spec describes, such as "mastermind(5, 8)"."""
    return _ludion.open_riddle(spec)


_added: dict[str, Any] = {}
"""The rules of the games that are written in Python, by name."""


def add_game(rules: Union[PythonGame, type[PythonGame]], name: Optional[str] = None) -> str:
    """Makes a game that is written in Python known, and returns its name. From then on the name can be
    used wherever games are named.

    By default the name is that of the attribute ``name`` or of the class, with a number if other rules
    have it already. With ``name`` these rules replace others of that name, but not a game that comes
    with Ludion.
    """
    if not hasattr(rules, "start"):
        raise InputError(f"{rules!r} is no game; it has the methods start, status, moves and play")
    one: Any = rules() if isinstance(rules, type) else rules
    known = name or _unused_name(rules, one)
    if not re.fullmatch(r"[a-z][a-z0-9-]*", known):
        raise InputError(f"{known!r} is no name of a game; it has small letters, digits and -")
    if known not in _added and known in _ludion.game_names():
        raise InputError(f"a game {known} comes with Ludion; give yours another name")
    if _added.get(known) is rules:
        return known
    help_text = getattr(one, "help", None) or (type(one).__doc__ or "").strip().split("\n")[0]
    _ludion.add_game(known, help_text or "a game that is written in Python", one)
    _added[known] = rules
    return known


def _unused_name(rules: object, one: object) -> str:
    """Returns the name of rules, with a number if others have it."""
    plain = getattr(one, "name", None) or type(one).__name__.lower().replace("_", "-")
    unique, number = str(plain), 1
    while _added.get(unique, rules) is not rules:
        number += 1
        unique = f"{plain}-{number}"
    return unique


def reduce_game(spec: str) -> tuple[Any, tuple[Any, ...]]:
    """Returns how ``pickle`` makes a game again: from its spec, or from its rules in Python."""
    return (_restore, (_added[spec], spec)) if spec in _added else (_ludion.open_game, (spec,))


def _restore(rules: Any, name: str) -> Game:
    """Returns the game with these rules: under its name, or under another if other rules have it."""
    if name not in _added:
        add_game(rules, name)
    elif not _are_same(_added[name], rules):
        same = (other for other, known in _added.items() if _are_same(known, rules))
        name = next(same, "") or add_game(rules)
    return _ludion.open_game(name)


def _are_same(rules: Any, others: Any) -> bool:
    """Says whether rules are the same: one class, or objects that are pickled alike."""
    if rules is others or isinstance(rules, type) or isinstance(others, type):
        return rules is others
    return type(rules) is type(others) and pickle.dumps(rules) == pickle.dumps(others)


def restore_playthrough(state: State) -> Playthrough:
    """Returns the game under way that was pickled."""
    playthrough = state.game.playthrough()
    playthrough.restart(state)
    return playthrough


def check(spec: GameLike, games: int = 20, seed: int = 1) -> int:
    """Checks the laws that every game must keep on random games: the moves are the same each time,
    texts are read back, keys and pictures fit the states. Returns the number of states checked;
    raises ``LudionError`` with the law that is broken and the state."""
    return game(spec).check(games, seed)


def lab(
    games: Iterable[GameLike] = (),
    *,
    players: Iterable[PlayerLike] = (),
    port: int = 4747,
    store: Optional[StorePath] = None,
) -> None:
    """Opens the laboratory in a browser, with your own games and players, and serves it until Ctrl-C.

    The address is http://127.0.0.1:4747, or that of another port; port 0 is any that is free. It is
    printed when the laboratory listens. A player that is written in Python has the spec
    ``python(NAME)`` there.
    """
    check_numbers(port=port)
    for one in games:
        game_spec(one)
    for player in players:
        player_spec(player)
    try:
        call(["lab", *options(port=port, store=store)], False, _print_address)
    except KeyboardInterrupt:
        print("the laboratory is closed")


def _print_address(report: str) -> None:
    print(f"the laboratory is open at {json.loads(report)['address']}; Ctrl-C closes it", flush=True)
