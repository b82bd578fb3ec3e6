//! `ludion train`: trains a network that evaluates moves or boards on an archive of games.

use std::cell::{OnceCell, RefCell};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use ludion::archive::file_format::{ArchiveReader, ArchiveRecord};
use ludion::learn::labelling::Labelling;
use ludion::learn::labels::{Label, LoserLabel};
use ludion::registry::AnyGame;
use ludion_plot::{Chart, NumberUnit, PlotAxis};
use ludion_runs::epoch_series;
use ludion_store::{read_file_or_pipe, replace_file};
use ludion_train::{
    ArchiveTrained, ArchiveTraining, ArchiveTrainingError, EpochReport, TrainingEnd,
    TrainingSettings,
};
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::numbers::within;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::plots::{PlotArgs, RunPicture, in_folder};
use crate::progress::Progress;
use crate::runs::interrupt;

/// Train a network to judge moves or boards by finished games
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion generate checkers -n 1000 --out checkers.games
  ludion train checkers --data checkers.games --epochs 5 --out captures.safetensors
  ludion train checkers --data checkers.games --epochs 2 --out d.safetensors --label distance
  ludion train checkers --data checkers.games --epochs 2 --out c.safetensors --plot curve.svg
  ludion match checkers \"mlp(captures.safetensors)\" random --opening 4 -n 10
  ludion generate connect4 -n 1000 --out connect4.games
  ludion train connect4 --data connect4.games --label winloss --epochs 2 --out w.safetensors

The game is any duel; the inputs of the network are its features, seen by the side that moved.

Labels: captures is the number of captures that the side that moved still makes, a label of
the board after the move; distance is 1/√d for a winner's move d plies before the end, a
label of the move; winloss is 1; parity is distance with the winner told by the parity of the
game's length, which is wrong for every wipe-out. captures and parity are for games in which
pieces are captured: checkers and hexapawn. A loser's move is labelled 0 (--lost zero, the
default, also of the player knn and of ludion experiment) or with the negative of a winner's
label (--lost negative), a move of a drawn game with the mean of both. Games, not rows, are
held back to validate, and the weights kept are those with the least loss on them. Ctrl-C
ends the training with the best weights so far.")]
pub(crate) struct TrainArgs {
    /// The game, such as checkers
    game: String,
    /// The archive of games, as written by `ludion generate`
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// The label of moves or boards: captures or parity, where pieces are captured, distance or
    /// winloss
    #[arg(long, value_name = "LABEL", default_value = "captures")]
    label: Label,
    /// The label of a loser's move: zero, as in the text of Deep Checker, or negative, as in its
    /// program
    #[arg(long, value_name = "LABEL", default_value = "zero")]
    lost: LoserLabel,
    /// The same as --lost zero
    #[arg(long, hide = true, conflicts_with = "lost")]
    lost_is_zero: bool,
    /// Derive the winner for distance labels from the parity of the game's length, which is wrong
    /// for a wipe-out
    #[arg(long)]
    parity_bug: bool,
    /// Widths of the hidden layers
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', default_values_t = [64, 64, 32, 16])]
    layers: Vec<usize>,
    /// Maximum number of passes over the data
    #[arg(long, value_name = "N", default_value_t = 500, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Epochs without a better loss after which training ends
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,
    /// Number of rows in a batch, after which the weights are updated
    #[arg(long, value_name = "N", default_value_t = 200)]
    batch: usize,
    /// Learning rate of Adam
    #[arg(long, value_name = "X", default_value_t = 1e-3, allow_negative_numbers = true)]
    rate: f64,
    /// Share of the games that is used for validation
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, allow_negative_numbers = true)]
    held_back: f64,
    /// Number of games to learn from, the first ones of the file [default: all]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = within(1..=u64::MAX))]
    games: Option<u64>,
    /// The file to write the model to
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| in_folder(text.into()))]
    out: PathBuf,
    #[command(flatten)]
    pictures: PlotArgs,
}

