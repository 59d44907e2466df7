//! Connections: accepting them, their limits, and ending them.
//!
//! `axum::serve` sets neither a limit on their number nor on the time a client takes
//! for its headers, so this drives hyper itself.

use super::Daemon;
use super::layers::{Client, MAX_HEAD, MAX_HEADERS};
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
use parking_lot::Mutex;
use std::collections::VecDeque;
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
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::AbortHandle;
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
        let server = Server::new(router, Arc::clone(&daemon));
        let mut accepting = tokio::task::JoinSet::new();
        for listener in listeners {
            accepting.spawn(Arc::clone(&server).accept(listener));
        }
        stop.await;
        daemon.begin_stop();
        let open = server.open.lock().len();
        if open > 0 {
            tracing::info!("waiting for {} to end", count(open, "connection"));
        }
        server.stopping.send_replace(true);
        let mut ended = pin!(server.stopping.closed());
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

/// Connections open at a time beyond the most requests: they wait, probe, or learn that the server is
/// busy.
const SPARE: usize = 32;

/// How long the request of a client may be on its way. Until then, its connection is not closed.
const ON_ITS_WAY: Duration = Duration::from_millis(50);

/// How often, and after which pause each, a connection looks for room before it is closed.
const LOOKS: usize = 20;
const LOOK_PAUSE: Duration = Duration::from_millis(5);

struct Server {
    router: Router,
    daemon: Arc<Daemon>,
    /// The most requests under way.
    most: usize,
    /// The places of the requests under way.
    places: Arc<Semaphore>,
    open: Mutex<Connections>,
    /// The tasks of connections that look for room, at most [`SPARE`], the first one longest.
    waiting: Mutex<VecDeque<AbortHandle>>,
    /// Whether the server stops. Every listener and connection has a receiver until it ends.
    stopping: watch::Sender<bool>,
}

/// The open connections.
type Connections = Vec<Arc<Connection>>;

struct Connection {
    /// The address that it counts for, if that has a limit.
    limited: Address,
    stage: Mutex<Stage>,
    /// Ends the connection, after a request that has come.
    close: Notify,
}

/// The place of a request; `None` if it may only be a probe.
type Place = Option<OwnedSemaphorePermit>;

/// The state of a connection.
enum Stage {
    /// Waiting for the head of a request, since then.
    Idle(Instant),
    /// Answering a request.
    Busy(Place),
    /// Writing the rest of an answer.
    Written(Place),
}

impl Connection {
    /// How long it has waited for a request; `None` while there is one.
    fn idle_time(&self) -> Option<Duration> {
        match *self.stage.lock() {
            Stage::Idle(since) => Some(since.elapsed()),
            Stage::Busy(_) | Stage::Written(_) => None,
        }
    }

    fn has_place(&self) -> bool {
        matches!(*self.stage.lock(), Stage::Busy(Some(_)) | Stage::Written(Some(_)))
    }
}

/// A request under way on a connection, to the end of the answer's body.
struct Busy(Arc<Connection>);

impl Drop for Busy {
    fn drop(&mut self) {
        let mut stage = self.0.stage.lock();
        if let Stage::Busy(place) = &mut *stage {
            *stage = Stage::Written(place.take());
        }
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
        if let Stage::Written(_) = *stage {
            *stage = Stage::Idle(Instant::now());
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_shutdown(context)
    }
}

/// Closes the longest idle connection that `may_close` accepts, and returns whether there was one.
fn close_idle(open: &mut Connections, may_close: impl Fn(&Connection) -> bool) -> bool {
    let others = open.iter().enumerate().filter(|(_, other)| may_close(other));
    let idle = others.filter_map(|(index, other)| Some((other.idle_time()?, index)));
    let longest = idle.max().filter(|(time, _)| *time >= ON_ITS_WAY);
    if let Some((_, index)) = longest {
        open.remove(index).close.notify_one();
    }
    longest.is_some()
}

/// Waits until the server stops, and then for the requests on their way.
async fn last_call(mut stopping: watch::Receiver<bool>) {
    // The server keeps the sender.
    let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
    sleep(ON_ITS_WAY).await;
}

impl Server {
    fn new(router: Router, daemon: Arc<Daemon>) -> Arc<Self> {
        let most = daemon.options.connections.min(Semaphore::MAX_PERMITS);
        Arc::new(Server {
            router,
            daemon,
            most,
            places: Arc::new(Semaphore::new(most)),
            open: Mutex::default(),
            waiting: Mutex::default(),
            stopping: watch::Sender::new(false),
        })
    }

