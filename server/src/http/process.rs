//! Metrics of this process from the system, by the names that Prometheus has for them.

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use rustix::process::{Resource, getrlimit};
use std::fmt;
use std::fs;
use std::time::SystemTime;

/// Clock ticks a second in `/proc`, the same on all systems.
const TICKS: f64 = 100.0;

/// Metrics of the process, read on demand.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) start: SystemTime,
}

/// The most files that this process may have open; `None` without a limit.
pub(super) fn most_files() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        // The name before the parenthesis may have spaces.
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        let field = |index| fields.split_whitespace().nth(index)?.parse::<f64>().ok();
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes = resident.and_then(|it| it.trim().strip_suffix(" kB")?.parse::<f64>().ok());
        let open_files = fs::read_dir("/proc/self/fd").map(Iterator::count).ok();
        let start = self.start.duration_since(SystemTime::UNIX_EPOCH).ok();
        for (name, help, value) in [
            ("resident_memory_bytes", "Resident memory", kibibytes.map(|it| it * 1024.0)),
            ("virtual_memory_bytes", "Virtual memory", field(20)),
            ("threads", "Threads", field(17)),
            ("open_fds", "Open files", open_files.map(|files| files as f64)),
            ("max_fds", "The most open files", most_files().map(|files| files as f64)),
            ("start_time_seconds", "Start, since 1970", start.map(|it| it.as_secs_f64())),
        ] {
            let Some(gauge) = value.map(ConstGauge::new) else { continue };
            let name = format!("process_{name}");
            gauge.encode(encoder.encode_descriptor(&name, help, None, gauge.metric_type())?)?;
        }
        let seconds = field(11).zip(field(12)).map(|(user, system)| (user + system) / TICKS);
        let Some(counter) = seconds.map(ConstCounter::new) else { return Ok(()) };
        let name = "process_cpu_seconds";
        let help = "Processor time";
        counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)
    }
}
