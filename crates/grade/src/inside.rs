//! The program in a cell: our tests, linked to somebody's solution.
//! Invariant: whatever must be opened is open before the solution's code runs for the first time, and nothing of it can be reached by code
//! that has no unsafe parts.

use crate::record::{Listing, Order, Record, Reported};
use foresee_labs::{BuildOptions, Lab, carry_out_with};
use foresee_node::run_checked;
use std::fs::File;
use std::io::{Read, Write};
use std::process::ExitCode;

/// Runs the tests that it is told to on its standard input. `make` is the first call of the solution's code.
pub fn inside(make: impl FnOnce() -> Lab) -> ExitCode {
    match prepared() {
        Ok((order, records)) => {
            work(&order, Records { file: records }, make);
            ExitCode::SUCCESS
        }
        Err(_) => ExitCode::from(NOT_PREPARED),
    }
}

/// What it could not open or close off, it does not run.
pub(crate) const NOT_PREPARED: u8 = 71;

fn prepared() -> Result<(Order, File), String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    let order: Order = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let records = File::options().append(true).open(&order.records);
    let records = records.map_err(|error| error.to_string())?;
    #[cfg(target_os = "linux")]
    crate::filter::apply()?;
    Ok((order, records))
}

struct Records {
    file: File,
}

impl Records {
    fn write(&mut self, record: &Record) {
        let mut line = serde_json::to_vec(record).expect("plain data");
        line.push(b'\n');
        // One call: a line is there whole or not at all.
        self.file.write_all(&line).expect("the file of records was open");
    }
}

fn work(order: &Order, mut records: Records, make: impl FnOnce() -> Lab) {
    allow_processor_time(order.cpu_s);
    let lab = match run_checked(make) {
        Ok(lab) => lab,
        Err(message) => return records.write(&Record::Broken { message }),
    };
    let Some(tests) = &order.tests else {
        records.write(&Record::Lab(Listing::of(&lab)));
        return records.write(&Record::Finished);
    };
    let options = BuildOptions { check_code: order.checks_code, ..BuildOptions::default() };
    for &test in tests {
        let Some(plan) = lab.tests.get(test) else { continue };
        records.write(&Record::Began { test });
        allow_processor_time(order.cpu_s);
        let result = carry_out_with(lab.id, plan, order.seed, &options);
        records.write(&Record::Ended { test, result: Reported::of(&result) });
    }
    records.write(&Record::Finished);
}

/// So many seconds more; then a signal ends the process.
#[cfg(target_os = "linux")]
fn allow_processor_time(seconds: u64) {
    use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage, setrlimit};
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return };
    let used = usage.user_time().tv_sec() + usage.system_time().tv_sec();
    let Ok((_, most)) = getrlimit(Resource::RLIMIT_CPU) else { return };
    let until = (used as u64 + seconds + 1).min(most);
    let _ = setrlimit(Resource::RLIMIT_CPU, until, most);
}

#[cfg(not(target_os = "linux"))]
fn allow_processor_time(_seconds: u64) {}
