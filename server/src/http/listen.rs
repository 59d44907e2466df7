//! Connections: accepting them, their limits, and ending them.
//!
//! `axum::serve` sets neither a limit on their number nor on the time a client takes
//! for its headers, so this drives hyper itself.

use super::Daemon;
use super::layers::{MAX_HEAD, MAX_HEADERS};
use super::options::ServerOptions;
use axum::Router;
use fourbook::count;
use futures_util::future::BoxFuture;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::net::UnixListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;

/// How long to wait after the system refused a connection, for example because all
/// file descriptors are in use.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Open files besides connections: the log, books while they are read, the runtime's own.
#[cfg(target_os = "linux")]
const OTHER_FILES: u64 = 16;

/// Where clients connect.
#[derive(Debug)]
pub enum Listener {
    /// An address of the network.
    Tcp(TcpListener),
    /// A path in the file system.
    #[cfg(unix)]
    Unix(UnixListener),
}

trait Stream: AsyncRead + AsyncWrite + Send {}
impl<T: AsyncRead + AsyncWrite + Send> Stream for T {}

impl Listener {
    async fn accept(&self) -> io::Result<Pin<Box<dyn Stream>>> {
        match self {
            Listener::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                // Answers are written whole. If the system refuses the option, they only arrive
                // later.
                let _ = stream.set_nodelay(true);
                Ok(Box::pin(stream))
            }
            #[cfg(unix)]
            Listener::Unix(listener) => Ok(Box::pin(listener.accept().await?.0)),
        }
    }

    /// The address, for people.
    ///
    /// # Errors
    ///
    /// If the system does not report it.
    pub fn address(&self) -> io::Result<String> {
        match self {
            Listener::Tcp(listener) => Ok(format!("http://{}", listener.local_addr()?)),
            #[cfg(unix)]
            Listener::Unix(listener) => {
                let address = listener.local_addr()?;
                let path = address.as_pathname().unwrap_or("".as_ref());
                Ok(format!("unix:{}", path.display()))
            }
        }
    }
}

/// Answers requests from all listeners until `stop` is ready. Then finishes requests under way,
/// within the limit.
///
/// A future in a box, so that it is compiled here and not with each caller.
pub fn serve(
    listeners: Vec<Listener>,
    router: Router,
    daemon: Arc<Daemon>,
    stop: BoxFuture<'static, ()>,
) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        let &ServerOptions { connections, grace, .. } = &daemon.options;
        #[cfg(target_os = "linux")]
        if let Some(files) = super::process::most_files()
            && files < connections as u64 + OTHER_FILES
        {
            tracing::warn!(
                "the limit on open files ({files}) is too low for --max-connections \
                 ({connections}); raise it with 'ulimit -n', or allow fewer connections"
            );
        }
        let server = Arc::new(Server {
            router,
            daemon: Arc::clone(&daemon),
            open: Arc::new(Semaphore::new(connections)),
            graceful: GracefulShutdown::new(),
        });
        let mut accepting = tokio::task::JoinSet::new();
        for listener in listeners {
            accepting.spawn(Arc::clone(&server).accept(listener));
        }
        stop.await;
        daemon.begin_stop();
        accepting.shutdown().await;
        let Some(Server { graceful, .. }) = Arc::into_inner(server) else {
            unreachable!("the tasks that accept have ended and connections hold no server");
        };
        let open = graceful.count();
        if open > 0 {
            tracing::info!("waiting for {} to end", count(open, "connection"));
        }
        if tokio::time::timeout(grace, graceful.shutdown()).await.is_err() {
            tracing::warn!("some requests did not end within {grace:?} and are cut off");
        }
    })
}

struct Server {
    router: Router,
    daemon: Arc<Daemon>,
    open: Arc<Semaphore>,
    graceful: GracefulShutdown,
}

impl Server {
    async fn accept(self: Arc<Self>, listener: Listener) {
        loop {
            let Ok(permit) = Arc::clone(&self.open).acquire_owned().await else { return };
            match listener.accept().await {
                Ok(stream) => self.start(stream, permit),
                Err(error) => {
                    tracing::warn!("cannot accept a connection: {error}");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    /// Answers the requests of a connection, in a task of its own.
    fn start(&self, stream: Pin<Box<dyn Stream>>, permit: OwnedSemaphorePermit) {
        let options = &self.daemon.options;
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(options.write_timeout));
        let service = TowerToHyperService::new(self.router.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(options.header_timeout)
            .max_headers(MAX_HEADERS)
            .max_header_size(MAX_HEAD)
            .max_buf_size(2 * MAX_HEAD)
            .serve_connection(TokioIo::new(Box::pin(stream)), service);
        let connection = self.graceful.watch(connection);
        let open = self.daemon.metrics.connections.clone();
        tokio::spawn(async move {
            open.inc();
            if let Err(error) = connection.await {
                tracing::debug!("a connection ended early: {error}");
            }
            open.dec();
            drop(permit);
        });
    }
}
