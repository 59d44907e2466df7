//! How much memory there is for this process.

use std::fmt;
use std::fs;
use std::path::Path;

/// Memory of the machine, or of the part of it that this process may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// All memory, in bytes.
    pub total: u64,
    /// Memory available now without swapping, in bytes.
    pub available: u64,
}

/// The files of a control group with the limit of its memory and with its use, and the beginning of
/// the line in `memory.stat` about file pages that the system can drop.
type Names = [&'static str; 3];

const VERSION_2: Names = ["memory.max", "memory.current", "inactive_file "];

const VERSION_1: Names = ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "];

/// Bytes for people, such as `1.50 GiB`.
pub(crate) struct HumanBytes(pub(crate) u64);

impl fmt::Display for HumanBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let power = self.0.checked_ilog2().unwrap_or(0) / 10;
        match power.checked_sub(1) {
            None => write!(f, "{} B", self.0),
            Some(unit) => {
                let number = self.0 as f64 / 1024_f64.powi(power as i32);
                write!(f, "{number:.2} {}iB", ["K", "M", "G", "T", "P", "E"][unit as usize])
            }
        }
    }
}

/// The memory of the whole machine, or of the address space of this process if that is smaller.
#[cfg(target_os = "linux")]
fn machine() -> Memory {
    let machine = memory_in(Path::new("/proc/meminfo")).unwrap_or_else(memory_without_file);
    machine.within_address_space()
}

/// Reads the memory from a file such as `/proc/meminfo`.
#[cfg(target_os = "linux")]
fn memory_in(file: &Path) -> Option<Memory> {
    let text = fs::read_to_string(file).ok()?;
    let bytes = |name| Some(kibibytes(&text, name)? * 1024);
    Some(Memory { total: bytes("MemTotal:")?, available: bytes("MemAvailable:")? })
}

/// Asks the kernel, for services from which `/proc/meminfo` is hidden. The page cache does not
/// count as available here.
#[cfg(target_os = "linux")]
fn memory_without_file() -> Memory {
    let info = rustix::system::sysinfo();
    let bytes = |units: std::ffi::c_ulong| (u128::from(info.mem_unit) * u128::from(units)) as u64;
    Memory { total: bytes(info.totalram), available: bytes(info.freeram + info.bufferram) }
}

/// The memory of the whole machine.
#[cfg(not(target_os = "linux"))]
fn machine() -> Memory {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    Memory { total: system.total_memory(), available: system.available_memory() }
}

/// The number after a name in a file of the proc file system.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let number = text.lines().find_map(|line| line.strip_prefix(name))?;
    number.trim().strip_suffix(" kB")?.parse().ok()
}

impl Memory {
    /// The memory that can be had now. Limits of control groups, which containers, batch systems
    /// and service managers set, are respected; on Linux also the limit on the address
    /// space of this process (`ulimit -v`).
    pub fn now() -> Self {
        let membership = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        machine().limited_by(&membership, Path::new("/sys/fs/cgroup"))
    }

    /// The most memory, in bytes, for a transposition table: a quarter of the available memory, at
    /// most 1 GiB. A book made with more takes as long: less is searched twice, but a larger table
    /// is read more slowly.
    pub fn table_bytes(self) -> usize {
        const MOST: u64 = 1 << 30;
        (self.available / 4).min(MOST) as usize
    }

    /// The most memory that this process has had at a time since it started, in bytes, pages of
    /// mapped files included; `None` if the system does not report it.
    pub fn peak() -> Option<u64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        Some(kibibytes(&status, "VmHWM:")? * 1024)
    }

    /// Respects the limit on the address space of this process.
    #[cfg(target_os = "linux")]
    fn within_address_space(self) -> Self {
        use rustix::process::{Resource, getrlimit};
        let Some(limit) = getrlimit(Resource::As).current else { return self };
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let used = kibibytes(&status, "VmSize:").unwrap_or(0) * 1024;
        let left = limit.saturating_sub(used);
        Memory { total: self.total.min(limit), available: self.available.min(left) }
    }

    /// Respects the limits of the control groups listed in `membership`, the
    /// text of `/proc/self/cgroup`, and of all groups around them.
    fn limited_by(mut self, membership: &str, mount: &Path) -> Self {
        let machine = self.total;
        for line in membership.lines() {
            let [_, controllers, group] = line.splitn(3, ':').collect::<Vec<_>>()[..] else {
                continue;
            };
            let (mount, names) = match controllers {
                "" => (mount.to_owned(), VERSION_2),
                "memory" => (mount.join("memory"), VERSION_1),
                _ => continue,
            };
            let innermost = mount.join(group.trim_start_matches('/'));
            for folder in innermost.ancestors().take_while(|folder| folder.starts_with(&mount)) {
                // More than the machine has is no limit, nor is "max", which is no number.
                let limit = number_in(&folder.join(names[0]));
                if let Some(limit) = limit.filter(|&limit| limit < machine) {
                    self.total = self.total.min(limit);
                    self.available = self.available.min(available(folder, limit, names));
                }
            }
        }
        self
    }
}

/// The remaining bytes of the limit of the group in `folder`.
fn available(folder: &Path, limit: u64, [_, usage, droppable]: Names) -> u64 {
    let usage = number_in(&folder.join(usage)).unwrap_or(0);
    let stat = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let droppable = stat
        .lines()
        .find_map(|line| line.strip_prefix(droppable))
        .and_then(|number| number.trim().parse::<u64>().ok())
        .unwrap_or(0);
    limit.saturating_sub(usage.saturating_sub(droppable))
}

