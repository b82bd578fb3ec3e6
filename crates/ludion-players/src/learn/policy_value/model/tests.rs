//! Tests of the files of networks with policy and value: round trips, files of other programs, and
//! the rejection of invalid bytes.

use proptest::prelude::*;
use serde_json::json;

use super::super::tests::{paper_network, random_network};
use super::*;
use crate::random::Rng;

fn model() -> PolicyValueModel {
    PolicyValueModel::new(paper_network(), "connect4", "cells 1", json!({ "generations": 3 }))
}

/// Returns a safetensors file with this header and data.
fn file(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), data].concat()
}

/// Returns the header of a file and its data.
fn parts(bytes: &[u8]) -> (String, &[u8]) {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    (String::from_utf8(bytes[8..8 + length].to_vec()).unwrap(), &bytes[8 + length..])
}

fn error_of(bytes: &[u8]) -> String {
    PolicyValueModel::from_bytes(bytes).unwrap_err().to_string()
}

#[test]
fn models_survive_a_round_trip_with_the_same_bytes() {
    let large = random_network(84, &[256, 64], 7, &mut Rng::new(2));
    let large = PolicyValueModel::new(large, "connect4", "cells 1", json!(null));
    let [half, byte] =
        [WeightFormat::F16, WeightFormat::I8].map(|format| large.clone().with_format(format));
    for model in [model(), large.clone(), half.clone(), byte.clone()] {
        let bytes = model.to_bytes();
        let back = PolicyValueModel::from_bytes(&bytes).unwrap();
        assert_eq!((&back, back.to_bytes()), (&model, bytes));
    }
    // The weights on paper are exact in 16 bits.
    assert_eq!(model().with_format(WeightFormat::F16).network(), model().network());
    let [long, short, shortest] = [&large, &half, &byte].map(|model| model.to_bytes().len());
    assert!(short < 80_000 && 2 * short < long + 2_000, "{short} and {long} bytes");
    assert!(4 * shortest < long + 16_000, "{shortest} and {long} bytes");
    // A weight of 8 bits is off by at most half of its factor, which is at most 1/64 of the largest.
    for (rounded, exact) in byte.network().layers().iter().zip(large.network().layers().iter()) {
        for (row, wanted) in
            rounded.weights.chunks(exact.inputs).zip(exact.weights.chunks(exact.inputs))
        {
            let largest = wanted.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
            let is_near = |(a, b): (&f32, &f32)| (a - b).abs() <= largest / 127.0;
            assert!(row.iter().zip(wanted).all(is_near));
        }
    }
}

#[test]
fn weights_of_8_bits_need_a_factor_for_each_output() {
    let bytes = model().with_format(WeightFormat::I8).to_bytes();
    let (header, data) = parts(&bytes);
    let renamed = header.replace("value.scale", "value.scala");
    let file = [&(renamed.len() as u64).to_le_bytes()[..], renamed.as_bytes(), data].concat();
    assert!(error_of(&file).contains("value.scale"), "{}", error_of(&file));
    let floats = model().to_bytes();
    let (header, data) = parts(&floats);
    let renamed = header.replace("value.bias", "value.scale");
    let file = [&(renamed.len() as u64).to_le_bytes()[..], renamed.as_bytes(), data].concat();
    assert!(error_of(&file).contains("value."), "{}", error_of(&file));
}

