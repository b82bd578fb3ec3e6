//! The option `--plot FILE.svg` or `--plot FILE.png`.

use std::path::{Path, PathBuf};

use clap::Args;
pub(crate) use ludion_runs::RunPicture;

use crate::failure::CommandFailure;

/// Option of every command that draws a picture.
#[derive(Args, Clone, Default)]
pub(crate) struct PlotArgs {
    /// Write a picture of the results to this file, .svg or .png; may be given more than once
    #[arg(long, value_name = "FILE", value_parser = drawable)]
    plot: Vec<PathBuf>,
}

/// Pixels for each unit of length of a drawing in a PNG, so that it is sharp on a dense screen.
const DENSITY: u32 = 2;

impl PlotArgs {
    /// Writes the picture to every file that was requested.
    pub(crate) fn write(&self, picture: &RunPicture) -> Result<(), CommandFailure> {
        for path in &self.plot {
            let cannot = |error: &dyn std::fmt::Display| {
                CommandFailure::Failed(format!("{} cannot be written: {error}", path.display()))
            };
            let drawing = picture.drawing();
            let bytes = if is(path, "svg") {
                drawing.svg().into_bytes()
            } else {
                drawing.png(DENSITY).map_err(|error| cannot(&error))?
            };
            std::fs::write(path, bytes).map_err(|error| cannot(&error))?;
        }
        Ok(())
    }
}

fn is(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Checks, before the work starts, that the extension is known and the folder exists.
fn drawable(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if !is(&path, "svg") && !is(&path, "png") {
        return Err("a picture ends in .svg or .png".to_owned());
    }
    in_folder(path)
}

/// Checks, before the work starts, that a file is an SVG picture and its folder exists.
pub(crate) fn svg_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if is(&path, "svg") { in_folder(path) } else { Err("a picture ends in .svg".to_owned()) }
}

/// Returns the path if its folder exists.
pub(crate) fn in_folder(path: PathBuf) -> Result<PathBuf, String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(format!("there is no folder {}", folder.display())),
        _ => Ok(path),
    }
}
