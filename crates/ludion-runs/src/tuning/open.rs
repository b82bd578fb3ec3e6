//! The open parameters of a player, `mcts(a=?, c=?1..3)`, as a space to search: a question mark
//! stands for all that the parameter allows, a range behind it for less.

use ludion::optimise::space::{Axis, Point, Scale, Space, Value};
use ludion::param::{Kind, Param};
use ludion::registry::PlayerInfo;
use ludion::spec::Spec;

use crate::Error;

/// A range that spans more than this factor is searched by factors.
const WIDE: f64 = 100.0;

/// A player some of whose parameters are open.
pub struct Open {
    spec: Spec,
    /// Which values of the spec are open, in the order of the axes.
    places: Vec<usize>,
    /// What is searched.
    pub space: Space,
    /// The defaults of the open parameters.
    pub start: Point,
}

impl Open {
    /// Reads a player's text with open parameters; `players` are those of the game.
    ///
    /// # Errors
    /// Names what is wrong with it and what is allowed.
    pub fn read(text: &str, players: &[PlayerInfo]) -> Result<Self, Error> {
        let spec = Spec::parse(text).map_err(|error| Error::Wrong(error.to_string()))?;
        let Some(info) = players.iter().find(|info| info.name == spec.name) else {
            let known: Vec<&str> = players.iter().map(|info| info.name).collect();
            return Err(Error::Wrong(format!(
                "no player is called {:?}; there are {}",
                spec.name,
                known.join(", ")
            )));
        };
        let places: Vec<usize> = (0..spec.values.len())
            .filter(|&i| !spec.values[i].quoted && spec.values[i].text.starts_with('?'))
            .collect();
        if places.is_empty() {
            return Err(Error::Wrong(format!(
                "{text:?} leaves no parameter open; write name=? or name=?1..50"
            )));
        }
        let mut axes = Vec::new();
        let mut defaults = Vec::new();
        for &i in &places {
            let (axis, default) = axis(&spec, i, info)?;
            axes.push(axis);
            defaults.push(default);
        }
        let wrong = |error: ludion::optimise::space::SpaceError| Error::Wrong(error.to_string());
        let space = Space::new(axes).map_err(wrong)?;
        let start = space.clamp(&defaults).map_err(wrong)?;
        Ok(Open { spec, places, space, start })
    }

    /// The player at a point.
    #[must_use]
    pub fn at(&self, point: &Point) -> String {
        let mut spec = self.spec.clone();
        for (&place, value) in self.places.iter().zip(point.values()) {
            spec.values[place].text = value.to_string();
        }
        spec.to_string()
    }

    /// The player with its open parameters left to their defaults.
    #[must_use]
    pub fn plain(&self) -> String {
        let mut spec = self.spec.clone();
        for &place in self.places.iter().rev() {
            spec.values.remove(place);
        }
        spec.to_string()
    }
}

fn axis(spec: &Spec, place: usize, info: &PlayerInfo) -> Result<(Axis, Value), Error> {
    let given = &spec.values[place];
    let name = given
        .name
        .as_deref()
        .ok_or_else(|| Error::Wrong("an open parameter needs its name, such as a=?".to_owned()))?;
    let Some(param) = info.params.iter().find(|param| param.name == name) else {
        let known: Vec<&str> = info.params.iter().map(|param| param.name).collect();
        return Err(Error::Wrong(format!(
            "{} has no parameter {name:?}; it has {}",
            info.name,
            known.join(", ")
        )));
    };
    let range = Some(given.text[1..].trim()).filter(|range| !range.is_empty());
    match (param.kind, range) {
        (Kind::Int { default, min, max }, range) => {
            let (min, max) = ends(param, range, min, max)?;
            Ok((
                Axis::integer(name, min, max, scale(min as f64, max as f64)),
                Value::Integer(default),
            ))
        }
        (Kind::Real { default, min, max }, range) => {
            let (min, max) = ends(param, range, min, max)?;
            Ok((Axis::real(name, min, max, scale(min, max)), Value::Real(default)))
        }
        (Kind::Flag, None) => {
            Ok((Axis::choice(name, &["no", "yes"]), Value::Choice("no".to_owned())))
        }
        (Kind::Choice { default, options }, None) => {
            Ok((Axis::choice(name, options), Value::Choice(default.to_owned())))
        }
        (Kind::Flag | Kind::Choice { .. }, Some(_)) => {
            Err(Error::Wrong(format!("{name} has no range; write {name}=?")))
        }
        (Kind::Text { .. }, _) => {
            Err(Error::Wrong(format!("{name} is any text, which cannot be tuned")))
        }
    }
}

/// The ends of a range like `1..50`, within what the parameter allows.
fn ends<T: std::str::FromStr + PartialOrd + Copy>(
    param: &Param,
    range: Option<&str>,
    min: T,
    max: T,
) -> Result<(T, T), Error> {
    let Some(range) = range else { return Ok((min, max)) };
    let read = range.split_once("..").and_then(|(low, high)| {
        let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        (min <= low && low < high && high <= max).then_some((low, high))
    });
    read.ok_or_else(|| {
        Error::Wrong(format!(
            "{}=?{range} is no range; write two numbers within {}, such as {}=?1..50",
            param.name,
            param.allowed(),
            param.name
        ))
    })
}

fn scale(min: f64, max: f64) -> Scale {
    if min > 0.0 && max / min >= WIDE { Scale::Logarithmic } else { Scale::Linear }
}