    /// The most requests under way of one address.
    fn most_of_address(&self) -> usize {
        self.most.div_ceil(2)
    }

    /// Accepts connections, also if they come just before the server stops.
    async fn accept(self: Arc<Self>, listener: Listener) {
        let mut last_call = pin!(last_call(self.stopping.subscribe()));
        loop {
            tokio::select! {
                biased;
                () = self.accept_next(&listener) => {}
                () = &mut last_call => return,
            }
        }
    }

    async fn accept_next(self: &Arc<Self>, listener: &Listener) {
        match listener.accept().await {
            Ok((stream, address)) => match self.admit(address) {
                Some(connection) => self.start(stream, address, connection),
                None => self.wait_for_room(stream, address),
            },
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                // The system may have no more of them, or of files.
                close_idle(&mut self.open.lock(), |_| true);
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }

    /// Starts a connection as soon as there is room for it. Closes it if that takes long, or if many more
    /// come meanwhile. Nobody else waits for it.
    fn wait_for_room(self: &Arc<Self>, stream: Pin<Box<dyn Stream>>, address: Option<IpAddr>) {
        let server = Arc::clone(self);
        let stopping = self.stopping.subscribe();
        let looking = tokio::spawn(async move {
            // A server that stops waits for its receivers.
            let _stopping = stopping;
            for _ in 0..LOOKS {
                sleep(LOOK_PAUSE).await;
                if let Some(connection) = server.admit(address) {
                    return server.start(stream, address, connection);
                }
            }
        });
        let mut waiting = self.waiting.lock();
        waiting.push_back(looking.abort_handle());
        if waiting.len() > SPARE {
            waiting.pop_front().iter().for_each(AbortHandle::abort);
        }
    }

    /// Adds a connection. Closes the longest idle one if too many are open, or too many of its
    /// address. Returns `None` if none is idle.
    fn admit(&self, address: Option<IpAddr>) -> Option<Arc<Connection>> {
        let limited = address.filter(|_| !self.daemon.options.trust_proxy).map(network);
        let is_like = |other: &Connection| limited.is_some() && other.limited == limited;
        let mut open = self.open.lock();
        let is_full = open.len() >= self.most + SPARE;
        let alike = open.iter().filter(|other| is_like(other)).count();
        let of_address = alike >= self.most_of_address() + SPARE;
        if (is_full || of_address) && !close_idle(&mut open, |other| !of_address || is_like(other))
        {
            return None;
        }
        let stage = Mutex::new(Stage::Idle(Instant::now()));
        let new = Arc::new(Connection { limited, stage, close: Notify::new() });
        open.push(Arc::clone(&new));
        Some(new)
    }

    /// Begins a request of a connection, which may only be a probe if too many are under way, or too
    /// many of its address.
    fn begin(&self, connection: &Arc<Connection>) -> Busy {
        let busy = Busy(Arc::clone(connection));
        let place = Arc::clone(&self.places).try_acquire_owned().ok();
        *connection.stage.lock() = Stage::Busy(place);
        // Read after the place is visible: of two requests at a time, at least one counts both.
        let under_way = self.most - self.places.available_permits();
        if connection.limited.is_some() && under_way > self.most_of_address() {
            let open = self.open.lock();
            let alike = open.iter().filter(|other| other.limited == connection.limited);
            if alike.filter(|other| other.has_place()).count() > self.most_of_address() {
                *connection.stage.lock() = Stage::Busy(None);
            }
        }
        busy
    }

    /// Answers the requests of a connection, in a task of its own.
    fn start(
        self: &Arc<Self>,
        stream: Pin<Box<dyn Stream>>,
        address: Option<IpAddr>,
        client: Arc<Connection>,
    ) {
        let patience = self.daemon.options.idle_timeout;
        let connection = Arc::clone(&client);
        let stream = Watched { stream, connection, patience, deadline: None };
        let asking = Arc::clone(&client);
        let server = Arc::clone(self);
        let service = service_fn(move |mut request: Request<Incoming>| {
            let mut busy = Some(server.begin(&asking));
            let only_probes = !asking.has_place();
            request.extensions_mut().insert(Client { address, only_probes });
            let answering = server.router.clone().call(request);
            async move {
                let mut response = answering.await?;
                if only_probes {
                    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, Infallible>(followed(move || drop(busy.take()), response))
            }
        });
        let mut connection = http1::Builder::new()
            // Readers of the page share its bytes.
            .writev(true)
            .timer(TokioTimer::new())
            .header_read_timeout(patience)
            .max_headers(MAX_HEADERS)
            .max_header_size(MAX_HEAD)
            .max_buf_size(2 * MAX_HEAD)
            .serve_connection(TokioIo::new(stream), service);
        let server = Arc::clone(self);
        let stopping = self.stopping.subscribe();
        tokio::spawn(async move {
            let open = &server.daemon.metrics.connections;
            open.inc();
            let mut last_call = pin!(last_call(stopping.clone()));
            let mut is_last = false;
            // The system's word of a request that has arrived may be late.
            let mut closing = pin!(async {
                client.close.notified().await;
                sleep(LOOK_PAUSE).await;
            });
            let mut is_closing = false;
            loop {
                tokio::select! {
                    // A request that has come is answered, whatever else has happened.
                    biased;
                    ended = &mut connection => {
                        if let Err(error) = ended {
                            tracing::debug!("a connection ended early: {error}");
                        }
                        break;
                    }
                    () = &mut closing, if !is_closing => {
                        is_closing = true;
                        if client.idle_time().is_some() {
                            break;
                        }
                        Pin::new(&mut connection).graceful_shutdown();
                    }
                    () = &mut last_call, if !is_last => {
                        is_last = true;
                        Pin::new(&mut connection).graceful_shutdown();
                    }
                }
            }
            open.dec();
            server.open.lock().retain(|other| !Arc::ptr_eq(other, &client));
            drop(stopping);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::ServerOptions;
    use super::*;
    use axum::body::Body;
    use futures_util::StreamExt;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpSocket;

    /// A server with this route and these options.
    fn server(route: axum::routing::MethodRouter, options: ServerOptions) -> Arc<Server> {
        let daemon = Arc::new(Daemon::new([], options).unwrap());
        Server::new(Router::new().route("/", route), daemon)
    }

    fn server_of(connections: usize) -> Arc<Server> {
        let options = ServerOptions { connections, threads: 1, ..ServerOptions::default() };
        server(axum::routing::get("."), options)
    }

    /// Answers the requests of a client without an address.
    fn connect(server: &Arc<Server>) -> tokio::io::DuplexStream {
        let (client, stream) = tokio::io::duplex(MAX_HEAD);
        server.start(Box::pin(stream), None, server.admit(None).unwrap());
        client
    }

    /// Lets a connection have been idle for some seconds.
    fn age(connection: &Connection, seconds: u64) {
        let since = Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        *connection.stage.lock() = Stage::Idle(since);
    }

    #[test]
    fn requests_have_places_and_each_address_half_of_them() {
        let server = server_of(4);
        let begin = |last: u8| {
            let connection = server.admit(Some([10, 0, 0, last].into())).unwrap();
            (server.begin(&connection), connection)
        };
        let of_first = [(); 3].map(|()| begin(1));
        assert_eq!(of_first.each_ref().map(|(_, it)| it.has_place()), [true, true, false]);
        let of_others = [2, 2, 3].map(begin);
        assert_eq!(of_others.each_ref().map(|(_, it)| it.has_place()), [true, true, false]);
        let [(busy, first), ..] = of_first;
        drop(busy);
        // Its answer may not be written yet.
        assert!(!begin(3).1.has_place());
        age(&first, 0);
        assert!(begin(3).1.has_place());
    }

    #[test]
    fn the_longest_idle_connection_makes_room_unless_a_request_is_on_its_way() {
        let server = server_of(4);
        let admit = |last: u8| server.admit(Some([10, 0, 0, last].into()));
        let is_open =
            |one: &Arc<Connection>| server.open.lock().iter().any(|it| Arc::ptr_eq(it, one));
        let of_first: Vec<_> = (0..2 + SPARE).map(|_| admit(1).unwrap()).collect();
        assert!(admit(1).is_none());
        let of_second = [(); 2].map(|()| admit(2).unwrap());
        assert!(admit(2).is_none());
        age(&of_second[1], 3);
        age(&of_first[1], 2);
        age(&of_first[0], 1);
        // Of its own address, and then of all.
        assert!(admit(1).is_some());
        assert_eq!([&of_first[1], &of_second[1]].map(is_open), [false, true]);
        assert!(admit(3).is_some());
        assert_eq!([&of_first[0], &of_second[1]].map(is_open), [true, false]);
        let _busy = server.begin(&of_first[0]);
        assert!(admit(3).is_none());
    }

    #[test]
    fn the_addresses_of_a_network_of_ipv6_share_the_places_of_one_address() {
        let server = server_of(4);
        let begin = |address: &str| {
            let connection = server.admit(Some(address.parse().unwrap())).unwrap();
            (server.begin(&connection), connection)
        };
        let addresses = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"];
        let requests = addresses.map(begin);
        assert_eq!(requests.map(|(_, it)| it.has_place()), [true, true, false, true]);
    }

    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    #[tokio::test]
    #[cfg(target_os = "linux")] // Others lack the second address.
    async fn an_address_with_too_many_requests_does_not_keep_others_waiting() {
        let options = ServerOptions { connections: 2, threads: 1, ..ServerOptions::default() };
        let server = server(axum::routing::get(std::future::pending::<()>), options);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(Arc::clone(&server).accept(Listener::Tcp(listener)));
        let connect = async |from: &str| {
            let client = TcpSocket::new_v4().unwrap();
            client.bind(format!("{from}:0").parse().unwrap()).unwrap();
            client.connect(address).await.unwrap()
        };
        let mut clients = Vec::new();
        for _ in 0..1 + SPARE {
            clients.push(connect("127.0.0.1").await);
        }
        while server.open.lock().len() < clients.len() {
            tokio::task::yield_now().await;
        }
        // As if a request were under way on each.
        let open = server.open.lock().clone();
        open.iter().for_each(|each| *each.stage.lock() = Stage::Busy(None));
        for _ in 0..2 * SPARE {
            clients.push(connect("127.0.0.1").await);
        }
        let mut other = connect("127.0.0.2").await;
        other.write_all(b"GET /x HTTP/1.1\r\nHost: h\r\n\r\n").await.unwrap();
        let mut answer = [0; 12];
        other.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 404");
    }

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
        server.accept_next(&Listener::Tcp(listener)).await;
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
        let mut client = connect(&server);
        client.write_all(REQUEST).await.unwrap();
        // The answer has begun and does not fit.
        let mut answer = vec![0; 1];
        client.read_exact(&mut answer).await.unwrap();
        let other = server.admit(None).unwrap();
        drop(server.begin(&other));
        assert!(!other.has_place());
        while !answer.ends_with(&[b'.'; LENGTH]) {
            client.read_buf(&mut answer).await.unwrap();
        }
        let is_idle = || server.open.lock()[0].idle_time().is_some();
        while !is_idle() {
            tokio::task::yield_now().await;
        }
        drop(server.begin(&other));
        assert!(other.has_place());
    }

    #[tokio::test]
    async fn head_and_body_are_written_together() {
        let (_client, stream) = tokio::io::duplex(MAX_HEAD);
        let mut stream = Watched {
            stream: Box::pin(stream),
            connection: server_of(1).admit(None).unwrap(),
            patience: Duration::MAX,
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
            let mut client = connect(&server);
            client.write_all(request).await.unwrap();
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
        let mut client = connect(&server);
        client.write_all(REQUEST).await.unwrap();
        while !server.open.lock().is_empty() {
            tokio::time::sleep(idle_timeout).await;
        }
        let mut answer = Vec::new();
        client.read_to_end(&mut answer).await.unwrap();
        assert!((1..LONG_ANSWER.len()).contains(&answer.len()));
    }

    /// As where all clients connect before they send.
    #[tokio::test]
    async fn a_request_on_a_connection_that_is_closed_or_comes_as_the_server_stops_is_answered() {
        let server = server_of(1);
        let closed = server.admit(None).unwrap();
        let (mut first, stream) = tokio::io::duplex(MAX_HEAD);
        server.start(Box::pin(stream), None, Arc::clone(&closed));
        let mut second = connect(&server);
        closed.close.notify_one();
        server.stopping.send_replace(true);
        for client in [&mut first, &mut second] {
            client.write_all(REQUEST).await.unwrap();
        }
        for mut client in [first, second] {
            let mut answer = Vec::new();
            client.read_to_end(&mut answer).await.unwrap();
            assert!(answer.ends_with(b"."), "{:?}", String::from_utf8_lossy(&answer));
        }
        server.stopping.closed().await;
        assert_eq!((server.open.lock().len(), server.daemon.metrics.connections.get()), (0, 0));
    }

    #[tokio::test]
    async fn a_connection_that_comes_as_the_server_stops_is_answered() {
        let server = server_of(1);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let accepting = tokio::spawn(Arc::clone(&server).accept(Listener::Tcp(listener)));
        let mut client = TcpSocket::new_v4().unwrap().connect(address).await.unwrap();
        server.stopping.send_replace(true);
        client.write_all(REQUEST).await.unwrap();
        let mut answer = Vec::new();
        client.read_to_end(&mut answer).await.unwrap();
        assert!(answer.ends_with(b"."), "{:?}", String::from_utf8_lossy(&answer));
        accepting.await.unwrap();
    }
}
