//! A shard whose part goes to an object store. It is solved in a folder of this machine. The
//! checkpoint is kept in the store as well, so another machine can resume.

use super::{Store, cache};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output::OnStderr;
use crate::cli::status::note;
use fourbook::files;
use fourbook::generate::checkpoint;
use fourbook::generate::{
    self, GenerateError, PartHeader, PartStore, Plan, Shard, Solved, find_part,
};
use fourbook::progress::Progress;
use indicatif::HumanDuration;
use object_store::{PutMode, PutPayload};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The work on a shard.
struct StoredShard<'a> {
    store: &'a Store,
    /// Its file is in a folder of this machine.
    plan: Plan,
    shard: Shard,
    /// The name of the part.
    name: String,
}

/// Solves a shard of a plan, whose own file does not matter, and puts its part, unless the store has
/// it. The checkpoint goes to the store whenever a time has passed. An interrupted run leaves it in
/// the store as well as on this machine.
pub(crate) fn solve_shard(
    store: &Store,
    plan: Plan,
    shard: Shard,
    every: Duration,
    quiet: bool,
    cancel: &Arc<AtomicBool>,
) -> Result<Solved> {
    let name = shard.file_name(plan.size, plan.depth, plan.kind);
    let out = cache::path("parts", &store.path().join(&name))?;
    let work = StoredShard { store, plan: Plan { out, ..plan }, shard, name };
    if let Some(part) = find_part(store, work.name.as_ref(), &work.plan, shard)? {
        work.remove_checkpoint();
        return Ok(Solved { path: work.path(), part, was_there: true });
    }
    cache::create_folder(&work.plan.out)?;
    let folder = files::folder_of(&work.plan.out);
    if !quiet {
        let (place, time) = (folder.display(), HumanDuration(every));
        note(format_args!(
            "shard {shard}: solving in '{place}'; its checkpoint is put every {time}"
        ));
    }
    work.take_checkpoint()?;
    let part = work.solve(every, &OnStderr::new(quiet), cancel)?;
    if work.put(&part)? {
        tracing::warn!(
            "{}: another run has put it meanwhile, with the same scores; it is left as it is",
            work.path().display()
        );
    }
    work.remove_checkpoint();
    // A checkpoint left in the store does no harm.
    let _ = fs::remove_file(&work.plan.out);
    let _ = fs::remove_dir(folder);
    Ok(Solved { path: work.path(), part, was_there: false })
}

impl StoredShard<'_> {
    /// Solves the shard, and puts its checkpoint meanwhile.
    fn solve(
        &self,
        every: Duration,
        progress: &dyn Progress,
        cancel: &Arc<AtomicBool>,
    ) -> Result<PartHeader> {
        let solved = std::thread::scope(|scope| {
            let (end, ended) = channel::<()>();
            let keeper = scope.spawn(|| self.keep_checkpoint(every, ended));
            let solved = generate::solve_shard(&self.plan, self.shard, progress, cancel);
            drop(end);
            let kept = keeper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            if let Err(GenerateError::Interrupted { .. }) = solved {
                self.put_checkpoint(kept);
            }
            solved
        });
        Ok(solved?.part)
    }

    /// Uploads the part; returns whether another run had uploaded it before.
    fn put(&self, part: &PartHeader) -> Result<bool> {
        let bytes = fs::read(&self.plan.out)
            .with_context(|| format!("cannot read '{}'", self.plan.out.display()))?;
        let bytes = PutPayload::from(bytes);
        // Tried twice, since a part may be removed between the two requests.
        for _ in 0..2 {
            if self.store.put(&self.name, &bytes, PutMode::Create)? {
                return Ok(false);
            }
            match find_part(self.store, self.name.as_ref(), &self.plan, self.shard)? {
                // The answer to the put was lost.
                Some(there) if there == *part => return Ok(false),
                Some(there) if (there.identity, there.crc) == (part.identity, part.crc) => {
                    return Ok(true);
                }
                Some(_) => {
                    return Err(Error::new(format!(
                        "'{}' and '{}' are the same shard with different scores: one of two programs is at fault; see 'fourbook --version' of both, and remove the wrong one",
                        self.plan.out.display(),
                        self.path().display()
                    )));
                }
                None => {}
            }
        }
        // The part in the store is damaged.
        self.store.put(&self.name, &bytes, PutMode::Overwrite)?;
        Ok(false)
    }

    /// Fetches the checkpoint from the store, if this machine has neither a checkpoint nor the
    /// part.
    fn take_checkpoint(&self) -> Result<()> {
        let folder = self.plan.checkpoint_folder();
        if checkpoint::exists(&folder) || self.plan.out.exists() {
            return Ok(());
        }
        let name = self.checkpoint_name();
        let Some(copy) = self.store.bytes(&name)? else { return Ok(()) };
        let place = self.store.path().join(&name);
        match checkpoint::put_back(&copy, &folder) {
            Ok(()) => tracing::info!("resuming from '{}'", place.display()),
            Err(error @ GenerateError::Copy(_)) => {
                let place = place.display();
                tracing::warn!(
                    "'{place}' is not used: {error}; the shard is solved from the start"
                );
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Uploads the checkpoint from time to time, until the other end of the channel is
    /// dropped; returns the checksum of the last upload.
    fn keep_checkpoint(&self, every: Duration, ended: Receiver<()>) -> Option<u32> {
        let mut kept = None;
        while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
            kept = self.put_checkpoint(kept);
        }
        kept
    }

    /// Uploads the checkpoint unless the store has it (`kept`), and returns the checksum of the one
    /// that is stored then. If the upload fails, solving goes on.
    fn put_checkpoint(&self, kept: Option<u32>) -> Option<u32> {
        let put = || -> Result<Option<u32>> {
            let folder = self.plan.checkpoint_folder();
            let Some(copy) = checkpoint::copy_of(&folder)? else { return Ok(kept) };
            let (checksum, length) = (Some(crc32fast::hash(&copy)), copy.len());
            if checksum != kept {
                self.store.put(&self.checkpoint_name(), &copy.into(), PutMode::Overwrite)?;
                tracing::debug!("put the checkpoint, {length} bytes");
            }
            Ok(checksum)
        };
        put().unwrap_or_else(|error| {
            tracing::warn!("the store does not get the checkpoint: {error}");
            kept
        })
    }

    /// Removes the checkpoint of a part that is there.
    fn remove_checkpoint(&self) {
        if let Err(error) = self.store.remove(&self.checkpoint_name()) {
            tracing::debug!("{error}");
        }
    }

    fn checkpoint_name(&self) -> String {
        format!("{}.checkpoint", self.name)
    }

    /// The part in the store.
    fn path(&self) -> PathBuf {
        self.store.path().join(&self.name)
    }
}
