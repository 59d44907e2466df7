//! Objects of an object store below an address: listed, read in ranges, and written as a
//! whole.

mod book;
mod cache;
mod error;
mod shard;

pub(crate) use book::fetch;
pub(crate) use error::StoreError;
pub(crate) use shard::solve_shard;

use super::address::{Address, Service};
use crate::cli::error::Result;
use error::is_lost;
use fourbook::generate::PartStore;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path as Key;
use object_store::{
    BackoffConfig, ClientConfigKey, Error, GetOptions, ObjectMeta, ObjectStore, ObjectStoreExt,
    PutMode, PutPayload, RetryConfig,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// Bytes that are read at a time.
const BLOCK_BYTES: u64 = 4 << 20;

/// How often, and for how long, a failed request is retried.
const RETRY: RetryConfig = RetryConfig {
    backoff: BackoffConfig {
        init_backoff: Duration::from_millis(200),
        max_backoff: Duration::from_secs(5),
        base: 2.0,
    },
    max_retries: 8,
    retry_timeout: Duration::from_secs(90),
};

/// Time limits of a request: in all, and until the first answer of the store.
const LIMITS: [(ClientConfigKey, &str); 2] =
    [(ClientConfigKey::Timeout, "10 minutes"), (ClientConfigKey::ReadTimeout, "2 minutes")];

/// Time after which the wait for the store is reported.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a request is made when its answers are lost.
const MOST_TIMES: u32 = 5;

/// The objects below an address. Its methods block, so asynchronous code must not call them.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    address: Address,
    objects: Arc<dyn ObjectStore>,
}

/// An object that is read, of one version.
#[derive(Debug)]
pub(crate) struct Object {
    store: Store,
    name: String,
    key: Key,
    version: Version,
    /// Its first bytes.
    start: Vec<u8>,
    /// The number of bytes that have been read.
    read: u64,
}

/// The version of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Version {
    /// Its tag, if the store gives one.
    tag: Option<String>,
    /// When it was written.
    modified: String,
    /// Its length.
    bytes: u64,
}

/// Makes the client of a service for a bucket.
macro_rules! client {
    ($builder:ty, $key:ident, $with_name:ident, $bucket:expr) => {{
        let builder = <$builder>::from_env().$with_name($bucket).with_retry(RETRY);
        let limited = LIMITS
            .into_iter()
            .fold(builder, |builder, (key, value)| builder.with_config($key::Client(key), value));
        limited.build().map(|store| Arc::new(store) as _)
    }};
}

/// The runtime that waits for the store's answers.
fn runtime() -> io::Result<&'static Runtime> {
    static RUNTIME: LazyLock<io::Result<Runtime>> = LazyLock::new(|| {
        // Fails if a provider is installed already, which does no harm.
        let _ = rustls::crypto::ring::default_provider().install_default();
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()
    });
    RUNTIME.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))
}

impl Store {
    /// The place at an address, with the credentials of the environment or the machine.
    /// Whether it is there is seen when it is used.
    pub(crate) fn open(address: Address) -> Result<Self> {
        // Making a client may start tasks.
        let _in_runtime = runtime()?.enter();
        let bucket = address.bucket.as_str();
        let objects: Result<Arc<dyn ObjectStore>, Error> = match address.service {
            Service::Amazon => {
                client!(AmazonS3Builder, AmazonS3ConfigKey, with_bucket_name, bucket)
            }
            Service::Google => {
                client!(GoogleCloudStorageBuilder, GoogleConfigKey, with_bucket_name, bucket)
            }
            Service::Azure => {
                client!(MicrosoftAzureBuilder, AzureConfigKey, with_container_name, bucket)
            }
        };
        let objects = objects.map_err(|error| StoreError::new("read", &address, "", &error))?;
        Ok(Store { address, objects })
    }

    /// Opens the object of this name, or the one at the address itself for an empty name; `None` if
    /// its version has the tag `known`.
    pub(crate) fn object(
        &self,
        name: &str,
        known: Option<&str>,
    ) -> Result<Option<Object>, StoreError> {
        let key = self.key(name)?;
        let options = GetOptions::new().with_if_none_match(known).with_range(Some(0..BLOCK_BYTES));
        let got = match self.get(&key, options) {
            Err(Error::NotModified { .. }) => return Ok(None),
            // An empty object has no first bytes to ask for.
            Err(error) if error.to_string().contains("416 Range Not Satisfiable") => {
                self.get(&key, GetOptions::new().with_head(true))
            }
            got => got,
        };
        let (meta, start) = got.map_err(|error| self.error("read", name, &error))?;
        let modified = meta.last_modified.to_rfc3339();
        let version = Version { tag: meta.e_tag, modified, bytes: meta.size };
        Ok(Some(Object {
            store: self.clone(),
            name: name.to_owned(),
            key,
            version,
            start,
            read: 0,
        }))
    }

