//! Teams and their submissions.

use ludion_store::{CountingRule, NewSolution, SolutionScore, Store, StoreError, Submission};

fn solution(seed: u64, commands: &str) -> NewSolution {
    NewSolution {
        problem: 6,
        seed,
        tag: Some("first try".to_owned()),
        solution: commands.to_owned(),
    }
}

fn scored(score: u64) -> SolutionScore {
    SolutionScore { status: "ended".to_owned(), score, power: score / 2, phrases: 5 }
}

fn scores(submissions: &[Submission]) -> Vec<(u64, Option<u64>)> {
    submissions.iter().map(|one| (one.seed, one.scored.as_ref().map(|s| s.score))).collect()
}

#[test]
fn the_newest_or_the_best_solution_counts() {
    let mut store = Store::in_memory().expect("a store");
    let team = store.add_team("one", &[1; 32]).expect("a team").id;
    let first = store.submit(team, &[solution(0, "ei!"), solution(1, "ia!")]).expect("kept");
    let second = store.submit(team, &[solution(0, "lll")]).expect("kept");
    assert_eq!(store.unscored().expect("reads").len(), 3);
    store.set_score(first[0], &scored(300)).expect("scored");
    store.set_score(second[0], &scored(200)).expect("scored");
    assert_eq!(store.unscored().expect("reads").len(), 1);
    let newest = store.counted_submissions(CountingRule::Newest).expect("reads");
    assert_eq!(scores(&newest), [(0, Some(200)), (1, None)]);
    let best = store.counted_submissions(CountingRule::Best).expect("reads");
    assert_eq!(scores(&best), [(0, Some(300)), (1, None)]);
    let all = store.submissions(team).expect("reads");
    assert_eq!(all.len(), 3, "the history is kept");
    assert_eq!((all[0].solution.as_str(), all[0].scored.clone()), ("ei!", Some(scored(300))));
}

#[test]
fn the_hash_of_a_token_identifies_a_team() {
    let mut store = Store::in_memory().expect("a store");
    let team = store.add_team("one", &[7; 32]).expect("a team");
    assert!(matches!(store.add_team("one", &[8; 32]), Err(StoreError::TeamExists(_))));
    assert_eq!(store.token_hash(team.id).expect("reads"), Some([7; 32]));
    store.set_token(team.id, &[9; 32]).expect("set");
    assert_eq!(store.token_hash(team.id).expect("reads"), Some([9; 32]));
    assert_eq!(store.token_hash(team.id + 1).expect("reads"), None);
    store.submit(team.id, &[solution(0, "ei!")]).expect("kept");
    store.remove_team(team.id).expect("removed");
    assert!(store.unscored().expect("reads").is_empty(), "its solutions are deleted as well");
    assert!(matches!(store.team(team.id), Err(StoreError::NoTeam(_))));
}
