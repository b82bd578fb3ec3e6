//! Solves the Connect Four positions of files, a line each: played columns, and the score
//! if it is known. Says how long it took, each position from an empty memory, and which
//! scores were wrong.
//!
//! `cargo run --release --example connect4_lines -- [--mb N] [--portable] [--weak] [--keep] FILE…`

use std::error::Error;
use std::time::{Duration, Instant};

use ludion::games::connect4::{
    Connect4,
    solver::{Limits, Solver},
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut megabytes = 64;
    let (mut portable, mut weak, mut keep) = (false, false, false);
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--mb" => megabytes = args.next().ok_or("--mb needs a number")?.parse()?,
            "--portable" => portable = true,
            "--weak" => weak = true,
            "--keep" => keep = true,
            _ => files.push(arg),
        }
    }
    let mut solver = Solver::new(Connect4::STANDARD, megabytes);
    if portable {
        solver = solver.portable();
    }
    for file in files {
        let text = std::fs::read_to_string(&file)?;
        let (mut count, mut wrong, mut time, nodes) = (0u32, 0, Duration::ZERO, solver.nodes());
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let moves = words.next().ok_or("an empty line")?;
            let known: Option<i32> = words.next().map(str::parse).transpose()?;
            let s = Connect4::STANDARD.read_line(moves)?;
            if !keep {
                solver.clear();
            }
            let began = Instant::now();
            let found = if weak {
                solver.verdict(&s, &Limits::default()).map(|verdict| verdict.sign())
            } else {
                solver.solve(&s, &Limits::default())
            };
            time += began.elapsed();
            count += 1;
            let found = found.ok_or("no limit was set")?;
            match known.map(|score| if weak { score.signum() } else { score }) {
                None => println!("{moves} {found}"),
                Some(known) if known == found => {}
                Some(known) => {
                    wrong += 1;
                    println!("{moves} is {found}, not {known}");
                }
            }
        }
        let nodes = solver.nodes() - nodes;
        let seconds = time.as_secs_f64();
        println!(
            "{file}: {count} positions, {wrong} wrong, {:.4} ms and {} nodes each, {:.1} M nodes/s",
            seconds * 1e3 / f64::from(count),
            nodes / u64::from(count),
            nodes as f64 / seconds / 1e6,
        );
    }
    Ok(())
}
