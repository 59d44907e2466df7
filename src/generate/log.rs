//! The file of an unfinished run: a log of records.
//!
//! The file consists of pieces of 64 bytes: two copies of a header, then records. A record ends with a
//! checksum, which covers the header, too, so records of other work are ignored. `docs/src/format.md`
//! describes the files byte by byte.
//!
//! # After a crash
//!
//! Records are only appended, and each is read independently of the others, if its checksum is right.
//! So any mixture of old and new sectors gives right values, and a damaged record costs only its own
//! positions, which are solved again. The file is not mapped, so a full disk is an error.
//!
//! # Copies
//!
//! For the same reason a copy of the file is a checkpoint, even one taken while a run writes.

use super::error::GenerateError;
use crate::book::BookError;
use crate::envelope::{self, Envelope, EnvelopeError};
use crate::files::{LockedFile, folder_of, sync_folder};
use fourbook_solver::text::{count, grouped};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The bytes of a record or a copy of the header. None crosses the border of two sectors.
pub(crate) const PIECE: usize = 64;

/// The bytes before the records.
const START: usize = 2 * PIECE;

/// The header of a log: the work that the records are about.
pub(crate) trait Header: Copy + Display + Serialize + DeserializeOwned {
    /// How the header begins, which is padded with zeros. The version changes with the record, too.
    const ENVELOPE: Envelope;

    /// The header, if there is such work.
    fn checked(self) -> Result<Self, EnvelopeError>;

    /// Whether both are about the same work, if that is known.
    fn is_same(&self, other: &Self) -> bool;
}

/// A log that this process alone uses.
#[derive(Debug)]
pub(crate) struct Log<H> {
    pub(crate) path: PathBuf,
    file: LockedFile,
    /// The header that an earlier run has left; `None` if no run has begun.
    pub(crate) found: Option<H>,
    /// The checksum of the header.
    checksum: u32,
}

impl<H: Header> Log<H> {
    /// Locks the log of the `wanted` work at `path`. Makes an empty file if there is none.
    pub(crate) fn lock(path: &Path, wanted: &H) -> Result<Self, GenerateError> {
        let path = path.to_owned();
        if path.is_dir() {
            let problem = "expected a file, found a folder".to_owned();
            return Err(GenerateError::Checkpoint { path, problem });
        }
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&path).map_err(BookError::io("open", &path))?;
        let Some(file) = LockedFile::new(file, &path) else {
            return Err(GenerateError::Locked(path));
        };
        let problem = match read_header::<H>(&file).map_err(BookError::io("read", &path))? {
            Ok(Some(found)) if !found.is_same(wanted) => {
                format!("it is for something else: expected {wanted}, found {found}")
            }
            Ok(found) => return Ok(Log { path, file, found, checksum: 0 }),
            Err(problem) => problem.to_string(),
        };
        Err(GenerateError::Checkpoint { path, problem })
    }

    /// Begins the log, or resumes it: `take` gets every record that is whole, and returns whether it
    /// makes sense.
    pub(crate) fn open<R: DeserializeOwned>(
        &mut self,
        header: &H,
        take: impl FnMut(R) -> bool,
    ) -> Result<(), GenerateError> {
        let mut bytes = H::ENVELOPE.seal(header).expect("the header of a log fits its envelope");
        self.checksum = bytes.last_chunk().map_or(0, |sum| u32::from_le_bytes(*sum));
        if self.found.is_some() {
            return Ok(self.resume(take).map_err(BookError::io("read", &self.path))?);
        }
        bytes.resize(PIECE, 0);
        Ok(self.begin(&bytes).map_err(BookError::io("write", &self.path))?)
    }

    fn begin(&self, header: &[u8]) -> io::Result<()> {
        let mut file: &File = &self.file;
        file.rewind()?;
        file.write_all(&header.repeat(2))?;
        file.set_len(START as u64)?;
        file.sync_all()?;
        sync_folder(folder_of(&self.path))
    }

    fn resume<R: DeserializeOwned>(&self, mut take: impl FnMut(R) -> bool) -> io::Result<()> {
        let mut file: &File = &self.file;
        file.seek(SeekFrom::Start(START as u64))?;
        let mut reader = BufReader::new(file);
        let mut record = Vec::new();
        let mut records = 0_u64;
        let mut damaged = 0_u64;
        while reader.by_ref().take(PIECE as u64).read_to_end(&mut record)? > 0 {
            records += 1;
            damaged += u64::from(!self.read(&record).is_some_and(&mut take));
            record.clear();
        }
        if damaged > 0 {
            tracing::warn!(
                "'{}': {} of {} damaged; their positions are solved again",
                self.path.display(),
                grouped(damaged),
                count(records, "record")
            );
        }
        // A record that was written in part is replaced.
        let end = file.metadata()?.len() / PIECE as u64 * PIECE as u64;
        file.seek(SeekFrom::Start(end.max(START as u64))).map(drop)
    }

    /// The record that these bytes are; `None` if they are damaged.
    fn read<R: DeserializeOwned>(&self, bytes: &[u8]) -> Option<R> {
        let (content, sum) = bytes.split_last_chunk()?;
        let is_whole = self.checksum_of(content) == u32::from_le_bytes(*sum);
        is_whole.then(|| envelope::decode(content).ok())?
    }

    /// The CRC-32 of the header and a record.
    fn checksum_of(&self, record: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new_with_initial(self.checksum);
        hasher.update(record);
        hasher.finalize()
    }

    /// Writes records, each of which takes [`PIECE`] bytes with its checksum; with `to_disk`, also waits
    /// until a power loss costs no earlier record.
    pub(crate) fn append<R: Serialize>(
        &self,
        records: impl IntoIterator<Item = R>,
        to_disk: bool,
    ) -> Result<(), GenerateError> {
        let mut bytes = Vec::new();
        for record in records {
            let content = envelope::encode(&record);
            bytes.extend(&content);
            bytes.extend(self.checksum_of(&content).to_le_bytes());
        }
        let mut file: &File = &self.file;
        let written = file.write_all(&bytes);
        let saved = written.and_then(|()| if to_disk { file.sync_data() } else { Ok(()) });
        Ok(saved.map_err(BookError::io("write", &self.path))?)
    }

    /// Deletes the file. Another process may have done so first.
    pub(crate) fn remove(self) -> Result<(), GenerateError> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(BookError::io("remove", &self.path)(error).into())
            }
            _ => Ok(()),
        }
    }
}

/// The header of a log; none if the file is empty or all zeros, as a run leaves it that ends while it
/// begins.
fn read_header<H: Header>(mut file: &File) -> io::Result<Result<Option<H>, EnvelopeError>> {
    let length = file.metadata()?.len();
    if BufReader::new(file.take(length)).bytes().all(|byte| matches!(byte, Ok(0))) {
        return Ok(Ok(None));
    }
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(START as u64).read_to_end(&mut bytes)?;
    let mut problem = EnvelopeError::Magic;
    for header in bytes.chunks(PIECE) {
        let header = H::ENVELOPE.open::<H>(header);
        match header.and_then(|header| header.content.checked()) {
            Ok(header) => return Ok(Ok(Some(header))),
            Err(error) => problem = error,
        }
    }
    Ok(Err(problem))
}
