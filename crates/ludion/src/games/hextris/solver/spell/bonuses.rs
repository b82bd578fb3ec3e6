//! What a way may hope for beyond the points it has, by the node it is at: the worth V of what
//! is matched, from V(n) = max over characters c of q(c)·(gain − 5·[c descends] + V(next)) and
//! V(root) = 0. A descent costs the 5 points that descents earn on average; q(c) is the chance
//! that the unit can do it. A phrase that would be new hopes for its 300 as well.

use super::super::super::commands::{Command, CommandKey};
use super::super::super::phrases::{NEW_PHRASE, PhraseNode};
use super::field::is_descent;
use super::tables::{NextCharacter, SpellingTables, spine};

/// Promises and keys count in sixteenths of a point.
pub(super) const POINT: i32 = 16;
/// What a descent earns on average.
const DESCENT: f64 = 5.0;
/// The chance that a phrase that would be new goes on, a character.
const GOES_ON: f64 = 0.98;
/// The chance of a turn for a unit that looks the same after it: it can only lock by it.
const USELESS_TURN: f64 = 0.05;

/// A phrase begun that would be new.
#[derive(Clone, Copy, Debug)]
struct BegunPhrase {
    phrase: u64,
    worth: i32,
}

/// The promises to units of one kind.
#[derive(Debug)]
pub(super) struct PhraseBonuses {
    plain: Vec<i32>,
    begun: Vec<BegunPhrase>,
    /// Those at node n: `begun[first[n]..first[n + 1]]`.
    first: Vec<u32>,
}

impl PhraseBonuses {
    /// To units that can turn, or to those that look the same after every turn.
    pub(super) fn new(lexicon: &SpellingTables, can_turn: bool) -> Self {
        let chances = CommandOdds { turn: if can_turn { 0.9 } else { USELESS_TURN } };
        let worth = worth(lexicon, &chances);
        let (mut begun, mut first) = (Vec::new(), vec![0]);
        for list in new_phrases(lexicon, &chances, &worth) {
            begun.extend(list);
            first.push(begun.len() as u32);
        }
        PhraseBonuses { plain: worth.into_iter().map(in_keys).collect(), begun, first }
    }

    /// What `node` promises as if all phrases were spelled already, and what it promises when
    /// those of `used` are.
    #[inline]
    pub(super) fn of(&self, node: PhraseNode, used: u64) -> (i32, i32) {
        let node = usize::from(node);
        let plain = self.plain[node];
        let begun = &self.begun[self.first[node] as usize..self.first[node + 1] as usize];
        let new = begun.iter().filter(|begun| begun.phrase & used == 0).map(|begun| begun.worth);
        (plain, new.fold(plain, i32::max))
    }
}

/// How likely commands are to be possible.
struct CommandOdds {
    turn: f64,
}

impl CommandOdds {
    fn of(&self, command: Command) -> f64 {
        match command {
            Command::SouthWest | Command::SouthEast => 0.98,
            Command::West | Command::East => 0.95,
            Command::Clockwise | Command::CounterClockwise => self.turn,
        }
    }
}

fn cost(command: Command) -> f64 {
    if is_descent(command) { DESCENT } else { 0.0 }
}

/// V of every node, deep nodes first, so that most is known after one round.
fn worth(lexicon: &SpellingTables, chances: &CommandOdds) -> Vec<f64> {
    let mut deep_first: Vec<PhraseNode> = (1..lexicon.nodes() as PhraseNode).collect();
    deep_first.sort_by_key(|&node| std::cmp::Reverse(lexicon.phrases().depth(node)));
    let mut worth = vec![0.0; lexicon.nodes()];
    for _ in 0..20 {
        for &node in &deep_first {
            let best = Command::ALL.into_iter().map(|command| {
                let hope = |s: &NextCharacter| f64::from(s.gain) + worth[usize::from(s.node)];
                let both = [lexicon.continuing(node, command), lexicon.beginning(command)];
                let hopes = both.into_iter().flatten().map(hope);
                chances.of(command) * (hopes.fold(0.0, f64::max) - cost(command))
            });
            worth[usize::from(node)] = best.fold(0.0, f64::max);
        }
    }
    worth
}

/// For every node the phrases begun there, each as far as it has come.
fn new_phrases(
    lexicon: &SpellingTables,
    chances: &CommandOdds,
    worth: &[f64],
) -> Vec<Vec<BegunPhrase>> {
    let phrases = lexicon.phrases();
    let mut lists: Vec<Vec<BegunPhrase>> = vec![Vec::new(); lexicon.nodes()];
    for (i, phrase) in phrases.list().iter().enumerate() {
        let nodes = spine(phrases, phrase);
        let mut hope = (2 * phrase.len() as u64 + NEW_PHRASE) as f64;
        for (matched, byte) in phrase.bytes().enumerate().skip(1).rev() {
            let CommandKey::Command(command) = CommandKey::of(byte) else { continue };
            let is_turn = matches!(command, Command::Clockwise | Command::CounterClockwise);
            let chance = if is_turn { GOES_ON.min(chances.turn.sqrt()) } else { GOES_ON };
            hope = chance * hope - cost(command);
            let node = usize::from(nodes[matched]);
            if hope > worth[node] {
                lists[node].push(BegunPhrase { phrase: 1 << i, worth: in_keys(hope) });
            }
        }
    }
    inherit(lexicon, &mut lists);
    lists
}

/// What has begun at the longest suffix of a node has begun at the node too.
fn inherit(lexicon: &SpellingTables, lists: &mut [Vec<BegunPhrase>]) {
    let mut shallow_first: Vec<PhraseNode> = (1..lists.len() as PhraseNode).collect();
    shallow_first.sort_by_key(|&node| lexicon.phrases().depth(node));
    for node in shallow_first {
        let mut shorter = lists[usize::from(lexicon.link(node))].clone();
        let own = &mut lists[usize::from(node)];
        shorter.retain(|begun| own.iter().all(|own| own.phrase != begun.phrase));
        own.extend(shorter);
    }
}

fn in_keys(points: f64) -> i32 {
    (points * f64::from(POINT)) as i32
}
