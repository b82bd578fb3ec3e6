//! Draws a board with a unit as a scene: full cells are blocks, the cells of the unit are discs,
//! and its pivot is marked if it is on the board.

use super::board::RowCells;
use super::unit::{Placement, Unit};
use ludion_core::game::Side;
use ludion_core::scene::{Coord, PieceShape, Scene, SceneLayout};

/// Maximum number of columns of a board whose columns are labelled; on wider boards labels would
/// widen the cells.
const MAX_NAMED_COLUMNS: usize = 10;

/// Draws the board with these rows, and the current unit if there is one.
#[must_use]
pub fn scene(rows: &[RowCells], width: usize, unit: Option<(&Unit, Placement)>) -> Scene {
    let size = Coord::new(width, rows.len());
    let layout = SceneLayout::Hexagons { cols: size.x, rows: size.y };
    let mut scene = Scene { layout, ..Scene::grid(0, 0) };
    if width <= MAX_NAMED_COLUMNS {
        scene.columns = (0..width).map(|x| x.to_string()).collect();
    }
    scene.rows = (0..rows.len()).map(|y| y.to_string()).collect();
    let cells: Vec<(i32, i32)> = unit.map_or(Vec::new(), |(unit, at)| unit.cells(at).collect());
    for (y, x) in (0..rows.len()).flat_map(|y| (0..width).map(move |x| (y, x))) {
        if rows[y] >> x & 1 == 1 {
            scene.put(Coord::new(x, y), None, PieceShape::Block);
        } else if cells.contains(&(x as i32, y as i32)) {
            scene.put(Coord::new(x, y), Some(Side::First), PieceShape::Disc);
        }
    }
    if let Some((_, Placement { x, y, .. })) = unit
        && (0..width as i16).contains(&x)
        && (0..rows.len() as i16).contains(&y)
    {
        scene.marked.push(Coord::new(x as usize, y as usize));
    }
    scene
}
