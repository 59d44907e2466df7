//! What `fourbook serve` takes from Windows: Ctrl-C and its like. There is neither a signal
//! to reload nor a service manager, and Unix sockets are not offered.

use crate::cli::error::{Error, Result};
use fourbook_server::Listener;
use std::io;
use std::path::Path;
use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown};

/// Asks for a stop whenever the system asks the program to end: Ctrl-C, Ctrl-Break, a closed window,
/// or the machine shutting down, from now on. Only `--watch` asks for a reload.
pub(crate) fn notify_on_signals() -> io::Result<()> {
    let mut c = ctrl_c()?;
    let mut pause = ctrl_break()?;
    let mut close = ctrl_close()?;
    let mut shutdown = ctrl_shutdown()?;
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = c.recv() => {}
                _ = pause.recv() => {}
                _ = close.recv() => {}
                _ = shutdown.recv() => {}
            }
            super::ask_to_stop(true);
        }
    });
    Ok(())
}

/// No service manager hands sockets over.
pub(crate) fn handed_over() -> Result<Vec<Listener>> {
    Ok(Vec::new())
}

pub(crate) fn listen_on_path(_path: &Path) -> Result<Listener> {
    let text = "--unix is not available on Windows; listen on an address with --bind";
    Err(Error::usage(text))
}

pub(crate) fn tell_ready() {}

pub(crate) fn tell_reloading() {}

pub(crate) fn tell_stopping() {}
