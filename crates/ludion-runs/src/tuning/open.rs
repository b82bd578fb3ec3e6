//! Open parameters of a player, as in `mcts(a=?, c=?1..3)`, as a search space: `?` stands for all
//! values that the parameter allows, `?1..3` for a narrower range.

use ludion_optimise::space::{AxisScale, AxisValue, SearchSpace, SpaceAxis, SpacePoint};
use ludion_players::param::{Param, ParamKind};
use ludion_players::registry::PlayerInfo;
use ludion_players::spec::Spec;

use crate::RunError;

/// Smallest ratio of the end of a range to its start at which the range is searched on a
/// logarithmic scale.
const LOGARITHMIC_FROM: f64 = 100.0;

/// A player with open parameters.
pub struct OpenPlayer {
    spec: Spec,
    /// Indices of the open parameters among the values of the spec, in the order of the axes.
    places: Vec<usize>,
    /// The search space, one axis for each open parameter.
    pub space: SearchSpace,
    /// The point with the default values, moved into the given ranges.
    pub start: SpacePoint,
}

impl OpenPlayer {
    /// Parses the spec of a player with open parameters; `players` are all players of the game.
    ///
    /// # Errors
    /// When the spec is wrong; the message says what is allowed.
    pub fn parse(text: &str, players: &[PlayerInfo]) -> Result<Self, RunError> {
        let spec = Spec::parse(text).map_err(|error| RunError::Wrong(error.to_string()))?;
        let Some(info) = players.iter().find(|info| info.is_called(&spec.name)) else {
            let known: Vec<&str> = players.iter().map(|info| &*info.name).collect();
            return Err(RunError::Wrong(format!(
                "no player is called {:?}; there are {}",
                spec.name,
                known.join(", ")
            )));
        };
        let spec = info.canonical(&spec);
        let places: Vec<usize> = (0..spec.values.len())
            .filter(|&i| !spec.values[i].quoted && spec.values[i].text.starts_with('?'))
            .collect();
        if places.is_empty() {
            return Err(RunError::Wrong(format!(
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
        let wrong = |error: ludion_optimise::space::SpaceError| RunError::Wrong(error.to_string());
        let space = SearchSpace::new(axes).map_err(wrong)?;
        let start = space.clamp(&defaults).map_err(wrong)?;
        Ok(OpenPlayer { spec, places, space, start })
    }

    /// Returns the spec of the player with the values of a point.
    #[must_use]
    pub fn at(&self, point: &SpacePoint) -> String {
        let mut spec = self.spec.clone();
        for (&place, value) in self.places.iter().zip(point.values()) {
            spec.values[place].text = value.to_string();
        }
        spec.to_string()
    }

    /// Returns the names of the open parameters.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.places.iter().filter_map(|&place| self.spec.values[place].name.as_deref()).collect()
    }

    /// Returns the spec of the player without its open parameters, which then have their default
    /// values.
    #[must_use]
    pub fn with_defaults(&self) -> String {
        let mut spec = self.spec.clone();
        for &place in self.places.iter().rev() {
            spec.values.remove(place);
        }
        spec.to_string()
    }
}

fn axis(spec: &Spec, place: usize, info: &PlayerInfo) -> Result<(SpaceAxis, AxisValue), RunError> {
    let given = &spec.values[place];
    let name = given.name.as_deref().ok_or_else(|| {
        RunError::Wrong("an open parameter needs its name, such as a=?".to_owned())
    })?;
    let Some(param) = info.params.iter().find(|param| param.name == name) else {
        let known: Vec<&str> = info.params.iter().map(|param| &*param.name).collect();
        return Err(RunError::Wrong(format!(
            "{} has no parameter {name:?}; it has {}",
            info.name,
            known.join(", ")
        )));
    };
    let range = Some(given.text[1..].trim()).filter(|range| !range.is_empty());
    match (&param.kind, range) {
        (&ParamKind::Int { default, min, max }, range) => {
            let (min, max) = parse_range(param, range, min, max)?;
            Ok((
                SpaceAxis::integer(name, min, max, scale(min as f64, max as f64)),
                AxisValue::Integer(default),
            ))
        }
        (&ParamKind::Real { default, min, max }, range) => {
            let (min, max) = parse_range(param, range, min, max)?;
            Ok((SpaceAxis::real(name, min, max, scale(min, max)), AxisValue::Real(default)))
        }
        (ParamKind::Flag, None) => {
            Ok((SpaceAxis::choice(name, &["no", "yes"]), AxisValue::Choice("no".to_owned())))
        }
        (ParamKind::Choice { default, options }, None) => {
            let options: Vec<&str> = options.iter().collect();
            let default = AxisValue::Choice(default.clone().into_owned());
            Ok((SpaceAxis::choice(name, &options), default))
        }
        (ParamKind::Flag | ParamKind::Choice { .. }, Some(_)) => {
            Err(RunError::Wrong(format!("{name} has no range; write {name}=?")))
        }
        (ParamKind::Text { .. }, _) => {
            Err(RunError::Wrong(format!("{name} is any text, which cannot be tuned")))
        }
    }
}

/// Parses a range such as `1..50`, which must be within the range of the parameter.
fn parse_range<T: std::str::FromStr + PartialOrd + Copy>(
    param: &Param,
    range: Option<&str>,
    min: T,
    max: T,
) -> Result<(T, T), RunError> {
    let Some(range) = range else { return Ok((min, max)) };
    let parsed = range.split_once("..").and_then(|(low, high)| {
        let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        (min <= low && low < high && high <= max).then_some((low, high))
    });
    parsed.ok_or_else(|| {
        RunError::Wrong(format!(
            "{}=?{range} is no range; write two numbers within {}, such as {}=?1..50",
            param.name,
            param.allowed(),
            param.name
        ))
    })
}

fn scale(min: f64, max: f64) -> AxisScale {
    if min > 0.0 && max / min >= LOGARITHMIC_FROM {
        AxisScale::Logarithmic
    } else {
        AxisScale::Linear
    }
}
