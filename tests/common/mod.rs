//! What several integration tests share.

// Each test binary uses a part of it.
#![allow(dead_code)]

use fourbook::board::Position;
use proptest::prelude::*;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// What a run of the program left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The exit code.
    pub(crate) code: i32,
}

/// Runs the program with these arguments and nothing on its standard input.
pub(crate) fn fourbook(arguments: &[&str]) -> Run {
    fourbook_reading(arguments, b"")
}

/// Runs the program with these arguments and this standard input.
pub(crate) fn fourbook_reading(arguments: &[&str], stdin: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fourbook"))
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
    let mut child = Command::new(env!("CARGO_BIN_EXE_fourbook"))
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    child.wait().expect("the program ends").code()
}

/// A position of a game of random moves, ended games included.
pub(crate) fn any_position<const W: usize, const H: usize>() -> impl Strategy<Value = Position<W, H>>
{
    prop::collection::vec(0..W, 0..=W * H).prop_map(|columns| {
        columns.into_iter().fold(Position::EMPTY, |position, column| {
            match !position.is_over() && position.can_play(column) {
                true => position.play(column),
                false => position,
            }
        })
    })
}

/// Like [`any_position`], but played to the end of the game.
pub(crate) fn finished_position<const W: usize, const H: usize>()
-> impl Strategy<Value = Position<W, H>> {
    prop::collection::vec(any::<prop::sample::Index>(), W * H).prop_map(|choices| {
        let mut position = Position::EMPTY;
        for choice in choices {
            let children: Vec<_> = position.children().into_iter().flatten().collect();
            if children.is_empty() {
                break;
            }
            position = *choice.get(&children);
        }
        position
    })
}

/// Calls `visit` with every position of every ply up to `depth`, each once.
pub(crate) fn visit_positions<const W: usize, const H: usize>(
    depth: u32,
    mut visit: impl FnMut(Position<W, H>),
) {
    let mut level = std::collections::BTreeSet::from([Position::EMPTY]);
    for _ in 0..=depth {
        level.iter().copied().for_each(&mut visit);
        level = level.into_iter().flat_map(Position::children).flatten().collect();
    }
}

/// Every line of four as a set of cells, cell by cell and without bit tricks;
/// the cells are (column, row) from 0.
pub(crate) fn lines(width: i32, height: i32) -> Vec<[(usize, usize); 4]> {
    let mut lines = Vec::new();
    for (column, row) in (0..width).flat_map(|column| (0..height).map(move |row| (column, row))) {
        for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let (last_column, last_row) = (column + 3 * right, row + 3 * up);
            if last_column < width && (0..height).contains(&last_row) {
                let cell = |i| ((column + i * right) as usize, (row + i * up) as usize);
                lines.push([cell(0), cell(1), cell(2), cell(3)]);
            }
        }
    }
    lines
}
