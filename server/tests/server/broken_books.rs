//! A book that lacks values although its checksums are right: requests say so.

use crate::broken::{last_section, with_last_section, without_values};
use crate::support::{PATIENT, repository, start};
use fourbook::with_causes;
use fourbook_server::BookSource;
use std::fs;

#[tokio::test]
async fn a_value_that_is_missing_is_a_problem_of_its_own() {
    let good = fs::read(repository!("examples/4x4-d6.book")).unwrap();
    let broken = with_last_section(&good, without_values(&last_section(&good)));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.book");
    fs::write(&path, broken).unwrap();
    let server = start([BookSource::Path(path)], PATIENT);
    for uri in [
        "/v1/position?moves=112234",
        "/v1/position?moves=11223",
        "/v1/position?moves=112234&only=score",
        "/v1/review?moves=112234",
        "/v1/move?moves=11223&level=perfect",
    ] {
        let problem = server.get(uri).await.problem(500, "damaged-book");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("expected a value for the position"), "{uri}: {detail}");
    }
    let batch = server.post(r#"{"positions": ["112234", "11223412"]}"#).await.json();
    assert_eq!(batch["answers"][0]["error"]["type"], "urn:fourbook:problem:damaged-book");
    assert!(batch["answers"][1]["score"].is_i64(), "{batch}");
}

#[tokio::test]
async fn a_broken_section_is_named_and_the_old_book_goes_on_serving() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("7x6.book");
    fs::copy(repository!("books/7x6-d8.book"), &path).unwrap();
    let server = start([BookSource::Path(path.clone())], PATIENT);
    let good = fs::read(repository!("books/7x6-d12-compact.book")).unwrap();
    let broken = with_last_section(&good, |bytes| bytes[8] = 10);
    fs::write(folder.path().join("new"), broken).unwrap();
    fs::rename(folder.path().join("new"), &path).unwrap();
    let error = with_causes(&server.daemon.reload().unwrap_err());
    let expected = "expected the coarseness of the section of ply 12 to be at most ";
    assert!(error.contains(expected), "{error}");
    assert_eq!(server.get("/v1/book").await.json()["depth"], 8);
    fs::write(&path, good).unwrap();
    server.daemon.reload().unwrap();
    assert_eq!(server.get("/v1/book").await.json()["depth"], 12);
}
