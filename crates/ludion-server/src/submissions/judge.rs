//! Scoring of submitted solutions on a blocking thread.

use std::sync::Arc;

use ludion::games::hextris::HextrisReferee;
use ludion_store::{SolutionScore, Submission};

use super::error::SubmissionError;
use super::{SharedSubmissionState, SubmissionState};

/// Starts scoring all solutions that have no score yet.
pub(super) fn in_the_background(running: &SharedSubmissionState) {
    let running = Arc::clone(running);
    std::thread::spawn(move || {
        // A failure leaves the solution without a score; the next request tries again.
        let _ = all(&running);
    });
}

/// Scores all solutions that have no score, and releases the store between two of them.
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

/// Scores one solution. A solution of a removed problem scores zero.
fn score(running: &SubmissionState, submission: &Submission) -> SolutionScore {
    let problem = running.problems.get(&(submission.problem as u32));
    let (Some(problem), Ok(seed)) = (problem, u32::try_from(submission.seed)) else {
        let status = "unknown problem".to_owned();
        return SolutionScore { status, score: 0, power: 0, phrases: 0 };
    };
    let verdict = HextrisReferee::new(problem, &running.phrases).score(seed, &submission.solution);
    let list = running.phrases.list();
    let place = |phrase: &String| list.iter().position(|known| known == phrase);
    let found = verdict.phrases.iter().filter_map(|power| place(&power.phrase));
    SolutionScore {
        status: verdict.status.name().to_owned(),
        score: verdict.score,
        power: verdict.power_score,
        // The bit mask has room for the first 63 phrases.
        phrases: found.filter(|place| *place < 63).fold(0, |mask, place| mask | 1 << place),
    }
}
