//! A cell from the outside: what it is given, how it is started, watched and ended.
//! The cell is this binary again ([`crate::enter`]): making namespaces needs a process with one thread, and what is forked there must not run
//! anything before it has given up its rights.

use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What is started, and what it may see and use.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Spec {
    /// An empty folder, on which the cell's root is put.
    pub root: PathBuf,
    pub read_only: Vec<Mount>,
    pub writable: Vec<Mount>,
    /// As seen from inside, like the program.
    pub working_folder: PathBuf,
    pub program: PathBuf,
    pub words: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// Given to the program on its standard input.
    pub input: String,
    pub limits: Limits,
    /// Whether there are namespaces at all; without, only the limits hold.
    pub is_closed: bool,
    /// Where the cell says how the program ended; the program cannot see it.
    pub status: PathBuf,
}

/// A file or folder that can be seen from inside.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Mount {
    pub outside: PathBuf,
    pub inside: PathBuf,
}

/// What the program may use.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct Limits {
    /// Seconds of processor time.
    pub cpu_s: u64,
    /// Bytes of address space.
    pub memory: u64,
    /// Bytes of the largest file.
    pub file: u64,
    pub processes: u64,
    /// On the clock: the last resort.
    pub wall: Duration,
}

/// How the program ended.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum How {
    Exit(i32),
    Signal(i32),
    /// The clock ran out.
    Wall,
    /// It could not be started.
    Refused(String),
}

/// What is known of a program that has ended.
#[derive(Clone, Debug)]
pub struct Ended {
    pub how: How,
    /// What it printed, the beginning of it.
    pub output: Vec<u8>,
    /// Whether it printed more.
    pub is_cut: bool,
    pub cpu: Duration,
    pub wall: Duration,
}

/// What a cell says at its end.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Status {
    pub(crate) how: How,
    pub(crate) cpu: Duration,
}

/// What is kept of the output of a program.
pub(crate) const OUTPUT_MAX: usize = 1 << 20;
/// The first word of the command line of a cell.
pub(crate) const OUTER: &str = "__cell";
pub(crate) const INNER: &str = "__cell-inner";

/// Runs a program in a cell. `cell` is the binary whose `main` calls [`crate::enter`].
pub fn run(cell: &Path, spec: &Spec) -> Ended {
    let begin = Instant::now();
    let refused = |message: String| Ended {
        how: How::Refused(message),
        output: Vec::new(),
        is_cut: false,
        cpu: Duration::ZERO,
        wall: begin.elapsed(),
    };
    let text = serde_json::to_string(spec).expect("plain data");
    let started = std::io::pipe().and_then(|(reader, writer)| {
        let mut command = Command::new(cell);
        command.arg(OUTER).arg(text).env_clear();
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        Ok((command.spawn()?, reader))
    });
    let (mut child, reader) = match started {
        Ok(started) => started,
        Err(error) => return refused(error.to_string()),
    };
    let reading = std::thread::spawn(move || first_of(reader));
    let mut is_over_time = false;
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(_)) => break,
            Ok(None) if begin.elapsed() > spec.limits.wall => {
                is_over_time = true;
                // Everything in the cell dies with its first process.
                let _ = child.kill();
                let _ = child.wait();
                break;
            }
            Ok(None) => std::thread::sleep(pause),
            Err(error) => return refused(error.to_string()),
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
    let (output, is_cut) = reading.join().unwrap_or_default();
    let told = std::fs::read(&spec.status).ok();
    let told = told.and_then(|bytes| serde_json::from_slice::<Status>(&bytes).ok());
    let (how, cpu) = match told {
        _ if is_over_time => (How::Wall, Duration::ZERO),
        Some(Status { how, cpu }) => (how, cpu),
        None => {
            let said = String::from_utf8_lossy(&output).trim().to_owned();
            (How::Refused(format!("the cell ended without a word: {said}")), Duration::ZERO)
        }
    };
    Ended { how, output, is_cut, cpu, wall: begin.elapsed() }
}

/// The beginning of what is printed; the rest is read and dropped, so that nobody waits for a full pipe.
fn first_of(mut reader: impl Read) -> (Vec<u8>, bool) {
    let (mut kept, mut is_cut) = (Vec::new(), false);
    let mut buffer = vec![0; 1 << 16];
    while let Ok(n) = reader.read(&mut buffer) {
        if n == 0 {
            break;
        }
        let room = (OUTPUT_MAX - kept.len()).min(n);
        kept.extend_from_slice(&buffer[..room]);
        is_cut |= room < n;
    }
    (kept, is_cut)
}
