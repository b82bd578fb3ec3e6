"""Matches, tournaments, championships, tuning and learning, and the store that keeps them."""

from __future__ import annotations

import json
import math
import os
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union, cast

from ._commands import StorePath, call, command, options
from ._files import TemporaryFiles
from ._games import GameLike, game_spec
from ._ludion import InputError
from ._numbers import check_numbers
from ._seats import PlayerLike, player_spec, player_specs
from ._tables import Row, html_table, text_table

if TYPE_CHECKING:
    import pandas
    import pyarrow


@dataclass(frozen=True)
class Elo:
    """A difference of strength with its 95 % interval. A bound that is infinite is ``inf``."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.1f} ({self.low:+.1f} to {self.high:+.1f})"


@dataclass(frozen=True)
class Sprt:
    """A sequential test of the Elo difference ``elo0`` against ``elo1``, which ends a match as soon
    as the results decide between them."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalised"

    def __str__(self) -> str:
        return (
            f"elo0={self.elo0:g},elo1={self.elo1:g},alpha={self.alpha:g},"
            f"beta={self.beta:g},model={self.model}"
        )


@dataclass(frozen=True)
class SprtState:
    """The state of a sequential test."""

    llr: float
    """The logarithm of the likelihood ratio of the two hypotheses."""
    bounds: tuple[float, float]
    """The bounds at which the test decides."""
    decision: str
    """"lower" (elo0), "upper" (elo1), or "open"."""


