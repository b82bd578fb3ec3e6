//! The lines of the protocol of bots, in both directions.

use ludion_bot::protocol::{BotCommand, BotReply};

use super::{error, text};
use crate::FuzzTarget;

/// Commands to a bot.
pub(super) const BOT_COMMAND: FuzzTarget = FuzzTarget {
    name: "bot_command",
    about: "command to a bot (UGI and its extensions)",
    tokens: &[
        "ugi",
        "isready",
        "setoption",
        "name",
        "value",
        "game",
        "uginewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "legal",
        "go",
        "movetime",
        "depth",
        "nodes",
        "simulations",
        "infinite",
        "p1time",
        "p2inc",
        "stop",
        "query",
        "gameover",
        "observe",
        "answer",
        "quit",
        " ",
        "\u{a0}",
    ],
    run: |input| {
        let command: BotCommand = text(input).parse().map_err(error)?;
        let shown = command.to_string();
        let again = shown.parse::<BotCommand>().map_err(error);
        assert_eq!(again.as_ref(), Ok(&command), "{shown:?}");
        Ok(())
    },
};

/// Replies of a bot.
pub(super) const BOT_REPLY: FuzzTarget = FuzzTarget {
    name: "bot_reply",
    about: "reply of a bot (UGI and its extensions)",
    tokens: &[
        "id",
        "name",
        "author",
        "option",
        "type",
        "spin",
        "string",
        "default",
        "min",
        "max",
        "feature",
        "game",
        "legal",
        "simulations",
        "query",
        "observe",
        "ugiok",
        "readyok",
        "info",
        "depth",
        "nodes",
        "time",
        "multipv",
        "score",
        "value",
        "cp",
        "mate",
        "pv",
        "bestmove",
        "ponder",
        "response",
        "error",
        " ",
        "nan",
        "-0.0",
    ],
    run: |input| {
        let Some(reply) = BotReply::parse(&text(input)) else { return Ok(()) };
        let shown = reply.to_string();
        let again = BotReply::parse(&shown);
        // A value that is no number differs from itself.
        let is_nan = format!("{reply:?}").contains("NaN");
        assert!(is_nan || again == Some(reply), "{shown:?} is read as {again:?}");
        Ok(())
    },
};
