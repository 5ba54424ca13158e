//! Running a command within limits: time, memory, and what it used.
//! Why a shell in between: it sets the limit on memory for the command alone and says how much processor time it took,
//! neither of which the standard library can do.
//! A command whose output already says enough is ended there: of many tests, the first that fails decides.
//! Time is processor time, so that other work on the machine does not pass for a bug; a command that stands still is ended, too.
//! Invariant: when `run` returns, the command and everything it started have ended.

use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The most that tests may use: a bug that eats memory ends there.
pub(super) const TEST_MEMORY_KIB: u64 = 6_000_000;

const SCRIPT: &str = "limit=$1; used=$2; shift 2; \
     [ $limit = 0 ] || ulimit -v $limit; \
     \"$@\"; code=$?; times >$used; exit $code";

/// What may be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Processor time of the command and of all it starts.
    pub(super) time: Duration,
    /// 0 for no bound.
    pub(super) memory_kib: u64,
    /// How a line of the output ends after which nothing else is of interest.
    pub(super) enough: Option<&'static str>,
}

/// How a command ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) is_success: bool,
    pub(super) is_late: bool,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// Processor time.
    pub(super) work_seconds: f64,
}

/// Runs `words` in `folder`; what it writes is kept in `scratch`.
pub(super) fn run(
    words: &[String],
    folder: &Path,
    scratch: &Path,
    environment: &[(String, String)],
    bounds: Bounds,
) -> Result<Ended> {
    let path = |name: &str| scratch.join(name);
    let create = |name: &str| File::create(path(name)).context("no room for output");
    let _ = fs::remove_file(path("times"));
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT, "sh"]).arg(bounds.memory_kib.to_string()).arg(path("times"));
    command.args(words).current_dir(folder).envs(environment.iter().cloned());
    for name in ["UPDATE_EXPECT", "BLESS", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::null()).stdout(create("stdout")?).stderr(create("stderr")?);
    // A group of its own, so that everything it starts can be ended with it.
    let started = Instant::now();
    let mut child = command.process_group(0).spawn().context("no shell")?;
    let status = wait(&mut child, bounds.time, bounds.enough, &path("stdout"))?;
    let seconds = started.elapsed().as_secs_f64();
    let used = fs::read_to_string(path("times")).ok().and_then(|text| processor_time(&text));
    Ok(Ended {
        is_success: status == Status::Success,
        is_late: status == Status::Late,
        stdout: read(&path("stdout"))?,
        stderr: read(&path("stderr"))?,
        work_seconds: used.unwrap_or(seconds),
    })
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Status {
    Success,
    Failure,
    /// It was ended, since it was not done in time.
    Late,
}

/// Whoever uses no processor time for so long waits for something that does not come.
const IDLE_MAX: Duration = Duration::from_secs(30);

/// What a group of processes has used, looked at now and then.
struct Clock {
    group: u32,
    started: Instant,
    looked: Instant,
    /// The last look that found more than the one before.
    moved: Instant,
    used: Duration,
}

impl Clock {
    fn new(group: u32) -> Clock {
        let now = Instant::now();
        Clock { group, started: now, looked: now, moved: now, used: Duration::ZERO }
    }

    /// Whether the time is over: used up, spent standing still, or gone twenty times over without either.
    fn is_late(&mut self, time: Duration) -> bool {
        if self.looked.elapsed() >= Duration::from_millis(200) {
            self.looked = Instant::now();
            // Where the system does not tell, everything that has passed counts.
            let used = used_by(self.group).unwrap_or_else(|| self.started.elapsed());
            if used > self.used {
                (self.used, self.moved) = (used, self.looked);
            }
        }
        let passed = self.started.elapsed();
        self.used >= time
            || passed >= 20 * time
            || (passed >= time && self.moved.elapsed() >= IDLE_MAX)
    }
}

/// The processor time of a group of processes, and of their children that have ended.
fn used_by(group: u32) -> Option<Duration> {
    let mut ticks = 0;
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name, in brackets, may contain anything; after it come state, parent and group.
        let Some((_, rest)) = stat.rsplit_once(") ") else { continue };
        let fields: Vec<&str> = rest.split(' ').collect();
        if fields.get(2).and_then(|it| it.parse().ok()) == Some(group) {
            let of = |it: &&str| it.parse::<u64>().unwrap_or(0);
            ticks += fields.iter().skip(11).take(4).map(of).sum::<u64>();
        }
    }
    // A hundred ticks a second, on every Linux that tells them to programs.
    Some(Duration::from_millis(10 * ticks))
}

