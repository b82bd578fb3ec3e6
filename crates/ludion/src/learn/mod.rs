//! What is learned from games, and how.

pub mod patterns;
