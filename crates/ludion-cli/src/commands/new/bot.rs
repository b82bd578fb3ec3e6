//! `ludion new bot`: a bot that plays random legal moves of any game, in one of several languages.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::project::{NextCommand, ProjectFile, ProjectName, ProjectReport, RUSTFMT, write};
use crate::CommandContext;
use crate::failure::CommandFailure;

/// Write a bot of your own, which plays any game
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion new bot greedy --language python
  ludion new bot greedy --language cpp --folder /tmp/bots/greedy")]
pub(super) struct NewBotArgs {
    /// Name of the bot: lower-case letters, digits, - and _
    #[arg(value_parser = ProjectName::parse)]
    name: ProjectName,
    /// Language of the bot
    #[arg(long, value_name = "LANGUAGE", value_enum)]
    language: BotLanguage,
    /// Folder to write, new or empty [default: the name]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Languages of which there is a template.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BotLanguage {
    Python,
    Java,
    Cpp,
    Rust,
    Javascript,
}

/// A bot in one language.
struct BotTemplate {
    /// Name of the language in prose.
    language: &'static str,
    /// What has to be installed.
    needs: &'static str,
    /// The file with the function `choose`.
    file: &'static str,
    /// Command that compiles the bot; `None` if it runs as it is.
    build: Option<&'static str>,
    /// Command that starts the bot.
    run: &'static str,
    /// Paths and templates, besides the README.
    files: &'static [(&'static str, &'static str)],
}

const README: &str = include_str!("../../../templates/bot/README.md");

impl BotLanguage {
    const fn template(self) -> BotTemplate {
        match self {
            BotLanguage::Python => BotTemplate {
                language: "Python",
                needs: "Python 3",
                file: "bot.py",
                build: None,
                run: "python3 bot.py",
                files: &[("bot.py", include_str!("../../../templates/bot/python/bot.py"))],
            },
            BotLanguage::Java => BotTemplate {
                language: "Java",
                needs: "a JDK, 11 or newer",
                file: "Bot.java",
                build: Some("javac Bot.java"),
                run: "java -cp . Bot",
                files: &[
                    ("Bot.java", include_str!("../../../templates/bot/java/Bot.java")),
                    (".gitignore", include_str!("../../../templates/bot/java/gitignore")),
                ],
            },
            BotLanguage::Cpp => BotTemplate {
                language: "C++",
                needs: "a compiler of C++17",
                file: "bot.cpp",
                build: Some("c++ -std=c++17 -O2 -Wall -Wextra -o bot bot.cpp"),
                run: "./bot",
                files: &[
                    ("bot.cpp", include_str!("../../../templates/bot/cpp/bot.cpp")),
                    (".gitignore", include_str!("../../../templates/bot/cpp/gitignore")),
                ],
            },
            BotLanguage::Rust => BotTemplate {
                language: "Rust",
                needs: "Rust 1.85 or newer",
                file: "src/main.rs",
                build: Some("cargo build --release"),
                run: "target/release/my_bot",
                files: &[
                    ("Cargo.toml", include_str!("../../../templates/bot/rust/manifest.toml")),
                    ("src/main.rs", include_str!("../../../templates/bot/rust/main.rs")),
                    (".gitignore", include_str!("../../../templates/bot/rust/gitignore")),
                    ("rustfmt.toml", RUSTFMT),
                ],
            },
            BotLanguage::Javascript => BotTemplate {
                language: "JavaScript",
                needs: "Node.js, 16 or newer",
                file: "bot.mjs",
                build: None,
                run: "node bot.mjs",
                files: &[("bot.mjs", include_str!("../../../templates/bot/javascript/bot.mjs"))],
            },
        }
    }
}

impl BotTemplate {
    /// Returns the files of a bot of this name.
    fn project(&self, name: &str) -> Vec<ProjectFile> {
        let build = self.build.map(|command| format!("{command}\n")).unwrap_or_default();
        let values = [
            ("{{language}}", self.language),
            ("{{needs}}", self.needs),
            ("{{file}}", self.file),
            ("{{build}}\n", &build),
            ("{{run}}", self.run),
            ("my_bot", name),
        ];
        let files = [("README.md", README)].into_iter().chain(self.files.iter().copied());
        files.map(|(path, template)| ProjectFile::new(path, template, &values)).collect()
    }
}

impl NewBotArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let (name, template) = (self.name.text(), self.language.template());
        let files = template.project(name);
        let folder = self.folder.clone().unwrap_or_else(|| PathBuf::from(name));
        write(&folder, &files)?;
        let run = template.run.replace("my_bot", name);
        let check = format!("ludion bot check \"{run}\"");
        let play = format!("ludion match connect4 \"bot({run})\" random -n 50");
        let mut next = vec![ProjectReport::enter(&folder)];
        next.extend(template.build.map(|build| NextCommand::new(build, "after every change")));
        next.push(NextCommand::new(check, "does it follow the protocol?"));
        next.push(NextCommand::new(play, "50 pairs of games"));
        context.output.report(&ProjectReport {
            kind: "bot",
            name: name.to_owned(),
            language: Some(template.language),
            folder,
            files: files.iter().map(|file| file.path).collect(),
            ludion: None,
            next,
        })
    }
}
