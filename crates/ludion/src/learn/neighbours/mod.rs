//! Exact nearest neighbours of 128-bit keys by Hamming distance (regression by the k nearest,
//! *k plus proches voisins*).
//!
//! Rows stand on shelves by the four counts of bits in the quarters of the key, and on a shelf in
//! cases by the eight counts of bits at even and at odd pairs of places of every quarter. Two keys
//! differ in at least Σ |aᵢ − bᵢ| bits, a and b being such counts of disjoint places, so only
//! shelves and cases within the distance of the k-th nearest row so far are opened, nearest shelf
//! first. Pairs, because boards have four squares a row: then counts tell left from right.
//!
//! Ties: all rows at the distance of the k-th are found, and share the places that are left, so
//! that a value is the mean over all ways to break the tie. It depends on no order of rows.

mod kernel;

use std::ops::Range;

use super::dataset::{LabelledPosition, merge};
use kernel::{CHUNK, Eighths, Hit, Hits, least_distance};

/// Rows that are read rather than left out, if what is before and behind them is read.
const GAP: usize = 32;
/// Queries that go over the same rows together.
const GROUP: usize = 256;
/// Rows that a group goes over before the next ones, so that they are fetched once.
const SECTION: usize = 2048;
/// No two keys are farther apart.
const FARTHEST: u32 = 128;

/// A row that was found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Neighbour {
    /// Its key.
    pub key: u128,
    /// Bits in which it differs from the query.
    pub distance: u32,
    /// Its value, the mean over all samples with this key.
    pub value: f64,
    /// The weight of those samples together.
    pub weight: f64,
}

/// Rows with equal counts in quarters: some cases.
#[derive(Clone, Copy, Debug)]
struct QuarterBucket {
    counts: Eighths,
    first: usize,
    end: usize,
}

/// Rows with equal counts in eighths: some rows.
#[derive(Clone, Copy, Debug)]
struct EighthBucket {
    counts: Eighths,
    first: usize,
    end: usize,
}

/// The even pairs of places.
const EVEN_PAIRS: u32 = 0x3333_3333;

fn eighths(key: u128) -> Eighths {
    std::array::from_fn(|i| {
        let quarter = (key >> (32 * (i / 2))) as u32;
        let places = if i % 2 == 0 { EVEN_PAIRS } else { !EVEN_PAIRS };
        (quarter & places).count_ones() as u8
    })
}

/// The counts of whole quarters, those of the odd pairs left 0.
fn quarters(eighths: Eighths) -> Eighths {
    std::array::from_fn(|i| if i % 2 == 0 { eighths[i] + eighths[i + 1] } else { 0 })
}

/// Keys with values, made to be asked for the nearest.
#[derive(Clone, Debug)]
pub struct NeighbourIndex {
    /// The lower and the upper halves of the keys.
    halves: [Vec<u64>; 2],
    values: Vec<f64>,
    weights: Vec<f64>,
    cases: Vec<EighthBucket>,
    shelves: Vec<QuarterBucket>,
}

