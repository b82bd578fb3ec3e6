//! Tests of the experiment against the definitions and tables published by ARKEnsae.

use std::ops::ControlFlow;

use super::chain::ChainOptions;
use super::*;
use crate::WhitePegCounting;
use ludion_optimise::cross_entropy::SampleSize;

fn run(settings: &ExperimentSettings, seed: u64) -> ExperimentTrace {
    CrossEntropyRun::new(settings.clone(), None, seed).unwrap().run(false, |_| ())
}

#[test]
fn a_trace_records_convergence_stop_and_tables() {
    let settings = ExperimentSettings::new(6, 10, DistributionKind::Independent);
    assert_eq!(settings.sample_size(), 300);
    let mut observed = Vec::new();
    let experiment = CrossEntropyRun::new(settings, None, 3).unwrap();
    let trace = experiment.run(true, |step| observed.push(step.clone()));
    assert_eq!(observed, trace.steps);
    let gammas: Vec<f64> = trace.steps.iter().map(|step| step.gamma).collect();
    let is_converged = |t: &usize| *t > 5 && gammas[t - 6..*t].iter().all(|g| *g == gammas[t - 1]);
    let convergence = (1..=gammas.len()).find(is_converged).map(|t| t as u32);
    let ExperimentOutcome { stop, found, answers, iterations, .. } = trace.outcome;
    assert_eq!((trace.outcome.convergence, convergence), (Some(iterations), Some(iterations)));
    assert_eq!(stop, gammas.iter().position(|g| *g == 1.0).map(|t| t as u32 + 1));
    assert_eq!((found, answers), (true, 300 * u64::from(iterations)));
    for step in &trace.steps {
        let (table, DistributionSummary::Rows(rows)) =
            (step.table.as_ref().unwrap(), &step.summary)
        else {
            panic!("a table of probabilities")
        };
        let max = table.iter().flatten().copied().fold(0.0, f64::max);
        assert_eq!(rows.max, max);
        assert!(table.iter().all(|row| (row.iter().sum::<f64>() - 1.0).abs() < 1e-9));
    }
    let text = serde_json::to_string(&trace).unwrap();
    assert_eq!(serde_json::from_str::<ExperimentTrace>(&text).unwrap(), trace);
}

