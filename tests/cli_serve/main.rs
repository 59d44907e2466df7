//! `fourbook serve` as a process: sockets, signals and hostile clients.

#![cfg(unix)]

mod clients;
mod process;
mod support;
