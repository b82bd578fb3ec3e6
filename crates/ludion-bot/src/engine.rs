//! A conversation with a bot: who it is, a new game, a move, a question; each within a time
//! limit and a number of lines, so that a bot which hangs or floods is found out.

use std::time::{Duration, Instant};

use ludion::param::Spec;
use ludion::players::remote::{Answer, Question};
use serde::Serialize;

use crate::process::Process;
use crate::protocol::{Command, Feature, Go, Info, Origin, Query, Reply, Score, SpinOption};
use crate::trouble::{Trouble, excerpt};

/// Lines that a bot may say before it says what was asked.
const MOST_LINES: usize = 100_000;
/// How often somebody who may want the answer at once is asked whether he does.
const LOOK: Duration = Duration::from_millis(10);
/// What a bot that knows no extension gets for a move that nothing limits, in milliseconds.
const IDLE: u64 = 1000;

/// The time limits of a conversation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Patience {
    /// To start, to be ready, and to move where the budget is not in time.
    pub answer: Duration,
    /// Beyond a budget in time, and after `stop`.
    pub margin: Duration,
}

/// What a bot says of itself.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Who wrote it.
    pub author: String,
    /// The extensions it knows.
    pub features: Vec<Feature>,
    /// The range of its option `Seed`, if it has one.
    #[serde(skip)]
    pub seed: Option<(u64, u64)>,
}

impl Identity {
    /// Whether it knows an extension.
    #[must_use]
    pub fn knows(&self, feature: &Feature) -> bool {
        self.features.contains(feature)
    }

    /// The games it says it plays; `None` if it does not know `game`, empty for any.
    #[must_use]
    pub fn games(&self) -> Option<&[String]> {
        self.features.iter().find_map(|feature| match feature {
            Feature::Game(names) => Some(&names[..]),
            _ => None,
        })
    }

    fn hear(&mut self, reply: Reply) {
        match reply {
            Reply::Name(name) => self.name = excerpt(&name),
            Reply::Author(author) => self.author = excerpt(&author),
            Reply::Feature(feature) => self.features.push(feature),
            Reply::Option(SpinOption { name, range }) if name.eq_ignore_ascii_case("seed") => {
                self.seed = range;
            }
            _ => {}
        }
    }
}

/// A bot that is running and has introduced itself.
pub struct Engine {
    process: Process,
    patience: Patience,
    /// What it says of itself.
    pub identity: Identity,
}

impl Engine {
    /// Starts the bot and has it introduce itself.
    ///
    /// # Errors
    /// When it does not start or does not say `ugiok` in time.
    pub fn start(command: &str, patience: Patience) -> Result<Self, Trouble> {
        let process = Process::start(command)?;
        let mut engine = Engine { process, patience, identity: Identity::default() };
        engine.say(&Command::Ugi)?;
        let mut identity = Identity::default();
        engine.hear("ugiok", patience.answer, |reply| match reply {
            Reply::UgiOk => Some(()),
            other => {
                identity.hear(other);
                None
            }
        })?;
        engine.identity = identity;
        Ok(engine)
    }

    fn say(&mut self, command: &Command) -> Result<(), Trouble> {
        self.say_line(&command.to_string())
    }

    /// Says any line, of the protocol or not.
    ///
    /// # Errors
    /// When the bot does not read it.
    pub fn say_line(&mut self, line: &str) -> Result<(), Trouble> {
        self.process.say(line, Instant::now() + self.patience.answer)
    }

    /// Listens until `take` takes a reply.
    fn hear<T>(
        &mut self,
        wanted: &'static str,
        limit: Duration,
        take: impl FnMut(Reply) -> Option<T>,
    ) -> Result<T, Trouble> {
        self.hear_or_stop(wanted, limit, &|| false, take)
    }

    /// Listens until `take` takes a reply; says `stop` once `stop` wants the answer now.
    fn hear_or_stop<T>(
        &mut self,
        wanted: &'static str,
        limit: Duration,
        stop: &dyn Fn() -> bool,
        mut take: impl FnMut(Reply) -> Option<T>,
    ) -> Result<T, Trouble> {
        let began = Instant::now();
        let (mut limit, mut stopped) = (limit, false);
        let (mut lines, mut last) = (0, String::new());
        loop {
            if !stopped && stop() {
                stopped = true;
                limit = limit.min(began.elapsed() + self.patience.margin);
                self.say(&Command::Stop)?;
            }
            let now = Instant::now();
            let deadline = began + limit;
            let line = self.process.hear(wanted, deadline.min(now + LOOK))?;
            // The clock decides, also over a bot that talks without pause.
            if Instant::now() >= deadline && (line.is_none() || now >= deadline) {
                let seconds = (limit.as_secs_f64() * 1e3).round() / 1e3;
                let words = self.process.last_words();
                return Err(Trouble::Silent { wanted, seconds, line: excerpt(&last), words });
            }
            let Some(line) = line else { continue };
            lines += 1;
            if lines > MOST_LINES {
                return Err(Trouble::Flood { lines: MOST_LINES, wanted });
            }
            match Reply::parse(&line) {
                Some(Reply::Error(sentence)) => return Err(Trouble::Says(excerpt(&sentence))),
                Some(reply) => {
                    if let Some(taken) = take(reply) {
                        return Ok(taken);
                    }
                }
                None => last = line,
            }
        }
    }

