//! `foresee simulate` of an Erlang program: a log of what each process does, or a summary of how many runs ended.
//! The log: virtual time, who, what, and the place in the source. What the program prints stands after a bar, so that it cannot be
//! mistaken for the log.

use crate::args::{Format, Output, Simulate};
use crate::erlang::Disk;
use crate::simulate::EVENTS_MAX;
use crate::style::{BOLD, CYAN, DIM, GREEN, RED, YELLOW};
use crate::{Program, check, files, last_words, meter, print, render, run_text, units};
use foresee_session::{
    Diagnostic, ErlangOutcome, ErlangSimulateRequest, ErlangSimulationReport, Loaded, Outcome,
    Report, Scene, SceneKind, load_erlang, simulate_erlang,
};
use std::fmt::Write;
use std::time::Duration;

pub(crate) fn run(program: &Program, arguments: &Simulate) -> u8 {
    match load(arguments).and_then(|loaded| simulated(&loaded, arguments)) {
        Ok(simulated) => show(&simulated, arguments, program),
        Err(diagnostic) => {
            let (what, output) = (&arguments.what, &arguments.output);
            check::report_error("simulate", what, output, diagnostic, program)
        }
    }
}

/// A supervisor's orderly shutdown is not a failure of a run.
fn load(arguments: &Simulate) -> Result<Loaded, Diagnostic> {
    let mut request = arguments.what.erlang_request(None)?;
    request.options.normal_reasons.push("shutdown".to_owned());
    load_erlang(&request, &Disk)
}

fn simulated(loaded: &Loaded, arguments: &Simulate) -> Result<ErlangSimulationReport, Diagnostic> {
    let output = &arguments.output;
    let shows_events = output.format == Format::Text && !output.quiet;
    let mut log = Log { width: 0, is_verbose: output.verbose };
    let mut observer = |scene: &Scene| {
        if arguments.output_only {
            if scene.kind == SceneKind::Output {
                print(&scene.what);
            }
        } else if shows_events {
            print(&log.lines(scene));
        }
    };
    let meter = meter::RealMeter::start(&arguments.limits());
    let simulated = simulate_erlang(loaded, &request(arguments), &meter, &mut observer);
    last_words::told();
    let mut simulated = simulated?;
    simulated.report.peak_memory_bytes = meter::peak_memory_bytes().unwrap_or(0);
    if !arguments.output_only {
        files::save_traces(&mut simulated.report, loaded.short_name(), None);
    }
    Ok(simulated)
}

fn request(arguments: &Simulate) -> ErlangSimulateRequest {
    let grace = if arguments.output_only { Duration::ZERO } else { Duration::from_secs(60) };
    ErlangSimulateRequest {
        seed: arguments.seed,
        runs: arguments.runs,
        events_max: arguments.depth_max.unwrap_or(EVENTS_MAX),
        virtual_time_max: arguments.virtual_time_max,
        grace,
        time_max: arguments.time_max,
        evidence: !arguments.output_only,
    }
}

fn show(simulated: &ErlangSimulationReport, arguments: &Simulate, program: &Program) -> u8 {
    let (report, output) = (&simulated.report, &arguments.output);
    match output.format {
        _ if arguments.output_only => {
            for outcome in &simulated.outcomes {
                outcome.run.failures.iter().for_each(|line| crate::note(line));
            }
            if let Some(error) = &report.error {
                crate::note(&render::diagnostic(error, &program.name));
            }
        }
        Format::Text => {
            print(&text(simulated, arguments, program));
            report.warnings.iter().for_each(|it| crate::note(&render::warning(it)));
            if let Some(error) = &report.error {
                crate::note(&render::diagnostic(error, &program.name));
            }
        }
        Format::Json => {
            let json = serde_json::to_string(simulated).expect("plain data");
            print(&format!("{json}\n"));
        }
        Format::Junit => return check::show(report, output, program),
    }
    report.verdict.exit_code()
}

/// Lines of the log, in columns.
struct Log {
    /// Of the widest name so far.
    width: usize,
    is_verbose: bool,
}

impl Log {
    fn lines(&mut self, scene: &Scene) -> String {
        if scene.kind == SceneKind::Aftermath && !self.is_verbose {
            return String::new();
        }
        self.width = self.width.max(scene.who.chars().count()).max(10);
        let who = format!("{:width$}", scene.who, width = self.width);
        let time = format!("{:>8.3}", scene.time.as_secs_f64());
        let mut text = String::new();
        let mut what = scene.what.lines();
        match scene.kind {
            SceneKind::Output => {
                for line in what {
                    let _ = writeln!(text, "{DIM}{time}{DIM:#}  {who}  {CYAN}|{CYAN:#} {line}");
                }
            }
            SceneKind::Crash => {
                let reason = what.next().unwrap_or_default();
                let _ = writeln!(text, "{DIM}{time}{DIM:#}  {who}  {RED}crashed: {reason}{RED:#}");
                for line in what {
                    let indent = " ".repeat(time.len() + self.width + 6);
                    let _ = writeln!(text, "{indent}{DIM}{line}{DIM:#}");
                }
            }
            _ => {
                let what = self.shortened(&scene.what);
                let _ = write!(text, "{DIM}{time}{DIM:#}  {who}  {what}");
                if let Some(place) = &scene.place {
                    let _ = write!(text, "  {DIM}{place}{DIM:#}");
                }
                text.push('\n');
            }
        }
        text
    }