#[test]
fn an_interrupted_run_is_a_prefix_of_the_whole() {
    let experiment = CrossEntropyRun::new(
        ExperimentSettings::new(6, 10, DistributionKind::Independent),
        None,
        3,
    )
    .unwrap();
    let whole = experiment.run(false, |_| ());
    let part = experiment.run_until(false, |step| match step.iteration {
        3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(part.steps, whole.steps[..3]);
    assert_eq!((part.outcome.iterations, part.outcome.convergence), (3, None));
}

#[test]
fn the_mallows_distribution_ends_at_the_secret_or_after_all_iterations() {
    let trace = run(&ExperimentSettings::new(10, 15, DistributionKind::corrected()), 1);
    let ExperimentOutcome { found, stop, iterations, ref proposal, error, answers, .. } =
        trace.outcome;
    assert_eq!((found, stop, error), (true, Some(iterations), 0.0));
    assert_eq!(*proposal, trace.secret);
    // 55 codes are scored per iteration, and also the first centre and each proposed new centre.
    let samples = 55 * u64::from(iterations);
    assert!(answers > samples && answers <= samples + 1 + u64::from(iterations));
    let DistributionSummary::Mallows(last) = &trace.steps.last().unwrap().summary else {
        panic!("mallows")
    };
    assert_eq!((last.lambda, last.centre_score), (1.0, Some(1.0)));
    let failed = run(&ExperimentSettings::new(20, 30, DistributionKind::original()), 1).outcome;
    assert_eq!((failed.found, failed.stop, failed.iterations), (false, None, 100));
    assert!(failed.error > 0.0);
    let text = serde_json::to_string(&trace).unwrap();
    assert_eq!(serde_json::from_str::<ExperimentTrace>(&text).unwrap(), trace);
}

#[test]
fn a_secret_that_is_the_first_centre_is_found_at_once() {
    let ExperimentOutcome { found, stop, answers, iterations, .. } =
        run(&ExperimentSettings::new(1, 1, DistributionKind::corrected()), 1).outcome;
    assert_eq!((found, stop, answers, iterations), (true, Some(0), 1, 0));
}

#[test]
fn the_right_count_finds_what_the_historical_one_misses() {
    let wrong = |counting: WhitePegCounting| {
        let settings = ExperimentSettings {
            counting,
            ..ExperimentSettings::new(20, 15, DistributionKind::Independent)
        };
        (0..12).filter(|&seed| !run(&settings, seed).outcome.found).count()
    };
    assert_eq!(wrong(WhitePegCounting::Right), 0);
    assert!(wrong(WhitePegCounting::Historical) > 0);
}

#[test]
fn runs_depend_only_on_the_seed() {
    let settings = ExperimentSettings::new(6, 9, DistributionKind::Permutation);
    assert_eq!(run(&settings, 4), run(&settings, 4));
    assert_ne!(run(&settings, 4).secret, run(&settings, 5).secret);
}

#[test]
fn invalid_settings_are_refused_by_name() {
    let refused = |settings: ExperimentSettings, secret: Option<Vec<u16>>| {
        CrossEntropyRun::new(settings, secret, 1).unwrap_err().to_string()
    };
    let good = ExperimentSettings::new(4, 6, DistributionKind::Independent);
    assert_eq!(
        refused(ExperimentSettings::new(5, 4, DistributionKind::Permutation), None),
        "5 pegs of different colours need at least 5 colours, and there are 4"
    );
    assert!(
        refused(ExperimentSettings::new(5, 4, DistributionKind::corrected()), None)
            .contains("at least 5 colours")
    );
    let rho = ExperimentSettings { rho: 0.0, ..good.clone() };
    assert_eq!(refused(rho, None), "rho is 0; allowed is above 0 and at most 1");
    let none = ExperimentSettings { samples: SampleSize::Fixed(0), ..good.clone() };
    assert_eq!(refused(none, None), "samples is 0; allowed is 1 to 10000000");
    let d = ExperimentSettings { d: 0, ..good.clone() };
    assert_eq!(refused(d, None), "d is 0; allowed is 1 or more");
    assert!(refused(good.clone(), Some(vec![0, 1, 2])).contains("3 colours, and a code has 4"));
    assert!(refused(good.clone(), Some(vec![0, 1, 2, 6])).contains("colour 7"));
    assert!(refused(good, Some(vec![0, 1, 2, 10])).contains("colour 11, and colours are 1 to 6"));
}

#[test]
fn the_chain_has_the_exact_distribution_and_thinning_removes_its_autocorrelation() {
    let seen = ChainOptions { length: 160_000, ..ChainOptions::new(6, 6) }.diagnose(2).unwrap();
    assert_eq!(seen.counts.iter().sum::<u64>(), 2_000);
    assert!(seen.fit.unwrap().p > 1e-3, "{:?}", seen.fit);
    for peg in &seen.coordinates {
        assert!(peg.all.autocorrelation[1] > 0.5 && peg.all.ljung_box.unwrap().p < 1e-9);
        assert!(peg.thinned.ljung_box.unwrap().p > 1e-4);
        assert!(peg.all.effective_size.unwrap() < 0.2 * 160_000.0);
        assert!(peg.thinned.effective_size.unwrap() > 1_000.0);
    }
    assert!(ChainOptions { lags: 0, ..ChainOptions::new(4, 4) }.diagnose(1).is_err());
    assert!(ChainOptions { thinning: 0, ..ChainOptions::new(4, 4) }.diagnose(1).is_err());
    assert!(ChainOptions { lambda: -1.0, ..ChainOptions::new(4, 4) }.diagnose(1).is_err());
    assert!(ChainOptions::new(5, 4).diagnose(1).is_err());
}
