//! `ludion new game`: a crate with a game, an evaluator, a player, tests, a README and a profile
//! that builds fast.

use std::path::PathBuf;

use clap::Args;

use super::library::LibrarySource;
use super::project::{NextCommand, ProjectFile, ProjectName, ProjectReport, RUSTFMT, write};
use crate::CommandContext;
use crate::failure::CommandFailure;

/// Write a game of your own: a crate with the whole program
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion new game treblecross
  ludion new game treblecross --folder /tmp/games/treblecross --json")]
pub(super) struct NewGameArgs {
    /// Name of the game and of its crate: lower-case letters, digits, - and _
    #[arg(value_parser = ProjectName::parse)]
    name: ProjectName,
    /// Folder to write, new or empty [default: the name]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Folder of Ludion's sources to build with [default: those of this program, if they are still
    /// there, else its release]
    #[arg(long, value_name = "FOLDER")]
    ludion: Option<PathBuf>,
}

/// The files of the crate with their templates.
const FILES: [(&str, &str); 9] = [
    ("Cargo.toml", include_str!("../../../templates/game/manifest.toml")),
    ("README.md", include_str!("../../../templates/game/README.md")),
    (".gitignore", include_str!("../../../templates/game/gitignore")),
    ("rustfmt.toml", RUSTFMT),
    ("src/main.rs", include_str!("../../../templates/game/src/main.rs")),
    ("src/rules.rs", include_str!("../../../templates/game/src/rules.rs")),
    ("src/evaluator.rs", include_str!("../../../templates/game/src/evaluator.rs")),
    ("src/player.rs", include_str!("../../../templates/game/src/player.rs")),
    ("src/tests.rs", include_str!("../../../templates/game/src/tests.rs")),
];

impl NewGameArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let name = self.name.text();
        if context.registry.entry(name).is_ok() {
            return Err(CommandFailure::Usage(format!(
                "there is a game called {name}, which the new one would replace; \
                 choose another name"
            )));
        }
        if name == "ludion" || name.starts_with("ludion-") {
            return Err(CommandFailure::Usage(format!(
                "{name} is the name of a crate of Ludion; choose another name"
            )));
        }
        let source = LibrarySource::find(self.ludion.as_deref())?;
        let files = self.files(&source)?;
        let folder = self.folder.clone().unwrap_or_else(|| PathBuf::from(name));
        write(&folder, &files)?;
        let next = vec![
            ProjectReport::enter(&folder),
            NextCommand::new(
                "cargo run -- lab",
                "builds (minutes, once), then opens the laboratory",
            ),
            NextCommand::new("cargo test", "the laws of games, facts, matches"),
        ];
        context.output.report(&ProjectReport {
            kind: "game",
            name: name.to_owned(),
            language: None,
            folder,
            files: files.iter().map(|file| file.path).collect(),
            ludion: Some(source),
            next,
        })
    }

    /// Returns the files of the crate.
    fn files(&self, source: &LibrarySource) -> Result<Vec<ProjectFile>, CommandFailure> {
        let (prefix, library) = (self.name.type_prefix(), source.dependency("ludion")?);
        let program = source.dependency("ludion-cli")?;
        let values = [
            ("my_game", self.name.text()),
            ("MyGame", &prefix),
            ("{{ludion}}", &library),
            ("{{ludion-cli}}", &program),
            ("{{rust-version}}", env!("CARGO_PKG_RUST_VERSION")),
        ];
        let file = |&(path, template)| ProjectFile::new(path, template, &values);
        let mut files: Vec<ProjectFile> = FILES.iter().map(file).collect();
        if let Some(text) = source.lock() {
            files.push(ProjectFile { path: "Cargo.lock", text });
        }
        Ok(files)
    }
}
