//! The laboratory and the submission server, as browsers and programs use them. All tests are one
//! program, because every program links the whole server.

mod connections;
mod contest;
mod lab;
mod learning;
mod openapi;
mod puzzles;
mod runs;
