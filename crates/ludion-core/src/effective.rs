//! The *effective player*: a player after a budget has replaced or switched off some of its
//! parameters. Results are shown, stored and compared under its spec, so that no name tells a value
//! that did not act.

use std::borrow::Cow;

use crate::named::PlayerInfo;
use crate::param::{Args, ParamKind, ParamValue};
use crate::player::{Budget, BudgetUnit};

/// A parameter of a player that does not act if the budget limits `unit`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BudgetOverride {
    /// The name of the parameter.
    pub param: Cow<'static, str>,
    /// The limit of the budget that overrides the parameter.
    pub unit: BudgetUnit,
    /// What happens to the parameter.
    pub effect: OverrideEffect,
}

/// What a limit of a budget does to a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverrideEffect {
    /// The number of the budget takes the place of the value and has the same meaning.
    Replaces,
    /// The value has no effect.
    Disables,
}

impl BudgetOverride {
    /// Declares that the number of the budget takes the place of the value of `param`, which must be
    /// a whole number of the same meaning.
    #[must_use]
    pub const fn replaces(param: &'static str, unit: BudgetUnit) -> Self {
        BudgetOverride { param: Cow::Borrowed(param), unit, effect: OverrideEffect::Replaces }
    }

    /// Declares that the value of `param` has no effect if the budget limits `unit`.
    #[must_use]
    pub const fn disables(param: &'static str, unit: BudgetUnit) -> Self {
        BudgetOverride { param: Cow::Borrowed(param), unit, effect: OverrideEffect::Disables }
    }
}

/// A reason why a player may choose other moves when a game is played again with the same seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RepeatHazard {
    /// The parameter is a time limit; 0 is no limit.
    Clock {
        /// The name of the parameter.
        param: Cow<'static, str>,
    },
    /// Several threads search together in an order that the machine decides.
    Threads {
        /// The parameter with the number of threads.
        param: Cow<'static, str>,
        /// The parameter and the value with which the threads share their work in that way; `None`
        /// if they always do.
        only: Option<(Cow<'static, str>, Cow<'static, str>)>,
    },
    /// The player is an external program, which decides itself whether it uses the seed.
    Program,
}

impl RepeatHazard {
    /// Declares that `param` is a time limit.
    #[must_use]
    pub const fn clock(param: &'static str) -> Self {
        RepeatHazard::Clock { param: Cow::Borrowed(param) }
    }

    /// Declares that more than one thread makes the player's choices depend on the machine.
    #[must_use]
    pub const fn threads(param: &'static str) -> Self {
        RepeatHazard::Threads { param: Cow::Borrowed(param), only: None }
    }

    /// Declares that more than one thread makes the player's choices depend on the machine if the
    /// parameter `mode` has this value.
    #[must_use]
    pub const fn threads_if(param: &'static str, mode: &'static str, value: &'static str) -> Self {
        let only = Some((Cow::Borrowed(mode), Cow::Borrowed(value)));
        RepeatHazard::Threads { param: Cow::Borrowed(param), only }
    }
}

/// A player under a budget: its specs, and whether its choices can be repeated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EffectivePlayer {
    /// The shortest spec: values that differ from their defaults and that act under the budget.
    pub spec: String,
    /// The spec with all values that act under the budget, defaults included. Two players with the
    /// same full spec are the same player.
    pub full: String,
    /// The parameters that the budget overrides, whether the spec gave them or not.
    pub overridden: Vec<String>,
    /// Sentences that say what keeps the player from choosing the same moves again with the same
    /// seed; empty if nothing does.
    pub hindrances: Vec<String>,
}

impl PlayerInfo {
    /// Returns what the budget makes of this player with the parameters `args`.
    #[must_use]
    pub fn effective(&self, args: &Args, budget: &Budget) -> EffectivePlayer {
        let mut acting = args.clone();
        let (mut replaced, mut disabled) = (Vec::new(), Vec::new());
        for rule in self.overrides.iter() {
            let Some(limit) = budget_limit(budget, rule.unit) else { continue };
            let value = limit.filter(|_| rule.effect == OverrideEffect::Replaces);
            match value.filter(|&value| self.allows(&rule.param, value)) {
                Some(value) => {
                    acting.set(&rule.param, ParamValue::Int(value));
                    replaced.push(&*rule.param);
                }
                None => disabled.push(&*rule.param),
            }
        }
        disabled.retain(|param| !replaced.contains(param));
        disabled.iter().for_each(|param| acting.reset(param));
        let spec = acting.to_string();
        let hindrances = self.hindrances(&spec, &acting, &disabled, budget);
        let full = acting.full_spec(&disabled);
        let overridden = replaced.iter().chain(&disabled).map(|&name| name.to_owned()).collect();
        EffectivePlayer { spec, full, overridden, hindrances }
    }

    /// Returns whether the parameter `name` may have the whole number `value`.
    fn allows(&self, name: &str, value: i64) -> bool {
        let param = self.params.iter().find(|param| param.name == name);
        param.is_some_and(|param| match param.kind {
            ParamKind::Int { min, max, .. } => (min..=max).contains(&value),
            _ => false,
        })
    }

