//! Tests of the reports by a clock that the tests set.

use std::time::Duration;

use super::report::{CLEAR_LINE, ProgressReporter, ReportForm, WorkProgress, in_words, scaled};

const WIDTH: usize = 80;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Runs a clock in steps of a tick up to `seconds`; `work` says what is done at a time in
/// milliseconds. Returns what was written, with the time of writing in milliseconds.
fn written(
    form: ReportForm,
    seconds: u64,
    mut progress: WorkProgress,
    mut work: impl FnMut(u64, &mut WorkProgress),
) -> Vec<(u64, String)> {
    let mut reporter = ProgressReporter::new(form);
    let mut all = Vec::new();
    for now in (100..=1000 * seconds).step_by(100) {
        work(now, &mut progress);
        let text = reporter.tick(ms(now), &progress, WIDTH);
        if !text.is_empty() {
            all.push((now, text));
        }
    }
    all
}

/// Work of 40 seconds, ten units in a second.
fn forty_seconds(now: u64, work: &mut WorkProgress) {
    work.update(now / 100, Some(400), Some("+3 =1".to_owned()));
}

#[test]
fn a_log_has_an_estimate_after_a_second_and_then_lines_at_growing_intervals() {
    let lines = written(ReportForm::Log, 40, WorkProgress::new("pairs"), forty_seconds);
    let times: Vec<u64> = lines.iter().map(|(now, _)| *now).collect();
    assert_eq!(times, [1000, 10_000, 30_000], "{lines:?}");
    assert_eq!(lines[0].1, "takes about 40 s (10/400 pairs in 1.0 s, +3 =1)\n");
    assert_eq!(lines[1].1, "100/400 pairs  +3 =1  10.0/s  30 s left\n");
    assert_eq!(lines[2].1, "300/400 pairs  +3 =1  10.0/s  10 s left\n");
}

#[test]
fn lines_of_long_work_are_at_most_ten_minutes_apart() {
    let hours = |now: u64, work: &mut WorkProgress| work.update(now, Some(36_000_000), None);
    let lines = written(ReportForm::Log, 3000, WorkProgress::new("jobs"), hours);
    let minutes: Vec<u64> =
        lines.iter().map(|(now, _)| now / 60_000).filter(|&now| now > 0).collect();
    assert_eq!(minutes, [1, 2, 4, 8, 16, 26, 36, 46]);
}

#[test]
fn a_terminal_shows_a_line_within_a_second_and_draws_it_again_every_second() {
    let lines = written(ReportForm::Line, 40, WorkProgress::new("pairs"), forty_seconds);
    assert!(lines[0].0 < 1000, "{:?}", lines[0]);
    assert!(lines.windows(2).all(|pair| pair[1].0 - pair[0].0 <= 1000));
    let (estimate, drawn): (Vec<_>, Vec<_>) =
        lines.iter().map(|(_, text)| text).partition(|text| text.contains('\n'));
    assert_eq!(estimate.len(), 1, "one line stays");
    assert!(estimate[0].starts_with(&format!("{CLEAR_LINE}takes about 40 s")), "{estimate:?}");
    assert!(drawn.iter().all(|text| text.starts_with(CLEAR_LINE) && !text.contains('\n')));
}

#[test]
fn a_drawn_line_does_not_wrap_and_is_cleared_at_the_end() {
    let mut work = WorkProgress::new("pairs");
    work.update(1, Some(2), Some("x".repeat(200)));
    let mut reporter = ProgressReporter::new(ReportForm::Line);
    let text = reporter.tick(ms(900), &work, 40);
    assert_eq!(text.strip_prefix(CLEAR_LINE).map(|line| line.chars().count()), Some(39));
    assert_eq!((reporter.end(), reporter.end()), (CLEAR_LINE.to_owned(), String::new()));
}

#[test]
fn work_of_less_than_a_second_writes_nothing_to_a_log_and_leaves_nothing_on_a_terminal() {
    let quick = |now: u64, work: &mut WorkProgress| work.update(now, Some(900), None);
    let lines = written(ReportForm::Log, 1, WorkProgress::new("games"), quick);
    assert_eq!(lines, [], "done after 0.9 s");
    let almost = |now: u64, work: &mut WorkProgress| work.update(now, Some(1500), None);
    let lines = written(ReportForm::Log, 1, WorkProgress::new("games"), almost);
    assert_eq!(lines, [], "after a second it is almost done");
    let drawn = written(ReportForm::Line, 1, WorkProgress::new("games"), quick);
    assert!(drawn.iter().all(|(_, text)| !text.contains('\n')), "{drawn:?}");
}

#[test]
fn an_estimate_that_was_too_low_does_not_keep_a_log_silent() {
    let stuck = |_: u64, work: &mut WorkProgress| work.update(95, Some(100), None);
    let lines = written(ReportForm::Log, 3, WorkProgress::new("jobs"), stuck);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!(lines[0].0, 2000);
}

#[test]
fn work_without_a_result_says_so_and_is_estimated_by_the_first_one() {
    let none = || Some(String::new());
    let late = |now: u64, work: &mut WorkProgress| work.update(now / 5000, Some(10), none());
    let lines = written(ReportForm::Log, 6, WorkProgress::new("pairs"), late);
    assert_eq!(lines.len(), 2, "{lines:?}");
    let waiting = "0/10 pairs  1.0 s so far; the first result will tell how long it takes\n";
    assert_eq!((lines[0].0, lines[0].1.as_str()), (1000, waiting));
    let estimate = "takes about 50 s (1/10 pairs in 5.0 s)\n";
    assert_eq!((lines[1].0, lines[1].1.as_str()), (5000, estimate));
}

