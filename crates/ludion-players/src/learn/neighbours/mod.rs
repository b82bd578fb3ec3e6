//! Exact k-nearest-neighbour regression on rows of bits with Hamming distance (French: *k plus
//! proches voisins*).
//!
//! A row is divided into quarters, and each quarter into two groups: its even and its odd pairs of
//! adjacent bits. Rows with equal numbers of set bits in every quarter form a coarse bucket, and
//! within it those with equal numbers in every group form a fine bucket. Two rows whose counts are a
//! and b differ in at least Σ |aᵢ − bᵢ| bits, so only buckets within the distance of the k-th nearest
//! row found so far are searched, the nearest coarse bucket first. The groups are pairs of bits
//! because checkers has four dark squares in a line of the board, so the counts distinguish left from
//! right.
//!
//! Rows that tie with the k-th nearest share the remaining places, so a value is the mean over all
//! ways to break the tie and does not depend on the order of rows. Rows of up to 128 bits are scanned
//! by kernels of their own.

mod kernel;

use std::ops::Range;

use super::rows::{BitRows, LabelledRows};
use kernel::{BitCounts, CHUNK, Hit, Hits, min_distance};

/// Maximum number of rows between two ranges that are still scanned as one range; scanning these
/// rows in vain is cheaper than starting a new scan.
const MAX_GAP: usize = 32;
/// Number of queries that scan the same rows one after the other while these are in the cache.
const QUERY_GROUP: usize = 256;
/// Number of rows that all queries of a group scan before the next rows, so that they stay in the
/// cache.
const SECTION_ROWS: usize = 2048;
/// The least number of words of a row in the index; shorter rows are padded with zeros.
const MIN_STRIDE: usize = 2;

/// A row of the index that a query found.
#[derive(Clone, PartialEq, Debug)]
pub struct Neighbour {
    /// The words of the row, at least two.
    pub row: Vec<u64>,
    /// The Hamming distance of the row from the query.
    pub distance: u32,
    /// The weighted mean target of all samples with this row.
    pub value: f64,
    /// The total weight of all samples with this row.
    pub weight: f64,
}

/// The rows that have equal numbers of set bits in each quarter, as a range of fine buckets.
#[derive(Clone, Copy, Debug)]
struct CoarseBucket {
    counts: BitCounts,
    first: usize,
    end: usize,
}

/// The rows that have equal [`BitCounts`] (numbers of set bits in eight groups of bits), as a range of
/// rows.
#[derive(Clone, Copy, Debug)]
struct FineBucket {
    counts: BitCounts,
    first: usize,
    end: usize,
}

/// The mask of the even pairs of adjacent bits: bits 0 and 1, 4 and 5, and so on.
const EVEN_PAIRS: u32 = 0x3333_3333;

/// Counts the set bits in the even and in the odd pairs of each quarter of a row that is padded with
/// zeros to `stride` words. Counts end at 255, so that their differences are still lower bounds.
fn eighths(row: &[u64], stride: usize) -> BitCounts {
    let halves = row.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
    let mut counts = BitCounts::default();
    for (i, half) in halves.enumerate() {
        let quarter = 2 * i / stride;
        for (group, places) in [(2 * quarter, EVEN_PAIRS), (2 * quarter + 1, !EVEN_PAIRS)] {
            counts[group] = counts[group].saturating_add((half & places).count_ones() as u8);
        }
    }
    counts
}

/// Returns the bit counts of the four quarters from those of the eight groups. A quarter's count is
/// stored at its even group; the entry of its odd group is 0.
fn quarters(eighths: BitCounts) -> BitCounts {
    std::array::from_fn(|i| if i % 2 == 0 { eighths[i].saturating_add(eighths[i + 1]) } else { 0 })
}

/// An index of rows with values for nearest-neighbour queries.
#[derive(Clone, Debug)]
pub struct NeighbourIndex {
    /// The number of bits of a row.
    width: usize,
    /// The words of all rows: the first word of every row, then the second of every row, and so on.
    columns: Vec<Vec<u64>>,
    values: Vec<f64>,
    weights: Vec<f64>,
    fine: Vec<FineBucket>,
    coarse: Vec<CoarseBucket>,
}

