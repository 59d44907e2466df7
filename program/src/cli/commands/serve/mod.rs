//! `fourbook serve`: the server, with its sockets and signals. What differs from system to
//! system is in [`system`].

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;
mod watch;

use crate::cli::args::{
    BookArgs, Options, ThreadArgs, byte_size, named_path, seconds, variable, whole,
};
use crate::cli::error::{Context, Error, Result};
use crate::cli::stderr;
use axum::http::{HeaderValue, Uri};
use clap::{ArgAction, Args};
use fourbook::text::number;
use fourbook::{Memory, Size, with_causes};
use fourbook_server::{Daemon, Listener, LoadError, ServerOptions, router, serve};
use indicatif::HumanBytes;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{Notify, oneshot};
use tokio::task::spawn_blocking;
use tracing::Level;
use tracing_subscriber::filter::Targets;

const EXAMPLES: &str = "\
Examples:
  fourbook serve                                      then open http://127.0.0.1:8080
  curl 'http://127.0.0.1:8080/v1/position?moves=4453'
  curl 'http://127.0.0.1:8080/v1/move?moves=4453&level=casual'
  fourbook serve --book 7x6-d14.book --watch          take new versions of the file
  fourbook serve --book books                         the deepest book of a folder for each board
  fourbook serve --book 7x6.book --book 8x8.book      boards of two sizes
  fourbook serve --sizes 7x6,8x7                      these boards only
  curl 'http://127.0.0.1:8080/solve?pos=4&size=8x8'
  fourbook serve --bind 0.0.0.0:80 --cors '*'         for everybody
  fourbook serve --unix /run/fourbook.sock            behind a proxy on this machine
  fourbook serve --size 8x7                           another board first";

/// The help of `--book`, which other subcommands take once.
const BOOK_HELP: &str = "\
Answer from this book, or from the deepest book of each board size in this folder; may be repeated. \
Other boards keep the built-in books: 7x6 to ply 12, most boards of up to 49 cells to ply 8";

/// How many connections may wait to be accepted; as in deploy/systemd. With the usual
/// 128, clients that come in a crowd wait a second until they try again.
const BACKLOG: u32 = 1024;

/// Answer lookups over HTTP, with a page to play on
///
/// The book answers its positions at once. A bounded pool of solver threads answers all others
/// within a deadline; idle threads join long searches. Every score is exact. A search that
/// exceeds a limit returns an error with the bounds found so far; for the move of a level, it
/// returns the best move known. /openapi.json describes all requests.
///
/// A request chooses the board with size=WIDTHxHEIGHT. The default is the board of the first
/// --book (in a folder 7x6, or else the smallest), or --size. Give --book several times, with one
/// file for each size, or give a folder: the server uses its deepest book of each size. Boards
/// without a book are solved; up to four of them are kept in memory at a time.
///
/// SIGHUP opens the books and strategies again, and looks for other ones in folders. If one is bad, the
/// server keeps all old ones. SIGTERM and SIGINT end the program after it has answered open requests; a
/// second SIGINT ends it at once. Sockets from systemd replace --bind.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("book", |book| book.action(ArgAction::Append).help(BOOK_HELP)))]
pub(crate) struct ServeArgs {
    /// Listen on this address; 127.0.0.1 and ::1 can be reached from this machine only, and :8080
    /// from everywhere, as 0.0.0.0:8080
    #[arg(help_heading = "Connections", long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8080", value_parser = address)]
    bind: SocketAddr,

    /// Listen on this Unix socket instead, which has the permissions of the umask
    #[arg(help_heading = "Connections", long, value_name = "PATH", conflicts_with = "bind", value_parser = named_path())]
    unix: Option<PathBuf>,

    #[command(flatten)]
    book: BookArgs,

    /// Play the moves of this strategy's player from it, at the level perfect; may be repeated, once for
    /// each board and player. Other boards have the built-in strategies, none with --no-book
    #[arg(help_heading = "Book", long = "strategy", value_name = "FILE", value_parser = named_path())]
    strategies: Vec<PathBuf>,

    /// Serve boards of these sizes only, and the default one [default: all]
    #[arg(help_heading = "Book", long, value_name = "SIZE,...", value_delimiter = ',')]
    sizes: Vec<Size>,

    /// Reload books and strategies when their files or folders change
    #[arg(help_heading = "Book", long)]
    watch: bool,

    #[command(flatten)]
    threads: ThreadArgs,

