//! The command line's thin entry: everything is in [`cli`] and the library.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