    fn hindrances(
        &self,
        spec: &str,
        args: &Args,
        disabled: &[&str],
        budget: &Budget,
    ) -> Vec<String> {
        let mut found = Vec::new();
        if budget.time.is_some() && self.spends.contains(&BudgetUnit::Time) {
            found.push(format!("the clock limits each move of {spec}"));
        }
        for hazard in self.hazards.iter() {
            match hazard {
                RepeatHazard::Clock { param } => {
                    if !disabled.contains(&&**param) && args.number(param) > 0.0 {
                        found.push(format!("the clock limits each move of {spec}"));
                    }
                }
                RepeatHazard::Threads { param, only } => {
                    let shared = only.as_ref().is_none_or(|(mode, value)| args.text(mode) == value);
                    if shared && args.number(param) > 1.0 {
                        found.push(format!("the threads of {spec} search one tree together"));
                    }
                }
                RepeatHazard::Program => found.push(
                    "a bot is an external program, which repeats its moves only if it uses the seed"
                        .to_owned(),
                ),
            }
        }
        found
    }
}

/// Returns `None` if the budget does not limit `unit`, otherwise its limit as a whole number, if it
/// is one.
fn budget_limit(budget: &Budget, unit: BudgetUnit) -> Option<Option<i64>> {
    match unit {
        BudgetUnit::Time => budget.time.map(|_| None),
        BudgetUnit::Simulations => budget.simulations.map(|n| i64::try_from(n).ok()),
        BudgetUnit::Nodes => budget.nodes.map(|n| i64::try_from(n).ok()),
        BudgetUnit::Depth => budget.depth.map(|n| Some(n.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::{Param, Spec};

    const PARAMS: &[Param] = &[
        Param::int("sims", 100, 1, 1000, "a number"),
        Param::real("secs", 1.0, 0.0, 10.0, "a time"),
        Param::int("threads", 1, 1, 8, "threads"),
        Param::choice("parallel", &["tree", "root"], "a mode"),
        Param::flag("fresh", "a flag"),
    ];

    fn effective(spec: &str, budget: &str) -> EffectivePlayer {
        let info = PlayerInfo {
            name: "toy".into(),
            params: PARAMS.into(),
            spends: (&BudgetUnit::ALL).into(),
            overrides: vec![
                BudgetOverride::replaces("sims", BudgetUnit::Simulations),
                BudgetOverride::disables("sims", BudgetUnit::Time),
                BudgetOverride::disables("secs", BudgetUnit::Time),
                BudgetOverride::disables("secs", BudgetUnit::Simulations),
            ]
            .into(),
            hazards: vec![
                RepeatHazard::clock("secs"),
                RepeatHazard::threads_if("threads", "parallel", "tree"),
            ]
            .into(),
            ..PlayerInfo::default()
        };
        let args = info.args(&Spec::parse(spec).unwrap()).unwrap();
        let budget = if budget.is_empty() { Budget::UNLIMITED } else { budget.parse().unwrap() };
        info.effective(&args, &budget)
    }

    #[test]
    fn a_budget_replaces_a_value_or_takes_it_from_the_spec() {
        let plain = effective("toy(sims=7)", "");
        assert_eq!(plain.spec, "toy(sims=7)");
        assert_eq!(plain.full, "toy(sims=7, secs=1, threads=1, parallel=tree, fresh=no)");
        assert!(plain.overridden.is_empty());
        let counted = effective("toy(sims=7, fresh)", "50sims");
        assert_eq!(counted.spec, "toy(sims=50, fresh)");
        assert_eq!(counted.full, "toy(sims=50, threads=1, parallel=tree, fresh=yes)");
        assert_eq!(counted.overridden, ["sims", "secs"]);
        assert_eq!(counted, effective("toy(sims=50, secs=3, fresh)", "50sims"));
        let timed = effective("toy(sims=7)", "50ms");
        assert_eq!((timed.spec.as_str(), timed.overridden.len()), ("toy", 2));
        assert_eq!(timed.full, "toy(threads=1, parallel=tree, fresh=no)");
        assert_eq!(effective("toy(sims=7)", "50ms,9sims").spec, "toy(sims=9)");
        // A number that the parameter cannot have is not shown as its value.
        assert_eq!(effective("toy(sims=7)", "5000sims").spec, "toy");
    }

    #[test]
    fn the_clock_and_threads_that_share_a_tree_hinder_a_repetition() {
        let hindrances = |spec, budget| effective(spec, budget).hindrances.join("; ");
        assert_eq!(hindrances("toy", ""), "the clock limits each move of toy");
        assert_eq!(hindrances("toy(secs=0)", ""), "");
        assert_eq!(hindrances("toy", "50sims"), "");
        assert_eq!(hindrances("toy", "50ms"), "the clock limits each move of toy");
        let shared = hindrances("toy(threads=2)", "50sims");
        assert_eq!(shared, "the threads of toy(sims=50, threads=2) search one tree together");
        assert_eq!(hindrances("toy(threads=2, parallel=root)", "50sims"), "");
    }
}