class Run:
    """A run of the store: a plan or study with its results."""

    def __init__(self, data: Mapping[str, Any], store: Optional[StorePath] = None) -> None:
        self.data: dict[str, Any] = dict(data)
        """The report, as the command line writes it with ``--json``."""
        self._store = store

    @property
    def number(self) -> Optional[int]:
        """The number of the run in the store; None if it is not stored."""
        number: Optional[int] = self.data.get("run")
        return number

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return bool(self.data.get("complete", self.data.get("state") == "finished"))

    @property
    def repeatable(self) -> bool:
        """Whether the same seed gives the same results again."""
        return bool(self.data.get("repeatable", True))

    def resume(self, *, threads: Optional[int] = None, progress: Optional[bool] = None) -> Run:
        """Runs what is missing and returns the run with all results."""
        check_numbers(threads=threads)
        number = self._stored_number()
        args = ["run", "resume", str(number), *options(store=self._store, threads=threads)]
        return _run_of(command(*args, progress=progress), self._store)

    def repeat(self, *, threads: Optional[int] = None, progress: Optional[bool] = None) -> RepeatReport:
        """Runs everything again from the plan and its seed, and compares all results."""
        check_numbers(threads=threads)
        number = self._stored_number()
        args = ["run", "repeat", str(number), *options(store=self._store, threads=threads)]
        report, _ = call(args, progress)
        return RepeatReport(
            bool(report.get("identical", report.get("different") is None)),
            int(report["compared"]),
            report,
        )

    def forget(self) -> None:
        """Deletes the run with its results from the store."""
        command("run", "forget", str(self._stored_number()), *options(store=self._store))

    def games(self) -> list[dict[str, Any]]:
        """Returns all games of the run with their moves."""
        with TemporaryFiles() as files:
            name = files.name("games.json")
            args = ["export", str(self._stored_number()), "--format", "json", "-o", name]
            command(*args, *options(store=self._store), progress=False)
            with open(name, encoding="utf-8") as file:
                found: list[dict[str, Any]] = json.load(file)["games"]
                return found

    def rows(self) -> list[dict[str, Any]]:
        """Returns the results as rows of a table."""
        return [self.data]

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the results as a data frame."""
        import pandas

        return pandas.DataFrame(self.rows())

    def to_arrow(self) -> pyarrow.Table:
        """Returns the results as an Arrow table."""
        import pyarrow

        return pyarrow.Table.from_pylist(self.rows())

    def svg(self) -> Optional[str]:
        """Returns the chart of a stored run as SVG; None if its kind has none."""
        if self.number is None:
            return None
        with TemporaryFiles() as files:
            name = files.name("chart.svg")
            args = ["run", "show", str(self.number), "--plot", name]
            command(*args, *options(store=self._store), progress=False)
            if not os.path.exists(name):
                return None
            with open(name, encoding="utf-8") as file:
                return file.read()

    def _stored_number(self) -> int:
        if self.number is None:
            raise InputError("the run is not in a store, so there is nothing to go back to")
        return self.number

    def _table(self) -> list[Row]:
        return [{key: _short(value) for key, value in row.items()} for row in self.rows()]

    def _title(self) -> str:
        number = "" if self.number is None else f"run {self.number}: "
        return f"{number}{type(self).__name__.lower()}, {self.data.get('game', '')}"

    def __str__(self) -> str:
        return self._title() + "\n" + text_table(self._table())

    def __repr__(self) -> str:
        return f"<ludion.{type(self).__name__} {self._title()}>"

    def _repr_html_(self) -> str:
        return f"<p>{self._title()}</p>" + html_table(self._table()) + (self._chart() or "")

    def _chart(self) -> Optional[str]:
        return None


@dataclass(frozen=True)
class RepeatReport:
    """What came of repeating a run."""

    identical: bool
    """Whether all results are the same."""
    compared: int
    """How many results were compared."""
    data: dict[str, Any]
    """The report, as the command line writes it with ``--json``."""

    def __bool__(self) -> bool:
        return self.identical


class Match(Run):
    """A match between two players; wins, losses and Elo are those of the first."""

    @property
    def players(self) -> list[str]:
        """The specs of the two players."""
        players: list[str] = self.data["players"]
        return players

    @property
    def wins(self) -> int:
        """Games that the first player won."""
        return int(self.data["wins"])

    @property
    def draws(self) -> int:
        """Games that were drawn."""
        return int(self.data["draws"])

    @property
    def losses(self) -> int:
        """Games that the first player lost."""
        return int(self.data["losses"])

    @property
    def score(self) -> Optional[float]:
        """The mean score of the first player, from 0 to 1."""
        score: Optional[float] = self.data.get("score")
        return score

    @property
    def elo(self) -> Elo:
        """The Elo difference with its 95 % interval."""
        return _elo(self.data.get("elo"))

    @property
    def normalised_elo(self) -> Elo:
        """The normalised Elo difference with its 95 % interval."""
        return _elo(self.data.get("normalised"))

    @property
    def superiority(self) -> Optional[float]:
        """The probability that the first player is stronger; None if it is not defined."""
        defined = self.data.get("superiority_defined", False)
        return float(self.data["superiority"]) if defined else None

    @property
    def pentanomial(self) -> list[int]:
        """Pairs of games in which the first player scored 0, 1/2, 1, 3/2 and 2 points."""
        counts: list[int] = self.data["pentanomial"]
        return counts

    @property
    def sprt(self) -> Optional[SprtState]:
        """The state of the sequential test; None if the match has none."""
        state = self.data.get("sprt")
        if state is None:
            return None
        low, high = state["bounds"]
        return SprtState(state["llr"], (low, high), state["decision"])

    @property
    def forfeits(self) -> list[int]:
        """Games that each player forfeited, by an illegal move, an exception or a time limit."""
        counts: list[int] = self.data["forfeits"]
        return counts

    @property
    def forfeit_reasons(self) -> list[str]:
        """Why games were forfeited, each reason once."""
        return [str(one["reason"]) for one in self.data.get("forfeit_reasons", [])]

    def rows(self) -> list[dict[str, Any]]:
        """Returns one row for each player."""
        first, second = self.players
        elo = self.elo
        sides = [
            (first, self.wins, self.losses, elo.value, elo.low, elo.high),
            (second, self.losses, self.wins, -elo.value, -elo.high, -elo.low),
        ]
        names = ("player", "wins", "losses", "elo", "elo_low", "elo_high")
        return [{**dict(zip(names, side)), "draws": self.draws} for side in sides]


class Tournament(Run):
    """A tournament of several players."""

    def rows(self) -> list[dict[str, Any]]:
        """Returns the standings, the best player first."""
        standings: list[dict[str, Any]] = self.data["standings"]
        return standings

    @property
    def winner(self) -> str:
        """The spec of the player with the highest rating."""
        return str(self.rows()[0]["player"])


class Championship(Run):
    """A round robin of one player with several values of one or two parameters."""

    def rows(self) -> list[dict[str, Any]]:
        """Returns one row for each entrant."""
        entrants: list[dict[str, Any]] = self.data["values"]
        return entrants

    def _chart(self) -> Optional[str]:
        return self.svg()


class Tuning(Run):
    """A search for the best parameters of a player."""

    def rows(self) -> list[dict[str, Any]]:
        """Returns the candidates, the best first."""
        candidates: list[dict[str, Any]] = self.data["candidates"]
        return candidates

    @property
    def best(self) -> str:
        """The spec of the best player found, confirmed by a longer match if there was one."""
        confirmed: Optional[dict[str, Any]] = self.data.get("confirmed")
        return str((confirmed or self.rows()[0])["player"])

    def _chart(self) -> Optional[str]:
        return self.svg()


class LearningRun(Run):
    """A network that learns a game by self-play."""

    def rows(self) -> list[dict[str, Any]]:
        """Returns one row for each check of the network."""
        names = ("generation", "rounds", "games", "samples", "checksum", "kept", "judged", "last")
        checks: list[dict[str, Any]] = self.data["generations"]
        return [{name: check.get(name) for name in names if name in check} for check in checks]

    def _chart(self) -> Optional[str]:
        return self.svg()


class Judgement(Run):
    """Players judged by the exact solver."""

    def rows(self) -> list[dict[str, Any]]:
        """Returns one row for each player."""
        players: list[dict[str, Any]] = self.data["players"]
        return players


def _elo(data: Optional[Mapping[str, Optional[float]]]) -> Elo:
    if data is None:
        return Elo(math.nan, -math.inf, math.inf)
    value, low, high = data.get("value"), data.get("low"), data.get("high")
    # The command line writes null for what is infinite or not defined.
    if value is None:
        value = math.inf if low is not None else -math.inf if high is not None else math.nan
    return Elo(value, -math.inf if low is None else low, math.inf if high is None else high)


def _short(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, (dict, list)):
        return "…"
    return "" if value is None else str(value)


def _run_of(report: Mapping[str, Any], store: Optional[StorePath]) -> Run:
    """Returns the report of any run as an object of its class."""
    kinds: list[tuple[str, type[Run]]] = [
        ("pentanomial", Match),
        ("tuning", Tuning),
        ("field", Championship),
        ("standings", Tournament),
    ]
    for key, kind in kinds:
        if key in report:
            return kind(report, store)
    settings = report.get("settings")
    is_network = isinstance(settings, dict) and "self_play" in settings
    return (LearningRun if is_network else Run)(report, store)


def _terms(
    budget: Optional[str], opening: Optional[int], longest: Optional[int]
) -> list[str]:
    check_numbers(opening=opening, longest=longest)
    return options(budget=budget, opening=opening, longest=longest)


def match(
    game: GameLike,
    player: PlayerLike,
    opponent: PlayerLike,
    *,
    pairs: int = 100,
    budget: Optional[str] = None,
    opening: Optional[int] = None,
    longest: Optional[int] = None,
    sprt: Optional[Sprt] = None,
    seed: int = 1,
    threads: Optional[int] = None,
    store: Optional[StorePath] = None,
    progress: Optional[bool] = None,
) -> Match:
    """Plays a match of pairs of games between two players, with either player in either seat once
    from the same opening of random plies.

    >>> import ludion
    >>> best = "minimax(depth=9)"
    >>> m = ludion.match("tictactoe", best, "random", pairs=20, opening=0, store="none")
    >>> m.losses
    0

    ``budget`` is what each player may spend on a move, such as "100ms" or "500sims". ``store`` is the
    file that keeps the run: by default that of the command line; "none" keeps nothing.
    """
    check_numbers(pairs=pairs, seed=seed, threads=threads)
    if sprt is not None and not isinstance(cast(object, sprt), Sprt):
        raise InputError(f"sprt {sprt!r} is not allowed; it is a ludion.Sprt")
    args = ["match", game_spec(game), player_spec(player), player_spec(opponent)]
    args += options(n=pairs, sprt=sprt, seed=seed, threads=threads, store=store)
    args += _terms(budget, opening, longest)
    result = Match(command(*args, progress=progress), store)
    if any(result.forfeits):
        reasons = "; ".join(result.forfeit_reasons)
        warnings.warn(f"games were forfeited, {result.forfeits}: {reasons}", stacklevel=2)
    return result


def tournament(
    game: GameLike,
    players: Iterable[PlayerLike],
    *,
    pairs: int = 10,
    gauntlet: bool = False,
    budget: Optional[str] = None,
    opening: Optional[int] = None,
    longest: Optional[int] = None,
    seed: int = 1,
    threads: Optional[int] = None,
    store: Optional[StorePath] = None,
    progress: Optional[bool] = None,
) -> Tournament:
    """Plays a tournament: every player meets every other, or with ``gauntlet`` the first one meets all
    others. Each meeting is a number of pairs of games."""
    check_numbers(pairs=pairs, seed=seed, threads=threads)
    args = ["tournament", game_spec(game), "--players", *player_specs(players, 2)]
    args += options(n=pairs, gauntlet=gauntlet, seed=seed, threads=threads, store=store)
    args += _terms(budget, opening, longest)
    return Tournament(command(*args, progress=progress), store)


def championship(
    game: GameLike,
    player: str,
    *,
    pairs: int = 10,
    budget: Optional[str] = None,
    opening: Optional[int] = None,
    longest: Optional[int] = None,
    seed: int = 1,
    threads: Optional[int] = None,
    store: Optional[StorePath] = None,
    progress: Optional[bool] = None,
) -> Championship:
    """Compares several values of one or two parameters of a player, such as "mcts(c=1..5:1, sims=500)":
    all entrants meet, and the chart shows the score by the value."""
    check_numbers(pairs=pairs, seed=seed, threads=threads)
    args = ["championship", game_spec(game), player_spec(player)]
    args += options(n=pairs, seed=seed, threads=threads, store=store)
    args += _terms(budget, opening, longest)
    return Championship(command(*args, progress=progress), store)


def tune(
    game: GameLike,
    player: str,
    *,
    against: Optional[PlayerLike] = None,
    generations: Optional[int] = None,
    pairs: int = 50,
    method: Optional[str] = None,
    budget: Optional[str] = None,
    opening: Optional[int] = None,
    longest: Optional[int] = None,
    seed: int = 1,
    threads: Optional[int] = None,
    store: Optional[StorePath] = None,
    progress: Optional[bool] = None,
) -> Tuning:
    """Searches for the best values of the parameters that are written with ``?``, such as
    "mcts(c=?0.5..5, sims=500)", by matches against an opponent; by default that is the player with its
    default values."""
    check_numbers(generations=generations, pairs=pairs, seed=seed, threads=threads)
    args = ["tune", game_spec(game), player_spec(player)]
    opponent = None if against is None else player_spec(against)
    args += options(against=opponent, generations=generations, n=pairs, by=method)
    args += options(seed=seed, threads=threads, store=store)
    args += _terms(budget, opening, longest)
    return Tuning(command(*args, progress=progress), store)


def learn(
    game: GameLike,
    out: Union[str, os.PathLike[str], None] = None,
    *,
    rounds: Optional[int] = None,
    games: Optional[int] = None,
    check: Optional[int] = None,
    pairs: Optional[int] = None,
    sims: Optional[int] = None,
    hidden: Optional[Iterable[int]] = None,
    inputs: Optional[str] = None,
    seed: int = 1,
    threads: Optional[int] = None,
    store: Optional[StorePath] = None,
    progress: Optional[bool] = None,
) -> LearningRun:
    """Learns a network with policy and value for a game by self-play, and writes the best one to the
    file ``out``, by default one named after the game in the current folder: ``mcts(eval=net(FILE))`` and
    ``policy(FILE)`` play with it. The options are those of ``ludion learn``; the default takes some
    minutes."""
    check_numbers(rounds=rounds, games=games, check=check, pairs=pairs, sims=sims)
    check_numbers(seed=seed, threads=threads)
    args = ["learn", game_spec(game), "--method", "net"]
    args += options(out=None if out is None else os.fspath(out), rounds=rounds, games=games)
    widths = None if hidden is None else _widths(hidden)
    args += options(check=check, pairs=pairs, sims=sims, hidden=widths, inputs=inputs)
    args += options(seed=seed, threads=threads, store=store)
    return LearningRun(command(*args, progress=progress), store)


def _widths(hidden: Iterable[int]) -> str:
    if isinstance(hidden, (int, str)):
        raise InputError(f"hidden {hidden!r} is not allowed; it is a list of widths, such as [128, 64]")
    widths = list(hidden)
    if not widths:
        raise InputError("hidden is empty; it is a list of widths, such as [128, 64]")
    for width in widths:
        check_numbers(hidden=width)
    return "-".join(str(width) for width in widths)


def judge(
    game: GameLike,
    players: Iterable[PlayerLike],
    *,
    plies: Optional[tuple[int, int]] = None,
    positions: Optional[int] = None,
    budget: Optional[str] = None,
    seed: int = 1,
    threads: Optional[int] = None,
    progress: Optional[bool] = None,
) -> Judgement:
    """Judges players by the exact solver: in how many random positions their moves keep the value of
    the position. ``plies`` is the range of random plies from the start."""
    check_numbers(positions=positions, seed=seed, threads=threads)
    args = ["judge", game_spec(game), *player_specs(players, 1)]
    span = None if plies is None else _span(plies)
    args += options(plies=span, n=positions, budget=budget, seed=seed, threads=threads)
    return Judgement(command(*args, progress=progress))


def _span(plies: tuple[int, int]) -> str:
    ends = list(plies) if isinstance(cast(object, plies), (tuple, list)) else []
    if len(ends) != 2:
        raise InputError(f"plies {plies!r} is not allowed; it is a pair, such as (0, 30)")
    least, most = ends
    check_numbers(plies=least)
    check_numbers(plies=most)
    if least > most:
        raise InputError(f"plies {plies!r} is not allowed; {least} is above {most}")
    return f"{least}..{most}"


def runs(store: Optional[StorePath] = None) -> list[dict[str, Any]]:
    """Returns the runs of the store, the newest first: number, kind, game, players, state, times."""
    report = command("runs", *options(store=store), progress=False)
    found: list[dict[str, Any]] = report["runs"]
    return [_listed(one) for one in found]


def _listed(one: Mapping[str, Any]) -> dict[str, Any]:
    plan = one["plan"]
    keys = ("state", "began", "ended", "games", "version")
    listed = {key: one.get(key) for key in keys}
    return {
        "run": one["id"],
        "kind": plan.get("kind"),
        "game": plan.get("game"),
        "players": plan.get("players", []),
        **listed,
    }


def run(number: int, store: Optional[StorePath] = None) -> Run:
    """Returns a run of the store with its results."""
    check_numbers(number=number)
    report = command("run", "show", str(number), *options(store=store), progress=False)
    return _run_of(report, store)
