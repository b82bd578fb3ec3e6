//! Rows to learn from.
