//! Ludion's half of `learning.py`: rows of a game like checkers, and the CPU time of
//! nearest-neighbour search, training and evaluation on them, as JSON.
//!
//! ```text
//! learning rows FILE COUNT SEED       moves of random games: 128 bits and captures to come
//! learning neighbours FILE QUERIES    4 nearest of every row of QUERIES in FILE
//! learning training FILE EPOCHS       a network of 64-64-64-32-16-1 on the boards of FILE
//! ```

use std::error::Error;

use cpu_time::ProcessTime;
use ludion::learn::dataset::Dataset;
use ludion::learn::neighbours::NeighbourIndex;
use ludion::learn::rows::LabelledRows;
use ludion::random::Rng;
use ludion_train::{Trainer, TrainingSettings};
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["rows", file, count, seed] => {
            let rows = rows(count.parse()?, seed.parse()?);
            let bytes = rows.rows().iter().zip(rows.targets()).flat_map(|(row, &target)| {
                let words = row.iter().flat_map(|word| word.to_le_bytes());
                words.chain((target as f32).to_le_bytes())
            });
            std::fs::write(file, bytes.collect::<Vec<u8>>())?;
        }
        ["neighbours", file, queries] => println!("{}", neighbours(&read(file)?, &read(queries)?)),
        ["training", file, epochs] => println!("{}", training(&read(file)?, epochs.parse()?)?),
        _ => return Err("see the top of bench/src/bin/learning.rs".into()),
    }
    Ok(())
}

fn read(file: &str) -> Result<LabelledRows, Box<dyn Error>> {
    let bytes = std::fs::read(file)?;
    let mut rows = LabelledRows::new(128);
    for row in bytes.as_chunks::<20>().0 {
        let (key, target) = row.split_at(16);
        let key = u128::from_le_bytes(key.try_into().expect("16 bytes"));
        let target = f32::from_le_bytes(target.try_into().expect("4 bytes"));
        rows.push_bits(key, f64::from(target));
    }
    Ok(rows)
}

fn neighbours(rows: &LabelledRows, queries: &LabelledRows) -> serde_json::Value {
    const K: usize = 4;
    let keys = queries.rows();
    let began = ProcessTime::now();
    let index = NeighbourIndex::new(rows);
    let build = began.elapsed();
    let began = ProcessTime::now();
    let single: Vec<_> = keys.iter().map(|key| index.value(key, K)).collect();
    let single_time = began.elapsed();
    let began = ProcessTime::now();
    let batched = index.values(keys, K);
    let batched_time = began.elapsed();
    assert_eq!(single, batched, "single and batched");
    let distances =
        |key: &[u64]| index.nearest(key, K).iter().take(K).map(|found| found.distance).sum::<u32>();
    let each = |time: std::time::Duration| time.as_secs_f64() / keys.len() as f64;
    json!({
        "rows": index.len(),
        "build": build.as_secs_f64(),
        "single": each(single_time),
        "batched": each(batched_time),
        "distances": keys.iter().map(distances).sum::<u32>(),
    })
}

fn training(rows: &LabelledRows, epochs: u32) -> Result<serde_json::Value, Box<dyn Error>> {
    let mut boards = LabelledRows::new(64);
    for (row, &target) in rows.rows().iter().zip(rows.targets()) {
        boards.push(&row[..1], target, 1.0);
    }
    let data = Dataset::from_bits(&boards)?;
    let spec =
        TrainingSettings { epochs, patience: None, held_back: 0.1, ..TrainingSettings::default() };
    let began = ProcessTime::now();
    let trained = Trainer::new(spec)?.train(&data, |_| std::ops::ControlFlow::Continue(()))?;
    let epoch = began.elapsed().as_secs_f64() / f64::from(epochs);
    let network = trained.model.network();
    let began = ProcessTime::now();
    let sum: f32 = boards.rows().iter().map(|board| network.value(board)).sum();
    let value = began.elapsed().as_secs_f64() / boards.len() as f64;
    std::hint::black_box(sum);
    let r2 = trained.model.outcome().r2;
    Ok(json!({ "rows": data.len(), "epoch": epoch, "value": value, "r2": r2 }))
}

/// Returns distinct moves of random games (men only, single forced captures in all four
/// directions), with the number of captures that the first player still makes.
fn rows(count: usize, seed: u64) -> LabelledRows {
    let (mut rng, mut seen) = (Rng::new(seed), std::collections::HashSet::new());
    let mut rows = LabelledRows::new(128);
    while rows.len() < count {
        let boards = game(&mut rng);
        let left = boards[boards.len() - 1][1].count_ones();
        for pair in boards.windows(2) {
            let word = |b: [u32; 2]| u128::from(b[0]) | u128::from(b[1]) << 32;
            let bits = word(pair[0]) | word(pair[1]) << 64;
            if seen.insert(bits) && rows.len() < count {
                rows.push_bits(bits, f64::from(pair[0][1].count_ones() - left));
            }
        }
    }
    rows
}

fn game(rng: &mut Rng) -> Vec<[u32; 2]> {
    let (mut boards, mut turn) = (vec![[0xfff0_0000_u32, 0x0000_0fff]], 0);
    loop {
        let here = boards[boards.len() - 1];
        let mut moves = moves(here, turn, true);
        if moves.is_empty() {
            moves = self::moves(here, turn, false);
        }
        if moves.is_empty() {
            return boards;
        }
        boards.push(moves[rng.below(moves.len())]);
        turn = 1 - turn;
    }
}

/// Returns the boards after every capture, or after every step, of the side `turn`.
fn moves(board: [u32; 2], turn: usize, captures: bool) -> Vec<[u32; 2]> {
    let mut after = Vec::new();
    let all = board[0] | board[1];
    let forward = if turn == 0 { -1 } else { 1 };
    for from in (0..32_i32).filter(|from| board[turn] >> from & 1 != 0) {
        for (dy, dx) in [(forward, -1), (forward, 1), (-forward, -1), (-forward, 1)] {
            let (Some(near), far) =
                (offset_square(from, dy, dx), offset_square(from, 2 * dy, 2 * dx))
            else {
                continue;
            };
            let mut next = board;
            if captures {
                let Some(far) = far else { continue };
                if board[1 - turn] >> near & 1 == 0 || all >> far & 1 != 0 {
                    continue;
                }
                next[1 - turn] ^= 1 << near;
                next[turn] ^= 1 << from | 1 << far;
            } else {
                if dy != forward || all >> near & 1 != 0 {
                    continue;
                }
                next[turn] ^= 1 << from | 1 << near;
            }
            after.push(next);
        }
    }
    after
}

/// Returns the dark square `dy` rows and `dx` columns away, if it is on the board.
fn offset_square(from: i32, dy: i32, dx: i32) -> Option<i32> {
    let y = from / 4;
    let (x, y) = (2 * (from % 4) + 1 - y % 2 + dx, y + dy);
    let inside = (0..8).contains(&x) && (0..8).contains(&y);
    inside.then_some(y * 4 + x / 2)
}