    fn shortened(&self, what: &str) -> String {
        const CHARACTERS_MAX: usize = 100;
        match what.char_indices().nth(CHARACTERS_MAX) {
            Some((end, _)) if !self.is_verbose => format!("{}…", &what[..end]),
            _ => what.to_owned(),
        }
    }
}

/// How it ended, then the verdict, then what to type next.
fn text(simulated: &ErlangSimulationReport, arguments: &Simulate, program: &Program) -> String {
    let (report, output) = (&simulated.report, &arguments.output);
    let mut text = String::new();
    if !output.quiet {
        text.push_str(&if report.interleavings == 1 {
            one_run(simulated)
        } else {
            many_runs(simulated)
        });
    }
    match report.verdict {
        Outcome::Holds => {
            let runs = units::counted(report.interleavings, "run");
            let _ = writeln!(text, "{GREEN}nothing wrong{GREEN:#} in {runs} of {}", report.system);
            text.push_str(&scope(report, output));
        }
        Outcome::Inconclusive => {
            let _ = writeln!(text, "{YELLOW}inconclusive{YELLOW:#}: {}", report.system);
            let _ = writeln!(text, "  {}", render::why_inconclusive(report));
            text.push_str(&scope(report, output));
        }
        Outcome::Violated | Outcome::Error => {
            for found in &report.violations {
                text.push_str(&render::headline(report, found));
                if output.quiet {
                    continue;
                }
                let has_seen_it = report.interleavings == 1;
                text.push_str(&if has_seen_it {
                    run_text::why(found, output)
                } else {
                    run_text::story(found, output)
                });
                if !has_seen_it {
                    let _ =
                        writeln!(text, "whole:   {}", one_seed(arguments, report.seed, program));
                }
                text.push_str(&render::next_commands(report, found, &program.name));
            }
        }
    }
    text
}

fn scope(report: &Report, output: &Output) -> String {
    if output.quiet { String::new() } else { render::scope(report) }
}

/// The command that shows one of many runs.
fn one_seed(arguments: &Simulate, seed: u64, program: &Program) -> String {
    let what = &arguments.what;
    let flag = |flag: &str, value: &str| match value.starts_with('-') {
        true => format!("{flag}={}", render::quoted(value)),
        false => format!("{flag} {}", render::quoted(value)),
    };
    let mut words = vec![program.name.clone(), "simulate".to_owned()];
    let files = std::iter::once(&what.name).chain(&what.parameters);
    words.extend(files.map(|file| render::quoted_file(file)));
    words.extend(what.erlang.module.iter().map(|module| flag("-m", module)));
    words.extend(what.erlang.test.iter().map(|test| flag("-t", test)));
    words.extend(what.erlang.sources.words());
    words.push(format!("--seed {seed}"));
    words.join(" ")
}

fn one_run(simulated: &ErlangSimulationReport) -> String {
    let mut text = String::new();
    let Some(outcome) = simulated.outcomes.first() else { return text };
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#} {DIM}after {}, {} of virtual time{DIM:#}",
        outcome.run.outcome,
        units::counted(simulated.report.transitions, "event"),
        units::duration(simulated.virtual_seconds)
    );
    text.push_str(&processes(outcome, "  "));
    // A single failure is told below, with where it was raised.
    for failure in outcome.run.failures.iter().filter(|_| outcome.run.failures.len() > 1) {
        let _ = writeln!(text, "  {RED}{failure}{RED:#}");
    }
    text
}

fn many_runs(simulated: &ErlangSimulationReport) -> String {
    let report = &simulated.report;
    let mut text = String::new();
    let width = simulated.outcomes.iter().map(|outcome| units::grouped(outcome.runs).len()).max();
    let width = width.unwrap_or(0);
    for outcome in &simulated.outcomes {
        let n = units::grouped(outcome.runs);
        let _ = writeln!(
            text,
            "{n:>width$}  {BOLD}{}{BOLD:#}  {DIM}first with --seed {}{DIM:#}",
            outcome.run.outcome, outcome.seed
        );
        let indent = " ".repeat(width + 4);
        for failure in &outcome.run.failures {
            let _ = writeln!(text, "{indent}{RED}{failure}{RED:#}");
        }
        text.push_str(&processes(outcome, &indent));
    }
    let _ = writeln!(
        text,
        "{DIM}{}, {}, {}, {} of virtual time in {}{DIM:#}",
        units::counted(report.interleavings, "run"),
        units::counted(simulated.outcomes.len() as u64, "outcome"),
        units::counted(report.transitions, "event"),
        units::duration(simulated.virtual_seconds),
        units::duration(report.seconds)
    );
    text
}

/// How each process stands.
fn processes(outcome: &ErlangOutcome, indent: &str) -> String {
    let ends = &outcome.run.processes;
    let width = ends.iter().map(|end| end.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for end in ends {
        let _ = writeln!(text, "{indent}{:width$}  {DIM}{}{DIM:#}", end.name, end.status);
    }
    text
}
