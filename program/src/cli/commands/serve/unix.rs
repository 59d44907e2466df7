//! What `fourbook serve` takes from a Unix system: signals, Unix sockets, and systemd.

use super::BACKLOG;
use crate::cli::args::variable;
use crate::cli::error::{Context, Result};
use crate::cli::signals::handle_end;
use fourbook_server::Listener;
use listenfd::ListenFd;
use sd_notify::NotifyState;
use std::fs;
use std::io;
#[cfg(target_os = "linux")]
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixStream};
use std::path::Path;
use std::time::Duration;
use tokio::net::{TcpListener, UnixListener, UnixSocket};
use tokio::signal::unix::{SignalKind, signal};

/// How long the service manager may take to receive a notification.
const TELL_TIMEOUT: Duration = Duration::from_secs(1);

/// Asks for a stop for each SIGTERM and SIGINT, and for a reload for each SIGHUP, from now on.
pub(crate) fn notify_on_signals() -> io::Result<()> {
    let asks: [(SignalKind, fn()); 3] = [
        (SignalKind::terminate(), || super::ask_to_stop(false)),
        (SignalKind::interrupt(), || super::ask_to_stop(true)),
        (SignalKind::hangup(), || super::RELOAD.notify_one()),
    ];
    for (kind, ask) in asks {
        let mut signals = signal(kind)?;
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                ask();
            }
        });
    }
    handle_end();
    Ok(())
}

/// The sockets that systemd has handed over.
pub(crate) fn handed_over() -> Result<Vec<Listener>> {
    let mut sockets = ListenFd::from_env();
    let mut listeners = Vec::new();
    for index in 0..sockets.len() {
        if let Ok(Some(listener)) = sockets.take_tcp_listener(index) {
            listener.set_nonblocking(true)?;
            listeners.push(Listener::Tcp(TcpListener::from_std(listener)?));
        } else if let Some(listener) = sockets
            .take_unix_listener(index)
            .with_context(|| "expected listening TCP or Unix sockets from the service manager")?
        {
            listener.set_nonblocking(true)?;
            listeners.push(Listener::Unix(UnixListener::from_std(listener)?));
        }
    }
    Ok(listeners)
}

/// Listens on a path, and replaces a socket without a listener.
pub(crate) fn listen_on_path(path: &Path) -> Result<Listener> {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    if is_socket
        && UnixStream::connect(path)
            .is_err_and(|error: io::Error| error.kind() == io::ErrorKind::ConnectionRefused)
    {
        fs::remove_file(path)
            .with_context(|| format!("cannot remove the old socket '{}'", path.display()))?;
    }
    let socket = UnixSocket::new_stream()?;
    socket
        .bind(path)
        .with_context(|| format!("cannot listen on '{}'; choose another --unix", path.display()))?;
    Ok(Listener::Unix(socket.listen(BACKLOG)?))
}

/// Notifies the service manager, if there is one, that requests are answered.
pub(crate) fn tell_ready() {
    tell(&[NotifyState::Ready]);
}

/// Notifies the service manager that the books are being read again, until the next
/// [`tell_ready`].
pub(crate) fn tell_reloading() {
    if let Ok(now) = NotifyState::monotonic_usec_now() {
        tell(&[NotifyState::Reloading, now]);
    }
}

/// Notifies the service manager that the server is about to end.
pub(crate) fn tell_stopping() {
    tell(&[NotifyState::Stopping]);
}

fn tell(state: &[NotifyState<'_>]) {
    if let Err(error) = notify(state) {
        tracing::warn!("cannot tell the service manager: {error}");
    }
}

/// Sends a notification, also to an abstract socket, which `sd_notify::notify` does not.
fn notify(state: &[NotifyState<'_>]) -> io::Result<()> {
    let Some(name) = variable("NOTIFY_SOCKET").and_then(std::env::var_os) else { return Ok(()) };
    let address = match name.as_bytes() {
        #[cfg(target_os = "linux")]
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name)?,
        _ => SocketAddr::from_pathname(&name)?,
    };
    let socket = UnixDatagram::unbound()?;
    socket.set_write_timeout(Some(TELL_TIMEOUT))?;
    let text: String = state.iter().map(|line| format!("{line}\n")).collect();
    socket.send_to_addr(text.as_bytes(), &address)?;
    Ok(())
}
