//! Scoring of submitted solutions on another thread.

use std::sync::Arc;

use ludion_hextris::HextrisReferee;
use ludion_store::{SolutionScore, Submission};

use super::error::SubmissionError;
use super::{SharedSubmissionState, SubmissionState};

/// Starts a thread that scores all solutions without a score.
pub(super) fn score_in_background(server: &SharedSubmissionState) {
    let server = Arc::clone(server);
    // After a failure the solution has no score; the next submission tries again.
    let _ = std::thread::Builder::new().spawn(move || drop(score_all(&server)));
}

/// Scores all solutions without a score. The store is locked only to read and to write, not while a
/// solution is scored.
pub(super) fn score_all(server: &SubmissionState) -> Result<(), SubmissionError> {
    let unscored = server.store.lock().map_err(|_| SubmissionError::Internal)?.unscored()?;
    for submission in &unscored {
        let scored = score(server, submission);
        server
            .store
            .lock()
            .map_err(|_| SubmissionError::Internal)?
            .set_score(submission.id, &scored)?;
    }
    Ok(())
}

/// Scores one solution. A solution of a removed problem scores zero.
fn score(server: &SubmissionState, submission: &Submission) -> SolutionScore {
    let problem = server.problems.get(&(submission.problem as u32));
    let (Some(problem), Ok(seed)) = (problem, u32::try_from(submission.seed)) else {
        let status = "unknown problem".to_owned();
        return SolutionScore { status, score: 0, power: 0, phrases: 0 };
    };
    let verdict = HextrisReferee::new(problem, &server.phrases).score(seed, &submission.solution);
    let list = server.phrases.list();
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
