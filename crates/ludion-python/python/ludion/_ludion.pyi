"""The compiled part of the package."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Optional, Union, final

import numpy
from numpy.typing import ArrayLike, NDArray

from ._choice import Choice, Solution
from ._protocols import Evaluator

__version__: str
BUILD: str
"""The version with a stamp of the sources, as runs are stored with it."""

class LudionError(Exception):
    """Something could not be done; the text says why."""

class InputError(LudionError, ValueError):
    """A name, move, text or number is not allowed; the text says what is."""

@final
class Game:
    """A game: its rules with their parameters. ``ludion.game`` makes one."""

    @property
    def spec(self) -> str:
        """The shortest spec of the game: only parameters that differ from their defaults."""
    @property
    def full_spec(self) -> str:
        """The spec of the game with all its parameters."""
    @property
    def name(self) -> str:
        """The name of the game."""
    @property
    def is_puzzle(self) -> bool:
        """Whether the game is a puzzle, played by one side for points."""
    @property
    def action_count(self) -> int:
        """The number of action numbers: that of every move is below it."""
    @property
    def plane_shape(self) -> tuple[int, int, int]:
        """The shape of the planes of a state: planes, rows, columns."""
    @property
    def symmetries(self) -> list[str]:
        """The symmetries of the board that the rules preserve, without the identity."""
    def start(self) -> State:
        """Returns the state in which every game begins."""
    def read(self, text: str, /) -> State:
        """Reads a state from the notation of the game."""
    def player(self, spec: str, *, seed: int = 1) -> Player:
        """Makes the player that a spec describes, such as "mcts(sims=1000)"."""
    def solve(
        self,
        state: Optional[State] = None,
        *,
        nodes: Optional[int] = None,
        threads: int = 1,
        megabytes: int = 256,
        result_only: bool = False,
    ) -> Solution:
        """Solves a state exactly, by default the start. With ``result_only`` the solution says who
        wins and a move that keeps it, without the number of moves; this is much less work in large
        games."""
    def perft(self, depth: int, state: Optional[State] = None, *, threads: int = 1) -> int:
        """Counts the sequences of exactly ``depth`` moves from a state, by default the start."""
    def playouts(
        self, state: Optional[State] = None, n: int = 10_000, seed: int = 1
    ) -> dict[str, int]:
        """Plays ``n`` uniformly random games from a state, by default the start, and counts how they
        end: "first", "second" and "draw", or "games" for a puzzle."""
    def batch(self, n: int, /) -> StateBatch:
        """Returns ``n`` states at the start of the game that are stepped together."""
    def playthrough(self) -> Playthrough:
        """Returns a game under way at the start, which changes with every move."""
    def check(self, games: int = 20, seed: int = 1) -> int:
        """Checks the laws of games on random games and returns the number of states checked."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