impl NeighbourIndex {
    /// Builds an index of labelled rows. Equal rows are merged into one with their weighted mean
    /// target.
    #[must_use]
    pub fn new(rows: &LabelledRows) -> Self {
        let width = rows.rows().width();
        let rows = rows.merged();
        let stride = rows.rows().stride().max(MIN_STRIDE);
        let counts_of = |row: usize| eighths(rows.row(row), stride);
        let mut order: Vec<usize> = (0..rows.len()).collect();
        // A stable sort keeps the rows of a bucket in ascending order.
        order.sort_by_cached_key(|&row| {
            let eighths = counts_of(row);
            (quarters(eighths), eighths)
        });
        let mut fine: Vec<FineBucket> = Vec::new();
        for (at, &row) in order.iter().enumerate() {
            let counts = counts_of(row);
            match fine.last_mut() {
                Some(bucket) if bucket.counts == counts => bucket.end = at + 1,
                _ => fine.push(FineBucket { counts, first: at, end: at + 1 }),
            }
        }
        let mut coarse: Vec<CoarseBucket> = Vec::new();
        for (at, bucket) in fine.iter().enumerate() {
            let counts = quarters(bucket.counts);
            match coarse.last_mut() {
                Some(bucket) if bucket.counts == counts => bucket.end = at + 1,
                _ => coarse.push(CoarseBucket { counts, first: at, end: at + 1 }),
            }
        }
        let word = |row: usize, at: usize| rows.row(row).get(at).copied().unwrap_or(0);
        let column = |at: usize| order.iter().map(|&row| word(row, at)).collect();
        NeighbourIndex {
            width,
            columns: (0..stride).map(column).collect(),
            values: order.iter().map(|&row| rows.targets()[row]).collect(),
            weights: order.iter().map(|&row| rows.weights()[row]).collect(),
            fine,
            coarse,
        }
    }

    /// Returns the number of rows, which are all different.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the `k` rows nearest to `row`, nearest first, and all rows as near as the last of
    /// them. Returns all rows if there are no more than `k`.
    ///
    /// # Panics
    /// When the row has more words than those of the index.
    #[must_use]
    pub fn nearest(&self, row: &[u64], k: usize) -> Vec<Neighbour> {
        let mut queries = [self.query(row, k)];
        self.search(&mut queries);
        let [query] = queries;
        query.found().into_iter().map(|(distance, at)| self.neighbour(distance, at)).collect()
    }

    /// Returns the mean value of the `k` rows nearest to `row`. If several rows tie for the last
    /// of the `k` places, all of them count, with equal weights that sum to the number of these
    /// places. `None` if there are no rows or `k` is 0.
    ///
    /// # Panics
    /// When the row has more words than those of the index.
    #[must_use]
    pub fn value(&self, row: &[u64], k: usize) -> Option<f64> {
        let mut queries = [self.query(row, k)];
        self.search(&mut queries);
        let [query] = queries;
        self.mean(query)
    }

    /// Returns [`Self::value`] for each of many rows. Groups of queries scan the rows together,
    /// which is faster.
    ///
    /// # Panics
    /// When the rows have another width than those of the index.
    #[must_use]
    pub fn values(&self, rows: &BitRows, k: usize) -> Vec<Option<f64>> {
        assert_eq!(rows.width(), self.width, "rows as wide as those of the index");
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_cached_key(|&i| eighths(rows.row(i), self.columns.len()));
        let mut values = vec![None; rows.len()];
        for group in order.chunks(QUERY_GROUP) {
            let mut queries: Vec<NeighbourQuery> =
                group.iter().map(|&i| self.query(rows.row(i), k)).collect();
            queries.iter_mut().for_each(|query| self.limit_distance(query));
            self.search(&mut queries);
            for (&i, query) in group.iter().zip(queries) {
                values[i] = self.mean(query);
            }
        }
        values
    }

    fn query(&self, row: &[u64], k: usize) -> NeighbourQuery {
        assert!(row.len() <= self.columns.len(), "a row as wide as those of the index");
        let mut words = row.to_vec();
        words.resize(self.columns.len(), 0);
        NeighbourQuery::new(words, k)
    }

    fn neighbour(&self, distance: u32, at: usize) -> Neighbour {
        let row = self.columns.iter().map(|column| column[at]).collect();
        Neighbour { row, distance, value: self.values[at], weight: self.weights[at] }
    }

    /// Returns the mean value of the `k` nearest rows that a query has found, with ties weighted as
    /// in [`Self::value`]; `None` if the query has found no rows.
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

    /// Sets an upper limit for the distance of a query's k-th nearest row by a scan of the nearest
    /// coarse bucket.
    fn limit_distance(&self, query: &mut NeighbourQuery) {
        let distance = |bucket: &&CoarseBucket| min_distance(query.quarters, bucket.counts);
        let Some(bucket) = self.coarse.iter().min_by_key(distance) else { return };
        self.scan_fine(&self.fine[bucket.first..bucket.end], query, &mut Hits::new());
        query.found.clear();
        query.counts.fill(0);
    }

