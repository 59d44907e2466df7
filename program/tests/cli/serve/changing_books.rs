//! Files of books that change while a server under load answers from them.

use super::support::{Server, exchange, request};
use fourbook::{Book, Position};
use rustix::process::Signal;
use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const BOOK: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../books/7x6-d8.book"));
const DEEPER: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../books/7x6-d12-compact.book"));

/// Clients that ask at the same time.
const CLIENTS: usize = 3;

/// Answers that are awaited after each change.
const ANSWERS: usize = 60;

/// Requests for positions that both books have, and the answers to them.
fn questions() -> Vec<(String, String)> {
    let book = Book::from_bytes(BOOK).unwrap();
    let columns = ['1', '2', '3', '4', '5', '6', '7'];
    let moves = (0..343).map(|number| [number / 49, number / 7 % 7, number % 7]);
    moves
        .map(|three| {
            let moves: String = three.iter().map(|&column| columns[column]).collect();
            let score = book.look_up(Position::from_moves(&moves).unwrap()).unwrap().score();
            let answer = format!("\"score\":{},", score.expect("the book has it"));
            (format!("/v1/position?moves={moves}&only=score"), answer)
        })
        .collect()
}

/// Renames a new file over another.
fn rename_over(path: &Path, bytes: &[u8]) {
    let new = path.with_extension("new");
    fs::write(&new, bytes).unwrap();
    fs::rename(new, path).unwrap();
}

#[test]
fn a_server_under_load_answers_rightly_while_its_file_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    fs::write(&path, BOOK).unwrap();
    let server = Server::start(&["--book", path.to_str().unwrap()]);
    let questions = questions();
    let address = server.address.clone();
    let answers = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let done = AtomicBool::new(false);
    let ask = |(uri, expected): &(String, String)| {
        let answer = match TcpStream::connect(&address) {
            Ok(stream) => exchange(stream, &request(uri)).replace(' ', ""),
            Err(error) => error.to_string(),
        };
        if answer.contains(expected) {
            answers.fetch_add(1, Ordering::Relaxed);
        } else {
            wrong.lock().unwrap().push(format!("{uri}: {answer}"));
            done.store(true, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let questions = &questions;
            let ask = &ask;
            let done = &done;
            scope.spawn(move || {
                let questions = questions.iter().cycle().skip(client * 100);
                questions.take_while(|_| !done.load(Ordering::Relaxed)).for_each(ask);
            });
        }
        let wait = || {
            let enough = answers.load(Ordering::Relaxed) + ANSWERS;
            while answers.load(Ordering::Relaxed) < enough && !done.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        };
        let reload = |expected: &str| {
            server.signal(Signal::HUP);
            server.wait_for_log(expected);
            wait();
        };
        wait();
        let shuffled: Vec<u8> = BOOK.iter().rev().copied().collect();
        let longer = [BOOK, DEEPER].concat();
        for bytes in [b"", &BOOK[..BOOK.len() / 2], &shuffled, &longer] {
            fs::write(&path, bytes).unwrap();
            wait();
            reload("the old books and strategies stay in use");
        }
        fs::remove_file(&path).unwrap();
        wait();
        reload("the old books and strategies stay in use");
        rename_over(&path, DEEPER);
        wait();
        reload("loaded the books again");
        // Overwrites the open book with another valid one.
        fs::write(&path, BOOK).unwrap();
        wait();
        reload("loaded the books again");
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(wrong.into_inner().unwrap(), Vec::<String>::new());
    server.stop();
}