    /// The most memory for the transposition tables, which grow with the work: half for the default
    /// board, the rest in equal parts for all others [default: a quarter of the free memory, at most
    /// 1G]
    #[arg(help_heading = "Limits", short, long, value_name = "SIZE", value_parser = byte_size)]
    memory: Option<usize>,

    /// The most long searches that wait for their turn; more are refused, first those of the address
    /// with the most. Short searches never wait for long ones
    #[arg(help_heading = "Limits", long, value_name = "N", value_parser = whole(1..=usize::MAX),
          default_value_t = ServerOptions::default().queue)]
    queue: usize,

    /// How long a request waits for the solver: seconds, or a time such as 500ms. In all, a request
    /// may take 20 seconds more
    #[arg(help_heading = "Limits", long, value_name = "TIME", default_value = "30", value_parser = seconds)]
    deadline: Duration,

    /// The most nodes to search for a position, its moves included; a request may ask for fewer
    #[arg(help_heading = "Limits", long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    max_nodes: Option<u64>,

    /// Let web pages of this origin ask, or of all origins with '*'; may be repeated
    #[arg(help_heading = "Connections", long, value_name = "ORIGIN", value_parser = origin)]
    cors: Vec<HeaderValue>,

    /// The most connections in use at a time, half of them by one address; requests on others are
    /// refused with 503. Idle connections make room for new ones
    #[arg(help_heading = "Connections", long, value_name = "N", value_parser = whole(1..=usize::MAX),
          default_value_t = ServerOptions::default().connections)]
    max_connections: usize,

    /// Log the client's address that a proxy adds to X-Forwarded-For, and count searches for it; the
    /// proxy may then open all connections
    #[arg(help_heading = "Connections", long)]
    trust_proxy: bool,

    /// How long a connection may wait for the head of its next request, or for its client to read
    /// more of an answer; longer than a proxy keeps it
    #[arg(help_heading = "Connections", long, value_name = "TIME", default_value = "75", value_parser = seconds)]
    idle_timeout: Duration,

    /// How long requests under way may take when the server stops; after half of it, searches end
    /// with what they have proved
    #[arg(help_heading = "Limits", long, value_name = "TIME", default_value = "10", value_parser = seconds)]
    grace: Duration,

    /// The least level of the log: error, warn, info, debug or trace; for single modules as well, as
    /// in info,fourbook_server=debug [default: info; with -q warn, with -v debug]
    #[arg(help_heading = "Output", long, value_name = "LEVEL", value_parser = levels)]
    #[arg(env = variable("RUST_LOG"), hide_env_values = true)]
    log_level: Option<Targets>,

    /// The form of the log on stderr
    #[arg(help_heading = "Output", long, value_name = "FORMAT", default_value = "text")]
    pub(crate) log_format: LogFormat,
}

/// The levels of a log, of all modules and of some.
fn levels(text: &str) -> Result<Targets, String> {
    let parsed = if text.is_empty() { None } else { text.parse().ok() };
    parsed.filter(|levels: &Targets| levels.default_level().is_some()).ok_or_else(|| {
        "expected a level, such as info, or also those of modules, such as \
         warn,fourbook_server=debug, in --log-level or RUST_LOG"
            .to_owned()
    })
}

/// The form of a log.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    Text,
    /// A JSON object a line
    Json,
}

/// An address to listen on; a name, such as localhost, stands for its first address,
/// of the fourth version of the protocol if there is one. No name stands for all of these addresses.
fn address(text: &str) -> Result<SocketAddr, String> {
    let expected =
        "expected ADDRESS:PORT, NAME:PORT or :PORT, such as 127.0.0.1:8080 or [::1]:8080";
    let parts = text.rsplit_once(':').and_then(|(name, port)| Some((name, number(port)?)));
    let (name, port): (_, u16) = parts.ok_or(expected)?;
    let name = if name.is_empty() { "0.0.0.0" } else { name };
    let found = format!("{name}:{port}").to_socket_addrs().ok();
    let address = found.and_then(|found| found.min_by_key(SocketAddr::is_ipv6));
    address.ok_or_else(|| format!("{expected}; no address is known for '{name}'"))
}

