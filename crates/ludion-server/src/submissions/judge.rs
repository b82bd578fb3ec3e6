//! Scores what was submitted, off the threads that answer requests.

use std::sync::Arc;

use ludion::games::hextris::HextrisReferee;
use ludion_store::{SolutionScore, Submission};

use super::error::SubmissionError;
use super::{SharedSubmissionState, SubmissionState};

/// Begins to score whatever nobody has scored yet.
pub(super) fn in_the_background(running: &SharedSubmissionState) {
    let running = Arc::clone(running);
    std::thread::spawn(move || {
        // What fails here is found unscored by the next request, and tried again.
        let _ = all(&running);
    });
}

/// Scores everything that is not scored. The store is free between two solutions.
pub(super) fn all(running: &SubmissionState) -> Result<(), SubmissionError> {
    let unscored = running.store.lock().map_err(|_| SubmissionError::Broken)?.unscored()?;
    for submission in &unscored {
        let scored = score(running, submission);
        running
            .store
            .lock()
            .map_err(|_| SubmissionError::Broken)?
            .set_score(submission.id, &scored)?;
    }
    Ok(())
}

/// What the referee says of a solution. One to a problem that is no longer there is worth nothing.
fn score(running: &SubmissionState, submission: &Submission) -> SolutionScore {
    let problem = running.problems.get(&(submission.problem as u32));
    let (Some(problem), Ok(seed)) = (problem, u32::try_from(submission.seed)) else {
        let status = "unknown problem".to_owned();
        return SolutionScore { status, score: 0, power: 0, phrases: 0 };
    };
    let verdict = HextrisReferee::new(problem, &running.phrases).judge(seed, &submission.solution);
    let list = running.phrases.list();
    let place = |phrase: &String| list.iter().position(|known| known == phrase);
    let found = verdict.phrases.iter().filter_map(|power| place(&power.phrase));
    SolutionScore {
        status: verdict.status.name().to_owned(),
        score: verdict.score,
        power: verdict.power_score,
        // The mask has room for the first 63 phrases; nobody has had more.
        phrases: found.filter(|place| *place < 63).fold(0, |mask, place| mask | 1 << place),
    }
}
