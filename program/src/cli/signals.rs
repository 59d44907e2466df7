//! Signals of the system: Ctrl-C, and the wish that the program ends.

#[cfg(unix)]
use crate::cli::error::INTERRUPTED;
use crate::cli::error::{Context, Result};
use crate::cli::stderr;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::sync::{Arc, LazyLock};

const CONTEXT: &str = "cannot be told of Ctrl-C";

/// Calls `handler` on Ctrl-C, with `true`, and when the system asks the program to end. The end of
/// the terminal stays ignored if the program was started so, as by `nohup`.
#[cfg(unix)]
pub(crate) fn on_signal(mut handler: impl FnMut(bool) + Send + 'static) -> Result {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let wanted = [SIGINT, SIGTERM, SIGHUP];
    let wanted = if is_ignored(SIGHUP) { &wanted[..2] } else { &wanted };
    let mut signals = signal_hook::iterator::Signals::new(wanted).with_context(|| CONTEXT)?;
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || signals.forever().for_each(|signal| handler(signal == SIGINT)))
        .with_context(|| CONTEXT)?;
    handle_end();
    Ok(())
}

/// Whether a signal is ignored; `false` where the system has no file about it.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let bits = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    bits.is_some_and(|bits| bits >> (signal - 1) & 1 == 1)
}

/// Calls `handler` on Ctrl-C, and when the system asks the program to end.
#[cfg(windows)]
pub(crate) fn on_signal(mut handler: impl FnMut(bool) + Send + 'static) -> Result {
    ctrlc::set_handler(move || handler(true)).with_context(|| CONTEXT)
}

/// Ends the program as Ctrl-C does by default, so that a shell ends its loop, too. Returns where the
/// system has no such end.
pub(crate) fn end_by_ctrl_c() {
    stderr::flush();
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGINT);
}

/// Whether SIGTERM ends the program at once.
#[cfg(unix)]
static ENDS: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// Lets SIGTERM end the program with the exit code of Ctrl-C, until [`handle_end`] is called.
#[cfg(unix)]
pub(crate) fn end_on_request() {
    use signal_hook::{consts::SIGTERM, flag::register_conditional_shutdown};
    // If this fails, the program ends with the exit code of the system.
    let _ = register_conditional_shutdown(SIGTERM, INTERRUPTED.into(), Arc::clone(&ENDS));
}

/// Leaves SIGTERM to the subcommand.
#[cfg(unix)]
pub(crate) fn handle_end() {
    ENDS.store(false, Ordering::Relaxed);
}

/// Makes a limit on the size of files an error of the write that exceeds it; by default it ends the
/// program.
#[cfg(unix)]
pub(crate) fn survive_file_limits() {
    // If this fails, the program ends as it would have.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::<AtomicBool>::default());
}
