//! `foresee simulate`: one run, printed as it goes, or many, counted.

use crate::args::{Format, Output, Simulate};
use crate::style::{BOLD, DIM};
use crate::{Program, check, erlang, erlang_run, files, meter, model_run, print, units};
use foresee_session::{
    BuildOptions, Diagnostic, Ending, Latency, Loaded, Report, SimulateRequest, SimulationConfig,
    SimulationEvent, SimulationReport, load, simulate,
};
use std::fmt::Write;
use std::time::Duration;

/// A run of more events than this is stopped.
pub(crate) const EVENTS_MAX: u64 = 100_000;

pub(crate) fn run(program: &Program, arguments: &Simulate) -> u8 {
    meter::listen_for_interrupt();
    let what = &arguments.what;
    if what.is_model() {
        return model_run::run(program, arguments);
    }
    if what.is_erlang(&program.registry) {
        return erlang_run::run(program, arguments);
    }
    let simulated = nodes_only(arguments)
        .and_then(|()| {
            load(&program.registry, &what.name, &what.parameters, &BuildOptions::default())
        })
        .and_then(|loaded| simulated(&loaded, arguments));
    match simulated {
        Ok(simulated) => show(&simulated, &arguments.output, program),
        Err(diagnostic) => {
            check::report_error("simulate", what, &arguments.output, diagnostic, program)
        }
    }
}

fn nodes_only(arguments: &Simulate) -> Result<(), Diagnostic> {
    arguments.what.refuse_erlang_flags()?;
    if arguments.output_only {
        return Err(erlang::does_not_apply("--output-only", "a system of nodes prints nothing"));
    }
    Ok(())
}

fn simulated(loaded: &Loaded, arguments: &Simulate) -> Result<SimulationReport, Diagnostic> {
    let shows_events = arguments.output.format == Format::Text && !arguments.output.quiet;
    let mut observer = |event: &SimulationEvent| {
        if shows_events {
            print(&format!("{event}\n"));
        }
    };
    let meter = meter::RealMeter::start(&arguments.limits());
    let simulated = simulate(loaded, &request(arguments), &meter, &mut observer);
    crate::last_words::told();
    let mut simulated = simulated?;
    let report = &mut simulated.report;
    report.peak_memory_bytes = meter::peak_memory_bytes().unwrap_or(0);
    files::save_traces(report, loaded.short_name(), None);
    Ok(simulated)
}

fn request(arguments: &Simulate) -> SimulateRequest {
    let (min, max) = arguments.latency;
    SimulateRequest {
        config: SimulationConfig {
            seed: arguments.seed,
            latency: Latency::Uniform { min, max },
            loss: arguments.loss,
            duplication: arguments.duplicate,
            time_max: arguments.virtual_time_max.unwrap_or(Duration::from_secs(60)),
            events_max: arguments.depth_max.unwrap_or(EVENTS_MAX),
            ..SimulationConfig::default()
        },
        runs: arguments.runs,
        time_max: arguments.time_max,
    }
}

fn show(simulated: &SimulationReport, output: &Output, program: &Program) -> u8 {
    match output.format {
        Format::Text if !output.quiet => {
            print(&summary(simulated));
            check::show(&simulated.report, output, program)
        }
        Format::Json => {
            let json = serde_json::to_string(simulated).expect("plain data");
            print(&format!("{json}\n"));
            simulated.report.verdict.exit_code()
        }
        _ => check::show(&simulated.report, output, program),
    }
}

/// How the runs ended, and how much happened.
fn summary(simulated: &SimulationReport) -> String {
    let Report { interleavings: runs, transitions: events, .. } = simulated.report;
    let mut text = String::new();
    if runs > 1 {
        text.push_str(&endings(&simulated.outcomes));
    } else if let Some(ending) = simulated.outcomes.first() {
        let _ = writeln!(text, "{BOLD}{}{BOLD:#}", ending.outcome);
    }
    let runs = if runs == 1 { String::new() } else { format!("{}, ", units::counted(runs, "run")) };
    let _ = writeln!(
        text,
        "{DIM}{runs}{}, {} sent, {} lost, {} of virtual time in {}{DIM:#}",
        units::counted(events, "event"),
        units::counted(simulated.messages_sent, "message"),
        units::grouped(simulated.messages_lost),
        units::duration(simulated.virtual_seconds),
        units::duration(simulated.report.seconds)
    );
    text
}

/// How often runs ended in each way.
pub(crate) fn endings(outcomes: &[Ending]) -> String {
    let mut text = String::new();
    let width = outcomes.iter().map(|ending| units::grouped(ending.runs).len()).max().unwrap_or(0);
    for ending in outcomes {
        let (n, outcome) = (units::grouped(ending.runs), &ending.outcome);
        let _ = writeln!(
            text,
            "{n:>width$}  {BOLD}{outcome}{BOLD:#}  {DIM}first with --seed {}{DIM:#}",
            ending.seed
        );
    }
    text
}
