//! The laboratory as the program opens it: in a real browser, in which every test ends with a
//! console without a complaint and without a request to anywhere else; and under the load of
//! many clients.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod chromium;
mod client;
mod hands;
mod journeys;
mod laboratory;
mod load;
mod pages;
