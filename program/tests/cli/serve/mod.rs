//! `fourbook serve` as a process: sockets, signals and hostile clients.

mod clients;
mod running;
mod support;
