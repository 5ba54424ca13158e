//! `foresee simulate` of a model in a file: a random walk, printed step by step, or many, counted.

use crate::args::{Format, Simulate};
use crate::simulate::endings;
use crate::style::{BOLD, DIM};
use crate::{Program, check, files, meter, print, units, what};
use foresee_session::{Diagnostic, WalkReport, WalkRequest, WalkStep, walk};
use std::fmt::Write;

/// Most models never end.
const STEPS_MAX: u64 = 100;

pub(crate) fn run(program: &Program, arguments: &Simulate) -> u8 {
    match walked(arguments) {
        Ok(walked) => show(&walked, arguments, program),
        Err(diagnostic) => {
            let (what, output) = (&arguments.what, &arguments.output);
            check::report_error("simulate", what, output, diagnostic, program)
        }
    }
}

fn walked(arguments: &Simulate) -> Result<WalkReport, Diagnostic> {
    arguments.what.refuse_erlang_flags()?;
    what::no_virtual_time(&[
        ("--output-only", arguments.output_only),
        ("--virtual-time-max", arguments.virtual_time_max.is_some()),
        ("--loss", arguments.loss > 0.0),
        ("--duplicate", arguments.duplicate > 0.0),
    ])?;
    let loaded = arguments.what.load_model()?;
    let request = WalkRequest {
        seed: arguments.seed,
        runs: arguments.runs,
        steps_max: arguments.depth_max.unwrap_or(STEPS_MAX),
        time_max: arguments.time_max,
    };
    let shows_steps = arguments.output.format == Format::Text && !arguments.output.quiet;
    let mut observer = |step: &WalkStep| {
        if shows_steps {
            print(&line(step));
        }
    };
    let meter = meter::RealMeter::start(&arguments.limits());
    let walked = walk(&loaded, &request, &meter, &mut observer);
    crate::last_words::told();
    let mut walked = walked?;
    walked.report.peak_memory_bytes = meter::peak_memory_bytes().unwrap_or(0);
    files::save_traces(&mut walked.report, loaded.short_name(), None);
    Ok(walked)
}

fn line(step: &WalkStep) -> String {
    let WalkStep { number, who, label } = step;
    // A transition system is one actor; its name says nothing.
    let who = if who == "lts" { String::new() } else { format!("  {DIM}{who}{DIM:#}") };
    match label {
        Some(label) => format!("{number:>4}  {label:<24}{who}\n"),
        None => format!("{number:>4}  {DIM}{:<24}{DIM:#}{who}\n", "tau"),
    }
}

fn show(walked: &WalkReport, arguments: &Simulate, program: &Program) -> u8 {
    let (report, output) = (&walked.report, &arguments.output);
    if output.format == Format::Json {
        print(&format!("{}\n", serde_json::to_string(walked).expect("plain data")));
        return report.verdict.exit_code();
    }
    if output.format == Format::Text && !output.quiet {
        let mut text = String::new();
        match walked.outcomes.first() {
            Some(ending) if report.interleavings == 1 => {
                let _ = write!(text, "{BOLD}{}{BOLD:#} ", ending.outcome);
                let steps = units::counted(report.transitions, "step");
                let _ = writeln!(text, "{DIM}after {steps}{DIM:#}");
            }
            _ => text.push_str(&endings(&walked.outcomes)),
        }
        print(&text);
    }
    check::show(report, output, program)
}
