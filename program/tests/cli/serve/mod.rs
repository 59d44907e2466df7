//! `fourbook serve` as a process: sockets, signals and hostile clients.

mod changing_books;
mod clients;
mod running;
mod support;