    /// The bytes of an object; `None` if it is not there.
    pub(crate) fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match self.object(name, None) {
            Ok(Some(object)) => {
                let mut bytes = Vec::new();
                while (bytes.len() as u64) < object.version.bytes {
                    let next = object.block(bytes.len() as u64..object.version.bytes)?;
                    bytes.extend_from_slice(&next);
                }
                Ok(Some(bytes))
            }
            Err(error) if !error.is_missing => Err(error),
            _ => Ok(None),
        }
    }

    /// Writes an object; returns whether it was written, which an existing one prevents if the mode
    /// is to create it. An existing object may come from this call, if the answer to an earlier
    /// attempt was lost.
    pub(crate) fn put(
        &self,
        name: &str,
        bytes: &PutPayload,
        mode: PutMode,
    ) -> Result<bool, StoreError> {
        let key = self.key(name)?;
        match ask(|| self.objects.put_opts(&key, bytes.clone(), mode.clone().into())) {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(self.error("write", name, &error)),
        }
    }

    /// Removes an object, if it is there.
    pub(crate) fn remove(&self, name: &str) -> Result<(), StoreError> {
        let key = self.key(name)?;
        match ask(|| self.objects.delete(&key)) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.error("remove", name, &error)),
        }
    }

    /// An object, or a range of it.
    fn get(&self, key: &Key, options: GetOptions) -> Result<(ObjectMeta, Vec<u8>), Error> {
        ask(|| async {
            let result = self.objects.get_opts(key, options.clone()).await?;
            let meta = result.meta.clone();
            let bytes = if options.head { Vec::new() } else { result.bytes().await?.to_vec() };
            Ok((meta, bytes))
        })
    }

    /// The key of the object of this name.
    fn key(&self, name: &str) -> Result<Key, StoreError> {
        let Address { key, .. } = &self.address;
        let separator = if key.is_empty() || name.is_empty() { "" } else { "/" };
        Key::parse(format!("{key}{separator}{name}")).map_err(|error| {
            let error = Error::InvalidPath { source: error };
            self.error("read", name, &error)
        })
    }

    fn error(&self, action: &'static str, name: &str, error: &Error) -> StoreError {
        StoreError::new(action, &self.address, name, error)
    }
}

/// Asks a store, and waits for its answer.
fn ask<T, A>(request: impl FnMut() -> A) -> Result<T, Error>
where
    A: Future<Output = Result<T, Error>>,
{
    let runtime =
        runtime().map_err(|error| Error::Generic { store: "", source: Box::new(error) })?;
    runtime.block_on(async {
        let mut answer = std::pin::pin!(whole_answer(request));
        match tokio::time::timeout(PATIENCE, &mut answer).await {
            Ok(answer) => answer,
            Err(_) => {
                tracing::warn!("still waiting for the object store");
                answer.await
            }
        }
    })
}

/// The answer to a request, which is made again when the answer is lost. The client does
/// that only for requests without effect, and not once an answer has begun to come.
async fn whole_answer<T, A>(mut request: impl FnMut() -> A) -> Result<T, Error>
where
    A: Future<Output = Result<T, Error>>,
{
    let started = Instant::now();
    let mut times = 1;
    loop {
        match request().await {
            Err(error)
                if times < MOST_TIMES
                    && started.elapsed() < RETRY.retry_timeout
                    && is_lost(&error) =>
            {
                tracing::info!("an answer of the object store was lost ({error}); asking again");
                tokio::time::sleep(RETRY.backoff.init_backoff * times).await;
                times += 1;
            }
            answer => return answer,
        }
    }
}

impl Object {
    /// Bytes from the start of the range on: all of it, or a block of some megabytes.
    pub(crate) fn block(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, StoreError> {
        let Range { start, end } = range;
        let known = self.start.len() as u64;
        if start == end {
            return Ok(Cow::Borrowed(&[]));
        }
        if start < known {
            return Ok(Cow::Borrowed(&self.start[start as usize..end.min(known) as usize]));
        }
        let end = end.min(start + BLOCK_BYTES);
        let tag = self.version.tag.clone();
        let options = GetOptions::new().with_if_match(tag).with_range(Some(start..end));
        let got = self.store.get(&self.key, options);
        let (_, bytes) = got.map_err(|error| self.store.error("read", &self.name, &error))?;
        Ok(Cow::Owned(bytes))
    }
}

impl PartStore for Store {
    fn path(&self) -> &Path {
        &self.address.text
    }

    fn names(&self) -> io::Result<Vec<OsString>> {
        let listed = || {
            let prefix = self.key("")?;
            ask(|| self.objects.list_with_delimiter(Some(&prefix)))
                .map_err(|error| self.error("list", "", &error))
        };
        let listed = listed().map_err(StoreError::into_io)?;
        let name = |object: &ObjectMeta| object.location.filename().map(OsString::from);
        Ok(listed.objects.iter().filter_map(name).collect())
    }

    fn open(&self, name: &OsStr) -> io::Result<Box<dyn Read>> {
        let name = name.to_str().ok_or(io::ErrorKind::InvalidFilename)?;
        let object = self.object(name, None).map_err(StoreError::into_io)?;
        Ok(Box::new(object.ok_or(io::ErrorKind::NotFound)?))
    }
}

impl Read for Object {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let end = self.version.bytes.min(self.read + buffer.len() as u64);
        let block = self.block(self.read..end).map_err(StoreError::into_io)?;
        let length = block.len();
        buffer[..length].copy_from_slice(&block);
        self.read += length as u64;
        Ok(length)
    }
}
