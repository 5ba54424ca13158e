//! `foresee simulate`: one run, printed as it goes, or many, counted.

use crate::args::{Faults, Format, Output, Simulate};
use crate::disk::Disk;
use crate::scene_text::Log;
use crate::style::{BOLD, DIM, GREEN, RED, YELLOW};
use crate::{
    Program, check, debug, files, last_words, meter, print, render, run_text, tested, units, what,
};
use foresee_session::{
    Diagnostic, Ending, Feature, Kind, Latency, Loaded, Outcome, Report, Scene, SceneKind,
    SimulateRequest, SimulatedNetwork, SimulationReport, Source, open, simulate,
};
use std::fmt::Write;

pub(crate) fn run(program: &Program, arguments: &Simulate) -> u8 {
    if let Some(code) = tested::simulated(program, arguments) {
        return code;
    }
    meter::listen_for_interrupt();
    let opened =
        arguments.source(program).and_then(|source| open(&source, &program.registry, &Disk));
    let simulated = opened.and_then(|loaded| Ok((loaded.kind(), simulated(&loaded, arguments)?)));
    match simulated {
        Ok((kind, simulated)) => {
            let code = show(kind, &simulated, arguments, program);
            arguments.debugged(program, &simulated.report, code)
        }
        Err(diagnostic) => {
            let (what, output) = (&arguments.what, &arguments.output);
            check::report_error("simulate", what, output, diagnostic, program)
        }
    }
}

impl Simulate {
    /// Opens the debugger on what a simulation has found, if that is asked for.
    pub(crate) fn debugged(&self, program: &Program, report: &Report, code: u8) -> u8 {
        let reopen = || open(&self.source(program)?, &program.registry, &Disk);
        debug::after(program, &self.debug, self.output.format, &reopen, report, code)
    }

    /// What to simulate, without the flags that mean nothing for it.
    pub(crate) fn source(&self, program: &Program) -> Result<Source, Diagnostic> {
        let mut source = self.what.source(program, &Faults::default(), false, None)?;
        let flags = [
            ("--output-only", self.output_only, Feature::ProgramOutput),
            ("--in-turns", self.in_turns, Feature::Turns),
            ("--virtual-time-max", self.virtual_time_max.is_some(), Feature::VirtualTime),
            ("--loss", self.loss > 0.0, Feature::RandomFaults),
            ("--duplicate", self.duplicate > 0.0, Feature::RandomFaults),
        ];
        what::refuse(&source, &flags)?;
        if let Source::Erlang(program) = &mut source {
            // A supervisor's orderly shutdown is not a failure of a run.
            program.options.normal_reasons.push("shutdown".to_owned());
        }
        Ok(source)
    }
}

fn simulated(loaded: &Loaded, arguments: &Simulate) -> Result<SimulationReport, Diagnostic> {
    let output = &arguments.output;
    let shows_events = output.format == Format::Text && !output.quiet;
    let mut log = Log::new(output.verbose);
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
    let simulated = simulate(loaded, &request(arguments), &meter, &mut observer);
    last_words::told();
    let mut simulated = simulated?;
    simulated.report.peak_memory_bytes = meter::peak_memory_bytes().unwrap_or(0);
    if !arguments.output_only {
        files::save_traces(&mut simulated.report, loaded.short_name(), None, files::Traces::All);
        if output.steps {
            simulated.report.show_steps();
        }
    }
    Ok(simulated)
}

pub(crate) fn request(arguments: &Simulate) -> SimulateRequest {
    let (min, max) = arguments.latency;
    SimulateRequest {
        seed: arguments.seed.unwrap_or(0),
        runs: arguments.runs,
        events_max: arguments.depth_max,
        virtual_time_max: arguments.virtual_time_max,
        time_max: arguments.time_max,
        network: SimulatedNetwork {
            latency: Latency::Uniform { min, max },
            loss: arguments.loss,
            duplication: arguments.duplicate,
        },
        output_only: arguments.output_only,
        in_turns: arguments.in_turns,
    }
}

