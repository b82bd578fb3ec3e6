//! Models written and read, and what is refused.

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
    let spec =
        TrainingSpec { game: "checkers".to_owned(), hidden: vec![3], ..TrainingSpec::default() };
    let outcome = TrainingOutcome { r2: Some(0.1 + 0.2), rows: 7, ..TrainingOutcome::default() };
    NetworkModel::new(network, spec, outcome).unwrap()
}

/// The model with something else in its header, of whatever length.
fn with_header(change: impl Fn(&str) -> String) -> Vec<u8> {
    let bytes = model().to_bytes();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header = change(std::str::from_utf8(&bytes[8..8 + length]).unwrap());
    let mut changed = (header.len() as u64).to_le_bytes().to_vec();
    changed.extend(header.as_bytes());
    changed.extend(&bytes[8 + length..]);
    changed
}

fn said(bytes: &[u8]) -> String {
    NetworkModel::from_bytes(bytes).unwrap_err().to_string()
}

#[test]
fn a_model_comes_back_as_it_went_with_the_same_bytes() {
    let bytes = model().to_bytes();
    let back = NetworkModel::from_bytes(&bytes).unwrap();
    assert_eq!(back, model());
    assert_eq!(back.to_bytes(), bytes);
}

#[test]
fn a_file_that_is_wrong_gets_a_sentence() {
    let bytes = model().to_bytes();
    let none = "this is no model: not a file in the format safetensors, or not all of one";
    assert_eq!(said(b""), none);
    assert_eq!(said(&bytes[..bytes.len() - 1]), none);
    let swap = |from: &'static str, to: &'static str| {
        let changed = with_header(|header| {
            assert!(header.contains(from), "{header}");
            header.replace(from, to)
        });
        said(&changed)
    };
    assert_eq!(
        swap("\"ludion\"", "\"someone\""),
        "the file has no entry \"ludion\" in its metadata; it was not written by ludion"
    );
    assert_eq!(
        swap("version\\\":1", "version\\\":2"),
        "the model is of version 2; this program reads version 1"
    );
    assert!(swap("epochs", "eras").starts_with("the record of the training: unknown field `eras`"));
    assert_eq!(
        swap("layer.1.bias", "layer.1.sum"),
        "tensor layer.1.bias: missing among the tensors of the model"
    );
    assert_eq!(swap("[3,5]", "[15]"), "tensor layer.0.weight: shape [15]; 2 dimensions are needed");
    assert_eq!(swap("[3,5]", "[5,3]"), "layer 1 has 3 biases; its shape asks for 5");
    assert_eq!(
        swap("\"F32\",\"shape\":[3,5]", "\"I32\",\"shape\":[3,5]"),
        "tensor layer.0.weight: numbers of type I32; F32 is allowed"
    );
    assert_eq!(
        swap("hidden\\\":[3]", "hidden\\\":[4]"),
        "the hidden layers are [3], but the record says [4]"
    );
    let mut odd = bytes.clone();
    let end = odd.len();
    odd[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert!(said(&odd).ends_with("is inf; finite numbers are allowed"), "{}", said(&odd));
}

#[test]
fn weights_that_changed_are_noticed_unless_the_model_has_no_checksum() {
    let mut bytes = model().to_bytes();
    *bytes.last_mut().unwrap() ^= 1;
    assert!(said(&bytes).starts_with("the weights do not have the checksum"), "{}", said(&bytes));
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
