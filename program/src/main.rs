//! The program: everything is in [`cli`], the library and the server.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