fn show(kind: Kind, simulated: &SimulationReport, arguments: &Simulate, program: &Program) -> u8 {
    let (report, output) = (&simulated.report, &arguments.output);
    match output.format {
        _ if arguments.output_only => {
            let runs = simulated.outcomes.iter().filter_map(|ending| ending.run.processes.as_ref());
            runs.for_each(|it| it.failures.iter().for_each(|line| crate::note(line)));
            if let Some(error) = &report.error {
                crate::note(&render::diagnostic(error, &program.name));
            }
        }
        Format::Json => {
            let json = serde_json::to_string(simulated).expect("plain data");
            print(&format!("{json}\n"));
        }
        Format::Text if kind == Kind::Erlang => {
            print(&text(simulated, arguments, program));
            report.warnings.iter().for_each(|it| crate::note(&render::warning(it)));
            if let Some(error) = &report.error {
                crate::note(&render::diagnostic(error, &program.name));
            }
        }
        Format::Text if !output.quiet => {
            print(&summary(simulated));
            return check::show(report, output, program);
        }
        _ => return check::show(report, output, program),
    }
    report.verdict.exit_code()
}

/// How the runs ended, and how much happened.
fn summary(simulated: &SimulationReport) -> String {
    let Report { interleavings: runs, transitions: events, .. } = simulated.report;
    let mut text = String::new();
    let steps = match simulated.messages {
        Some(_) => String::new(),
        None => format!(" {DIM}after {}{DIM:#}", units::counted(events, "step")),
    };
    match simulated.outcomes.first() {
        Some(ending) if runs == 1 => {
            let _ = writeln!(text, "{BOLD}{}{BOLD:#}{steps}", ending.run.outcome);
        }
        _ => text.push_str(&endings(&simulated.outcomes)),
    }
    if let (Some(messages), Some(virtual_seconds)) = (simulated.messages, simulated.virtual_seconds)
    {
        let runs =
            if runs == 1 { String::new() } else { format!("{}, ", units::counted(runs, "run")) };
        let _ = writeln!(
            text,
            "{DIM}{runs}{}, {} sent, {} lost, {} of virtual time in {}{DIM:#}",
            units::counted(events, "event"),
            units::counted(messages.sent, "message"),
            units::grouped(messages.lost),
            units::duration(virtual_seconds),
            units::duration(simulated.report.seconds)
        );
    }
    text
}

/// How often runs ended in each way, with what is known of each end.
fn endings(outcomes: &[Ending]) -> String {
    let mut text = String::new();
    let width = outcomes.iter().map(|ending| units::grouped(ending.runs).len()).max().unwrap_or(0);
    for ending in outcomes {
        let (n, outcome) = (units::grouped(ending.runs), &ending.run.outcome);
        let _ = writeln!(
            text,
            "{n:>width$}  {BOLD}{outcome}{BOLD:#}  {DIM}first with --seed {}{DIM:#}",
            ending.seed
        );
        let indent = " ".repeat(width + 4);
        for failure in failures(ending) {
            let _ = writeln!(text, "{indent}{RED}{failure}{RED:#}");
        }
        text.push_str(&processes(ending, &indent));
    }
    text
}

fn failures(ending: &Ending) -> &[String] {
    ending.run.processes.as_ref().map_or(&[], |it| &it.failures)
}

/// Of an Erlang program: how it ended, then the verdict, then what to type next.
fn text(simulated: &SimulationReport, arguments: &Simulate, program: &Program) -> String {
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
                text.push_str(&render::next_commands(report, found, program.typed()));
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

fn one_run(simulated: &SimulationReport) -> String {
    let mut text = String::new();
    let Some(ending) = simulated.outcomes.first() else { return text };
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#} {DIM}after {}, {} of virtual time{DIM:#}",
        ending.run.outcome,
        units::counted(simulated.report.transitions, "event"),
        units::duration(simulated.virtual_seconds.unwrap_or(0.0))
    );
    text.push_str(&processes(ending, "  "));
    // A single failure is told below, with where it was raised.
    for failure in failures(ending).iter().filter(|_| failures(ending).len() > 1) {
        let _ = writeln!(text, "  {RED}{failure}{RED:#}");
    }
    text
}

fn many_runs(simulated: &SimulationReport) -> String {
    let report = &simulated.report;
    let mut text = endings(&simulated.outcomes);
    let _ = writeln!(
        text,
        "{DIM}{}, {}, {}, {} of virtual time in {}{DIM:#}",
        units::counted(report.interleavings, "run"),
        units::counted(simulated.outcomes.len() as u64, "outcome"),
        units::counted(report.transitions, "event"),
        units::duration(simulated.virtual_seconds.unwrap_or(0.0)),
        units::duration(report.seconds)
    );
    text
}

/// How each process stands.
fn processes(ending: &Ending, indent: &str) -> String {
    let ends = ending.run.processes.as_ref().map_or(&[][..], |it| &it.processes);
    let width = ends.iter().map(|end| end.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for end in ends {
        let _ = writeln!(text, "{indent}{:width$}  {DIM}{}{DIM:#}", end.name, end.status);
    }
    text
}
