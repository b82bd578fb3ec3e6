//! Stores and archives: what is written is read again, by the right users only.

mod archive;
mod private_files;
mod several_connections;
mod studies;
mod submissions;
