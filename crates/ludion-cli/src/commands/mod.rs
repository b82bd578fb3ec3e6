//! The subcommands, one file each, with arguments, work and report.

pub(crate) mod analyse;
mod bench;
mod book;
mod bot;
#[cfg(unix)]
mod bot_check;
pub(crate) mod championship;
mod check;
mod checkers;
#[cfg(feature = "cluster")]
mod cluster;
mod completions;
mod count;
mod data;
mod experiment;
mod export;
mod extras;
mod game;
mod games;
mod generate;
pub(crate) mod hextris;
mod import;
mod judge;
mod lab;
mod ladder;
mod learn;
pub(crate) mod mastermind;
pub(crate) mod matches;
mod new;
mod openings;
mod perft;
mod play;
mod players;
mod reproduce;
mod run;
mod runs;
mod show;
mod solve;
mod store;
pub(crate) mod tournament;
mod train;
pub(crate) mod tune;
#[cfg(feature = "cluster")]
mod worker;

use clap::Subcommand;

use crate::CommandContext;
use crate::failure::CommandFailure;
pub(crate) use lab::LabArgs;
pub(crate) use run::other_sources;

/// A subcommand with its arguments.
#[derive(Subcommand)]
pub(crate) enum Command {
    Lab(LabArgs),
    Games(games::GamesArgs),
    Players(players::PlayersArgs),
    Play(play::PlayArgs),
    Show(show::ShowArgs),
    Perft(perft::PerftArgs),
    Count(count::CountArgs),
    Solve(solve::SolveArgs),
    Analyse(analyse::AnalyseArgs),
    Judge(judge::JudgeArgs),
    Match(matches::MatchArgs),
    Tournament(tournament::TournamentArgs),
    Championship(championship::ChampionshipArgs),
    Ladder(ladder::LadderArgs),
    Openings(openings::OpeningsArgs),
    Tune(tune::TuneArgs),
    Learn(learn::LearnArgs),
    Mastermind(mastermind::MastermindArgs),
    Runs(runs::RunsArgs),
    Run(run::RunArgs),
    Store(store::StoreCommandArgs),
    Game(game::GameArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
    Generate(generate::GenerateArgs),
    Data(data::DataArgs),
    Train(train::TrainArgs),
    Experiment(experiment::ExperimentArgs),
    Reproduce(reproduce::ReproduceArgs),
    Hextris(hextris::HextrisArgs),
    Checkers(checkers::CheckersArgs),
    #[cfg(feature = "cluster")]
    Worker(worker::WorkerArgs),
    #[cfg(feature = "cluster")]
    Cluster(cluster::ClusterCommandArgs),
    #[cfg(not(feature = "cluster"))]
    #[command(hide = true)]
    Worker(crate::cluster::NoClusterArgs),
    #[cfg(not(feature = "cluster"))]
    #[command(hide = true)]
    Cluster(crate::cluster::NoClusterArgs),
    New(new::NewArgs),
    Bot(bot::BotArgs),
    Book(book::BookArgs),
    Bench(bench::BenchArgs),
    Check(check::CheckArgs),
    Completions(completions::CompletionsArgs),
    Man(extras::ManArgs),
    InstallExtras(extras::InstallExtrasArgs),
}

impl Command {
    /// Runs the subcommand.
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        match self {
            Command::Lab(command) => command.run(context),
            Command::Games(command) => command.run(context),
            Command::Players(command) => command.run(context),
            Command::Play(command) => command.run(context),
            Command::Show(command) => command.run(context),
            Command::Perft(command) => command.run(context),
            Command::Count(command) => command.run(context),
            Command::Solve(command) => command.run(context),
            Command::Analyse(command) => command.run(context),
            Command::Judge(command) => command.run(context),
            Command::Match(command) => command.run(context),
            Command::Tournament(command) => command.run(context),
            Command::Championship(command) => command.run(context),
            Command::Ladder(command) => command.run(context),
            Command::Openings(command) => command.run(context),
            Command::Tune(command) => command.run(context),
            Command::Learn(command) => command.run(context),
            Command::Mastermind(command) => command.run(context),
            Command::Runs(command) => command.run(context),
            Command::Run(command) => command.run(context),
            Command::Store(command) => command.run(context),
            Command::Game(command) => command.run(context),
            Command::Export(command) => command.run(context),
            Command::Import(command) => command.run(context),
            Command::Generate(command) => command.run(context),
            Command::Data(command) => command.run(context),
            Command::Train(command) => command.run(context),
            Command::Experiment(command) => command.run(context),
            Command::Reproduce(command) => command.run(context),
            Command::Hextris(command) => command.run(context),
            Command::Checkers(command) => command.run(context),
            Command::Worker(command) => command.run(context),
            Command::Cluster(command) => command.run(context),
            Command::New(command) => command.run(context),
            Command::Bot(command) => command.run(context),
            Command::Book(command) => command.run(context),
            Command::Bench(command) => command.run(context),
            Command::Check(command) => command.run(context),
            Command::Completions(command) => command.run(context),
            Command::Man(command) => command.run(context),
            Command::InstallExtras(command) => command.run(context),
        }
    }
}