    /// Waits until the bot has done all it was told, and forgets what it said meanwhile.
    ///
    /// # Errors
    /// When it does not say `readyok` in time.
    pub fn ready(&mut self) -> Result<(), Trouble> {
        self.say(&Command::IsReady)?;
        let limit = self.patience.answer;
        self.hear("readyok", limit, |reply| (reply == Reply::ReadyOk).then_some(()))
    }

    /// Begins a game. A bot that does not know `game` is taken to play the right one.
    ///
    /// # Errors
    /// When it plays other games, or is not ready in time.
    pub fn new_game(&mut self, game: &str, seed: u64) -> Result<(), Trouble> {
        if let Some(known) = self.identity.games() {
            let name = Spec::parse(game).map_or_else(|_| game.to_owned(), |spec| spec.name);
            if !known.is_empty() && !known.contains(&name) {
                let known = excerpt(&known.join(", "));
                return Err(Trouble::OtherGame { game: name, known });
            }
            self.say(&Command::Game(game.to_owned()))?;
        }
        if let Some((min, max)) = self.identity.seed {
            let seed = (max - min).checked_add(1).map_or(seed, |range| min + seed % range);
            let value = Some(seed.to_string());
            self.say(&Command::SetOption { name: "Seed".to_owned(), value })?;
        }
        self.say(&Command::NewGame)?;
        self.ready()
    }

    /// Gives the bot a position, with its legal moves if it wants them.
    ///
    /// # Errors
    /// When the bot does not read it.
    pub fn position(&mut self, question: &Question<'_>) -> Result<(), Trouble> {
        let origin = match question.at_start {
            true => Origin::Start,
            false => Origin::State(question.state.to_owned()),
        };
        self.say(&Command::Position { origin, moves: Vec::new() })?;
        if self.identity.knows(&Feature::Legal) {
            self.say(&Command::Legal(question.legal.to_vec()))?;
        }
        Ok(())
    }

    /// Asks for a move. Whether it is legal is for the rules to say.
    ///
    /// # Errors
    /// When there is no `bestmove` in time.
    pub fn choose(&mut self, question: &Question<'_>) -> Result<Answer, Trouble> {
        self.position(question)?;
        let plain = self.identity.features.is_empty();
        let simulations = self.identity.knows(&Feature::Simulations);
        let go = Go::of(&question.budget, simulations, plain.then_some(IDLE));
        let limit = match question.budget.time {
            Some(time) => time.saturating_add(self.patience.margin),
            None => self.patience.answer,
        };
        self.go(go, limit, question.stop)
    }

    /// Says `go` and waits for `bestmove`.
    ///
    /// # Errors
    /// When there is none within `limit`.
    pub fn go(
        &mut self,
        go: Go,
        limit: Duration,
        stop: &dyn Fn() -> bool,
    ) -> Result<Answer, Trouble> {
        self.say(&Command::Go(go))?;
        let mut answer = Answer::default();
        self.hear_or_stop("bestmove", limit, stop, |reply| match reply {
            Reply::BestMove(play) => {
                answer.play = play;
                Some(())
            }
            Reply::Info(info) => {
                note(&mut answer, info);
                None
            }
            _ => None,
        })?;
        Ok(answer)
    }

    /// Asks about the position.
    ///
    /// # Errors
    /// When there is no `response` in time.
    pub fn query(&mut self, query: Query) -> Result<String, Trouble> {
        self.say(&Command::Query(query))?;
        let limit = self.patience.answer;
        self.hear("response", limit, |reply| match reply {
            Reply::Response(text) => Some(text),
            _ => None,
        })
    }

    /// Asks the bot to end, and whether it does within `limit`; otherwise it is made to.
    pub fn quit(mut self, limit: Duration) -> bool {
        let said = self.say(&Command::Quit).is_ok();
        said && self.process.ends_by(Instant::now() + limit)
    }
}

/// Adds what an `info` line says; only the first of several lines of play counts.
fn note(answer: &mut Answer, info: Info) {
    if info.multipv.is_some_and(|line| line > 1) {
        return;
    }
    answer.value = info.score.map(Score::value).or(answer.value);
    answer.nodes = info.nodes.unwrap_or(answer.nodes);
    answer.simulations = info.simulations.unwrap_or(answer.simulations);
    answer.depth = info.depth.unwrap_or(answer.depth);
    if !info.pv.is_empty() {
        answer.variation = info.pv;
    }
}
