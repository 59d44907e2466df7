//! The program `fourbook`.

use std::process::ExitCode;

fn main() -> ExitCode {
    fourbook_cli::run(std::env::args_os()).into()
}
