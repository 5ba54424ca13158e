//! Grading one submission: compiled once, tested twice, each time until every test has a result.
//! Why twice: a verdict must depend on the solution alone. What differs from one process to the next is no function of the node's state and the
//! event; neither is what a handler does differently when it is called again, which every call is tried for. A solution with such a handler
//! gets a message that names the handler and no values, so that grading again gives the same bytes.
//! A test in which the process ends is decided from outside, and the others go on in a new process.

use crate::outside::{Ended, How, Limits, Mount, Spec, run};
use crate::record::{Listing, Order, Record, Reported};
use crate::workshop::{Workshop, open_to_all};
use crate::{BadSubmission, Submission, Timing};
use foresee_labs::{Number, Results, Status};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What every submission of a class is given.
#[derive(Clone, Debug)]
pub struct Conditions {
    pub seed: u64,
    /// Processor seconds for one test.
    pub cpu_s: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// For one test, on the clock: the last resort.
    pub wall: Duration,
}

/// What came of a submission.
#[derive(Debug)]
pub struct Graded {
    pub student: String,
    pub results: Results,
    /// Why there is nothing to test, or what was not taken.
    pub note: Option<String>,
    /// What the compiler said.
    pub compiler: String,
    /// What the solution printed while it was tested.
    pub printed: String,
    pub traces: Vec<(Number, String)>,
    pub timing: Vec<Timing>,
}

/// So many tests may fail to finish; the others are not tried then.
const UNFINISHED_MAX: usize = 3;
const SIGABRT: i32 = 6;
const SIGKILL: i32 = 9;
const SIGSEGV: i32 = 11;
const SIGXCPU: i32 = 24;
const STACK_USED_UP: &str = "the stack is used up: a recursion without end?";
/// Longer messages are the student's values.
const MESSAGE_MAX: usize = 10_000;
/// A longer trace helps nobody.
const TRACE_MAX: usize = 4 << 20;

/// The tests there are, from a solution that is known to compile: the skeleton.
pub fn listed(workshop: &Workshop, skeleton: &Submission, desk: &Path) -> Result<Listing, String> {
    let (compiled, steps) = workshop.compile(skeleton, desk).map_err(|error| error.to_string())?;
    let Ok(program) = compiled else {
        let said = steps.iter().map(said).collect::<String>();
        let how = steps.last().map(|step| format!("{:?}", step.how)).unwrap_or_default();
        return Err(format!("the skeleton does not compile ({how}):\n{said}"));
    };
    let conditions =
        Conditions { seed: 0, cpu_s: 60, memory: 4 << 30, wall: Duration::from_secs(600) };
    let bench = Bench { workshop, program, desk, conditions: &conditions };
    let (ended, records) = bench.run(None).map_err(|error| error.to_string())?;
    let listing = records.into_iter().find_map(|record| match record {
        Record::Lab(listing) => Some(listing),
        _ => None,
    });
    listing.ok_or_else(|| {
        format!("the skeleton's tests cannot be listed: {:?} {}", ended.how, said(&ended))
    })
}

/// Grades one submission, in a folder of its own.
pub fn grade(
    workshop: &Workshop,
    listing: &Listing,
    student: &str,
    submission: &Result<Submission, BadSubmission>,
    conditions: &Conditions,
    desk: &Path,
) -> std::io::Result<Graded> {
    let mut graded = Graded {
        student: student.to_owned(),
        results: listing.results(conditions.seed),
        note: None,
        compiler: String::new(),
        printed: String::new(),
        traces: Vec::new(),
        timing: Vec::new(),
    };
    let submission = match submission {
        Ok(submission) => submission,
        Err(bad) => {
            let told = Reported::told(
                Status::Failed,
                Some("the files of the lab are there"),
                bad.to_string(),
            );
            graded.give_all(listing, &told);
            graded.note = Some(bad.to_string());
            return Ok(graded);
        }
    };
    if !submission.ignored.is_empty() {
        graded.note = Some(format!("not taken: {}", submission.ignored.join(", ")));
    }
    let (compiled, steps) = workshop.compile(submission, desk)?;
    for step in &steps {
        graded.compiler.push_str(&said(step));
        graded.time("build", step);
    }
    let program = match compiled {
        Ok(program) => program,
        Err(ended) => {
            let told = not_compiled(&ended);
            graded.note = Some(told.message.clone());
            graded.give_all(listing, &told);
            return Ok(graded);
        }
    };
    let bench = Bench { workshop, program, desk, conditions };
    let first = bench.pass(listing, &mut graded)?;
    let second = bench.pass(listing, &mut graded)?;
    graded.take(listing, &first, &second);
    Ok(graded)
}

