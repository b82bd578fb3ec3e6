//! States, points and moves of Go as text.

use super::board::{GoBoard, Points, points};
use super::{Go, GoMove, GoState, NO_POINT};
use crate::game::{Game, Side};
use crate::notation::{NotationError, NotationReader, read_shown_move, show_owners};

/// Returns the letter of a column; there is no `I`.
pub(super) fn column_name(x: usize) -> char {
    char::from(b"ABCDEFGHJ"[x])
}

impl Go {
    /// Returns the name of a point: a column from `A` on without `I`, and a row from the bottom.
    pub(super) fn point_name(&self, point: u8) -> String {
        let (x, y) = GoBoard::place(point);
        format!("{}{}", column_name(x), self.board.size - y)
    }

    /// Returns the point of this name.
    fn read_point(&self, text: &str) -> Option<u8> {
        points(self.board.all).find(|&point| self.point_name(point).eq_ignore_ascii_case(text))
    }

    /// Writes the stones, the side to move, and the point of a ko or that the last moves were passes:
    /// `.../.x./... second passed`.
    pub(super) fn state_text(&self, s: &GoState) -> String {
        let size = self.board.size;
        let mut text = show_owners(size, size, |x, y| Go::owner(s, x, y));
        text.push_str(&format!(" {}", s.turn));
        if s.ko != NO_POINT {
            text.push_str(&format!(" ko {}", self.point_name(s.ko)));
        }
        text.push_str(match (s.over, s.passed) {
            (true, _) => " over",
            (false, true) => " passed",
            (false, false) => "",
        });
        text
    }

    /// Parses a state as [`state_text`](Go::state_text) writes it.
    pub(super) fn parse_state(&self, text: &str) -> Result<GoState, NotationError> {
        let (size, mut reader) = (self.board.size, NotationReader::new(text));
        let cells = reader.grid(size, size, ".xo")?;
        let stones = [1, 2].map(|stone| {
            let of_side = (0..cells.len()).filter(|&i| cells[i] == stone);
            of_side.map(|i| 1 << GoBoard::point(i % size, i / size)).sum::<Points>()
        });
        let mut s = GoState { turn: reader.side()?, ..self.start() };
        s.set_stones(stones);
        reader.skip_spaces();
        if reader.takes("ko ") {
            let here = reader.clone();
            let point = reader.take_word(|word| self.read_point(word));
            s.ko = point.ok_or_else(|| here.error("expected the point of the ko"))?;
            let (at, theirs) = (1 << s.ko, stones[s.turn.other().index()]);
            if self.empty(&s) & at == 0 {
                return Err(here.error("there is a stone on the point of the ko"));
            }
            if GoBoard::captured(at, theirs, self.empty(&s) & !at).count_ones() != 1 {
                return Err(here.error("a stone on the point of a ko captures one stone"));
            }
            if GoBoard::spread(at) & self.board.all & !at & !theirs != 0 {
                return Err(here.error("all points beside a ko have stones of the opponent"));
            }
            reader.end()?;
        } else {
            s.over = reader.takes("over");
            s.passed = s.over || reader.takes("passed");
            reader.end()?;
        }
        for side in Side::BOTH {
            let own = stones[side.index()];
            let empty = self.empty(&s);
            if let Some(point) = points(own).find(|p| GoBoard::dead_chain(1 << p, own, empty) != 0)
            {
                let name = self.point_name(point);
                return Err(reader.whole(format!("the stones at {name} have no liberty")));
            }
        }
        Ok(s)
    }

    /// Reads `C3` and `pass`, and two letters as in SGF: column and row from the top left.
    pub(super) fn parse_move(&self, s: &GoState, text: &str) -> Result<GoMove, NotationError> {
        if let [x, y] = text.trim().as_bytes()
            && x.is_ascii_lowercase()
            && y.is_ascii_lowercase()
        {
            let [x, y] = [x, y].map(|letter| usize::from(letter - b'a'));
            if x < self.board.size && y < self.board.size {
                return read_shown_move(self, s, &self.point_name(GoBoard::point(x, y)));
            }
        }
        read_shown_move(self, s, text)
    }
}
