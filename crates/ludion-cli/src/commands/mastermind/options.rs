//! Options of experiments: the distribution, and settings that differ from its defaults.

use clap::{Args, ValueEnum};
use ludion::optimise::cross_entropy::SampleSize;
use ludion::optimise::cross_entropy::mallows::{LambdaUpdate, MallowsOptions, MallowsSampling};
use ludion::riddles::mastermind::experiment::{
    DistributionKind, ExperimentSettings, ExperimentSettingsError,
};
use ludion::riddles::mastermind::{PegWeights, WhitePegCounting};

use crate::failure::CommandFailure;

impl From<ExperimentSettingsError> for CommandFailure {
    fn from(error: ExperimentSettingsError) -> Self {
        CommandFailure::Usage(error.to_string())
    }
}

/// Options of a cross-entropy experiment.
#[derive(Args, Clone)]
pub(super) struct CrossEntropyArgs {
    /// The distribution that codes are drawn from
    #[arg(long, value_enum, default_value_t = DistributionName::Independent)]
    law: DistributionName,
    /// Use the Mallows distribution as published: codes by a Markov chain, the centre from the
    /// frequencies in the elite
    #[arg(long)]
    original: bool,
    /// How white pegs are counted; historical: as in the published experiment, which miscounts
    #[arg(long, value_enum, default_value_t = CountingName::Right)]
    counting: CountingName,
    /// Weights of a black and of a white peg in the score of a code, such as 5,1
    #[arg(long, value_name = "BLACK,WHITE", value_parser = read_weights, default_value = "2,1",
          allow_hyphen_values = true)]
    weights: PegWeights,
    /// Codes in an iteration [default: 5 for each parameter of the distribution]
    #[arg(short = 'N', long, value_name = "N", conflicts_with = "each")]
    samples: Option<usize>,
    /// Codes in an iteration for each parameter of the distribution: pegs times colours, or pegs +
    /// 1 for mallows
    #[arg(short = 'C', long, value_name = "C")]
    each: Option<usize>,
    /// Share of the codes that is the elite, before ties are added [default: 0.1]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    rho: Option<f64>,
    /// Share of the fitted distribution in the next one [default: 0.7; mallows 0.1, original 1]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    alpha: Option<f64>,
    /// Use the fitted distribution as the next one, without smoothing
    #[arg(long, conflicts_with = "alpha")]
    no_smoothing: bool,
    /// Stop when gamma, the lowest score in the elite, has stayed the same D times in a row
    /// [default: 5; with --law mallows: 10]
    #[arg(long = "d", value_name = "D")]
    unchanged: Option<u32>,
    /// Maximum number of iterations [default: 100]
    #[arg(long, value_name = "N")]
    iterations: Option<u32>,
    /// Lambda of the Mallows distribution: a number, such as 1; a growing one, such as 1+0.1; or
    /// likelihood [default: 1]
    #[arg(long, value_name = "RULE", value_parser = read_lambda, allow_hyphen_values = true)]
    lambda: Option<LambdaUpdate>,
    /// How codes of the Mallows distribution are drawn [default: exact, original chain]
    #[arg(long, value_enum)]
    sampler: Option<SamplerName>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DistributionName {
    /// Each peg independently
    Independent,
    /// Each peg independently; codes with a colour twice are discarded
    Discarding,
    /// Pegs one after the other, each from the colours that are left
    Permutation,
    /// Around a centre, by the number of pegs that differ from it
    Mallows,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CountingName {
    Right,
    Historical,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SamplerName {
    /// Independent codes from the exact distribution
    Exact,
    /// Metropolis-Hastings with a burn-in of 250 steps for each colour and a thinning of 80
    Chain,
}

/// Upper limit of lambda in a maximum likelihood fit; e^−20 is practically 0.
const MAX_LAMBDA: f64 = 20.0;

fn read_weights(text: &str) -> Result<PegWeights, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let read = text.split_once(',').and_then(|(black, white)| {
        Some(PegWeights { black: number(black)?, white: number(white)? })
    });
    read.ok_or_else(|| "write two numbers, such as 2,1".to_owned())
}

fn read_lambda(text: &str) -> Result<LambdaUpdate, String> {
    if text == "likelihood" {
        return Ok(LambdaUpdate::Likelihood { start: 1.0, max: MAX_LAMBDA });
    }
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let read = match text.split_once('+') {
        Some((start, step)) => number(start)
            .zip(number(step))
            .map(|(start, step)| LambdaUpdate::Growing { start, step }),
        None => number(text).map(LambdaUpdate::Constant),
    };
    read.ok_or_else(|| "write a number, start+step or likelihood".to_owned())
}

impl CrossEntropyArgs {
    /// Returns the experiment settings for codes with these numbers of pegs and colours.
    pub(super) fn settings(
        &self,
        pegs: usize,
        colours: usize,
    ) -> Result<ExperimentSettings, CommandFailure> {
        let mut settings = ExperimentSettings::new(pegs, colours, self.law()?);
        settings.counting = match self.counting {
            CountingName::Right => WhitePegCounting::Right,
            CountingName::Historical => WhitePegCounting::Historical,
        };
        settings.weights = self.weights;
        if let Some(count) = self.samples {
            settings.samples = SampleSize::Fixed(count);
        } else if let Some(each) = self.each {
            if each == 0 {
                return Err(CommandFailure::Usage("-C is 0; allowed is 1 or more".to_owned()));
            }
            settings.samples = SampleSize::PerParameter(each);
        }
        if self.no_smoothing {
            settings.smoothing = None;
        } else if let Some(alpha) = self.alpha {
            if !(alpha > 0.0 && alpha <= 1.0) {
                let allowed = "allowed is above 0 and at most 1";
                return Err(CommandFailure::Usage(format!("alpha is {alpha}; {allowed}")));
            }
            settings.smoothing = Some(alpha);
        }
        settings.rho = self.rho.unwrap_or(settings.rho);
        settings.d = self.unchanged.unwrap_or(settings.d);
        settings.iterations = self.iterations.unwrap_or(settings.iterations);
        Ok(settings)
    }

    fn law(&self) -> Result<DistributionKind, CommandFailure> {
        let given = [
            ("--original", self.original),
            ("--lambda", self.lambda.is_some()),
            ("--sampler", self.sampler.is_some()),
        ];
        match (self.law, given.iter().find(|(_, given)| *given)) {
            (DistributionName::Independent, None) => Ok(DistributionKind::Independent),
            (DistributionName::Discarding, None) => Ok(DistributionKind::Discarding),
            (DistributionName::Permutation, None) => Ok(DistributionKind::Permutation),
            (DistributionName::Mallows, _) => Ok(DistributionKind::Mallows(self.mallows())),
            (_, Some((name, _))) => {
                Err(CommandFailure::Usage(format!("{name} is for --law mallows alone")))
            }
        }
    }

    fn mallows(&self) -> MallowsOptions {
        let mut options = MallowsOptions::default();
        if self.original {
            options = MallowsOptions::original();
        }
        options.lambda = self.lambda.unwrap_or(options.lambda);
        options.sampler = match (self.sampler, options.sampler) {
            (None, usual) => usual,
            (Some(SamplerName::Exact), _) => MallowsSampling::Exact,
            (Some(SamplerName::Chain), _) => MallowsOptions::original().sampler,
        };
        options
    }
}