fn not_compiled(ended: &Ended) -> Reported {
    let told = |status, message: &str| {
        Reported::told(status, Some("the solution compiles"), message.to_owned())
    };
    match &ended.how {
        How::Exit(_) => told(
            Status::Failed,
            "the solution does not compile; log.txt has what the compiler says",
        ),
        How::Refused(message) => told(Status::Error, message),
        _ => told(
            Status::Unfinished,
            "the compiler was stopped: the solution takes too much time or memory to compile",
        ),
    }
}

/// A program that is tested.
struct Bench<'a> {
    workshop: &'a Workshop,
    program: PathBuf,
    desk: &'a Path,
    conditions: &'a Conditions,
}

/// What came of all tests in one pass.
struct Pass {
    results: BTreeMap<usize, Reported>,
    printed: Vec<u8>,
    is_cut: bool,
}

impl Bench<'_> {
    fn pass(&self, listing: &Listing, graded: &mut Graded) -> std::io::Result<Pass> {
        let mut pass = Pass { results: BTreeMap::new(), printed: Vec::new(), is_cut: false };
        let mut n_unfinished = 0;
        loop {
            let all = 0..listing.tests.len();
            let open: Vec<usize> = all.filter(|it| !pass.results.contains_key(it)).collect();
            if open.is_empty() {
                break;
            }
            if n_unfinished >= UNFINISHED_MAX {
                let message = format!("not tried: {UNFINISHED_MAX} tests before it did not finish");
                let told = Reported::told(Status::Unfinished, None, message);
                pass.results.extend(open.into_iter().map(|test| (test, told.clone())));
                break;
            }
            let (ended, records) = self.run(Some(open.clone()))?;
            graded.time("test", &ended);
            pass.print(&ended);
            let (mut current, mut is_finished, mut broken) = (None, false, None);
            for record in records {
                match record {
                    Record::Began { test } => current = Some(test),
                    Record::Ended { test, result } => {
                        current = None;
                        pass.results.insert(test, result.shortened());
                    }
                    Record::Broken { message } => broken = Some(message),
                    Record::Finished => is_finished = true,
                    Record::Lab(_) => {}
                }
            }
            if is_finished {
                continue;
            }
            let told = match broken {
                Some(message) => {
                    let message = format!("the solution panicked when it was made: {message}");
                    Reported::told(Status::Failed, Some("no panic"), message).shortened()
                }
                None => self.decided(&ended),
            };
            n_unfinished += usize::from(told.status == Status::Unfinished.word());
            match current {
                Some(test) => drop(pass.results.insert(test, told)),
                // It ended before the first test, and would again.
                None => pass.results.extend(open.into_iter().map(|test| (test, told.clone()))),
            }
        }
        Ok(pass)
    }

    /// One process; `None` lists the tests.
    fn run(&self, tests: Option<Vec<usize>>) -> std::io::Result<(Ended, Vec<Record>)> {
        let folder = self.desk.join("records");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)?;
        open_to_all(&folder)?;
        let file = folder.join("records");
        std::fs::write(&file, "")?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o666))?;
        }
        let Conditions { seed, cpu_s, memory, wall } = *self.conditions;
        let n_tests = tests.as_ref().map_or(1, Vec::len) as u64;
        let order = Order {
            records: self.workshop.seen(&folder, "/records").join("records"),
            seed,
            tests,
            cpu_s,
            checks_code: true,
        };
        let program = self.workshop.seen(&self.program, "/graded");
        let spec = Spec {
            root: self.desk.join("root"),
            read_only: [
                crate::cell::system_folders(),
                vec![Mount { outside: self.program.clone(), inside: program.clone() }],
            ]
            .concat(),
            writable: vec![Mount { outside: folder.clone(), inside: "/records".into() }],
            working_folder: "/".into(),
            program,
            words: Vec::new(),
            environment: Vec::new(),
            input: serde_json::to_string(&order).expect("plain data"),
            limits: Limits {
                cpu_s: cpu_s.saturating_mul(n_tests + 1),
                memory,
                file: 256 << 20,
                processes: 64,
                wall: wall.saturating_mul(n_tests as u32 + 1),
            },
            is_closed: self.workshop.plan.is_closed,
            status: self.desk.join("status"),
        };
        let ended = run(&self.workshop.plan.cell, &spec);
        let bytes = std::fs::read(&file)?;
        let lines = bytes.split(|byte| *byte == b'\n');
        let records = lines.filter_map(|line| serde_json::from_slice(line).ok()).collect();
        Ok((ended, records))
    }

    /// What to say of a test during which the process ended.
    fn decided(&self, ended: &Ended) -> Reported {
        let Conditions { cpu_s, memory, wall, .. } = self.conditions;
        let failed = |property: &str, message: &str| {
            Reported::told(Status::Failed, Some(property), message.to_owned())
        };
        let unfinished = |message: String| Reported::told(Status::Unfinished, None, message);
        match &ended.how {
            How::Exit(code) if *code == i32::from(crate::inside::NOT_PREPARED) => {
                let message = "the tests could not be closed off from the solution";
                Reported::told(Status::Error, None, message.to_owned())
            }
            How::Exit(_) => failed("the process goes on", "the solution ended the process"),
            How::Signal(SIGXCPU | SIGKILL) => {
                unfinished(format!("it did not finish in {cpu_s} s of processor time"))
            }
            How::Wall => {
                unfinished(format!("it did not finish in {} s on the clock", wall.as_secs()))
            }
            How::Signal(SIGABRT) => match cause_of_abort(&ended.output) {
                Abort::Memory => unfinished(format!("it wants more than {} MiB", memory >> 20)),
                Abort::Stack => failed("the process goes on", STACK_USED_UP),
                Abort::Other => failed("the process goes on", "the solution aborted the process"),
            },
            // Rust's runtime cannot tell where the stack ends in a cell without /proc; and a solution has no unsafe code.
            How::Signal(SIGSEGV) => failed("the process goes on", STACK_USED_UP),
            How::Signal(signal) => {
                failed("the process goes on", &format!("signal {signal} ended the process"))
            }
            How::Refused(message) => Reported::told(Status::Error, None, message.clone()),
        }
    }
}

