//! Two-phase commit beside Spin, where `spin` and `cc` are installed: the same states, one thread, no reduction on either side.
//! The model is ours, written for this comparison: the whole system is one process whose options are the events, so a state of Spin's
//! is a state of ours. Each run asserts the number of states that are stored, so a model that drifts is a failure and not a figure.

use crate::growth::cpu_seconds;
use foresee_nodes::BuildOptions;
use foresee_search::{NoMeter, Silent};
use foresee_stateful::{Config, search};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const RMS: usize = 8;
const UNIQUE: u64 = 1_745_408;
const RUNS: usize = 3;

/// Resource managers work (0), have prepared (1), committed (2) or aborted (3); the transaction manager waits (0), has committed or aborted.
fn model(rms: usize) -> String {
    let all = (1 << rms) - 1;
    let mut text = format!(
        "byte rm[{rms}]; byte tm; unsigned ready : {rms}; unsigned told : {rms}; bit commit; bit abort;\n\
         active proctype system() {{\n  do\n\
         :: d_step {{ tm == 0 && ready == {all} -> tm = 2; commit = 1 }}\n\
         :: d_step {{ tm == 0 -> tm = 3; abort = 1 }}\n"
    );
    for rm in 0..rms {
        let bit = 1 << rm;
        let _ = write!(
            text,
            ":: d_step {{ tm == 0 && (told & {bit}) -> ready = ready | {bit} }}\n\
             :: d_step {{ rm[{rm}] == 0 -> rm[{rm}] = 1; told = told | {bit} }}\n\
             :: d_step {{ rm[{rm}] == 0 -> rm[{rm}] = 3 }}\n\
             :: d_step {{ commit -> rm[{rm}] = 2 }}\n\
             :: d_step {{ abort -> rm[{rm}] = 3 }}\n"
        );
    }
    text + "  od\n}\n"
}

/// Both sides, alternating; a line that says so where there is no Spin.
pub(crate) fn two_phase_commit() -> Value {
    let name = "stateful-spin-2pc-8";
    let has = |tool: &str| Command::new(tool).arg("-V").output().is_ok();
    if !(has("spin") && has("cc")) {
        return json!({ "bench": name, "skipped": "spin or cc is not installed" });
    }
    let folder = std::env::temp_dir().join(format!("foresee-bench-spin-{}", std::process::id()));
    let measured = measure(&folder);
    let _ = std::fs::remove_dir_all(&folder);
    match measured {
        Ok((ours, theirs)) => json!({
            "bench": name,
            "states": UNIQUE,
            "ours_cpu_s": ours,
            "peer": "spin, -O2 -DSAFETY -DNOREDUCE",
            "theirs_cpu_s": theirs,
            "ratio": (theirs / ours * 10.0).round() / 10.0,
        }),
        Err(why) => json!({ "bench": name, "failed": why }),
    }
}

fn measure(folder: &Path) -> Result<(f64, f64), String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    std::fs::write(folder.join("model.pml"), model(RMS)).map_err(|error| error.to_string())?;
    run(folder, "spin", &["-a", "model.pml"])?;
    run(folder, "cc", &["-O2", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"])?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        ours.push(explore());
        theirs.push(spin(folder)?);
    }
    ours.sort_by(f64::total_cmp);
    theirs.sort_by(f64::total_cmp);
    Ok((ours[RUNS / 2], theirs[RUNS / 2]))
}

fn run(folder: &Path, tool: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(tool).args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| format!("{tool}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text),
        false => Err(format!("{tool}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The CPU seconds of one run of the verifier that Spin has made.
fn spin(folder: &Path) -> Result<f64, String> {
    let before = cpu_of_children().ok_or("no /proc/self/stat")?;
    let told = run(folder, "./pan", &["-m100000000", "-w22", "-E"])?;
    let after = cpu_of_children().ok_or("no /proc/self/stat")?;
    let stored = told.lines().find(|line| line.contains("states, stored"));
    let stored = stored.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    match stored {
        Some(stored) if stored as u64 == UNIQUE => Ok(after - before),
        _ => Err(format!("{stored:?} states stored, not {UNIQUE}")),
    }
}

/// CPU seconds of the programs that this one has waited for.
fn cpu_of_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let numbers: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| numbers.get(at)?.parse::<f64>().ok();
    Some((ticks(13)? + ticks(14)?) / 100.0)
}

fn explore() -> f64 {
    let before = cpu_seconds().unwrap_or(0.0);
    let entries = foresee_systems::all();
    let entry = entries.iter().find(|entry| entry.name == "two-phase-commit").expect("built in");
    let rms = format!("rms={RMS}");
    let built = entry.build(&[&rms], &BuildOptions::default()).expect("good parameters");
    let report = search(built.system(), &Config::of(built.system()), &NoMeter, &mut Silent);
    assert_eq!(report.states, UNIQUE);
    cpu_seconds().unwrap_or(0.0) - before
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every resource manager has its five events, the transaction manager its two.
    #[test]
    fn the_model_has_all_events() {
        assert_eq!(model(3).matches(":: d_step").count(), 2 + 3 * 5);
    }
}
