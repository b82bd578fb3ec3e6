//! Pictures that commands write beside their answer: `--plot FILE.svg`, `--plot FILE.png`.

use std::path::{Path, PathBuf};

use clap::Args;
use ludion_plot::{Chart, DEFAULT_SIZE, Drawing, HeatMap, TextOptions};

use crate::failure::Failure;

/// The option of every command that draws.
#[derive(Args, Clone, Default)]
pub(crate) struct Pictures {
    /// Write the picture to this file, .svg or .png; may be given more than once
    #[arg(long, value_name = "FILE", value_parser = drawable)]
    plot: Vec<PathBuf>,
}

/// What a command draws.
pub(crate) enum Picture {
    Chart(Chart),
    Heat(HeatMap),
    Panels {
        title: String,
        panels: Vec<Picture>,
        /// How many are beside each other.
        columns: usize,
        /// The size of each.
        size: [u32; 2],
    },
}

impl Picture {
    /// For the terminal.
    pub(crate) fn text(&self) -> String {
        let options = TextOptions::default();
        match self {
            Picture::Chart(chart) => chart.text(options),
            Picture::Heat(heat) => heat.text(options),
            Picture::Panels { panels, .. } => {
                panels.iter().map(Picture::text).collect::<Vec<_>>().join("\n")
            }
        }
    }

    fn drawing(&self, size: [u32; 2]) -> Drawing {
        match self {
            Picture::Chart(chart) => chart.draw(size),
            Picture::Heat(heat) => heat.draw(size),
            Picture::Panels { title, panels, columns, size } => {
                let panels = panels.iter().map(|panel| panel.drawing(*size)).collect();
                Drawing::panels(title, panels, *columns)
            }
        }
    }
}

/// Pixels for each unit of a drawing, so that it is sharp on a dense screen.
const DENSITY: u32 = 2;

impl Pictures {
    /// Writes every file that was asked for.
    pub(crate) fn write(&self, picture: &Picture) -> Result<(), Failure> {
        for path in &self.plot {
            let cannot = |error: &dyn std::fmt::Display| {
                Failure::Failed(format!("{} cannot be written: {error}", path.display()))
            };
            let drawing = picture.drawing(DEFAULT_SIZE);
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

/// A file whose name says what is to be written, in a folder that exists: asked before hours of
/// work, not after.
fn drawable(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if !is(&path, "svg") && !is(&path, "png") {
        return Err("a picture ends in .svg or .png".to_owned());
    }
    in_folder(path)
}

/// The path, if the folder it is in exists.
pub(crate) fn in_folder(path: PathBuf) -> Result<PathBuf, String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(format!("there is no folder {}", folder.display())),
        _ => Ok(path),
    }
}
