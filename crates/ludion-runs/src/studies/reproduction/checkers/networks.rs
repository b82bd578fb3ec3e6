//! The network: its training with learning curves, and the players by it.

use std::ops::ControlFlow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ludion_players::learn::labelling::Labelling;
use ludion_players::learn::labels::{Label, LoserLabel};
use ludion_plot::{Chart, NumberUnit, PlotAxis};
use ludion_train::{
    ArchiveTraining, ArchiveTrainingError, EpochReport, TrainError, TrainingEnd, TrainingSettings,
};
use serde::{Deserialize, Serialize};

use super::neighbours::{match_jobs, of_50, play, result};
use super::{DATA, GAME, context_archive};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding, FindingTable};
use crate::studies::reproduction::matches::MatchCounts;
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{
    ItemFile, ItemHead, ItemKind, JobContext, JobPhase, RunSize, WorkItem, failed,
};
use crate::{RunPicture, epoch_series};

/// The labels that networks learn, with the name of the model and the published R².
const LABELS: [(&str, Labelling, Option<f64>); 4] = [
    ("parity", Labelling { label: Label::Parity, lost: LoserLabel::Zero }, Some(0.46)),
    ("distance", Labelling { label: Label::Distance, lost: LoserLabel::Zero }, None),
    ("distance-negative", Labelling { label: Label::Distance, lost: LoserLabel::Negative }, None),
    ("captures", Labelling { label: Label::Captures, lost: LoserLabel::Zero }, Some(0.68)),
];

/// A finished training.
#[derive(Serialize, Deserialize)]
struct TrainedLabels {
    rows: usize,
    r2: Option<f64>,
    curve: Vec<EpochReport>,
}

/// Returns the name of the file of a model.
fn model(name: &str) -> String {
    format!("{name}.safetensors")
}

pub(super) fn training() -> WorkItem {
    let head = ItemHead {
        id: "training",
        kind: ItemKind::Figure,
        place: "section 2, a better model",
        title: "Training of the network, with its learning curve",
        published: "A network 64-64-64-32-16-1, 500 cycles, training and test data apart, gives very \
                    good results; the figure is missing. In the authors' notebook R² is 0.68 for \
                    captures and 0.46 for distance (winner by parity).",
        method: "The same network on four labels: parity, distance with both conventions for lost \
                 games, captures. Games, not boards, are held back (a tenth). Training ends after three \
                 epochs without a better loss; quick runs have at most 12 epochs, full ones 500.",
        command: "ludion train checkers --data random.games --out captures.safetensors",
    };
    let item = WorkItem::measured(
        head,
        |_| LABELS.len() as u64,
        |context| train(context).map(|(trained, _)| trained),
        judge_training,
    );
    item.with_files(train).phase(JobPhase::Prepare).seconds([0.0, 2.5, 150.0])
}

fn train(context: &JobContext<'_>) -> Result<(TrainedLabels, Vec<ItemFile>), JobFailure> {
    let (name, labelling, _) = LABELS[context.number as usize];
    let (game, archive) = (context.game(GAME)?, context_archive(context)?);
    let spec = TrainingSettings {
        hidden: context.size.pick([vec![8], vec![64, 64, 32, 16], vec![64, 64, 32, 16]]),
        epochs: context.size.pick([2, 12, 500]),
        patience: Some(3),
        seed: context.seed(),
        ..TrainingSettings::default()
    };
    let training =
        ArchiveTraining { game: &*game, archive: &archive, labelling, games: u64::MAX, spec };
    let nothing = |_: u64| ();
    let trained =
        training.train_or_stop(context.stop, nothing, || (), |_| ControlFlow::Continue(()));
    let trained = match trained {
        Ok(trained) => trained.trained,
        Err(ArchiveTrainingError::Training(TrainError::Stopped)) => {
            return Err(JobFailure::Stopped);
        }
        Err(error) => return Err(failed(error)),
    };
    if trained.finish == TrainingEnd::Stopped {
        return Err(JobFailure::Stopped);
    }
    let outcome = trained.model.outcome();
    let file = (model(name), STANDARD.encode(trained.model.to_bytes()));
    let result = TrainedLabels { rows: outcome.rows, r2: outcome.r2, curve: trained.curve };
    Ok((result, vec![file]))
}

