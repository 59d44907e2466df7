//! Connections: accepting them, their limits, and ending them.
//!
//! `axum::serve` sets neither a limit on their number nor on the time a client takes
//! for its headers, so this drives hyper itself.

use super::Daemon;
use super::layers::{Client, MAX_HEAD, MAX_HEADERS};
use super::options::ServerOptions;
use super::pool::Address;
use super::request::network;
use super::response::followed;
use axum::Router;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Request};
use fourbook::text::count;
use futures_util::future::BoxFuture;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use parking_lot::Mutex;
use std::convert::Infallible;
use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::net::UnixListener;
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep, timeout};
use tower::Service;

/// How long to wait after the system refused a connection, for example because all
/// file descriptors are in use.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// The most bytes of an answer that the system takes before it sends them. It may take megabytes, and
/// then takes no more for minutes, as if a slow reader had stopped.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 16 << 10;

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
    /// The next connection, and its address if it comes from the network.
    async fn accept(&self) -> io::Result<(Pin<Box<dyn Stream>>, Option<IpAddr>)> {
        match self {
            Listener::Tcp(listener) => {
                let (stream, address) = listener.accept().await?;
                // Answers are written whole. If the system refuses the option, they only arrive
                // later.
                let _ = stream.set_nodelay(true);
                // If it refuses this one, slow readers may be cut off.
                #[cfg(target_os = "linux")]
                let _ = socket2::SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT);
                Ok((Box::pin(stream), Some(address.ip().to_canonical())))
            }
            #[cfg(unix)]
            Listener::Unix(listener) => Ok((Box::pin(listener.accept().await?.0), None)),
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
/// within the limit; after half of it, searches are cancelled.
///
/// A future in a box, so that it is compiled here and not with each caller.
pub fn serve(
    listeners: Vec<Listener>,
    router: Router,
    daemon: Arc<Daemon>,
    stop: BoxFuture<'static, ()>,
) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        let grace = daemon.options.grace;
        let server = Arc::new(Server {
            router,
            daemon: Arc::clone(&daemon),
            open: Arc::default(),
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
        let mut ended = pin!(graceful.shutdown());
        if timeout(grace / 2, &mut ended).await.is_ok() {
            return;
        }
        // Their clients learn the proved bounds.
        daemon.pool.cancel();
        if timeout(grace / 2, ended).await.is_err() {
            tracing::warn!("some requests did not end within {grace:?} and are cut off");
        }
    })
}

/// Connections that may only probe, open at the same time as the allowed ones.
const PROBES: usize = 32;

struct Server {
    router: Router,
    daemon: Arc<Daemon>,
    open: Arc<Mutex<Connections>>,
    graceful: GracefulShutdown,
}

/// The open connections.
type Connections = Vec<Arc<Connection>>;

struct Connection {
    /// The address that it counts for, if that has a limit.
    limited: Address,
    /// Whether it may only probe, and not ask for anything else.
    only_probes: bool,
    stage: Mutex<Stage>,
    /// Ends the connection.
    close: Notify,
}

/// The state of a connection.
#[derive(Clone, Copy)]
enum Stage {
    /// Waiting for the head of a request, since then.
    Idle(Instant),
    /// Answering a request.
    Busy,
    /// Writing the rest of an answer.
    Written,
}

/// A request under way on a connection, to the end of the answer's body.
struct Busy(Arc<Connection>);

impl Busy {
    fn new(connection: Arc<Connection>) -> Self {
        *connection.stage.lock() = Stage::Busy;
        Busy(connection)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        *self.0.stage.lock() = Stage::Written;
    }
}

/// The stream of a connection. It follows the connection's stage, and fails if the client takes too
/// long to read an answer.
struct Watched {
    stream: Pin<Box<dyn Stream>>,
    connection: Arc<Connection>,
    /// The longest time that a write may wait for the client.
    patience: Duration,
    /// The end of that time, while a write waits.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_read(context, buffer)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    /// Writes the head and the body of an answer with one call of the system.
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream.as_mut().poll_write_vectored(context, bytes);
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let patience = self.patience;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called when everything is written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.stream.as_mut().poll_flush(context))?;
        let mut stage = self.connection.stage.lock();
        if let Stage::Written = *stage {
            *stage = Stage::Idle(Instant::now());
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_shutdown(context)
    }
}

