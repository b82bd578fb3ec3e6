//! Cursor in a replay. Frames can only be read forward; to go back, the replay starts again, which
//! is fast.

use std::io::BufRead;

use ludion::games::hextris::Phrases;
use ludion::games::hextris::replay::{ReplayEvent, ReplayFrame, SolutionReplay as Frames};

use crate::failure::CommandFailure;
use crate::output::Output;

/// Target in a replay that the user wants to go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReplayCommand {
    /// The command with this number, from 1, or the last one if there are fewer.
    Command(usize),
    /// The next command that locks a unit, or the last command.
    Lock,
}

/// Replayed frames and the position among them.
pub(super) struct ReplayCursor<'a> {
    frames: Frames<'a>,
    phrases: &'a Phrases,
    count: usize,
    /// For each character so far, whether it belongs to a completely spelled phrase.
    spelled: Vec<bool>,
    /// Numbers of the commands so far that locked a unit.
    locks: Vec<usize>,
}

impl<'a> ReplayCursor<'a> {
    /// Returns a cursor before the first command.
    pub(super) fn new(frames: Frames<'a>, phrases: &'a Phrases) -> Self {
        ReplayCursor { frames, phrases, count: 0, spelled: Vec::new(), locks: Vec::new() }
    }

    pub(super) fn frames(&self) -> &Frames<'a> {
        &self.frames
    }

    /// Returns the number of characters replayed so far.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn spelled(&self) -> &[bool] {
        &self.spelled
    }

    /// Returns whether the target `wish` is not after the cursor, so that the replay must start
    /// again.
    pub(super) fn is_beyond(&self, wish: ReplayCommand) -> bool {
        matches!(wish, ReplayCommand::Command(number) if number <= self.count)
    }

    /// Replays up to the target `wish` and returns the last frame, or `None` if there are no more
    /// frames.
    pub(super) fn go(&mut self, wish: ReplayCommand) -> Option<ReplayFrame> {
        let mut last = None;
        while let Some(frame) = self.frames.next() {
            self.count += 1;
            self.mark(&frame);
            let locked = matches!(frame.event, ReplayEvent::Locked { .. });
            if locked {
                self.locks.push(self.count);
            }
            last = Some(frame);
            let is_there = match wish {
                ReplayCommand::Command(number) => self.count >= number,
                ReplayCommand::Lock => locked,
            };
            if is_there {
                break;
            }
        }
        last
    }

    fn mark(&mut self, frame: &ReplayFrame) {
        self.spelled.resize(frame.at + 1, false);
        for &phrase in &frame.spelled {
            let length = self.phrases.list()[usize::from(phrase)].len();
            self.spelled[frame.at + 1 - length..].fill(true);
        }
    }

    /// Parses a line of input as a target, such as `b` or `7`; returns `None` for other text.
    fn read(&self, line: &str) -> Option<ReplayCommand> {
        let back = |to: Option<usize>| Some(ReplayCommand::Command(to.unwrap_or(1).max(1)));
        match line.trim() {
            "" => Some(ReplayCommand::Command(self.count + 1)),
            "b" => back(self.count.checked_sub(1)),
            "n" => Some(ReplayCommand::Lock),
            "p" => back(self.locks.iter().rev().find(|&&lock| lock < self.count).copied()),
            number => number.parse().ok().filter(|&number| number > 0).map(ReplayCommand::Command),
        }
    }
}

/// Reads a target from standard input; returns `None` for `q` and at the end of the input.
pub(super) fn ask(
    output: &Output,
    place: &ReplayCursor<'_>,
) -> Result<Option<ReplayCommand>, CommandFailure> {
    loop {
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line)?;
        if read == 0 || line.trim() == "q" {
            return Ok(None);
        }
        if let Some(wish) = place.read(&line) {
            return Ok(Some(wish));
        }
        let keys = "Enter goes on, b back, n and p go from lock to lock, 7 to command 7, q leaves";
        output.write(&format!("{:?} means nothing; {keys}\n", line.trim()))?;
    }
}

#[cfg(test)]
mod tests {
    use ludion::games::hextris::problems;

    use super::*;

    #[test]
    fn a_place_is_the_same_whichever_way_one_comes_to_it() {
        let problem = problems::find("dot").expect("one of ours").problem();
        let phrases = Phrases::known();
        let begin =
            || ReplayCursor::new(Frames::new(&problem, &phrases, 0, "ei!alaalaa"), &phrases);
        let mut slowly = begin();
        for number in 1..=10 {
            let step = slowly.go(ReplayCommand::Command(number));
            assert_eq!(step, begin().go(ReplayCommand::Command(number)), "{number}");
        }
        assert_eq!(slowly.go(ReplayCommand::Command(11)), None);
        let mut place = begin();
        let _ = place.go(ReplayCommand::Lock);
        assert_eq!(place.count(), 7);
        assert_eq!(place.read("\n"), Some(ReplayCommand::Command(8)));
        assert_eq!(place.read("b"), Some(ReplayCommand::Command(6)));
        assert_eq!(place.read("p"), Some(ReplayCommand::Command(1)));
        assert!(
            place.is_beyond(ReplayCommand::Command(7))
                && !place.is_beyond(ReplayCommand::Command(8))
        );
        let _ = place.go(ReplayCommand::Command(9));
        assert_eq!(place.read("p"), Some(ReplayCommand::Command(7)));
        assert_eq!(["x", "0", "-1"].map(|line| place.read(line)), [None; 3]);
    }
}