fn judge_training(_: &JudgeContext<'_>, found: &[TrainedLabels]) -> Finding {
    let mut comparisons = Vec::new();
    let mut series = Vec::new();
    for ((name, _, published), trained) in LABELS.iter().zip(found) {
        let ours = MeasuredValue::exact(trained.r2.unwrap_or(f64::NAN));
        let verdict = match published {
            Some(published) => Verdict::figure(MeasuredValue::exact(*published), ours, 0.1, 1.0),
            None => Verdict::Unknowable,
        };
        let text = published.map_or_else(String::new, |r2| r2.to_string());
        let what = format!("R² on games held back, {name}, {} rows", trained.rows);
        comparisons.push(Comparison::estimate(what, text, (ours, 2, ""), verdict));
        series.push(epoch_series(name, &trained.curve, |epoch| epoch.r2));
    }
    let verdicts: Vec<Verdict> = comparisons.iter().map(|one| one.verdict).collect();
    let chart = Chart {
        title: "R² on games held back".to_owned(),
        x: PlotAxis::linear("epoch").unit(NumberUnit::Count),
        y: PlotAxis::linear("R²"),
        series,
        ..Chart::default()
    };
    Finding::new(
        Verdict::all(&verdicts),
        "R² within 0.1 of the published one counts as the same, since the data and the division into \
         training and test differ. With the 3,000 games of a quick run (seed 1) R² is 0.49 for parity \
         and 0.67 for captures: what was published fits a smaller data base than the 50,000 games of \
         the authors' program. R² of different labels cannot be compared, and R² is no strength: with \
         the winner by parity a network that loses explains much of the variance as well.",
    )
    .comparing(comparisons)
    .figure("Learning curves", RunPicture::Chart(chart))
}

pub(super) fn output() -> WorkItem {
    let head = ItemHead {
        id: "output-layer",
        kind: ItemKind::Claim,
        place: "section 2, a better model",
        title: "The output of the network",
        published: "All nodes have the activation relu, and the output is a linear combination of the \
                    last 16 units followed by relu.",
        method: "",
        command: "",
    };
    WorkItem::unknowable(
        head,
        "The library that the report names has a linear output for regression and no other, so the relu \
         at the output was not there. For captures, which are never negative, it would change little. \
         Ludion's output is linear.",
    )
}

const MATERIAL: &str = "alphabeta(depth=1, eval=material)";

fn best_players() -> Vec<String> {
    vec![format!("mlp(model={})", model("captures")), MATERIAL.to_owned()]
}

pub(super) fn table() -> WorkItem {
    let head = ItemHead {
        id: "mlp",
        kind: ItemKind::Table,
        place: "section 2, results of MLP",
        title: "The network against random moves",
        published: "50 games won by the network, none by random moves.",
        method: "Games of the network on captures against random moves, seats swapped, no openings; the \
                 published games are compared with those from the first seat. Beside it is a player that counts men, which learned nothing.",
        command: "ludion match checkers \"mlp(model=captures.safetensors)\" random --opening 0 -n 500",
    };
    let jobs = |size: RunSize| 2 * match_jobs(size);
    let measure = |context: &JobContext<'_>| play(context, &best_players(), "random");
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found: &[MatchCounts]| {
        let (network, material) = (result(found, 2, 0), result(found, 2, 1));
        let published = of_50("wins of the network on captures", 50, &network);
        Finding::new(
            published.verdict,
            "50 of 50 does not exclude that one game in twenty is lost in the long run. A player that \
             counts men does as well, so random moves are too weak an opponent to show what was \
             learned.",
        )
        .comparing([
            published,
            Comparison::share(
                "wins of one ply of material",
                "",
                material.score(),
                Verdict::Unknowable,
            ),
        ])
    })
    .needs(&["training"])
    .seconds([0.0, 0.5, 5.0])
}

