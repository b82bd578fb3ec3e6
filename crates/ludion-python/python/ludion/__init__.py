"""A laboratory for players of games: play, search, solve, learn and measure.

>>> import ludion
>>> g = ludion.game("connect4")
>>> s = g.start().play_line("4453")
>>> s.moves
['1', '2', '3', '4', '5', '6', '7']
>>> g.player("mcts(sims=2000)").choose(s).move
'5'

A game or a player is a name, with values in parentheses that replace its defaults:
``"matches(21, misere)"``, ``"mcts(sims=1000)"``. ``ludion.games()`` and ``ludion.players()`` list
them. The functions that play many games (``match``, ``tournament``, ``championship``, ``tune``,
``learn``) mean the same as the commands of the program ``ludion`` and share its store of runs.
"""

from __future__ import annotations

from types import ModuleType

from . import hextris, mastermind
from ._choice import Choice, Line, Solution
from ._commands import command
from ._games import GameInfo, PlayerInfo, add_game, check, game, games, lab, players, riddle
from ._ludion import (
    Game,
    InputError,
    LudionError,
    Player,
    Playthrough,
    Riddle,
    State,
    StateBatch,
    __version__,
)
from ._protocols import Evaluator, PythonGame, PythonPlayer
from ._runs import (
    Championship,
    Elo,
    Judgement,
    LearningRun,
    Match,
    RepeatReport,
    Run,
    Sprt,
    SprtState,
    Tournament,
    Tuning,
    championship,
    judge,
    learn,
    match,
    run,
    runs,
    tournament,
    tune,
)
from ._seats import add_evaluator, add_player, player

__all__ = [
    "Championship",
    "Choice",
    "Elo",
    "Evaluator",
    "Game",
    "GameInfo",
    "InputError",
    "Judgement",
    "LearningRun",
    "Line",
    "LudionError",
    "Match",
    "Player",
    "PlayerInfo",
    "Playthrough",
    "PythonGame",
    "PythonPlayer",
    "RepeatReport",
    "Riddle",
    "Run",
    "Solution",
    "Sprt",
    "SprtState",
    "State",
    "StateBatch",
    "Tournament",
    "Tuning",
    "__version__",
    "add_evaluator",
    "add_game",
    "add_player",
    "championship",
    "check",
    "command",
    "game",
    "games",
    "hextris",
    "judge",
    "lab",
    "learn",
    "mastermind",
    "match",
    "player",
    "players",
    "riddle",
    "run",
    "runs",
    "tournament",
    "tune",
]

_ENVIRONMENTS = ("gymnasium", "pettingzoo", "spiel", "vector")


def __getattr__(name: str) -> ModuleType:
    """Imports the interfaces of other projects when they are first used."""
    if name in _ENVIRONMENTS:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