/// The number that a file holds.
fn number_in(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MACHINE: Memory = Memory { total: 1000, available: 900 };

    #[test]
    fn bytes_are_written_in_the_unit_that_suits_them() {
        let text = |bytes| HumanBytes(bytes).to_string();
        assert_eq!([text(0), text(1023), text(1024)], ["0 B", "1023 B", "1.00 KiB"]);
        assert_eq!([text(3 << 29), text(1 << 50)], ["1.50 GiB", "1.00 PiB"]);
        assert_eq!(text(u64::MAX), "16.00 EiB");
    }

    #[test]
    fn this_machine_has_memory() {
        let memory = Memory::now();
        assert!(memory.total > 0 && memory.available <= memory.total, "{memory:?}");
    }

    /// Runs itself under `ulimit -v`, where the limit is a GiB.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_limit_on_the_address_space_is_respected() {
        const LIMIT: u64 = 1 << 30;
        if std::env::var_os("FOURBOOK_TEST_LIMITED").is_some() {
            let memory = Memory::now();
            assert!(memory.total <= LIMIT && memory.available < LIMIT, "{memory:?}");
            return;
        }
        let this = std::env::current_exe().unwrap();
        let name = "memory::tests::a_limit_on_the_address_space_is_respected";
        let script = format!("ulimit -v {}; exec \"$0\" --exact {name}", LIMIT >> 10);
        let mut child = std::process::Command::new("sh");
        child.args(["-c", &script]).arg(this).env("FOURBOOK_TEST_LIMITED", "1");
        let run = child.output().unwrap();
        let text = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && text.contains("1 passed"), "{text}");
    }

    #[test]
    fn a_table_takes_a_quarter_of_what_is_free_and_at_most_a_gibibyte() {
        let table = |available| Memory { total: u64::MAX, available }.table_bytes();
        assert_eq!([table(900), table(2 << 30), table(1 << 40)], [225, 1 << 29, 1 << 30]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_kernel_says_it_where_the_file_is_hidden() {
        assert_eq!(memory_in(Path::new("/nonexistent/meminfo")), None);
        let hidden = memory_without_file();
        let shown = machine();
        assert!(hidden.total >= shown.total, "{hidden:?} {shown:?}");
        assert!(hidden.available > 0 && hidden.table_bytes() > 0, "{hidden:?}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_peak_is_at_least_what_was_just_used() {
        let bytes = std::hint::black_box(vec![1_u8; 32 << 20]);
        let peak = Memory::peak().unwrap();
        assert!(peak > bytes.len() as u64 && peak <= Memory::now().total, "{peak}");
    }

    /// Makes the folder of a control group, with these files.
    fn group<const N: usize>(folder: &Path, files: [(&str, &str); N]) {
        fs::create_dir_all(folder).unwrap();
        for (name, content) in files {
            fs::write(folder.join(name), content).unwrap();
        }
    }

    #[test]
    fn the_tightest_group_around_the_process_counts() {
        let mount = tempfile::tempdir().unwrap();
        let job = mount.path().join("batch/job");
        group(&job.join("step"), [("memory.max", "max\n")]);
        group(&job, [("memory.max", "500\n"), ("memory.current", "350\n")]);
        group(&job, [("memory.stat", "anon 100\ninactive_file 200\n")]);
        let memory = MACHINE.limited_by("0::/batch/job/step\n", mount.path());
        assert_eq!(memory, Memory { total: 500, available: 350 });
    }

    #[test]
    fn groups_of_version_1_count_as_well() {
        let mount = tempfile::tempdir().unwrap();
        // In a container, its group is the root of the mount.
        let files = [("memory.limit_in_bytes", "500\n"), ("memory.usage_in_bytes", "350\n")];
        group(&mount.path().join("memory"), files);
        let stat = [("memory.stat", "inactive_file 1\ntotal_inactive_file 200\n")];
        group(&mount.path().join("memory"), stat);
        let membership = "5:cpu,cpuacct:/docker/1\n4:memory:/docker/1\n0::/docker/1\n";
        let memory = MACHINE.limited_by(membership, mount.path());
        assert_eq!(memory, Memory { total: 500, available: 350 });
    }

    #[test]
    fn a_wider_group_that_others_fill_leaves_less() {
        let mount = tempfile::tempdir().unwrap();
        let batch = mount.path().join("batch");
        group(&batch.join("job"), [("memory.max", "500"), ("memory.current", "0")]);
        group(&batch, [("memory.max", "600"), ("memory.current", "590")]);
        // No limit, since the machine has less memory.
        group(mount.path(), [("memory.max", "1000"), ("memory.current", "999")]);
        let memory = MACHINE.limited_by("0::/batch/job\n", mount.path());
        assert_eq!(memory, Memory { total: 500, available: 10 });
    }

    #[test]
    fn without_groups_the_machine_is_the_limit() {
        let mount = tempfile::tempdir().unwrap();
        assert_eq!(MACHINE.limited_by("", mount.path()), MACHINE);
        assert_eq!(MACHINE.limited_by("0::/\n3:memory:/x\nnonsense", mount.path()), MACHINE);
    }
}