/// All learned players: name, and the published wins of 50 against random moves.
const PLAYERS: [(&str, Option<u64>); 7] = [
    ("parity, KNN", Some(18)),
    ("parity, MLP", Some(39)),
    ("distance, KNN", None),
    ("distance, MLP", None),
    ("distance, lost negative, MLP", None),
    ("captures, KNN", Some(36)),
    ("captures, MLP", Some(50)),
];

fn all() -> Vec<String> {
    let knn = |label: &str| format!("knn(data={DATA}, k=4, label={label})");
    let mlp = |name: &str| format!("mlp(model={})", model(name));
    vec![
        knn("parity"),
        mlp("parity"),
        knn("distance"),
        mlp("distance"),
        mlp("distance-negative"),
        knn("captures"),
        mlp("captures"),
    ]
}

pub(super) fn all_players() -> WorkItem {
    let head = ItemHead {
        id: "all-players",
        kind: ItemKind::Table,
        place: "both tables and the authors' program",
        title: "Both labels and both models, with and without the mistake",
        published: "Wins of 50 against random moves: distance and KNN 18, distance and MLP 39, captures \
                    and KNN 36, captures and MLP 50. The figures with distance have the winner by \
                    parity.",
        method: "Every player against random moves without openings and against one ply of material \
                 after four random plies, seats swapped. The published games are compared with those \
                 from the first seat.",
        command: "ludion experiment --quick",
    };
    let jobs = |size: RunSize| 2 * PLAYERS.len() as u64 * match_jobs(size);
    let measure = |context: &JobContext<'_>| {
        let opponent = match (context.number as usize / PLAYERS.len()).is_multiple_of(2) {
            true => "random",
            false => MATERIAL,
        };
        play(context, &all(), opponent)
    };
    WorkItem::measured(head, jobs, measure, judge_all)
        .needs(&["database", "training"])
        .seconds([0.0, 8.0, 140.0])
}

fn judge_all(_: &JudgeContext<'_>, found: &[MatchCounts]) -> Finding {
    let count = 2 * PLAYERS.len();
    let (mut comparisons, mut rows) = (Vec::new(), Vec::new());
    for (i, (name, published)) in PLAYERS.iter().enumerate() {
        let (random, material) = (result(found, count, i), result(found, count, i + PLAYERS.len()));
        comparisons.push(match published {
            Some(wins) => of_50(&format!("wins against random, {name}"), *wins, &random),
            None => {
                let what = format!("wins against random, {name}");
                Comparison::share(what, "", random.score(), Verdict::Unknowable)
            }
        });
        let percent = |counts: &MatchCounts| counts.score().percent().text(1);
        rows.push(vec![(*name).to_owned(), percent(&random), percent(&material)]);
    }
    let verdicts: Vec<Verdict> = comparisons.iter().map(|one| one.verdict).collect();
    let columns = ["player", "against random, %", "against material, %"];
    Finding::new(
        Verdict::all(&verdicts),
        "The mistake about the winner explains why the KNN of the report lost. It does not explain the 39 \
         of 50 of its network on distances: here a network that learns these labels loses, and the \
         better it learns them the more. That KNN has 18 and 36 fits a smaller data base: with the 3,000 \
         games of a quick run (seed 1) it wins 29 (20 to 41) % and 75 (64 to 83) % from the first seat. \
         Without the mistake both labels and both models beat random moves; none \
         beats counting men.",
    )
    .comparing(comparisons)
    .table(FindingTable {
        caption: "Scores of all players".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows,
        verdict: None,
    })
}