#[test]
fn a_file_made_by_hand_plays() {
    // One feature, one hidden unit, two actions; the layout that PyTorch's safetensors writes.
    let header = r#"{"__metadata__":{"ludion":"{\"version\":1,\"kind\":\"policy-value\",
        \"game\":\"own\",\"encoding\":\"bit\"}"},
        "policy.bias":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
        "policy.weight":{"dtype":"F32","shape":[2,1],"data_offsets":[8,16]},
        "trunk.0.bias":{"dtype":"F32","shape":[1],"data_offsets":[16,20]},
        "trunk.0.weight":{"dtype":"F32","shape":[1,1],"data_offsets":[20,24]},
        "value.bias":{"dtype":"F16","shape":[3],"data_offsets":[24,30]},
        "value.weight":{"dtype":"F16","shape":[3,1],"data_offsets":[30,36]}}"#;
    let header = header.replace("\n        ", "");
    let mut data: Vec<u8> =
        [0.0_f32, 1.0, 3.0, -1.0, 0.5, 1.5].iter().flat_map(|x| x.to_le_bytes()).collect();
    // −1, 0, 2 and 1, 0, −0.5 in 16 bits.
    data.extend([0xbc00_u16, 0, 0x4000, 0x3c00, 0, 0xb800].iter().flat_map(|x| x.to_le_bytes()));
    let model = PolicyValueModel::from_bytes(&file(&header, &data)).unwrap();
    assert_eq!((model.game(), model.encoding()), ("own", "bit"));
    assert_eq!(model.check_game("own", "bit", 1, 2), Ok(()));
    // The hidden unit is 1.5 + 0.5 = 2; the logits are 6 and 1 − 2, and −1 + 2, 0, 2 − 1.
    let (mut scratch, mut priors) = (Default::default(), [0.0; 2]);
    let value = model.network().evaluate(&[0], &[0, 1], &mut scratch, &mut priors);
    assert!((priors[0] - 1.0 / (1.0 + (-7.0_f32).exp())).abs() < 1e-6);
    assert!((value.win - value.loss).abs() < 1e-7 && value.win > 0.42);
}

#[test]
fn models_of_other_games_are_refused() {
    let error = |game, encoding, features, actions| {
        model().check_game(game, encoding, features, actions).unwrap_err().to_string()
    };
    assert_eq!(model().check_game("connect4", "cells 1", 3, 4), Ok(()));
    assert_eq!(
        error("tictactoe", "cells 1", 3, 4),
        "the model is for the game connect4, not for tictactoe"
    );
    assert_eq!(
        error("connect4", "cells 2", 3, 4),
        "the model has the encoding \"cells 1\"; the game needs \"cells 2\""
    );
    assert_eq!(error("connect4", "cells 1", 84, 4), "the model has 3 features; the game needs 84");
    assert_eq!(error("connect4", "cells 1", 3, 7), "the model has 4 actions; the game needs 7");
}

#[test]
fn invalid_files_are_rejected() {
    let bytes = model().to_bytes();
    let (header, data) = parts(&bytes);
    let none = "this is not a model: not a complete safetensors file";
    assert_eq!(error_of(&bytes[..bytes.len() - 1]), none);
    let swap = |from: &str, to: &str| {
        assert!(header.contains(from), "{header}");
        error_of(&file(&header.replace(from, to), data))
    };
    assert_eq!(
        swap("kind\\\":\\\"policy-value", "kind\\\":\\\"label"),
        "the file is a network of one output; a network with policy and value is needed"
    );
    let unknown = swap("kind\\\":\\\"policy-value", "kind\\\":\\\"other");
    assert!(unknown.starts_with("the metadata of the model are invalid: unknown word"));
    assert_eq!(
        swap("version\\\":1", "version\\\":9"),
        "the model has format version 9; this program reads version 1"
    );
    assert_eq!(swap("trunk.0.bias", "trunk.0.sum"), "tensor trunk.0.bias: missing");
    assert_eq!(swap("trunk.0.", "stem.0."), "tensor trunk.0.weight: missing");
    assert_eq!(swap("value.weight", "wdl.weight"), "tensor value.weight: missing");
    assert_eq!(swap("trunk.1.", "trunk.2."), "tensor trunk.2.bias: not part of the network");
    assert_eq!(swap("[4,2]", "[2,4]"), "the policy head has 4 biases; its shape needs 2");
    // Sizes that do not fit the data are refused before memory is allocated for them.
    assert_eq!(swap("[4,2]", "[4000000000,2000000000]"), none);
    let mut odd = data.to_vec();
    odd[..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let error = error_of(&file(&header, &odd));
    assert!(error.ends_with("is NaN; finite numbers are allowed"), "{error}");
    odd[..4].copy_from_slice(&9.0_f32.to_le_bytes());
    let error = error_of(&file(&header, &odd));
    assert_eq!(error, "the model is damaged: the checksum of its weights does not match");
}

proptest! {
    #[test]
    fn damaged_bytes_never_panic(at in 0_usize..2000, byte: u8, cut in 0_usize..2000) {
        let mut bytes = model().to_bytes();
        let (at, cut) = (at % bytes.len(), cut % bytes.len());
        bytes[at] = byte;
        let _ = PolicyValueModel::from_bytes(&bytes);
        prop_assert!(PolicyValueModel::from_bytes(&bytes[..cut]).is_err());
    }
}