@final
class State:
    """A position of a game. It does not change: ``play`` returns a new state."""

    @property
    def game(self) -> Game:
        """The game of the state."""
    @property
    def text(self) -> str:
        """The state in the notation of the game; ``Game.read`` reads it."""
    @property
    def moves(self) -> list[str]:
        """The legal moves in the notation of the game, always in the same order."""
    @property
    def actions(self) -> tuple[int, ...]:
        """The numbers of the legal moves, in the order of ``moves``."""
    @property
    def to_play(self) -> Optional[int]:
        """The side to move: 0, 1, or None if the game is over."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    @property
    def outcome(self) -> Union[str, int, None]:
        """How the game ended: "first", "second" or "draw", the points of a puzzle, or None."""
    @property
    def returns(self) -> tuple[float, ...]:
        """The result for each side: 1, 0 or -1, or the points of a puzzle; zeros before the end."""
    @property
    def points(self) -> Optional[int]:
        """The points that a puzzle has given so far; None in a duel, and in a puzzle that counts them
        at the end."""
    @property
    def key(self) -> int:
        """A hash key of the state: equal states have equal keys."""
    def play(self, move: Union[str, int], /) -> State:
        """Returns the state after a move, given as text, or as an action number."""
    def play_line(self, moves: str, /) -> State:
        """Returns the state after several moves, separated by spaces or commas."""
    def action(self, move: str, /) -> int:
        """Returns the action number of a move."""
    def move(self, action: int, /) -> str:
        """Returns the move with an action number."""
    def features(self, side: Optional[int] = None) -> list[int]:
        """Returns the numbers of the features that are set, as a side sees the state."""
    def planes(self, side: Optional[int] = None) -> NDArray[numpy.float32]:
        """Returns the planes of the state, of shape (planes, rows, columns), as a side sees it."""
    def legal_mask(self) -> NDArray[numpy.bool_]:
        """Returns an array with True for every action that is legal."""
    def svg(self, arrow: Optional[str] = None) -> str:
        """Returns the picture of the state as SVG; ``arrow`` is a move that is drawn on it."""
    def scene_json(self) -> str:
        """Returns the picture of the state as data, a JSON object."""
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Playthrough:
    """A game under way, which changes with every move: the fastest way to drive a single game from
    Python. ``Game.playthrough`` makes one."""

    @property
    def game(self) -> Game:
        """The game that is played."""
    @property
    def actions(self) -> tuple[int, ...]:
        """The numbers of the legal moves; empty if the game is over."""
    @property
    def state(self) -> State:
        """The present state."""
    @property
    def to_play(self) -> Optional[int]:
        """The side to move: 0, 1, or None if the game is over."""
    @property
    def outcome(self) -> Union[str, int, None]:
        """How the game ended: "first", "second" or "draw", the points of a puzzle, or None."""
    def play(self, move: Union[str, int], /) -> tuple[int, ...]:
        """Plays a move, given as text or by its action number, and returns the legal actions after
        it, which are empty if the game is over."""
    def restart(self, state: Optional[State] = None) -> tuple[int, ...]:
        """Begins again, from the start or from a state, and returns the legal actions."""

@final
class Player:
    """A player of one game. ``Game.player`` makes one."""

    @property
    def spec(self) -> str:
        """The shortest spec of the player: only parameters that differ from their defaults."""
    @property
    def game(self) -> Game:
        """The game that the player plays."""
    def begin(self, seed: int = 1) -> None:
        """Begins a new game: forgets the previous one and sets the seed of the random numbers."""
    def choose(
        self,
        state: State,
        budget: Optional[str] = None,
        *,
        on_report: Optional[Callable[[Choice], Optional[bool]]] = None,
        interval: float = 0.1,
    ) -> Choice:
        """Chooses a move in a state within a budget such as "100ms", "5000sims" or "8plies"; without
        one the parameters of the player decide. ``on_report`` gets the choice so far every
        ``interval`` seconds, and ends the search by returning False."""

@final
class StateBatch:
    """Many states of one game that are stepped together. The arrays ``legal``, ``to_play``,
    ``outcome`` and ``done`` always describe the present states: a step writes into them."""

    @property
    def game(self) -> Game:
        """The game of the states."""
    @property
    def legal(self) -> NDArray[numpy.bool_]:
        """True for every legal action of every state, of shape (states, actions)."""
    @property
    def to_play(self) -> NDArray[numpy.int8]:
        """The side to move of every state, 0 or 1, and -1 if its game is over."""
    @property
    def outcome(self) -> NDArray[numpy.float32]:
        """The result of every state for the first side; 0 while its game goes on."""
    @property
    def done(self) -> NDArray[numpy.bool_]:
        """Whether the game of every state is over."""
    def step(self, actions: ArrayLike, *, restart: bool = False) -> None:
        """Plays one action in every state whose game is not over, and updates the arrays. The action
        of a finished game is ignored: the state stays, or begins again if ``restart`` is set."""
    def reset(self) -> None:
        """Sets all states to the start of the game."""
    def planes(self, out: Optional[NDArray[numpy.float32]] = None) -> NDArray[numpy.float32]:
        """Returns the planes of all states, of shape (states, planes, rows, columns)."""
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> State: ...
    def __iter__(self) -> Iterator[State]: ...
    def __setitem__(self, index: int, state: State) -> None: ...

@final
class Riddle:
    """A riddle: a secret code that is found by guesses and feedback."""

    @property
    def spec(self) -> str:
        """The spec of the riddle."""
    def secret(self, seed: int = 1) -> str:
        """Returns the secret that is drawn with a seed."""
    def answer(self, secret: str, guess: str) -> str:
        """Returns the answer to a guess if ``secret`` is the secret."""
    def svg(self, asked: Sequence[tuple[str, str]]) -> str:
        """Returns a picture of guesses with their answers as SVG."""

def game_names() -> list[str]: ...
def open_game(spec: str, /) -> Game: ...
def open_riddle(spec: str, /) -> Riddle: ...
def add_game(name: str, help: str, rules: Any) -> None: ...
def add_player(name: str, make: Callable[[int], Callable[[State, Optional[str]], Any]]) -> None: ...
def add_evaluator(name: str, evaluate: Evaluator) -> None: ...
def call(
    args: Sequence[str],
    on_progress: Optional[Callable[[str], None]] = None,
    on_report: Optional[Callable[[str], None]] = None,
) -> tuple[str, int, Optional[str]]: ...
def main(args: Sequence[str]) -> int: ...
def start_supervisors_with(program: Sequence[str]) -> None: ...
def supervise(args: Sequence[str]) -> None: ...