impl NeighbourIndex {
    /// The samples as rows, those with equal bits merged to their mean.
    #[must_use]
    pub fn new(samples: Vec<LabelledPosition>) -> Self {
        let mut rows = merge(samples);
        // Stable: within a case rows ascend by key.
        rows.sort_by_cached_key(|row| {
            let eighths = eighths(row.bits);
            (quarters(eighths), eighths)
        });
        let mut cases: Vec<EighthBucket> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let counts = eighths(row.bits);
            match cases.last_mut() {
                Some(case) if case.counts == counts => case.end = at + 1,
                _ => cases.push(EighthBucket { counts, first: at, end: at + 1 }),
            }
        }
        let mut shelves: Vec<QuarterBucket> = Vec::new();
        for (at, case) in cases.iter().enumerate() {
            let counts = quarters(case.counts);
            match shelves.last_mut() {
                Some(assets) if assets.counts == counts => assets.end = at + 1,
                _ => shelves.push(QuarterBucket { counts, first: at, end: at + 1 }),
            }
        }
        let half = |shift: u32| rows.iter().map(|row| (row.bits >> shift) as u64).collect();
        NeighbourIndex {
            halves: [half(0), half(64)],
            values: rows.iter().map(|row| row.target).collect(),
            weights: rows.iter().map(|row| row.weight).collect(),
            cases,
            shelves,
        }
    }

    /// Rows, after merging.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The `k` nearest rows and all others as near as the last of them, nearest first, then by
    /// ascending place on the shelves; all rows if there are no more than `k`.
    #[must_use]
    pub fn nearest(&self, key: u128, k: usize) -> Vec<Neighbour> {
        let mut queries = [NeighbourQuery::new(key, k)];
        self.search(&mut queries);
        let [query] = queries;
        query.found().into_iter().map(|(distance, at)| self.neighbour(distance, at)).collect()
    }

    /// The mean value of the `k` nearest rows, those as near as the k-th sharing the places that
    /// are left; `None` without rows or for `k` = 0.
    #[must_use]
    pub fn value(&self, key: u128, k: usize) -> Option<f64> {
        let mut queries = [NeighbourQuery::new(key, k)];
        self.search(&mut queries);
        let [query] = queries;
        self.mean(query)
    }

    /// The [`Self::value`] of many keys, in their order: several go over the rows together.
    #[must_use]
    pub fn values(&self, keys: &[u128], k: usize) -> Vec<Option<f64>> {
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_cached_key(|&i| eighths(keys[i]));
        let mut values = vec![None; keys.len()];
        for group in order.chunks(GROUP) {
            let mut queries: Vec<NeighbourQuery> =
                group.iter().map(|&i| NeighbourQuery::new(keys[i], k)).collect();
            queries.iter_mut().for_each(|query| self.prime(query));
            self.search(&mut queries);
            for (&i, query) in group.iter().zip(queries) {
                values[i] = self.mean(query);
            }
        }
        values
    }

    fn neighbour(&self, distance: u32, at: usize) -> Neighbour {
        let key = u128::from(self.halves[1][at]) << 64 | u128::from(self.halves[0][at]);
        Neighbour { key, distance, value: self.values[at], weight: self.weights[at] }
    }

    fn mean(&self, query: NeighbourQuery) -> Option<f64> {
        let (k, found) = (query.k, query.found());
        let farthest = found.last()?.0;
        let (mut nearer, mut tied) = ((0_usize, 0.0), (0_usize, 0.0));
        for (distance, at) in found {
            let sum = if distance < farthest { &mut nearer } else { &mut tied };
            *sum = (sum.0 + 1, sum.1 + self.values[at]);
        }
        let places = k.min(nearer.0 + tied.0) - nearer.0;
        let shared = tied.1 * (places as f64 / tied.0 as f64);
        Some((nearer.1 + shared) / (nearer.0 + places) as f64)
    }

    /// Tells a query how far it has to look at most, by what its own shelf has.
    fn prime(&self, query: &mut NeighbourQuery) {
        let distance = |assets: &&QuarterBucket| least_distance(query.quarters, assets.counts);
        let Some(assets) = self.shelves.iter().min_by_key(distance) else { return };
        self.walk(&self.cases[assets.first..assets.end], query, &mut Hits::new());
        query.found.clear();
        query.counts.fill(0);
    }

    /// Shows all queries the rows that may be near enough, shelves near the first query first.
    fn search(&self, queries: &mut [NeighbourQuery]) {
        let Some(centre) = queries.first() else { return };
        let distances = self.shelves.iter().map(|s| least_distance(centre.quarters, s.counts));
        let mut order: Vec<(u32, u32)> = distances.zip(0..).collect();
        order.sort_unstable();
        let mut hits = Hits::new();
        for (_, at) in order {
            let assets = &self.shelves[at as usize];
            if queries.iter().any(|query| query.may_be_on(assets)) {
                self.walk_together(assets, queries, &mut hits);
            }
        }
    }

    /// Shows a shelf to all queries that may find something, section by section.
    fn walk_together(
        &self,
        assets: &QuarterBucket,
        queries: &mut [NeighbourQuery],
        hits: &mut Hits,
    ) {
        let mut cases = &self.cases[assets.first..assets.end];
        while let Some(first) = cases.first() {
            let here = |case: &&EighthBucket| case.end - first.first <= SECTION;
            let count = match queries {
                [_] => cases.len(),
                _ => cases.iter().take_while(here).count().max(1),
            };
            let (section, rest) = cases.split_at(count);
            for query in queries.iter_mut().filter(|query| query.may_be_on(assets)) {
                self.walk(section, query, hits);
            }
            cases = rest;
        }
    }

    /// Shows a query those of some cases that may be near enough, neighbouring ones in one go.
    fn walk(&self, cases: &[EighthBucket], query: &mut NeighbourQuery, hits: &mut Hits) {
        let mut run = cases[0].first..cases[0].first;
        for case in cases {
            if least_distance(query.eighths, case.counts) > query.most {
                continue;
            }
            if case.first - run.end > GAP {
                self.read(run, query, hits);
                run = case.first..case.first;
            }
            run.end = case.end;
            if run.len() >= CHUNK {
                self.read(run.clone(), query, hits);
                run.start = run.end;
            }
        }
        self.read(run, query, hits);
    }

    fn read(&self, run: Range<usize>, query: &mut NeighbourQuery, hits: &mut Hits) {
        for from in run.clone().step_by(CHUNK) {
            let to = run.end.min(from + CHUNK);
            let rows = [&self.halves[0][from..to], &self.halves[1][from..to]];
            kernel::near(rows, query.halves, query.most, hits);
            query.take_hits(hits.take(), from);
        }
    }
}

/// One key that is asked for, and what was found so far.
struct NeighbourQuery {
    halves: [u64; 2],
    eighths: Eighths,
    quarters: Eighths,
    k: usize,
    /// The distance of the k-th nearest row so far: farther rows are of no use.
    most: u32,
    /// How many of the rows found have each distance.
    counts: [u32; FARTHEST as usize + 1],
    found: Vec<(u32, usize)>,
}

impl NeighbourQuery {
    fn new(key: u128, k: usize) -> Self {
        let eighths = eighths(key);
        NeighbourQuery {
            halves: [key as u64, (key >> 64) as u64],
            eighths,
            quarters: quarters(eighths),
            k,
            most: FARTHEST,
            counts: [0; FARTHEST as usize + 1],
            found: Vec::new(),
        }
    }

    fn may_be_on(&self, assets: &QuarterBucket) -> bool {
        least_distance(self.quarters, assets.counts) <= self.most
    }

    /// Keeps what the kernel found among the rows from `from`, and comes nearer if it can.
    fn take_hits(&mut self, hits: &[Hit], from: usize) {
        if hits.is_empty() {
            return;
        }
        for &(distance, at) in hits {
            self.counts[distance as usize] += 1;
            self.found.push((distance, from + at as usize));
        }
        let mut seen = 0;
        for (distance, &count) in (0..).zip(&self.counts[..=self.most as usize]) {
            seen += count as usize;
            if seen >= self.k {
                self.most = distance;
                break;
            }
        }
        let most = self.most;
        self.found.retain(|&(distance, _)| distance <= most);
    }

    /// What is near enough, by distance, then by place.
    fn found(mut self) -> Vec<(u32, usize)> {
        if self.k == 0 {
            return Vec::new();
        }
        self.found.sort_unstable();
        self.found
    }
}

#[cfg(test)]
mod tests;
