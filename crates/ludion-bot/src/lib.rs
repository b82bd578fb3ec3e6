//! Bots of other people: programs in any language that play over standard input and output.
//!
//! [`protocol`] has the lines as types, `docs/protocol.md` the same for people. We referee:
//! a bot is never trusted about the rules, about time, or to end when it should.

pub mod protocol;
