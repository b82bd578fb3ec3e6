//! Files: models, archives and the bytes of self-play games. Where a format has a checksum, that
//! of the input is made right, because the interesting bytes are behind it.

use std::ops::ControlFlow;

use ludion::archive::file_format::{ArchiveReader, ArchiveRecord, file_header};
use ludion::games::tictactoe::TicTacToe;
use ludion::learn::model::NetworkModel;
use ludion::learn::patterns::{PatternModel, SelfPlayGame};
use ludion::learn::policy_value::PolicyValueModel;
use ludion::random::mix;

use super::{error, registry};
use crate::FuzzTarget;

/// Networks as safetensors.
pub(super) const NETWORK_MODEL: FuzzTarget = FuzzTarget {
    name: "network_model",
    about: "model of a network (safetensors)",
    tokens: &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"F32\"",
        "\"F64\"",
        "\"dtype\"",
        "\"shape\"",
        "\"data_offsets\"",
        "__metadata__",
        "layer.0.weight",
        "layer.1.bias",
        "\\\"version\\\":1",
        "null",
        "1e999",
        "\0\0\0\0\0\0\0\0",
    ],
    run: |input| {
        let model = NetworkModel::from_bytes(input).map_err(error)?;
        let bytes = model.to_bytes();
        let again = NetworkModel::from_bytes(&bytes).map_err(error);
        assert!(again.as_ref() == Ok(&model), "the model written again: {:?}", again.err());
        Ok(())
    },
};

/// Networks with policy and value as safetensors.
pub(super) const POLICY_VALUE_MODEL: FuzzTarget = FuzzTarget {
    name: "policy_value_model",
    about: "model of a network with policy and value (safetensors)",
    tokens: &[
        "{",
        "}",
        "[",
        "]",
        "\"F32\"",
        "\"F16\"",
        "\"shape\"",
        "\"data_offsets\"",
        "trunk.0.weight",
        "trunk.1.bias",
        "value.weight",
        "policy.bias",
        "\\\"kind\\\":\\\"policy-value\\\"",
        "\\\"checksum\\\"",
        "null",
        "\0\0\0\0",
    ],
    run: |input| {
        let model = PolicyValueModel::from_bytes(input).map_err(error)?;
        let again = PolicyValueModel::from_bytes(&model.to_bytes()).map_err(error);
        assert!(again.as_ref() == Ok(&model), "the model written again: {:?}", again.err());
        Ok(())
    },
};

/// Pattern models of tic-tac-toe.
pub(super) const PATTERN_MODEL: FuzzTarget = FuzzTarget {
    name: "pattern_model",
    about: "pattern model (.lpat), with a right checksum",
    tokens: &["LPAT", "\"game\"", "\"tictactoe\"", "\"phases\"", "\"patterns\"", "[", "]", "\0"],
    run: |input| {
        let bytes = with_pattern_checksum(input);
        let _ = PatternModel::read_header(&bytes);
        let model = PatternModel::read(&bytes, &TicTacToe, "tictactoe").map_err(error)?;
        let again = PatternModel::read(&model.write(), &TicTacToe, "tictactoe");
        assert!(again.as_ref() == Ok(&model), "the model written again: {:?}", again.err());
        Ok(())
    },
};

/// Returns the bytes of a pattern model with the checksum that the reader expects at their end.
fn with_pattern_checksum(input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let body = bytes.len().saturating_sub(8);
    let word = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    };
    let add = |sum, chunk: &[u8]| mix(sum ^ word(chunk)).wrapping_add(sum);
    let sum = bytes[..body].chunks(8).fold(body as u64, add);
    bytes.truncate(body);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// Archives of games. An input is a list of records without their checksums: the kind, the length
/// in one byte, the content.
pub(super) const ARCHIVE: FuzzTarget = FuzzTarget {
    name: "archive",
    about: "archive of games, with right checksums",
    tokens: &[
        "H",
        "S",
        "G",
        "{\"game\":\"",
        "tictactoe",
        "matches(1)",
        "connect4",
        "\"}",
        "players",
        "seed",
        "version",
        "\0\0\0\0\0\0\0\0",
        "\u{1}\0\0\0",
    ],
    run: |input| {
        let bytes = archive(input);
        let mut reader = ArchiveReader::open(&bytes[..], bytes.len() as u64).map_err(error)?;
        let game = registry().game(reader.game()).map_err(error)?;
        while let Some(record) = reader.next_item().map_err(error)? {
            let shown = record.to_bytes();
            let mut file = file_header(reader.game());
            file.extend_from_slice(&shown);
            let mut again =
                ArchiveReader::open(&file[..], file.len() as u64).expect("a header that was read");
            let read = again.next_item().expect("a record that was read");
            assert_eq!(read.as_ref(), Some(&record));
            if let ArchiveRecord::Games(block) = record {
                game.each_game(&block, &mut |_| ControlFlow::Continue(())).map_err(error)?;
            }
        }
        Ok(())
    },
};

/// Makes an archive of the records of an input.
fn archive(input: &[u8]) -> Vec<u8> {
    let mut bytes = b"Ludion games, format 1\n".to_vec();
    let mut rest = input;
    while let [kind, length, after @ ..] = rest {
        let (content, next) = after.split_at(usize::from(*length).min(after.len()));
        let mut record = vec![*kind];
        record.extend((content.len() as u32).to_le_bytes());
        let mut sum = crc32fast::Hasher::new();
        sum.update(&record);
        sum.update(content);
        record.extend(sum.finalize().to_le_bytes());
        bytes.extend(record);
        bytes.extend(content);
        rest = next;
    }
    bytes
}

/// Self-play games, one after the other.
pub(super) const SELF_PLAY_GAME: FuzzTarget = FuzzTarget {
    name: "self_play_game",
    about: "self-play games of pattern learning, as workers send them",
    tokens: &["\0", "\u{1}", "\u{9}", "\u{7f}"],
    run: |input| {
        let mut rest = input;
        while !rest.is_empty() {
            let game = SelfPlayGame::take(&mut rest).map_err(error)?;
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            assert_eq!(SelfPlayGame::take(&mut &bytes[..]), Ok(game.clone()));
            game.replay(&TicTacToe, |_, _, _| ()).map_err(error)?;
        }
        Ok(())
    },
};