    /// Scans all rows that may be near enough for one of the queries. Begins with the coarse
    /// buckets nearest to the first query.
    fn search(&self, queries: &mut [NeighbourQuery]) {
        let Some(centre) = queries.first() else { return };
        let distances =
            self.coarse.iter().map(|bucket| min_distance(centre.quarters, bucket.counts));
        let mut order: Vec<(u32, u32)> = distances.zip(0..).collect();
        order.sort_unstable();
        let mut hits = Hits::new();
        for (_, at) in order {
            let bucket = &self.coarse[at as usize];
            if queries.iter().any(|query| query.may_be_in(bucket)) {
                self.scan_coarse(bucket, queries, &mut hits);
            }
        }
    }

    /// Scans a coarse bucket for all queries that may find rows in it, [`SECTION_ROWS`] rows at a
    /// time.
    fn scan_coarse(&self, bucket: &CoarseBucket, queries: &mut [NeighbourQuery], hits: &mut Hits) {
        let mut fine = &self.fine[bucket.first..bucket.end];
        while let Some(first) = fine.first() {
            let fits = |bucket: &&FineBucket| bucket.end - first.first <= SECTION_ROWS;
            let count = match queries {
                [_] => fine.len(),
                _ => fine.iter().take_while(fits).count().max(1),
            };
            let (section, rest) = fine.split_at(count);
            for query in queries.iter_mut().filter(|query| query.may_be_in(bucket)) {
                self.scan_fine(section, query, hits);
            }
            fine = rest;
        }
    }

    /// Scans those of the fine buckets that may have rows near enough for a query; buckets close
    /// together in memory are scanned as one range.
    fn scan_fine(&self, buckets: &[FineBucket], query: &mut NeighbourQuery, hits: &mut Hits) {
        let mut run = buckets[0].first..buckets[0].first;
        for bucket in buckets {
            if min_distance(query.eighths, bucket.counts) > query.max_distance {
                continue;
            }
            if bucket.first - run.end > MAX_GAP {
                self.scan_rows(run, query, hits);
                run = bucket.first..bucket.first;
            }
            run.end = bucket.end;
            if run.len() >= CHUNK {
                self.scan_rows(run.clone(), query, hits);
                run.start = run.end;
            }
        }
        self.scan_rows(run, query, hits);
    }

    /// Scans a range of rows, and adds the rows within the query's distance limit to its results.
    fn scan_rows(&self, run: Range<usize>, query: &mut NeighbourQuery, hits: &mut Hits) {
        for from in run.clone().step_by(CHUNK) {
            let to = run.end.min(from + CHUNK);
            match (&self.columns[..], &query.words[..]) {
                ([low, high], &[low_word, high_word]) => {
                    let rows = [&low[from..to], &high[from..to]];
                    kernel::scan(rows, [low_word, high_word], query.max_distance, hits);
                }
                (columns, words) => {
                    kernel::scan_wide(columns, from..to, words, query.max_distance, hits);
                }
            }
            query.take_hits(hits.take(), from);
        }
    }
}

/// A nearest-neighbour query with the rows found so far.
struct NeighbourQuery {
    words: Vec<u64>,
    eighths: BitCounts,
    quarters: BitCounts,
    k: usize,
    /// The distance of the k-th nearest row so far; farther rows are not needed.
    max_distance: u32,
    /// The number of rows found at each distance.
    counts: Vec<u32>,
    /// The distance and the index of each row found so far.
    found: Vec<(u32, usize)>,
}

impl NeighbourQuery {
    /// Creates a query for a row of as many words as those of the index.
    fn new(words: Vec<u64>, k: usize) -> Self {
        let (eighths, bits) = (eighths(&words, words.len()), 64 * words.len());
        NeighbourQuery {
            words,
            eighths,
            quarters: quarters(eighths),
            k,
            max_distance: bits as u32,
            counts: vec![0; bits + 1],
            found: Vec::new(),
        }
    }

    /// Returns whether a coarse bucket may have rows within the query's distance limit.
    fn may_be_in(&self, bucket: &CoarseBucket) -> bool {
        min_distance(self.quarters, bucket.counts) <= self.max_distance
    }

    /// Adds the rows of a scan that began at row `from`, and lowers the distance limit if `k`
    /// nearer rows are known.
    fn take_hits(&mut self, hits: &[Hit], from: usize) {
        if hits.is_empty() {
            return;
        }
        for &(distance, at) in hits {
            self.counts[distance as usize] += 1;
            self.found.push((distance, from + at as usize));
        }
        let mut seen = 0;
        for (distance, &count) in (0..).zip(&self.counts[..=self.max_distance as usize]) {
            seen += count as usize;
            if seen >= self.k {
                self.max_distance = distance;
                break;
            }
        }
        let max_distance = self.max_distance;
        self.found.retain(|&(distance, _)| distance <= max_distance);
    }

    /// Returns the distance and the index of the rows found, sorted by distance, then by index.
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