#[test]
fn work_of_unknown_size_says_what_its_time_depends_on() {
    let mut work = WorkProgress::new("positions");
    work.depends_on = "the number of positions";
    let grows = |now: u64, work: &mut WorkProgress| {
        work.update(3000 * now, None, Some("depth 9".to_owned()));
    };
    let lines = written(ReportForm::Log, 10, work, grows);
    let first = "3.0 M positions in 1.0 s; how long it takes depends on the number of positions\n";
    assert_eq!(lines[0], (1000, first.to_owned()));
    assert_eq!(lines[1].1, "30.0 M positions  depth 9  3.00 M/s  10 s so far\n");
}

#[test]
fn a_known_end_gives_the_time_left_without_any_result() {
    let mut work = WorkProgress::new("games");
    work.ends = Some(ms(10_000));
    let nothing = |_: u64, work: &mut WorkProgress| work.update(0, Some(1), Some(String::new()));
    let lines = written(ReportForm::Log, 9, work, nothing);
    assert_eq!(lines, [(1000, "0/1 games  9.0 s left\n".to_owned())]);
}

#[test]
fn an_expected_time_counts_until_there_is_a_result() {
    let mut work = WorkProgress::new("games");
    work.expected_end = Some(ms(10_000));
    let late = |now: u64, work: &mut WorkProgress| {
        work.update(now / 15_000, Some(10), Some(String::new()));
    };
    let lines = written(ReportForm::Log, 16, work, late);
    let said: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
    assert_eq!(said[0], "0/10 games  9.0 s left\n");
    assert_eq!(said[1], "0/10 games  0.0 s left\n");
    assert_eq!(said[2], "takes about 2 min 30 s (1/10 games in 15.0 s)\n");
}

#[test]
fn a_maximum_is_called_one() {
    let mut work = WorkProgress::new("epochs");
    work.is_maximum = true;
    let lines = written(ReportForm::Log, 10, work, forty_seconds);
    assert!(lines[0].1.starts_with("takes at most about 40 s ("), "{lines:?}");
    assert!(lines[1].1.ends_with("at most 30 s left\n"), "{lines:?}");
}

#[test]
fn what_an_earlier_program_did_does_not_count_for_the_rate() {
    let mut work = WorkProgress::new("pairs");
    work.update(900, Some(1000), Some(String::new()));
    assert!(work.line(ms(1000)).contains("900/s"));
    work.resume_from(890);
    assert_eq!(work.line(ms(1000)), "900/1000 pairs  10.0/s  10 s left");
}

#[test]
fn a_new_stage_has_its_own_rate_and_estimate() {
    let stages = |now: u64, work: &mut WorkProgress| {
        match now {
            100 => work.begin_stage(ms(0), 0, 100),
            5100 => work.begin_stage(ms(5000), 0, 1000),
            _ => {}
        }
        let (done, total) = if now <= 5000 { (now / 50, 100) } else { ((now - 5000) / 100, 1000) };
        work.update(done, Some(total), Some(String::new()));
    };
    let lines = written(ReportForm::Log, 8, WorkProgress::new("jobs"), stages);
    assert_eq!(lines[0], (1000, "takes about 5.0 s (20/100 jobs in 1.0 s)\n".to_owned()));
    let second = "this stage takes about 1 min 40 s (5/1000 jobs in 500 ms)\n";
    assert_eq!(lines[1], (5500, second.to_owned()));
    assert_eq!(lines.len(), 2, "{lines:?}");
}

#[test]
fn rounds_are_estimated_in_all_once_the_first_is_finished() {
    // Rounds of 5 seconds, each one stage of 10 jobs.
    let rounds = |now: u64, work: &mut WorkProgress| {
        let (round, within) = (now / 5000, now % 5000);
        work.set_rounds(ms(now), round, 9);
        if within == 0 || now == 100 {
            work.begin_stage(ms(now - within.min(now)), 0, 10);
        }
        work.update(within / 500, Some(10), Some(format!("round {}", round + 1)));
    };
    let lines = written(ReportForm::Log, 11, WorkProgress::new("jobs"), rounds);
    assert!(lines[0].1.starts_with("this stage takes about 5.0 s (2/10 jobs in"), "{lines:?}");
    assert_eq!(lines[1].0, 5000);
    assert!(lines[1].1.starts_with("takes about 4"), "45 seconds: {lines:?}");
    assert!(lines[1].1.ends_with(" s in all\n"), "{lines:?}");
    assert!(lines[2].1.contains(" left in all"), "{lines:?}");
    assert_eq!(lines.len(), 3, "only the first stage has an estimate: {lines:?}");
}

#[test]
fn times_are_written_as_people_say_them() {
    let said = |seconds: f64| in_words(Duration::from_secs_f64(seconds));
    let cases = [(0.0, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (99.0, "99 s")];
    for (seconds, text) in cases {
        assert_eq!(said(seconds), text);
    }
    assert_eq!(
        [100.0, 117.0, 594.0, 596.0].map(said),
        ["1 min 40 s", "2 min", "9 min 50 s", "10 min"]
    );
    assert_eq!(said(5900.0), "98 min");
    assert_eq!(said(12_000.0), "3 h 20 min");
    assert_eq!(said(400_000.0), "5 days");
    assert_eq!(in_words(Duration::MAX).split(' ').nth(1), Some("days"));
    assert_eq!(scaled(Duration::MAX, 2.0), Duration::MAX);
    let mut work = WorkProgress::new("games");
    work.update(1, Some(u64::MAX), None);
    assert!(work.line(Duration::from_secs(1 << 40)).ends_with(" days left"), "no overflow");
}
