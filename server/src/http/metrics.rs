//! The daemon's counters, as text of OpenMetrics, which Prometheus reads.

use super::problem::Problem;
#[cfg(target_os = "linux")]
use super::process::Process;
use fourbook::oracle::Source;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry, Unit};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The type of the text that [`Metrics::text`] gives.
pub(super) const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The name and value of a label.
type Label = [(&'static str, &'static str); 1];

/// All metrics.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    latency: Family<Label, Histogram, fn() -> Histogram>,
    answers: Family<Label, Counter>,
    /// Answers that were still known from an earlier search.
    pub(super) cached: Counter,
    /// Questions that joined a search under way.
    pub(super) coalesced: Counter,
    /// Searches cancelled because every client had gone.
    pub(super) cancelled: Counter,
    refused: Family<Label, Counter>,
    /// Questions not solved within the deadline or the node budget.
    unsolved: Counter,
    /// Nodes that searches visited.
    pub(super) nodes: Counter,
    /// Searches that wait for a thread.
    pub(super) queued: Gauge,
    /// Solver threads that search a position of their own; helpers do not count.
    pub(super) busy: Gauge,
    /// Open connections.
    pub(super) connections: Gauge,
    lost_log_lines: Counter,
    /// Times that all books were loaded again.
    reloads: Counter,
    /// Times that one failed to load.
    failed_reloads: Counter,
    #[cfg(target_os = "linux")]
    process: Process,
}

/// The labels of a counted request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct RequestLabels {
    pub(super) method: &'static str,
    pub(super) route: &'static str,
    pub(super) status: u16,
}

/// Registers a metric.
pub(super) fn add<M: Metric + Default + Clone>(
    registry: &mut Registry,
    name: &str,
    help: &str,
) -> M {
    let metric = M::default();
    registry.register(name, help, metric.clone());
    metric
}

impl Metrics {
    pub(super) fn new() -> Self {
        let mut all = Registry::default();
        #[cfg(target_os = "linux")]
        let process = Process::new(&mut all);
        let of = all.sub_registry_with_prefix("fourbook");
        of.register("build", "The program", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        let requests = add(of, "http_requests", "Requests by method, route and status");
        // From 50 microseconds to 13 seconds.
        let buckets: fn() -> _ = || Histogram::new(exponential_buckets(50e-6, 2.0, 19));
        let latency = Family::new_with_constructor(buckets);
        let name = "http_request_duration";
        let help = "Time from a request's head to the end of its answer";
        of.register_with_unit(name, help, Unit::Seconds, latency.clone());
        let answers: Family<_, Counter> =
            add(of, "answers", "Positions answered, by the source of the score");
        for source in Source::ALL {
            drop(answers.get_or_create(&[("source", source.name())]));
        }
        let help =
            "Requests refused: a full queue, another address's share, all batches, all boards";
        let refused: Family<_, Counter> = add(of, "solver_refused", help);
        for reason in ["queue", "share", "batches", "boards"] {
            drop(refused.get_or_create(&[("reason", reason)]));
        }
        // The order of registration is the order of the text.
        Metrics {
            requests,
            latency,
            answers,
            cached: add(of, "solver_cached", "Positions answered from an earlier search"),
            coalesced: add(of, "solver_coalesced", "Positions that joined a search under way"),
            cancelled: add(of, "solver_cancelled", "Searches that nobody waited for any more"),
            refused,
            unsolved: add(of, "solver_unsolved", "Positions not solved within the limits"),
            nodes: add(of, "solver_nodes", "Nodes that searches have visited"),
            reloads: add(of, "reloads", "Times that all books were loaded again"),
            failed_reloads: add(of, "reloads_failed", "Times that some book was bad"),
            queued: add(of, "solver_queued", "Long searches that wait for a thread"),
            busy: add(of, "solver_busy", "Solver threads at work on a position of their own"),
            connections: add(of, "connections", "Open connections"),
            lost_log_lines: add(of, "log_lines_lost", "Lines of the log that could not be written"),
            registry: all,
            #[cfg(target_os = "linux")]
            process,
        }
    }

    /// Counts a request.
    pub(super) fn request(&self, labels: &RequestLabels, took: Duration) {
        self.latency.get_or_create(&[("route", labels.route)]).observe(took.as_secs_f64());
        self.requests.get_or_create(labels).inc();
    }

    /// Counts the answer about a position by its source, if it has one.
    pub(super) fn answer(&self, source: Option<Source>) {
        if let Some(source) = source {
            self.answers.get_or_create(&[("source", source.name())]).inc();
        }
    }

    /// Counts the problem that ends the work on a position, if it is a limit.
    pub(super) fn problem(&self, problem: &Problem) {
        if problem.is_unsolved() {
            self.unsolved.inc();
        }
    }

    /// Counts a search that was refused for a reason.
    pub(super) fn refused(&self, reason: &'static str) {
        self.refused.get_or_create(&[("reason", reason)]).inc();
    }

    /// Counts a reload.
    pub(super) fn reloaded(&self, is_good: bool) {
        if is_good { &self.reloads } else { &self.failed_reloads }.inc();
    }

    /// All metrics, as text. The log counts its lost lines itself.
    pub(super) fn text(&self, lost_log_lines: u64) -> String {
        self.lost_log_lines.inner().store(lost_log_lines, Ordering::Relaxed);
        #[cfg(target_os = "linux")]
        self.process.read();
        let mut text = String::new();
        text::encode(&mut text, &self.registry).expect("writing to a string does not fail");
        text
    }
}
