//! What the tests share: running the program.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// What a run of the program left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The exit code.
    pub(crate) code: i32,
}

/// The program, to be given arguments.
pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_fourbook"))
}

/// Runs the program with these arguments and nothing on its standard input.
pub(crate) fn fourbook(arguments: &[&str]) -> Run {
    fourbook_reading(arguments, b"")
}

/// Runs the program with these arguments and this standard input.
pub(crate) fn fourbook_reading(arguments: &[&str], stdin: &[u8]) -> Run {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Written beside reading the output, or both would wait for full pipes. A
    // program that has ended without reading everything is no failure.
    let mut pipe = child.stdin.take().expect("stdin is a pipe");
    let Output { status, stdout, stderr } = std::thread::scope(|scope| {
        scope.spawn(move || {
            let _ = pipe.write_all(stdin);
        });
        child.wait_with_output().expect("the program ends")
    });
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    Run { stdout: text(stdout), stderr: text(stderr), code: status.code().expect("no signal") }
}

/// The exit code of the program with these arguments when nobody reads its output.
pub(crate) fn exit_code_unread(arguments: &[&str]) -> Option<i32> {
    let mut child =
        program().args(arguments).stdout(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    child.wait().expect("the program ends").code()
}

/// Asks a running program to end.
#[cfg(unix)]
pub(crate) fn send_signal(child: &Child, signal: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &id]).status();
    assert!(sent.expect("there is a program 'kill'").success());
}

/// A path as an argument.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

/// A file of the repository.
macro_rules! repository {
    ($path:literal) => {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../", $path)
    };
}
pub(crate) use repository;
