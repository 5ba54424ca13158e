//! `foresee replay`: step a trace again, say what is still true of it, and export it.

use crate::args::{Format, Replay};
use crate::disk::Disk;
use crate::meter::{self, RealMeter};
use crate::{Program, check, debug, files, print, run_text};
use foresee_session::{
    Diagnostic, Limits, Meter, Outcome, ReplayReport, Report, Trace, export, export_kind, replay,
};

pub(crate) fn run(program: &Program, arguments: &Replay) -> u8 {
    match replayed(program, arguments) {
        Ok((trace, replayed)) => show(program, arguments, &trace, &replayed),
        Err(diagnostic) => {
            let report = Report::error("replay", arguments.file.display().to_string(), diagnostic);
            check::show(&report, &arguments.output, program)
        }
    }
}

fn replayed(program: &Program, arguments: &Replay) -> Result<(Trace, ReplayReport), Diagnostic> {
    if let Some(file) = &arguments.export {
        export_kind(&file.display().to_string())?;
    }
    let trace = files::read_trace(&arguments.file)?;
    let meter = RealMeter::start(&Limits::none());
    let mut replayed = replay(&trace, &program.registry, &Disk)?;
    replayed.report.seconds = meter.elapsed().as_secs_f64();
    replayed.report.peak_memory_bytes = meter::peak_memory_bytes().unwrap_or(0);
    if let Some(file) = &arguments.export {
        let name = file.display().to_string();
        let content = export(&name, &trace, &replayed)?;
        files::write_over_own(file, content.as_bytes(), looks_like_an_export)?;
    }
    let file = arguments.file.display().to_string();
    for found in &mut replayed.report.violations {
        found.trace = Some(file.clone());
    }
    if arguments.output.steps {
        replayed.report.show_steps();
    }
    Ok((trace, replayed))
}

/// Exports name their origin near their start; other files are left alone.
fn looks_like_an_export(start: &[u8]) -> bool {
    String::from_utf8_lossy(start).to_lowercase().contains("foresee")
}

fn show(program: &Program, arguments: &Replay, trace: &Trace, replayed: &ReplayReport) -> u8 {
    let code = check::show(&replayed.report, &arguments.output, program);
    if arguments.output.format == Format::Text {
        print(&rest(arguments, trace, replayed));
    }
    debug::after_replay(program, arguments, trace, replayed, code)
}

/// What the report itself does not tell: a run in which nothing is wrong, and what was written.
fn rest(arguments: &Replay, trace: &Trace, replayed: &ReplayReport) -> String {
    let mut text = String::new();
    let report = &replayed.report;
    if let (Some(claimed), Outcome::Holds) = (&trace.violation, report.verdict) {
        text.push_str(&format!("  the run no longer shows: {}\n", claimed.title()));
    }
    if report.violations.is_empty() && !arguments.output.quiet {
        if report.error.is_some() && replayed.story.is_some() {
            text.push_str("as far as it applies:\n");
        }
        let steps = replayed.story.iter().map(|story| &story.steps);
        text.extend(
            steps
                .map(|steps| run_text::steps(steps, &run_text::Told::default(), &arguments.output)),
        );
    }
    if let Some(file) = &arguments.export {
        text.push_str(&format!("wrote {}\n", file.display()));
    }
    text
}