/// Adds a connection. Closes the longest idle one if there are too many, or too many from its
/// address; if none is idle, the new one may only probe. Returns `None` if it has to be closed.
fn admit(
    open: &Mutex<Connections>,
    address: Option<IpAddr>,
    options: &ServerOptions,
) -> Option<Arc<Connection>> {
    let mut open = open.lock();
    let limited = address.filter(|_| !options.trust_proxy).map(network);
    let is_like = |other: &Connection| limited.is_some() && other.limited == limited;
    let allowed = || open.iter().filter(|other| !other.only_probes);
    let number = allowed().count();
    let alike = allowed().filter(|other| is_like(other)).count();
    let probes = open.len() - number;
    let is_full = number >= options.connections;
    let of_address = alike >= options.connections.div_ceil(2);
    let only_probes = (is_full || of_address)
        && !close_idle(&mut open, |other: &Connection| {
            !other.only_probes && (!of_address || is_like(other))
        });
    if only_probes && probes >= PROBES && !close_idle(&mut open, |other| other.only_probes) {
        return None;
    }
    let stage = Mutex::new(Stage::Idle(Instant::now()));
    let new = Arc::new(Connection { limited, only_probes, stage, close: Notify::new() });
    open.push(Arc::clone(&new));
    Some(new)
}

/// Closes the longest idle connection that `may_close` accepts, and returns whether there was one.
fn close_idle(open: &mut Connections, may_close: impl Fn(&Connection) -> bool) -> bool {
    let others = open.iter().enumerate().filter(|(_, other)| may_close(other));
    let idle = others.filter_map(|(index, other)| match *other.stage.lock() {
        Stage::Idle(since) => Some((since, index)),
        Stage::Busy | Stage::Written => None,
    });
    let longest = idle.min();
    if let Some((_, index)) = longest {
        open.remove(index).close.notify_one();
    }
    longest.is_some()
}

