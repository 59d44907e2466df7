//! Metrics of this process from the system, by the names that Prometheus has for them.

use super::metrics::add;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// Clock ticks a second in `/proc`, the same on all systems.
const TICKS: f64 = 100.0;

/// Metrics of the process.
pub(super) struct Process {
    memory: Gauge,
    files: Gauge,
    seconds: Counter<f64, AtomicU64>,
}

impl Process {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let start: Gauge = add(registry, "process_start_time_seconds", "Start, since 1970");
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        start.set(now.map_or(0, |time| time.as_secs() as i64));
        Process {
            memory: add(registry, "process_resident_memory_bytes", "Resident memory"),
            files: add(registry, "process_open_fds", "Open files"),
            seconds: add(registry, "process_cpu_seconds", "Processor time"),
        }
    }

    /// Reads the metrics; `None` if the system does not report one.
    pub(super) fn read(&self) -> Option<()> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kibibytes: i64 = memory.trim().strip_suffix(" kB")?.parse().ok()?;
        self.memory.set(kibibytes << 10);
        self.files.set(fs::read_dir("/proc/self/fd").ok()?.count() as i64);
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        // The name before the parenthesis may have spaces.
        let (_, fields) = stat.rsplit_once(')')?;
        let user_and_system = fields.split_whitespace().skip(11).take(2);
        let ticks: f64 = user_and_system.filter_map(|field| field.parse::<f64>().ok()).sum();
        self.seconds.inner().store((ticks / TICKS).to_bits(), Ordering::Relaxed);
        Some(())
    }
}