/// Figures of a finished training.
#[derive(Serialize)]
struct TrainReport {
    game: String,
    data: PathBuf,
    labels: String,
    seed: u64,
    games: u64,
    games_held_back: u64,
    /// Numbers of distinct rows for training and for validation.
    rows: [usize; 2],
    layers: Vec<usize>,
    /// Number of epochs that were run; `best` is the one whose weights were kept.
    epochs: u32,
    best: u32,
    training_loss: f64,
    validation_loss: Option<f64>,
    r2: Option<f64>,
    finish: TrainingEnd,
    curve: Vec<EpochReport>,
    model: PathBuf,
    seconds: f64,
}

/// Size of the largest archive that is read, in bytes.
const MAX_BYTES: u64 = 16 << 30;

impl TrainArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let (game, labelling) = (context.registry.game(&self.game)?, self.labelling()?);
        let began = Instant::now();
        let trained = self.train(context, &*game, labelling)?;
        let model = &trained.trained.model;
        replace_file(&self.out, &model.to_bytes()).map_err(|error| {
            CommandFailure::Failed(format!("{} cannot be written: {error}", self.out.display()))
        })?;
        let answer = self.answer(trained, began.elapsed().as_secs_f64());
        self.pictures.write(&answer.picture())?;
        context.output.report(&answer)?;
        match answer.finish {
            TrainingEnd::Stopped => Err(CommandFailure::Stopped(format!(
                "stopped after {}; {} has the weights of epoch {}",
                plural(answer.epochs.into(), "epoch"),
                self.out.display(),
                answer.best
            ))),
            TrainingEnd::Epochs | TrainingEnd::Patience => Ok(()),
        }
    }

    /// Reads the archive and trains the network, and tells how far both are.
    fn train(
        &self,
        context: &CommandContext,
        game: &dyn AnyGame,
        labelling: Labelling,
    ) -> Result<ArchiveTrained, CommandFailure> {
        let (reading, name) = (context.progress("games"), self.data.display());
        reading.begin("reading the archive");
        let archive = read_file_or_pipe(&self.data, MAX_BYTES)
            .map_err(|error| CommandFailure::Failed(format!("{name} cannot be read: {error}")))?;
        let limit = self.games.unwrap_or(u64::MAX);
        let spec = self.spec(context);
        let training = ArchiveTraining { game, archive: &archive, labelling, games: limit, spec };
        let trained = self.train_with(context, &training, reading);
        trained.map_err(|error| match error {
            ArchiveTrainingError::Archive(error) => {
                CommandFailure::Failed(format!("{name}: {error}"))
            }
            ArchiveTrainingError::Training(error) => error.into(),
        })
    }

    /// Trains a network until Ctrl-C; then the best weights so far are returned.
    fn train_with(
        &self,
        context: &CommandContext,
        training: &ArchiveTraining<'_>,
        reading: Progress,
    ) -> Result<ArchiveTrained, ArchiveTrainingError> {
        let games = game_count(training.archive).min(training.games);
        let epochs = u64::from(self.epochs);
        let (reading, progress) = (RefCell::new(Some(reading)), OnceCell::new());
        let on_game = |read| {
            if let Some(reading) = &*reading.borrow() {
                reading.update(read, Some(games), || "read and labelled".to_owned());
            }
        };
        let on_read = || {
            drop(reading.take());
            progress.get_or_init(|| context.progress("epochs").at_most()).begin_stage(0, epochs);
        };
        interrupt::announce("the best weights so far are kept".to_owned());
        training.train_or_stop(interrupt::flag(), on_game, on_read, |epoch| {
            if let Some(progress) = progress.get() {
                progress.update(u64::from(epoch.number), Some(epochs), || in_words(epoch));
            }
            ControlFlow::Continue(())
        })
    }

    fn labelling(&self) -> Result<Labelling, CommandFailure> {
        let label = match (self.label, self.parity_bug) {
            (label, false) => label,
            (Label::Distance | Label::Parity, true) => Label::Parity,
            (other, true) => {
                let name = other.name();
                let said = format!("--parity-bug is a mistake in distances, and not in {name}");
                return Err(CommandFailure::Usage(said));
            }
        };
        let lost = if self.lost_is_zero { LoserLabel::Zero } else { self.lost };
        Ok(Labelling { label, lost })
    }

    fn spec(&self, context: &CommandContext) -> TrainingSettings {
        TrainingSettings {
            hidden: self.layers.clone(),
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            held_back: self.held_back,
            patience: Some(self.patience),
            seed: context.seed,
            ..TrainingSettings::default()
        }
    }

    fn answer(&self, trained: ArchiveTrained, seconds: f64) -> TrainReport {
        let ArchiveTrained { trained, games, held_back_games } = trained;
        let (spec, outcome) = (trained.model.spec(), trained.model.outcome());
        TrainReport {
            game: spec.game.clone(),
            data: self.data.clone(),
            labels: spec.labels.clone(),
            seed: spec.seed,
            games,
            games_held_back: held_back_games,
            rows: [outcome.rows, outcome.held_back],
            layers: trained.model.network().widths(),
            epochs: outcome.epochs,
            best: outcome.best,
            training_loss: outcome.training_loss,
            validation_loss: outcome.validation_loss,
            r2: outcome.r2,
            finish: trained.finish,
            curve: trained.curve,
            model: self.out.clone(),
            seconds,
        }
    }
}

