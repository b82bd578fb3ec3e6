//! Items of reproductions: a planted false claim is refuted, a true one confirmed, and a claim that
//! the data cannot decide is neither.

use std::sync::atomic::AtomicBool;

use ludion_runs::studies::reproduction::{
    Comparison, Finding, ItemHead, ItemKind, JobContext, JudgeContext, MeasuredValue, RunSize,
    Verdict, WorkItem, works,
};

/// Makes an item that claims a chance of the first player at tic-tac-toe, where both move at random.
fn claim(
    published: &'static str,
    judge: fn(&JudgeContext<'_>, &[[u64; 2]]) -> Finding,
) -> WorkItem {
    let head = ItemHead {
        id: "chance",
        kind: ItemKind::Claim,
        place: "nowhere",
        title: "The chance of the first player",
        published,
        method: "Random games.",
        command: "",
    };
    WorkItem::measured(
        head,
        |_| 2,
        |context| {
            let position = context.game("tictactoe")?.start();
            Ok([position.playouts(2000, context.seed())[0], 2000])
        },
        judge,
    )
}

fn share(found: &[[u64; 2]]) -> MeasuredValue {
    let sum = |i: usize| found.iter().map(|one| one[i]).sum();
    MeasuredValue::share(sum(0), sum(1))
}

fn judged(chance: f64, resolution: f64, ours: MeasuredValue) -> Finding {
    let verdict = Verdict::figure(MeasuredValue::exact(chance), ours, 0.0, resolution);
    let line = Comparison::share("first player wins", chance.to_string(), ours, verdict);
    Finding::all(vec![line], "A random game has these odds.")
}

fn verdict(item: &WorkItem) -> Verdict {
    let (registry, stop) = (ludion::registry::standard(), AtomicBool::new(false));
    let measure = |number| {
        let context = JobContext {
            registry: &registry,
            size: RunSize::Quick,
            number,
            item_seed: 7,
            problems: &[],
            stop: &stop,
        };
        item.measure(&context).expect("a measurement")
    };
    let measurements: Vec<_> = (0..item.jobs(RunSize::Quick)).map(measure).collect();
    let context = JudgeContext { size: RunSize::Quick, seed: 7, problems: &[] };
    item.judge(&context, &measurements).expect("a finding").verdict
}

#[test]
fn a_planted_false_claim_is_refuted_and_a_true_one_confirmed() {
    // The exact chance is 737/1260 = 0.585.
    let truth = claim("58.5 %", |_, found| judged(737.0 / 1260.0, 0.05, share(found)));
    assert_eq!(verdict(&truth), Verdict::Confirmed);
    let planted = claim("70 %", |_, found| judged(0.7, 0.05, share(found)));
    assert_eq!(verdict(&planted), Verdict::Refuted);
    let fine = claim("58.5 %", |_, found| judged(737.0 / 1260.0, 1e-4, share(found)));
    assert_eq!(verdict(&fine), Verdict::InsideNoise);
}

#[test]
fn every_item_of_every_work_is_complete() {
    for work in works() {
        let items = (work.items)();
        assert!(items.len() >= 15, "{} has {} items", work.name, items.len());
        for item in &items {
            let head = item.head;
            let is_sentence = |text: &str| text.ends_with(['.', ')']);
            assert!(is_sentence(head.published), "{} {}", work.name, head.id);
            assert!(head.method.is_empty() == (item.jobs(RunSize::Full) == 0), "{}", head.id);
            for needed in item.needs {
                let exists = items.iter().any(|other| other.head.id == *needed);
                assert!(exists, "{} needs {needed}", head.id);
            }
            let [tiny, quick, full] = item.seconds;
            assert!(tiny <= quick && quick <= full, "{}", head.id);
            assert!(item.jobs(RunSize::Tiny) <= item.jobs(RunSize::Full), "{}", head.id);
        }
    }
}
