//! Loading another book while serving.

use super::support::{PATIENT, book, repository, start};
use fourbook::with_causes;
use fourbook_server::{BookSource, ServerOptions};
use std::fs;
use std::path::Path;

fn options() -> ServerOptions {
    ServerOptions { threads: 1, ..PATIENT }
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_good_book_takes_the_place_of_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("4x4.book");
    write(&path, &book("4x4", "first"));
    let server = start([BookSource::Path(path.clone())], options());
    let before = server.get("/v1/book").await.json();
    let tag = server.get("/solve?pos=1234").await.header("etag").to_owned();
    write(&path, &book("4x4", "second"));
    server.daemon.reload().unwrap();
    let after = server.get("/v1/book").await.json();
    assert_eq!(before["file"], "4x4.book", "the name only, not where it is");
    assert_ne!(before["identity"], after["identity"]);
    assert_eq!(after["provenance"]["arguments"], "second");
    assert_ne!(server.get("/solve?pos=1234").await.header("etag"), tag);
    assert_eq!(server.metric("fourbook_reloads_total").await, 1);
}

#[tokio::test]
async fn of_a_folder_the_deepest_book_is_served_that_is_for_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    write(&place("first.book"), &book("4x4", "first"));
    let server = start([BookSource::Path(folder.path().to_owned())], options());
    let served = async || server.get("/v1/book").await.json();
    assert_eq!(served().await["file"], "first.book");
    fs::copy(repository!("examples/4x4-d6.book"), place("second.book")).unwrap();
    // The default board stays the same when other books come.
    fs::copy(repository!("books/7x6-d8.book"), place("third.book")).unwrap();
    let changed = server.daemon.reload().unwrap();
    assert_eq!(changed, ["4x4", "7x6"].map(|size| size.parse().unwrap()));
    let deepest = served().await;
    assert_eq!((&deepest["file"], &deepest["depth"]), (&"second.book".into(), &6.into()));
    fs::remove_file(place("second.book")).unwrap();
    fs::remove_file(place("first.book")).unwrap();
    assert_eq!(server.daemon.reload().unwrap(), ["4x4".parse().unwrap()]);
    assert_eq!(served().await["loaded"], false);
    assert_eq!(server.get("/v1/book?size=7x6").await.json()["file"], "third.book");
}

#[tokio::test]
async fn a_bad_book_leaves_the_old_one_serving() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("4x4.book");
    let good = book("4x4", "good");
    write(&path, &good);
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    for source in [folder.path(), &path] {
        write(&path, &good);
        let server = start([BookSource::Path(source.to_owned())], options());
        let expected = server.get("/v1/book").await.json();
        for (bad, words) in [
            (&b"rubbish"[..], "cannot use"),
            (&[], "cannot use"),
            (&good[..good.len() / 2], "cannot use"),
            (&damaged, "the checksum of block 0 (ply 0)"),
        ] {
            // In place, as a careless copy does.
            write(&path, bad);
            let error = with_causes(&server.daemon.reload().unwrap_err());
            assert!(error.contains(words), "{error}");
            assert_eq!(server.get("/v1/book").await.json(), expected);
        }
        assert_eq!(server.metric("fourbook_reloads_failed_total").await, 4);
        if source == path {
            fs::remove_file(&path).unwrap();
            assert!(server.daemon.reload().unwrap_err().to_string().contains("cannot open"));
        }
    }
}