impl Server {
    async fn accept(self: Arc<Self>, listener: Listener) {
        loop {
            match listener.accept().await {
                Ok((stream, address)) => self.start(stream, address),
                Err(error) => {
                    tracing::warn!("cannot accept a connection: {error}");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    /// Answers the requests of a connection, in a task of its own.
    fn start(&self, stream: Pin<Box<dyn Stream>>, address: Option<IpAddr>) {
        let options = &self.daemon.options;
        let Some(client) = admit(&self.open, address, options) else { return };
        let only_probes = client.only_probes;
        let stream = Watched {
            stream,
            connection: Arc::clone(&client),
            patience: options.idle_timeout,
            deadline: None,
        };
        let router = self.router.clone();
        let asking = Arc::clone(&client);
        let service = service_fn(move |mut request: Request<Incoming>| {
            let mut busy = Some(Busy::new(Arc::clone(&asking)));
            request.extensions_mut().insert(Client { address, only_probes });
            let answering = router.clone().call(request);
            async move {
                let mut response = answering.await?;
                if only_probes {
                    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, Infallible>(followed(move || drop(busy.take()), response))
            }
        });
        let connection = http1::Builder::new()
            // Readers of the page share its bytes.
            .writev(true)
            .timer(TokioTimer::new())
            .header_read_timeout(options.idle_timeout)
            .max_headers(MAX_HEADERS)
            .max_header_size(MAX_HEAD)
            .max_buf_size(2 * MAX_HEAD)
            .serve_connection(TokioIo::new(stream), service);
        let connection = self.graceful.watch(connection);
        let open = Arc::clone(&self.open);
        let count = self.daemon.metrics.connections.clone();
        tokio::spawn(async move {
            count.inc();
            tokio::select! {
                ended = connection => if let Err(error) = ended {
                    tracing::debug!("a connection ended early: {error}");
                },
                // Also if a request has come meanwhile, as if it had come a moment later.
                () = client.close.notified() => {}
            }
            count.dec();
            open.lock().retain(|other| !Arc::ptr_eq(other, &client));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use futures_util::StreamExt;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpSocket;

    #[test]
    fn idle_connections_make_room_and_busy_ones_leave_room_for_probes() {
        let options = ServerOptions { connections: 4, ..ServerOptions::default() };
        let open = Mutex::<Connections>::default();
        let admit = |last: u8| admit(&open, Some([10, 0, 0, last].into()), &options);
        let allowed = |last: u8| admit(last).filter(|it| !it.only_probes).unwrap();
        let probing = |last: u8| admit(last).filter(|it| it.only_probes).unwrap();
        let is_open =
            |one: &Arc<Connection>| open.lock().iter().any(|other| Arc::ptr_eq(other, one));
        let first = allowed(1);
        let busy = Busy::new(Arc::clone(&first));
        let idle = [(); 2].map(|()| allowed(1));
        // One address has half of the connections: its longest idle one is closed.
        assert_eq!([&first, &idle[0], &idle[1]].map(is_open), [true, false, true]);
        let second = [(); 2].map(|()| allowed(2));
        assert!(second.iter().all(is_open));
        // The longest idle one of all.
        let third = allowed(3);
        assert_eq!((is_open(&first), is_open(&idle[1])), (true, false));
        let _busy = [&second[0], &second[1], &third].map(|it| Busy::new(Arc::clone(it)));
        // One that has been answered and ends makes no room for others.
        let answered = probing(4);
        let _probing = [(); PROBES].map(|()| Busy::new(probing(4)));
        // But for another one that probes.
        assert!(!is_open(&answered));
        assert!(admit(5).is_none());
        drop(busy);
        // Its answer may not be written yet.
        assert!(admit(5).is_none());
        *first.stage.lock() = Stage::Idle(Instant::now());
        allowed(5);
        assert!(!is_open(&first));
    }

    #[test]
    fn the_addresses_of_a_network_of_ipv6_share_the_connections_of_one_address() {
        let options = ServerOptions { connections: 4, ..ServerOptions::default() };
        let open = Mutex::<Connections>::default();
        let admit = |address: &str| admit(&open, Some(address.parse().unwrap()), &options).unwrap();
        let _busy = ["2001:db8::1", "2001:db8::2"].map(|address| Busy::new(admit(address)));
        assert!(admit("2001:db8::3").only_probes);
        assert!(!admit("2001:db8:0:1::1").only_probes);
    }

    /// A server with this route and these options.
    fn server(route: axum::routing::MethodRouter, options: ServerOptions) -> Server {
        let daemon = Arc::new(Daemon::new([], options).unwrap());
        let router = Router::new().route("/", route);
        Server { router, daemon, open: Arc::default(), graceful: GracefulShutdown::new() }
    }

    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    /// More than a connection of [`MAX_HEAD`] bytes takes ahead of its reader.
    const LONG_ANSWER: &[u8] = &[b'.'; 2 * MAX_HEAD];

    /// So writes go on as long as the client reads, however slowly.
    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn the_system_takes_little_of_an_answer_ahead_of_its_reader() {
        const PIECE: usize = 16 << 10;
        const LENGTH: usize = 512 * PIECE;
        const MOST_AHEAD: usize = 1 << 20;
        static TAKEN: AtomicUsize = AtomicUsize::new(0);
        let answer = async || {
            Body::from_stream(futures_util::stream::iter(0..LENGTH / PIECE).map(|_| {
                TAKEN.fetch_add(PIECE, Ordering::Relaxed);
                Ok::<_, Infallible>(vec![b'.'; PIECE])
            }))
        };
        let options = ServerOptions { threads: 1, ..ServerOptions::default() };
        let server = server(axum::routing::get(answer), options);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpSocket::new_v4().unwrap();
        client.set_recv_buffer_size(PIECE as u32).unwrap();
        let mut client = client.connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, address) = Listener::Tcp(listener).accept().await.unwrap();
        server.start(stream, address);
        client.write_all(REQUEST).await.unwrap();
        let mut read = 0;
        while read < LENGTH {
            read += client.read(&mut [0; PIECE]).await.unwrap();
            let ahead = TAKEN.load(Ordering::Relaxed).saturating_sub(read);
            assert!(ahead < MOST_AHEAD, "{ahead} bytes");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    #[tokio::test]
    async fn a_connection_is_busy_until_its_answer_is_written() {
        const LENGTH: usize = 1 << 20;
        let options = ServerOptions { connections: 1, threads: 1, ..ServerOptions::default() };
        let server = server(axum::routing::get(async || vec![b'.'; LENGTH]), options);
        let (mut client, stream) = tokio::io::duplex(MAX_HEAD);
        server.start(Box::pin(stream), None);
        client.write_all(REQUEST).await.unwrap();
        // The answer has begun and does not fit.
        let mut answer = vec![0; 1];
        client.read_exact(&mut answer).await.unwrap();
        let others = [(); 2].map(|()| admit(&server.open, None, &server.daemon.options).unwrap());
        assert!(others.iter().all(|other| other.only_probes));
        while !answer.ends_with(&[b'.'; LENGTH]) {
            client.read_buf(&mut answer).await.unwrap();
        }
        let is_idle = || matches!(*server.open.lock()[0].stage.lock(), Stage::Idle(_));
        while !is_idle() {
            tokio::task::yield_now().await;
        }
        assert!(!admit(&server.open, None, &server.daemon.options).unwrap().only_probes);
    }

    #[tokio::test]
    async fn head_and_body_are_written_together() {
        let (_client, stream) = tokio::io::duplex(MAX_HEAD);
        let options = ServerOptions::default();
        let mut stream = Watched {
            stream: Box::pin(stream),
            connection: admit(&Mutex::default(), None, &options).unwrap(),
            patience: options.idle_timeout,
            deadline: None,
        };
        let parts = [&b"head"[..], b"body"].map(IoSlice::new);
        assert!(stream.is_write_vectored());
        assert_eq!(stream.write_vectored(&parts).await.unwrap(), 8);
    }

    #[tokio::test]
    async fn an_idle_connection_is_closed_before_and_after_a_request() {
        let idle_timeout = Duration::from_millis(1);
        let options = ServerOptions { idle_timeout, threads: 1, ..Default::default() };
        let server = server(axum::routing::get("."), options);
        for request in [&b""[..], &REQUEST[..9], REQUEST] {
            let (mut client, stream) = tokio::io::duplex(MAX_HEAD);
            client.write_all(request).await.unwrap();
            server.start(Box::pin(stream), None);
            let mut answer = Vec::new();
            client.read_to_end(&mut answer).await.unwrap();
            assert_eq!(answer.ends_with(b"."), request == REQUEST);
        }
    }

    #[tokio::test]
    async fn a_connection_whose_answer_is_not_read_is_closed() {
        let idle_timeout = Duration::from_millis(1);
        let options = ServerOptions { idle_timeout, threads: 1, ..Default::default() };
        let server = server(axum::routing::get(async || LONG_ANSWER), options);
        let (mut client, stream) = tokio::io::duplex(MAX_HEAD);
        client.write_all(REQUEST).await.unwrap();
        server.start(Box::pin(stream), None);
        while !server.open.lock().is_empty() {
            tokio::time::sleep(idle_timeout).await;
        }
        let mut answer = Vec::new();
        client.read_to_end(&mut answer).await.unwrap();
        assert!((1..LONG_ANSWER.len()).contains(&answer.len()));
    }

    /// Whether its end or the request is noticed first is chance, so it has many chances.
    #[test]
    fn a_connection_ends_although_its_request_comes_as_it_is_closed() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let options = ServerOptions { connections: 1, threads: 1, ..ServerOptions::default() };
            let server = server(axum::routing::get(std::future::pending::<()>), options);
            let mut clients: Vec<tokio::io::DuplexStream> = Vec::new();
            for _ in 0..32 {
                if let Some(idle) = clients.last_mut() {
                    idle.write_all(REQUEST).await.unwrap();
                }
                let (client, stream) = tokio::io::duplex(MAX_HEAD);
                server.start(Box::pin(stream), None);
                clients.push(client);
                for _ in 0..8 {
                    tokio::task::yield_now().await;
                }
            }
            let open = server.open.lock();
            assert_eq!((open.len(), server.daemon.metrics.connections.get()), (1, 1));
            assert!(!open[0].only_probes);
        });
    }
}
