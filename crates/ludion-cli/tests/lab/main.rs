//! The laboratory as the program serves it: in a real browser, where every test ends without a
//! console error and without a request to another origin; and under the load of many clients.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod analysis;
mod chromium;
mod client;
#[cfg(feature = "cluster")]
mod cluster;
mod dashboard;
mod hands;
mod journeys;
mod keyboard;
mod laboratory;
mod load;
mod pages;
mod serving;