enum Abort {
    Memory,
    Stack,
    Other,
}

/// Why Rust's runtime has aborted. It says so to people only; a solution that says the same gets no more points by it.
fn cause_of_abort(output: &[u8]) -> Abort {
    let last = &output[output.len().saturating_sub(4_096)..];
    let has = |words: &[u8]| last.windows(words.len()).any(|it| it == words);
    match () {
        () if has(b"memory allocation of ") => Abort::Memory,
        () if has(b"has overflowed its stack") => Abort::Stack,
        () => Abort::Other,
    }
}

impl Pass {
    fn print(&mut self, ended: &Ended) {
        let room = crate::outside::OUTPUT_MAX - self.printed.len();
        let taken = ended.output.len().min(room);
        self.printed.extend_from_slice(&ended.output[..taken]);
        self.is_cut |= ended.is_cut || taken < ended.output.len();
    }

    fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.printed).into_owned();
        match self.is_cut {
            true => format!("{text}\n[the solution printed more; 1 MiB is kept]\n"),
            false => text,
        }
    }
}

impl Reported {
    fn shortened(mut self) -> Self {
        if let Some((end, _)) = self.message.char_indices().nth(MESSAGE_MAX) {
            self.message.truncate(end);
            self.message.push_str(" …");
        }
        self.trace = self.trace.filter(|trace| trace.len() <= TRACE_MAX);
        self
    }
}

