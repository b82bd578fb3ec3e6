//! Tests of model files: writing and reading back, and the rejection of invalid bytes.

use proptest::prelude::*;

use super::*;

fn model() -> NetworkModel {
    let layer = |inputs: usize, outputs: usize| Layer {
        inputs,
        outputs,
        weights: (0..inputs * outputs).map(|i| i as f32 / 7.0 - 0.3).collect(),
        biases: (0..outputs).map(|i| 1e-30 * i as f32).collect(),
    };
    let network = Network::new(&[layer(5, 3), layer(3, 1)]).unwrap();
    let spec = TrainingSettings {
        game: "checkers".to_owned(),
        hidden: vec![3],
        ..TrainingSettings::default()
    };
    let outcome = TrainingFigures { r2: Some(0.1 + 0.2), rows: 7, ..TrainingFigures::default() };
    NetworkModel::new(network, spec, outcome).unwrap()
}

/// Returns the bytes of a model file whose JSON header was changed by `change`; the length of the
/// header is adapted.
fn with_header(change: impl Fn(&str) -> String) -> Vec<u8> {
    let bytes = model().to_bytes();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header = change(std::str::from_utf8(&bytes[8..8 + length]).unwrap());
    let mut changed = (header.len() as u64).to_le_bytes().to_vec();
    changed.extend(header.as_bytes());
    changed.extend(&bytes[8 + length..]);
    changed
}

fn error_of(bytes: &[u8]) -> String {
    NetworkModel::from_bytes(bytes).unwrap_err().to_string()
}

#[test]
fn a_model_survives_a_round_trip_with_the_same_bytes() {
    let bytes = model().to_bytes();
    let back = NetworkModel::from_bytes(&bytes).unwrap();
    assert_eq!(back, model());
    assert_eq!(back.to_bytes(), bytes);
}

#[test]
fn invalid_files_are_rejected() {
    let bytes = model().to_bytes();
    let none = "this is not a model: not a complete safetensors file";
    assert_eq!(error_of(b""), none);
    assert_eq!(error_of(&bytes[..bytes.len() - 1]), none);
    let swap = |from: &'static str, to: &'static str| {
        let changed = with_header(|header| {
            assert!(header.contains(from), "{header}");
            header.replace(from, to)
        });
        error_of(&changed)
    };
    assert_eq!(
        swap("\"ludion\"", "\"someone\""),
        "the file has no entry \"ludion\" in its metadata; it was not written by ludion"
    );
    assert_eq!(
        swap("version\\\":1", "version\\\":2"),
        "the model has format version 2; this program reads version 1"
    );
    let unknown = "the metadata of the model are invalid: unknown field `eras`";
    assert!(swap("epochs", "eras").starts_with(unknown));
    assert_eq!(swap("layer.1.bias", "layer.1.sum"), "tensor layer.1.bias: missing");
    assert_eq!(swap("[3,5]", "[15]"), "tensor layer.0.weight: shape [15]; 2 dimensions are needed");
    assert_eq!(swap("[3,5]", "[5,3]"), "layer 1 has 3 biases; its shape needs 5");
    assert_eq!(
        swap("\"F32\",\"shape\":[3,5]", "\"I32\",\"shape\":[3,5]"),
        "tensor layer.0.weight: entries of type I32; F32 or F16, of weights also I8, is needed"
    );
    assert_eq!(
        swap("hidden\\\":[3]", "hidden\\\":[4]"),
        "the hidden layers are [3], but the training settings say [4]"
    );
    let mut odd = bytes.clone();
    let end = odd.len();
    odd[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert!(error_of(&odd).ends_with("is inf; finite numbers are allowed"), "{}", error_of(&odd));
}

#[test]
fn changed_weights_are_detected_unless_the_model_has_no_checksum() {
    let mut bytes = model().to_bytes();
    *bytes.last_mut().unwrap() ^= 1;
    assert!(error_of(&bytes).starts_with("the model is damaged"), "{}", error_of(&bytes));
    let without = with_header(|header| {
        let at = header.find(",\\\"checksum").unwrap();
        let end = at + header[at..].find('}').unwrap();
        format!("{}{}", &header[..at], &header[end..])
    });
    assert_eq!(NetworkModel::from_bytes(&without).unwrap(), model());
}

proptest! {
    #[test]
    fn damaged_bytes_never_panic(at in 0_usize..2000, byte: u8, cut in 0_usize..2000) {
        let mut bytes = model().to_bytes();
        let (at, cut) = (at % bytes.len(), cut % (bytes.len() + 1));
        bytes[at] = byte;
        let _ = NetworkModel::from_bytes(&bytes);
        prop_assert!(cut == bytes.len() || NetworkModel::from_bytes(&bytes[..cut]).is_err());
    }
}
