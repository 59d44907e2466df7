//! A terminal that a program can be run on.

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::os::fd::OwnedFd;

/// A terminal whose output can be read until its last program has ended. After that, reading is
/// an error on some systems.
pub(crate) struct Terminal {
    pub(crate) screen: File,
    /// The program's end.
    pub(crate) line: OwnedFd,
}

impl Terminal {
    pub(crate) fn open() -> Terminal {
        let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&screen).expect("it is ours");
        unlockpt(&screen).expect("it is ours");
        let name = ptsname(&screen, Vec::new()).expect("it has a name");
        // Opened so that it does not become the controlling terminal of this process.
        let line = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("it opens");
        Terminal { screen: screen.into(), line }
    }
}