impl Graded {
    fn give_all(&mut self, listing: &Listing, told: &Reported) {
        self.results.tests.extend(listing.tests.iter().map(|test| test.result(told)));
    }

    fn time(&mut self, step: &'static str, ended: &Ended) {
        self.timing.push(Timing { step, cpu: ended.cpu, wall: ended.wall });
    }

    /// The results of the first pass, if the second says the same.
    fn take(&mut self, listing: &Listing, first: &Pass, second: &Pass) {
        let both = || first.results.values().chain(second.results.values());
        let handlers: BTreeSet<&str> =
            both().filter_map(|result| result.nondeterministic.as_deref()).collect();
        let agreed = |test: &usize| agreed(first.results.get(test)?, second.results.get(test)?);
        let differs = (0..listing.tests.len()).any(|test| agreed(&test).is_none());
        let wrong = (differs || !handlers.is_empty()).then(|| nondeterministic(&handlers));
        for (test, listed) in listing.tests.iter().enumerate() {
            let agreed = agreed(&test);
            let is_hit = listed.is_about_handlers() || agreed.is_none();
            let reported = match (&wrong, agreed) {
                (Some(message), _) if is_hit => Reported::told(
                    Status::Failed,
                    Some("handlers are deterministic"),
                    message.clone(),
                ),
                (_, Some(agreed)) => agreed.clone(),
                (_, None) => unreachable!("what differs is wrong"),
            };
            if let Some(trace) = reported.trace.clone() {
                self.traces.push((listed.number(), trace));
            }
            self.results.tests.push(listed.result(&reported));
        }
        self.printed = match (first.text(), second.text()) {
            (one, other) if one == other => one,
            _ => "[what the solution prints differs from run to run; it is left out]\n".to_owned(),
        };
    }
}

/// What two passes say of a test; `None` if they contradict each other. A limit that only one of them has run into is no contradiction: a loaded machine
/// is slow now and not then, and says nothing of the solution.
fn agreed<'a>(one: &'a Reported, other: &'a Reported) -> Option<&'a Reported> {
    let is_unfinished = |it: &Reported| it.status == Status::Unfinished.word();
    match (is_unfinished(one), is_unfinished(other)) {
        (false, true) | (true, true) => Some(one),
        (true, false) => Some(other),
        (false, false) => (one == other).then_some(one),
    }
}

/// The same words however the differences were found.
fn nondeterministic(handlers: &BTreeSet<&str>) -> String {
    let named: Vec<&str> = handlers.iter().copied().collect();
    let who = match named.is_empty() {
        true => "some handler".to_owned(),
        false => named.join(" and "),
    };
    format!(
        "{who} did something else when it was called again with the same state and event. A handler must be a function of both: no \
         clock, no random numbers, no static, no walk through a HashMap"
    )
}

/// What a program printed.
fn said(ended: &Ended) -> String {
    String::from_utf8_lossy(&ended.output).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_one_pass_ran_into_is_no_contradiction() {
        let told = |status, message: &str| Reported::told(status, None, message.to_owned());
        let [passed, other] = ["3 states", "4 states"].map(|it| told(Status::Passed, it));
        let late = told(Status::Unfinished, "it did not finish in 4 s on the clock");
        let too = told(Status::Unfinished, "it did not finish in 2 s of processor time");
        assert_eq!(agreed(&passed, &passed), Some(&passed));
        assert_eq!(agreed(&passed, &other), None);
        assert_eq!(
            (agreed(&passed, &late), agreed(&late, &passed)),
            (Some(&passed), Some(&passed))
        );
        assert_eq!(agreed(&late, &too), Some(&late));
    }
}
