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
        "/v1/game?moves=112234",
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
    let error = with_causes(&server.reload().unwrap_err());
    let expected = "expected the coarseness of the section of ply 12 to be at most ";
    assert!(error.contains(expected), "{error}");
    assert_eq!(server.get("/v1/book").await.json()["depth"], 8);
    fs::write(&path, good).unwrap();
    server.reload().unwrap();
    assert_eq!(server.get("/v1/book").await.json()["depth"], 12);
}

/// The server rejects a file with any change and keeps the old book.
#[tokio::test]
async fn no_change_to_a_book_makes_a_wrong_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("7x6.book");
    let good = fs::read(repository!("books/7x6-d8.book")).unwrap();
    fs::write(&path, &good).unwrap();
    let server = start([BookSource::Path(path.clone())], PATIENT);
    let uris = ["", "4", "44", "4453", "112233", "12345", "76543211"]
        .map(|moves| format!("/v1/position?moves={moves}"));
    let mut expected = Vec::new();
    for uri in &uris {
        expected.push(server.get(uri).await.json());
    }
    let mut state = 31_u64;
    let mut random = move |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % end
    };
    // Single bits, then stretches.
    for number in 0..250 {
        let mut changed = good.clone();
        let at = random(good.len() - 64);
        changed[at] ^= 1 << random(8);
        if number >= 200 {
            changed[at + 1..][..1 + random(63)].fill(random(256) as u8);
        }
        fs::write(&path, changed).unwrap();
        let error = server.reload().expect_err(&format!("change {number} at {at} is refused"));
        assert!(with_causes(&error).contains("7x6.book"), "{error}");
        for (uri, expected) in uris.iter().zip(&expected) {
            assert_eq!(server.get(uri).await.json(), *expected, "change {number} at {at}");
        }
    }
}
