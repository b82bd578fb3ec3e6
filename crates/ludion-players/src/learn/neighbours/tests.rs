//! Compares the index with a full scan of all rows, sorted by distance.

use super::*;
use crate::random::Rng;

/// Returns random rows of `width` bits, of which a third are thin: few of their bits are set. So
/// buckets differ and distances tie.
fn samples(width: usize, count: usize, rng: &mut Rng) -> LabelledRows {
    let mut rows = LabelledRows::new(width);
    for _ in 0..count {
        let thin = rng.below(3) == 0;
        let words = rows.push_zeros(rng.unit() - 0.5);
        for (i, word) in words.iter_mut().enumerate() {
            *word = rng.bits() & rng.bits() & if thin { rng.bits() } else { u64::MAX };
            *word &= if i % 2 == 0 { 0x0000_ffff_0fff_000f } else { u64::MAX };
            *word &= u64::MAX >> (64 - (width - 64 * i).min(64));
        }
    }
    rows
}

fn distance(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// Returns by definition the distances of the nearest rows, and the mean value over all ways to
/// break the tie for the last places.
fn naive(rows: &LabelledRows, key: &[u64], k: usize) -> (Vec<u32>, f64) {
    let targets = rows.targets().iter().copied();
    let mut all: Vec<(u32, f64)> =
        rows.rows().iter().map(|row| distance(row, key)).zip(targets).collect();
    all.sort_by_key(|row| row.0);
    let kth = all[k.min(all.len()) - 1].0;
    let mean = |wanted: &dyn Fn(u32) -> bool| {
        let values: Vec<f64> = all.iter().filter(|row| wanted(row.0)).map(|row| row.1).collect();
        (values.len() as f64, values.iter().sum::<f64>() / values.len().max(1) as f64)
    };
    let (nearer, tied) = (mean(&|d| d < kth), mean(&|d| d == kth));
    let k = k.min(all.len()) as f64;
    let distances = all.iter().map(|row| row.0).filter(|&d| d <= kth).collect();
    (distances, (nearer.0 * nearer.1 + (k - nearer.0) * tied.1) / k)
}

#[test]
fn single_and_batched_queries_agree_with_a_full_scan() {
    let mut rng = Rng::new(3);
    for (width, count) in [(128, 5_000), (40, 1_000), (64, 2_000), (150, 2_000), (1_500, 1_000)] {
        let given = samples(width, count, &mut rng);
        let rows = given.merged();
        let neighbours = NeighbourIndex::new(&given);
        assert_eq!(neighbours.len(), rows.len());
        let mut keys = samples(width, 60, &mut rng).rows().clone();
        keys.push(rows.row(17));
        keys.push_bits(1 << 38 | 1);
        keys.push_bits(0);
        for k in [1, 4, 33] {
            let batched = neighbours.values(&keys, k);
            for (key, batched) in keys.iter().zip(batched) {
                let (distances, value) = naive(&rows, key, k);
                let found = neighbours.nearest(key, k);
                assert_eq!(found.iter().map(|n| n.distance).collect::<Vec<_>>(), distances);
                assert!(found.iter().all(|n| distance(&n.row, key) == n.distance));
                let single = neighbours.value(key, k).unwrap();
                assert!((single - value).abs() < 1e-12, "{single} for {value}, {width} bits");
                assert_eq!(batched, Some(single));
            }
        }
    }
}

#[test]
fn equal_keys_are_merged_and_ties_share_the_remaining_places() {
    let rows = [(0b1, 1.0), (0b1, 3.0), (0b110, 10.0), (0b101_0000, 20.0), (0xfff, 99.0)];
    let mut samples = LabelledRows::new(128);
    rows.iter().for_each(|&(bits, value)| samples.push_bits(bits, value));
    let neighbours = NeighbourIndex::new(&samples);
    let nearest = neighbours.nearest(&[0, 0], 2);
    assert_eq!(nearest.len(), 3, "two rows tie for the second place");
    assert_eq!((nearest[0].value, nearest[0].weight, nearest[0].distance), (2.0, 2.0, 1));
    assert_eq!(neighbours.value(&[0, 0], 2), Some((2.0 + 15.0) / 2.0));
    assert_eq!(neighbours.value(&[0, 0], 9), Some((2.0 + 10.0 + 20.0 + 99.0) / 4.0));
}

#[test]
fn there_is_no_value_without_rows_or_for_k_zero() {
    let none = NeighbourIndex::new(&LabelledRows::new(8));
    assert_eq!((none.value(&[5], 4), none.nearest(&[5], 4)), (None, Vec::new()));
    let mut row = LabelledRows::new(8);
    row.push_bits(1, 1.0);
    let one = NeighbourIndex::new(&row);
    assert_eq!((one.value(&[5], 0), one.nearest(&[5], 0)), (None, Vec::new()));
    let mut keys = BitRows::new(8);
    [5, 6].iter().for_each(|&key| keys.push_bits(key));
    assert_eq!(one.values(&keys, 4), [Some(1.0), Some(1.0)]);
}
