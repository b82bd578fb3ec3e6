//! Compares the index with a full scan of all rows, sorted by distance.

use super::*;
use crate::random::Rng;

/// Returns random samples. Some bits of their keys are rare, so that buckets differ and distances
/// tie.
fn samples(count: usize, rng: &mut Rng) -> Vec<LabelledSample> {
    let word = |rng: &mut Rng| rng.bits() & rng.bits();
    let key = |rng: &mut Rng| {
        let (low, high) = (word(rng), word(rng));
        let thin = if rng.below(3) == 0 { word(rng) } else { u64::MAX };
        u128::from(low & thin) << 64 | u128::from(high & 0x0000_ffff_0fff_000f & thin)
    };
    (0..count).map(|_| LabelledSample::new(key(rng), rng.unit() - 0.5)).collect()
}

/// Returns by definition the distances of the nearest rows, and the mean value over all ways to
/// break the tie for the last places.
fn naive(rows: &[LabelledSample], key: u128, k: usize) -> (Vec<u32>, f64) {
    let mut all: Vec<(u32, f64)> =
        rows.iter().map(|row| ((row.bits ^ key).count_ones(), row.target)).collect();
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
    let given = samples(5_000, &mut rng);
    let rows = merge(given.clone());
    let neighbours = NeighbourIndex::new(given);
    assert_eq!(neighbours.len(), rows.len());
    let mut keys: Vec<u128> = samples(60, &mut rng).iter().map(|s| s.bits).collect();
    keys.extend([0, u128::MAX, rows[17].bits, rows[17].bits ^ 1 << 77]);
    for k in [1, 4, 33] {
        let batched = neighbours.values(&keys, k);
        for (&key, batched) in keys.iter().zip(batched) {
            let (distances, value) = naive(&rows, key, k);
            let found = neighbours.nearest(key, k);
            assert_eq!(found.iter().map(|n| n.distance).collect::<Vec<_>>(), distances);
            assert!(found.iter().all(|n| (n.key ^ key).count_ones() == n.distance));
            let single = neighbours.value(key, k).unwrap();
            assert!((single - value).abs() < 1e-12, "{single} for {value}");
            assert_eq!(batched, Some(single));
        }
    }
}

#[test]
fn equal_keys_are_merged_and_ties_share_the_remaining_places() {
    let rows = [(0b1, 1.0), (0b1, 3.0), (0b110, 10.0), (0b101_0000, 20.0), (0xfff, 99.0)];
    let samples = rows.map(|(bits, value)| LabelledSample::new(bits, value)).to_vec();
    let neighbours = NeighbourIndex::new(samples);
    let nearest = neighbours.nearest(0, 2);
    assert_eq!(nearest.len(), 3, "two rows tie for the second place");
    assert_eq!((nearest[0].value, nearest[0].weight, nearest[0].distance), (2.0, 2.0, 1));
    assert_eq!(neighbours.value(0, 2), Some((2.0 + 15.0) / 2.0));
    assert_eq!(neighbours.value(0, 9), Some((2.0 + 10.0 + 20.0 + 99.0) / 4.0));
}

#[test]
fn there_is_no_value_without_rows_or_for_k_zero() {
    let none = NeighbourIndex::new(Vec::new());
    assert_eq!((none.value(5, 4), none.nearest(5, 4)), (None, Vec::new()));
    let one = NeighbourIndex::new(vec![LabelledSample::new(1, 1.0)]);
    assert_eq!((one.value(5, 0), one.nearest(5, 0)), (None, Vec::new()));
    assert_eq!(one.values(&[5, 6], 4), [Some(1.0), Some(1.0)]);
}
