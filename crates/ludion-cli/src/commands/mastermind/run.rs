//! `ludion mastermind run`: one experiment, iteration by iteration, with what it cost.

use std::io::IsTerminal;
use std::time::Instant;

use clap::Args;
use ludion::arena::executor::Work;
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::laboratory::{Experiment, Settings, SettingsError, Step, Trace};
use ludion::riddles::mastermind::{Code, Mastermind};
use ludion_runs::Error;
use ludion_runs::study::{Conducted, Found, Inquiry};
use ludion_store::{Output, RunId, State, Study};
use serde::{Deserialize, Serialize};

use super::options::Setup;
use super::trace::{Answer, head, line, rows};
use crate::Context;
use crate::contest::{Storage, StoreOption};
use crate::failure::Failure;
use crate::study::{Beside, Shown};

/// Find one hidden code by cross-entropy, every iteration as it goes
#[derive(Args)]
pub(super) struct Run {
    /// Pegs of a code (n)
    #[arg(long, value_name = "N", default_value_t = 4)]
    pegs: usize,
    /// Colours of a peg (m)
    #[arg(long, value_name = "M", default_value_t = 6)]
    colours: usize,
    #[command(flatten)]
    setup: Setup,
    /// The hidden code, such as 1123 or 3-1-12 [default: drawn from the seed]
    #[arg(long, value_name = "CODE")]
    secret: Option<String>,
    /// Keep the law of every iteration, not of the last one alone
    #[arg(long)]
    tables: bool,
    #[command(flatten)]
    beside: Beside,
    #[command(flatten)]
    store: StoreOption,
}

impl Run {
    pub(super) fn run(&self, context: &Context) -> Result<(), Failure> {
        let settings = self.setup.settings(self.pegs, self.colours)?;
        let rules = settings.rules().map_err(SettingsError::from)?;
        let secret = self.secret.as_deref().map(|text| rules.read_code(text)).transpose()?;
        let single = Single { settings, secret, tables: self.tables, seed: context.seed };
        single.experiment()?;
        let asked_otherwise = context.output.json || self.beside.sheet.is_answer();
        let live = !asked_otherwise && std::io::stdout().is_terminal();
        let began = Instant::now();
        let mut written = if live { context.output.write(&head(&single.settings)) } else { Ok(()) };
        let trace = single.trace(|step| {
            if live && written.is_ok() {
                written = context.output.write(&line(&rules, step));
            }
        });
        written?;
        let output = Output { number: 0, took: began.elapsed(), value: trace };
        let run = self.keep(&single, &output)?;
        let seconds = Some(output.took.as_secs_f64());
        let answer = Answer::new(run, &rules, &output.value, seconds, live);
        report(context, &self.beside, &rules, &output.value, &answer)
    }

    /// Keeps the whole trace, and gives the number of its run.
    fn keep(&self, single: &Single, output: &Output<Trace>) -> Result<Option<RunId>, Failure> {
        let Storage::Store(mut store) = self.store.open()? else { return Ok(None) };
        let run = store.begin_study(&single.study()?)?;
        store.keep_outputs(run, [output])?;
        store.set_state(run, State::Finished)?;
        Ok(Some(run))
    }
}

/// Writes what was asked for beside the answer, and the answer.
fn report(
    context: &Context,
    beside: &Beside,
    rules: &Mastermind,
    trace: &Trace,
    answer: &Answer<'_>,
) -> Result<(), Failure> {
    beside.pictures.write(&answer.picture())?;
    let (names, steps) = rows(rules, trace);
    beside.sheet.write(&context.output, &names, steps)?;
    if beside.sheet.is_answer() { Ok(()) } else { context.output.report(answer) }
}

/// One experiment as a study with one job.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Single {
    settings: Settings,
    secret: Option<Code>,
    tables: bool,
    seed: u64,
}

impl Single {
    fn experiment(&self) -> Result<Experiment, SettingsError> {
        Experiment::new(self.settings.clone(), self.secret.clone(), self.seed)
    }

    /// The trace, with the law of the last iteration or of all.
    fn trace(&self, watch: impl FnMut(&Step)) -> Trace {
        let experiment = self.experiment().expect("settings that were checked before");
        let mut trace = experiment.run(true, watch);
        let last = trace.steps.len().saturating_sub(1);
        for step in trace.steps.iter_mut().take(if self.tables { 0 } else { last }) {
            step.table = None;
        }
        trace
    }

    fn study(&self) -> Result<Study, Failure> {
        let Settings { pegs, colours, law, .. } = &self.settings;
        let about = format!("{pegs} pegs, {colours} colours by {}", law.name());
        Ok(Study::new(Self::KIND, about, 1, self.seed, self)?)
    }
}

impl Work for Single {
    type Worker = ();
    type Output = Trace;

    fn worker(&self) {}

    fn job(&self, (): &mut (), _number: u64) -> Trace {
        self.trace(|_| ())
    }
}

impl Inquiry for Single {
    const KIND: &'static str = "mastermind run";

    fn of(study: &Study) -> Result<Self, Error> {
        let single: Single = study.settings()?;
        single.experiment().map_err(|error| Error::Wrong(error.to_string()))?;
        Ok(single)
    }

    fn live(&self, _outputs: &[Output<Trace>]) -> String {
        String::new()
    }

    fn found(&self, conducted: &Conducted<Trace>) -> Result<Found, Error> {
        self.answered(conducted, |_, _, answer| Found::new(answer, answer.picture()))
    }
}

impl Single {
    /// Gives the answer to `tell`, for it borrows what it says.
    fn answered<T, E: From<Error>>(
        &self,
        conducted: &Conducted<Trace>,
        tell: impl FnOnce(&Mastermind, &Trace, &Answer<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let Some(output) = conducted.outputs.first() else {
            return Err(Error::Failed("nothing of this run was kept".to_owned()).into());
        };
        let rules = self.settings.rules().map_err(|error| Error::Wrong(error.to_string()))?;
        let seconds = Some(output.took.as_secs_f64());
        let answer = Answer::new(conducted.run, &rules, &output.value, seconds, false);
        tell(&rules, &output.value, &answer)
    }
}

impl Shown for Single {
    fn show(
        &self,
        context: &Context,
        beside: &Beside,
        conducted: &Conducted<Trace>,
    ) -> Result<(), Failure> {
        self.answered(conducted, |rules, trace, answer| {
            report(context, beside, rules, trace, answer)
        })
    }
}