/// Returns the number of games in an archive; 0 if it is none, which the training then reports.
fn game_count(archive: &[u8]) -> u64 {
    let Ok(mut reader) = ArchiveReader::open(archive, archive.len() as u64) else { return 0 };
    let mut games = 0;
    while let Ok(Some(record)) = reader.next_item() {
        if let ArchiveRecord::Games(block) = record {
            games += u64::from(block.count);
        }
    }
    games
}

/// Describes the losses of an epoch in a few words.
fn in_words(epoch: &EpochReport) -> String {
    let held = epoch.validation_loss.map_or(String::new(), |loss| format!(", held back {loss:.4}"));
    let r2 = epoch.r2.map_or(String::new(), |r2| format!(", R² {r2:.3}"));
    format!("loss {:.4}{held}{r2}", epoch.training_loss)
}

impl TrainReport {
    fn picture(&self) -> RunPicture {
        RunPicture::Chart(Chart {
            title: format!("{}, learned from {}", self.labels, plural(self.games, "game")),
            note: format!("seed {}; weights of epoch {} were kept", self.seed, self.best),
            x: PlotAxis::linear("epoch").unit(NumberUnit::Count),
            y: PlotAxis::linear("mean squared error"),
            series: vec![
                epoch_series("trained on", &self.curve, |epoch| Some(epoch.training_loss)),
                epoch_series("held back", &self.curve, |epoch| epoch.validation_loss),
            ],
            ..Chart::default()
        })
    }
}

impl CommandReport for TrainReport {
    fn text(&self) -> String {
        let widths: Vec<String> = self.layers.iter().map(ToString::to_string).collect();
        let head = format!("{}: {} by {}", self.game, self.labels, widths.join("-"));
        let mut text = format!("{}\n", paint(LOUD, &head));
        let [rows, held] = self.rows;
        text += &format!(
            "{} ({} held back), {rows} different rows trained on, {held} held back\n",
            plural(self.games, "game"),
            self.games_held_back
        );
        let figure = |value: Option<f64>, digits: usize| {
            value.map_or("none".to_owned(), |value| format!("{value:.digits$}"))
        };
        text += &format!(
            "loss {:.4}, held back {}, R² {}\n",
            self.training_loss,
            figure(self.validation_loss, 4),
            figure(self.r2, 3)
        );
        let ended = match self.finish {
            TrainingEnd::Epochs => "all were run",
            TrainingEnd::Patience => "then it got no better",
            TrainingEnd::Stopped => "then it was stopped",
        };
        let about = format!(
            "epoch {} of {}, {ended}; {:.1} s, seed {}; written to {}",
            self.best,
            self.epochs,
            self.seconds,
            self.seed,
            self.model.display()
        );
        text + &paint(QUIET, &about) + "\n"
    }
}
