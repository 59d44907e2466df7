//! What `fourbook serve` takes from a Unix system: signals, Unix sockets, and systemd.

use super::Stop;
use crate::cli::error::{Context, Result};
use fourbook_server::Listener;
use listenfd::ListenFd;
use sd_notify::NotifyState;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use tokio::net::{TcpListener, UnixListener};
use tokio::signal::unix::{SignalKind, signal};

/// Is ready when the program receives SIGTERM or SIGINT, from now on.
pub(crate) fn stop_signals() -> io::Result<Stop> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(Box::pin(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }))
}

/// Asks for a reload of the books for each SIGHUP, from now on.
pub(crate) fn reload_on_hangup() -> io::Result<()> {
    let mut hangups = signal(SignalKind::hangup())?;
    super::spawn(Box::pin(async move {
        while hangups.recv().await.is_some() {
            super::RELOAD.notify_one();
        }
    }));
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
    let is_socket = std::fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let is_refused = |error: io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
    if is_socket && UnixStream::connect(path).is_err_and(is_refused) {
        std::fs::remove_file(path)
            .with_context(|| format!("cannot remove the old socket '{}'", path.display()))?;
    }
    let bound = UnixListener::bind(path)
        .with_context(|| format!("cannot listen on '{}'; choose another --unix", path.display()))?;
    Ok(Listener::Unix(bound))
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
    if let Err(error) = sd_notify::notify(state) {
        tracing::warn!("cannot tell the service manager: {error}");
    }
}
