//! Runs the program for tests.

#[cfg(unix)]
use crate::pseudo_terminal::Terminal;
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};
use std::collections::HashMap;
#[cfg(unix)]
use std::io::Read;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The output and the status of a run of the program.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The exit code.
    pub(crate) code: i32,
}

/// The program without arguments, and without the variables of this machine.
pub(crate) fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fourbook"));
    program.env_remove("FOURBOOK_BOOK").env_remove("COLUMNS").env_remove("RUST_LOG");
    program
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
    // Written while the output is read, or both sides would wait for full pipes. A
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

/// The exit code of the program with these arguments and an output without a reader.
pub(crate) fn exit_code_unread(arguments: &[&str]) -> Option<i32> {
    let (reader, unread) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = program();
    command.args(arguments).stdin(Stdio::null()).stdout(unread);
    command.status().expect("the program ends").code()
}

/// Runs the program with its standard output on a terminal that shows colours, and with
/// these variables.
#[cfg(unix)]
pub(crate) fn on_terminal(arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let Terminal { screen: mut ours, line } = Terminal::open();
    let mut command = program();
    for variable in ["CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    let child = command
        .args(arguments)
        .env("TERM", "xterm-256color")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(line)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The program alone has the other end now: when it ends, so does what there is to read.
    drop(command);
    let mut shown = Vec::new();
    let mut chunk = [0; 4096];
    while let Ok(read @ 1..) = ours.read(&mut chunk) {
        shown.extend(&chunk[..read]);
    }
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    Run {
        stdout: text(shown).replace("\r\n", "\n"),
        stderr: text(output.stderr),
        code: output.status.code().expect("no signal"),
    }
}

/// Sends a signal to a running program.
#[cfg(unix)]
pub(crate) fn send_signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("the program is there");
}

/// Size and depth of a book that takes long enough to be interrupted, and not much longer: a shard of two
/// takes more than a second, and its checkpoint is written every 200 ms.
pub(crate) const BOOK: (&str, &str) = ("5x7", "8");
/// Those of a book that no machine finishes before it is stopped, in shards or whole.
pub(crate) const LONG_BOOK: (&str, &str) = ("6x6", "8");

/// The arguments that make a book, or with `more` a shard.
pub(crate) fn generate<'a>(
    (size, depth): (&'a str, &'a str),
    more: &[&'a str],
    out: &'a Path,
) -> Vec<&'a str> {
    let book = ["generate", "--size", size, "--depth", depth, "--threads", "2", "--memory", "16M"];
    [&book, more, &["--out", text(out)]].concat()
}

/// Starts the program with these arguments.
pub(crate) fn start(arguments: &[&str]) -> Child {
    program().args(arguments).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// How many positions the checkpoint of a book or a part has, if it is there: those with a score in
/// the last record of their block.
pub(crate) fn solved(out: &Path) -> usize {
    let bytes = std::fs::read(beside(out, ".checkpoint")).unwrap_or_default();
    let records = bytes.get(128..).unwrap_or_default().chunks_exact(64);
    let scores = |record: &[u8]| record[36..60].iter().filter(|&&byte| byte != 0).count();
    let blocks: HashMap<_, _> = records.map(|record| (&record[..8], scores(record))).collect();
    blocks.into_values().sum()
}

/// The file beside `out` whose name ends with `suffix` besides.
pub(crate) fn beside(out: &Path, suffix: &str) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Waits until `more` positions have been solved.
pub(crate) fn wait_for_progress(out: &Path, child: &mut Child, more: usize) {
    let enough = solved(out) + more;
    let give_up = Instant::now() + Duration::from_secs(120);
    while solved(out) < enough {
        assert!(Instant::now() < give_up, "no progress");
        assert_eq!(child.try_wait().expect("the program can be waited for"), None, "it has ended");
        sleep(Duration::from_millis(1));
    }
}

/// Kills a program, which learns nothing of it.
pub(crate) fn kill(mut child: Child) {
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
}

/// A test without a program that it needs is skipped, unless all have to run.
pub(crate) fn skip_without(program: &str) {
    assert!(std::env::var_os("FOURBOOK_ALL_TOOLS").is_none(), "{program} is not installed");
    println!("skipped: {program} is not installed");
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