/// An origin as browsers send it, since it is compared letter by letter.
fn origin(text: &str) -> Result<HeaderValue, &'static str> {
    let is_sent = |uri: Uri| {
        let scheme = uri.scheme_str()?;
        let host = uri.host().filter(|host| !host.contains('*'))?.to_ascii_lowercase();
        let port = uri.port_u16().map_or_else(String::new, |port| format!(":{port}"));
        let is_usual = [("http", ":80"), ("https", ":443")].contains(&(scheme, &*port));
        (format!("{scheme}://{host}{port}") == text && !is_usual).then_some(())
    };
    let is_right = text == "*" || text.parse().ok().and_then(is_sent).is_some();
    text.parse().ok().filter(|_| is_right).ok_or(
        "expected '*' or SCHEME://HOST[:PORT] as browsers send it, in small letters and without \
         the usual port, no pattern, such as https://example.com",
    )
}

pub(crate) fn run(args: &ServeArgs, options: &Options) -> Result {
    let books = args.book.named()?;
    let files: Arc<[PathBuf]> = books.paths().chain(&args.strategies).cloned().collect();
    if args.watch && files.is_empty() {
        let text = "there is no file to watch; name a book or a folder with --book";
        return Err(Error::usage(text));
    }
    // The state is taken before reading the books, so that no change is missed.
    let read = args.watch.then(|| watch::versions(&files).unwrap_or_default());
    let daemon = Daemon::new(books.sources(), args.options(options));
    let daemon = Arc::new(daemon.map_err(|error| match error {
        LoadError::Memory(_) | LoadError::Threads(_) | LoadError::Strategy(_) => error.into(),
        error => args.book.explain(error.into()),
    })?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .with_context(|| "cannot start the threads that take requests")?;
    let watch = read.map(|read| watch::watch(files, read));
    let result = runtime.block_on(args.serve(&daemon, watch));
    // Connections that are still open after the limit end here.
    runtime.shutdown_background();
    daemon.stop();
    result?;
    tracing::info!("stopped");
    Ok(())
}

impl ServeArgs {
    /// The levels of the log. A server runs until it is stopped, so it logs more than others print.
    pub(crate) fn levels(&self, quiet: bool, verbose: bool) -> Targets {
        let level = match (quiet, verbose) {
            (true, _) => Level::WARN,
            (_, true) => Level::DEBUG,
            _ => Level::INFO,
        };
        self.log_level.clone().unwrap_or_else(|| Targets::new().with_default(level))
    }

    fn options(&self, options: &Options) -> ServerOptions {
        ServerOptions {
            threads: self.threads.number(),
            queue: self.queue,
            deadline: self.deadline,
            max_nodes: self.max_nodes,
            table_bytes: self.memory.unwrap_or_else(|| Memory::now().table_bytes()),
            default_size: options.size,
            sizes: self.sizes.clone(),
            strategies: self.strategies.clone(),
            // The time to receive the request and send the answer.
            request_timeout: self.deadline + Duration::from_secs(20),
            cors: self.cors.clone(),
            connections: self.max_connections,
            trust_proxy: self.trust_proxy,
            idle_timeout: self.idle_timeout,
            grace: self.grace,
            lost_log_lines: stderr::lost,
        }
    }

    async fn serve(
        &self,
        daemon: &Arc<Daemon>,
        watch: Option<impl Future<Output = ()> + Send + 'static>,
    ) -> Result<()> {
        system::notify_on_signals()?;
        let (listeners, socket) = self.listen()?;
        for listener in &listeners {
            tracing::info!(address = listener.address()?, "listening");
        }
        let size = daemon.default_size();
        let books = names(&daemon.book_sizes());
        let strategies = names(&daemon.strategy_sizes());
        let &ServerOptions { threads, table_bytes, .. } = daemon.options();
        let memory = HumanBytes(table_bytes as u64).to_string();
        tracing::info!(%size, books, strategies, threads, memory, "serving");
        system::tell_ready();

        tokio::spawn(reload_when_told(Arc::clone(daemon)));
        if let Some(watch) = watch {
            tokio::spawn(watch);
        }
        let (stop, stopped) = oneshot::channel();
        let stopping = async {
            STOP.notified().await;
            tracing::info!("stopping");
            system::tell_stopping();
            if let Some(path) = socket {
                // It may already be gone. Later, it may be another server's.
                let _ = std::fs::remove_file(path);
            }
            // The server waits for it.
            let _ = stop.send(());
            END.notified().await;
            tracing::warn!("stopped again; requests under way are cut off");
        };
        let stopped = Box::pin(async { drop(stopped.await) });
        let router = router(Arc::clone(daemon));
        tokio::select! {
            () = serve(listeners, router, Arc::clone(daemon), stopped) => {}
            () = stopping => {}
        }
        Ok(())
    }

    /// The sockets from systemd, or else the one asked for, with its path if that has to be removed
    /// at the end.
    fn listen(&self) -> Result<(Vec<Listener>, Option<PathBuf>)> {
        let handed_over = system::handed_over()?;
        if !handed_over.is_empty() {
            return Ok((handed_over, None));
        }
        let listener = match &self.unix {
            Some(path) => system::listen_on_path(path)?,
            None => Listener::Tcp(listen_tcp(self.bind).with_context(|| {
                format!("cannot listen on {}; choose another --bind", self.bind)
            })?),
        };
        Ok((vec![listener], self.unix.clone()))
    }
}

/// The names of boards, for the log.
fn names(sizes: &[Size]) -> String {
    let names: Vec<String> = sizes.iter().map(Size::to_string).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Asks for a reload of the books.
static RELOAD: Notify = Notify::const_new();

/// Asks the server to stop.
static STOP: Notify = Notify::const_new();

/// Asks a server that stops to end at once.
static END: Notify = Notify::const_new();

/// Asks the server to stop, and if it does so already, Ctrl-C asks it to end at once. Other wishes of the
/// system do not, as programs such as `timeout` send SIGTERM twice: to the process, and to its group.
fn ask_to_stop(is_ctrl_c: bool) {
    static IS_ASKED: AtomicBool = AtomicBool::new(false);
    if !IS_ASKED.swap(true, Ordering::Relaxed) {
        STOP.notify_one();
    } else if is_ctrl_c {
        END.notify_one();
    }
}

/// Reads the books again whenever asked to.
async fn reload_when_told(daemon: Arc<Daemon>) {
    loop {
        RELOAD.notified().await;
        system::tell_reloading();
        let loading = Arc::clone(&daemon);
        match spawn_blocking(move || loading.reload()).await {
            Ok(Ok(changed)) => {
                let changed = names(&changed);
                tracing::info!(changed, "loaded the books again");
            }
            Ok(Err(error)) => {
                let text = with_causes(&error);
                tracing::error!("{text}; the old books and strategies stay in use");
            }
            Err(error) => tracing::error!("reading the books failed: {error}"),
        }
        system::tell_ready();
    }
}

fn listen_tcp(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Connections of an earlier server do not block the address.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{ColorChoice, Command, FromArgMatches};

    #[test]
    fn an_address_without_a_name_is_reached_from_everywhere() {
        for (text, expected) in
            [(":8080", "0.0.0.0:8080"), ("[::]:80", "[::]:80"), ("127.0.0.1:0", "127.0.0.1:0")]
        {
            assert_eq!(address(text), Ok(expected.parse().unwrap()), "{text}");
        }
        for text in ["8080", ":", "localhost", "127.0.0.1:99999", ""] {
            assert!(address(text).unwrap_err().contains("or :PORT"), "{text}");
        }
    }

    /// A folder without a good book says only in a warning what is wrong with its files.
    #[test]
    fn a_quiet_log_has_warnings() {
        let matches = ServeArgs::augment_args(Command::new("serve")).get_matches_from(["serve"]);
        let args = ServeArgs::from_arg_matches(&matches).unwrap();
        let has = |quiet, level| args.levels(quiet, false).would_enable("fourbook", &level);
        let warning = Level::WARN;
        let request = Level::INFO;
        assert_eq!(
            [has(true, warning), has(true, request), has(false, request)],
            [true, false, true]
        );
    }

    #[test]
    fn a_name_is_no_level_of_the_log() {
        for text in ["info", "WARN", "off", "warn,fourbook_server=debug"] {
            assert!(levels(text).is_ok(), "{text}");
        }
        for text in ["inf", "fourbook_server=debug", "info,fourbook_server=all", ""] {
            assert!(levels(text).unwrap_err().contains("expected a level"), "{text}");
        }
    }

    #[test]
    fn times_have_the_defaults_of_the_server() {
        let matches = ServeArgs::augment_args(Command::new("serve")).get_matches_from(["serve"]);
        let args = ServeArgs::from_arg_matches(&matches).unwrap();
        let size = None;
        let color = ColorChoice::Auto;
        let found = args.options(&Options { size, quiet: false, verbose: false, color });
        let times = |options: ServerOptions| {
            let ServerOptions { deadline, request_timeout, idle_timeout, grace, .. } = options;
            [deadline, request_timeout, idle_timeout, grace]
        };
        assert_eq!(times(found), times(ServerOptions::default()));
    }
}