/// How it ends; it is ended when the time is over, or when its output says enough, which is a failure.
fn wait(child: &mut Child, time: Duration, enough: Option<&str>, output: &Path) -> Result<Status> {
    let mut output = File::open(output)?;
    let mut read_to = 0;
    let mut status = Status::Late;
    let mut clock = Clock::new(child.id());
    while !clock.is_late(time) {
        if let Some(ended) = child.try_wait()? {
            return Ok(if ended.success() { Status::Success } else { Status::Failure });
        }
        if let Some(enough) = enough
            && says(&mut output, &mut read_to, enough)?
        {
            status = Status::Failure;
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status()?;
    child.wait()?;
    Ok(status)
}

/// Whether a whole line that was not read before ends so.
fn says(output: &mut File, read_to: &mut u64, end: &str) -> Result<bool> {
    if output.metadata()?.len() == *read_to {
        return Ok(false);
    }
    let mut bytes = Vec::new();
    output.seek(SeekFrom::Start(*read_to))?;
    output.read_to_end(&mut bytes)?;
    let Some(last) = bytes.iter().rposition(|it| *it == b'\n') else { return Ok(false) };
    *read_to += last as u64 + 1;
    Ok(String::from_utf8_lossy(&bytes[..last]).lines().any(|line| line.ends_with(end)))
}

/// A runaway may write a lot; the beginning and nothing else is read.
fn read(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(32 << 20).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What `times` of a shell says: a line for itself and one for its children, user and system time in each.
fn processor_time(text: &str) -> Option<f64> {
    let mut seconds = 0.0;
    for word in text.split_whitespace() {
        let (minutes, rest) = word.split_once('m')?;
        seconds +=
            60.0 * minutes.parse::<f64>().ok()? + rest.strip_suffix('s')?.parse::<f64>().ok()?;
    }
    Some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What came of it, and how long it took.
    fn shell(text: &str, time: Duration) -> (Ended, f64) {
        let scratch = std::env::temp_dir().join(format!("foresee-mutants-{}", text.len()));
        fs::create_dir_all(&scratch).unwrap();
        let words = ["sh", "-c", text].map(str::to_owned);
        let started = Instant::now();
        let ended = run(
            &words,
            &scratch,
            &scratch,
            &[],
            Bounds { time, memory_kib: 2_000_000, enough: Some(" FAILED") },
        );
        let seconds = started.elapsed().as_secs_f64();
        fs::remove_dir_all(&scratch).unwrap();
        (ended.unwrap(), seconds)
    }

    #[test]
    fn a_command_that_does_not_end_is_ended() {
        let (ended, seconds) =
            shell("echo so far; sleep 90 & sleep 90", Duration::from_millis(300));
        assert!(ended.is_late && !ended.is_success && seconds < 60.0);
        assert_eq!(ended.stdout, "so far\n");
    }

    #[test]
    fn a_command_has_its_processor_time_however_long_it_takes() {
        let (ended, seconds) =
            shell("sleep 1.5; echo done; while :; do :; done", Duration::from_secs(1));
        assert!(ended.is_late && seconds > 2.0);
        assert_eq!(ended.stdout, "done\n");
    }

    #[test]
    fn a_command_that_has_said_enough_is_ended() {
        let (ended, seconds) =
            shell("echo a FAILED; sleep 50; echo not this", Duration::from_secs(60));
        assert!(!ended.is_late && !ended.is_success && seconds < 40.0);
        assert_eq!(ended.stdout, "a FAILED\n");
    }

    #[test]
    fn success_failure_and_the_bound_on_memory_are_told() {
        let long = Duration::from_secs(60);
        assert!(shell("exit 0", long).0.is_success);
        assert!(!shell("echo; exit 3", long).0.is_success);
        assert_eq!(shell("ulimit -v; true", long).0.stdout, "2000000\n");
    }

    #[test]
    fn processor_time_is_read_from_what_a_shell_says() {
        assert_eq!(processor_time("0m0.5s 0m0.25s\n1m2s 0m0.25s\n"), Some(63.0));
        assert_eq!(processor_time("none"), None);
    }
}
