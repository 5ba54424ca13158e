//! `foresee verify`: formulas, their verdicts and the reasons; and `foresee patterns`, the ready ones.

use crate::args::{Format, Output};
use crate::disk::Disk;
use crate::model_args::{Patterns, Verify};
use crate::progress::Line;
use crate::style::{BOLD, DIM, GREEN, YELLOW};
use crate::{Program, check, complain, debug, files, meter, note, print, render, run_text, units};
use foresee_session::{
    Diagnostic, Outcome, PropertySource, Verified, VerifyReport, VerifyRequest, patterns, verify,
    write_part,
};
use std::fmt::Write;
use std::path::Path;

pub(crate) fn run(program: &Program, arguments: &Verify) -> u8 {
    meter::listen_for_interrupt();
    let mut done = verified(program, arguments)
        .unwrap_or_else(|diagnostic| VerifyReport::error(arguments.what.words(), diagnostic));
    save_evidence(&mut done, arguments.evidence.as_deref());
    let labels = request(arguments).labels;
    let reopen = || arguments.what.open_with_labels(program, &arguments.faults, &labels);
    let written = files::save_page(&mut done.report, arguments.report.as_deref(), program, &reopen);
    let code = show(&done, arguments, program);
    if arguments.output.format == Format::Text && !arguments.output.quiet {
        print(&written);
    }
    let (flag, format) = (&arguments.debug, arguments.output.format);
    debug::after(program, flag, format, &reopen, &done.report, code)
}

fn verified(program: &Program, arguments: &Verify) -> Result<VerifyReport, Diagnostic> {
    if let Some(file) = &arguments.evidence {
        require_drawable(file)?;
    }
    let request = request(arguments);
    let loaded = arguments.what.open_with_labels(program, &arguments.faults, &request.labels)?;
    let meter = meter::RealMeter::start(&request.limits);
    let mut line = Line::new(arguments.output.quiet, request.limits.clone());
    let mut done = verify(&loaded, &request, &Disk, &meter, &mut line);
    line.finish();
    done.report.peak_memory_bytes = meter::peak_memory_bytes().unwrap_or(0);
    let traces = (arguments.trace.as_deref(), files::Traces::All);
    files::save_traces(&mut done.report, loaded.short_name(), traces.0, traces.1);
    if arguments.output.steps {
        done.report.show_steps();
    }
    save_witnesses(&mut done, arguments.trace.as_deref());
    Ok(done)
}

fn request(arguments: &Verify) -> VerifyRequest {
    let files = arguments.property.iter().cloned().map(PropertySource::File);
    let formulas = arguments.formula.iter().cloned().map(PropertySource::Formula);
    let patterns = arguments.pattern.iter().cloned().map(PropertySource::Pattern);
    VerifyRequest {
        properties: files.chain(formulas).chain(patterns).collect(),
        labels: arguments.labels.to_session(),
        limits: arguments.limits.to_search(),
        crash: arguments.faults.crash.clone(),
    }
}

/// The run that shows why a formula holds is saved only on request, and after those of violations.
fn save_witnesses(done: &mut VerifyReport, chosen: Option<&Path>) {
    let mut traces = done.report.violations.iter().map(|found| found.trace.clone());
    for one in &mut done.formulas {
        let Some(found) = &mut one.found else { continue };
        if one.verdict == Outcome::Violated {
            found.trace = traces.next().flatten();
        } else if let (Some(file), Some(run), true) = (chosen, &found.run, found.steps > 0) {
            match files::save_trace(file, run) {
                Ok(()) => found.trace = Some(file.display().to_string()),
                Err(news) => done.report.fail_to_write(news),
            }
            return;
        }
    }
}

fn require_drawable(file: &Path) -> Result<(), Diagnostic> {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("aut" | "dot") => Ok(()),
        _ => Err(files::unknown_ending(file, "--evidence", "end the name in .aut or .dot")),
    }
}

/// The part of the state space that is the reason, of the first violated formula or else of the first.
fn save_evidence(done: &mut VerifyReport, chosen: Option<&Path>) {
    let Some(file) = chosen else { return };
    let violated = done.formulas.iter().position(|one| one.verdict == Outcome::Violated);
    let Some(one) = done.formulas.get_mut(violated.unwrap_or(0)) else { return };
    let Some(part) = &one.part else {
        let why = format!(
            "there is no evidence for {} to write: nothing is decided, or it is too large to be of use",
            one.property
        );
        done.report.warnings.push(why);
        return;
    };
    let mut content = Vec::new();
    let is_drawing = file.extension().is_some_and(|ending| ending == "dot");
    write_part(part, is_drawing, &mut content).expect("memory takes what it is given");
    match files::write_over_own(file, &content, crate::lts::looks_like_a_state_space) {
        Ok(()) => one.evidence = Some(file.display().to_string()),
        Err(news) => done.report.fail_to_write(news),
    }
}

fn show(done: &VerifyReport, arguments: &Verify, program: &Program) -> u8 {
    let (report, output) = (&done.report, &arguments.output);
    match output.format {
        Format::Junit => return check::show(report, output, program),
        Format::Json => {
            print(&format!("{}\n", serde_json::to_string(done).expect("plain data")));
        }
        Format::Text => {
            print(&text(done, output, program));
            report.warnings.iter().for_each(|warning| note(&render::warning(warning)));
            if let Some(error) = &report.error {
                note(&render::diagnostic(error, &program.name));
            }
        }
    }
    report.verdict.exit_code()
}

fn text(done: &VerifyReport, output: &Output, program: &Program) -> String {
    let mut text = String::new();
    for one in &done.formulas {
        text.push_str(&verdict(one, done));
        if !output.quiet {
            text.push_str(&reason(one, done, output, program));
        }
    }
    if !output.quiet && done.report.error.is_none() {
        text.push_str(&scope(&done.report));
        text.push_str(&render::summary(&done.report));
    }
    text
}

/// What the answers take for granted; the formulas stand with their verdicts.
fn scope(report: &foresee_session::Report) -> String {
    let is_all_said = report.verdict == Outcome::Violated || report.assumed.is_empty();
    if is_all_said {
        String::new()
    } else {
        format!("  assumed: {}\n", render::assumptions(report))
    }
}

/// `holds: mutex`
fn verdict(one: &Verified, done: &VerifyReport) -> String {
    match (one.verdict, &one.found) {
        (Outcome::Violated, Some(found)) => render::headline(&done.report, found),
        (Outcome::Holds, _) => format!("{GREEN}holds{GREEN:#}: {BOLD}{}{BOLD:#}\n", one.property),
        _ => {
            let why = match one.stopped_by {
                Some(by) if by.word() == "interrupt" => "you stopped it".to_owned(),
                Some(by) => format!("--{}-max stopped it", by.word()),
                None => "it depends on transitions that are missing".to_owned(),
            };
            format!("{YELLOW}inconclusive{YELLOW:#}: {BOLD}{}{BOLD:#}\n  {why}\n", one.property)
        }
    }
}

fn reason(one: &Verified, done: &VerifyReport, output: &Output, program: &Program) -> String {
    let mut text = String::new();
    let Some(found) = &one.found else { return text };
    let is_short = one.formula.trim().lines().count() == 1;
    let is_told = output.verbose || one.verdict == Outcome::Violated;
    if one.property != one.formula && is_short && is_told {
        let _ = writeln!(text, "  {DIM}{}{DIM:#}", shortened(one.formula.trim()));
    }
    let is_violated = one.verdict == Outcome::Violated;
    // That everything was looked at is no story; a run that shows something is.
    let is_about_all = one.formula.trim_start().starts_with('[');
    if is_violated || (one.linear && found.steps > 0 && !is_about_all) {
        text.push_str(&run_text::story(found, output));
    } else if output.verbose {
        text.push_str(&run_text::why(found, output));
    }
    let is_told = is_violated || output.verbose || one.evidence.is_some();
    if let Some(part) = one.part.as_ref().filter(|_| is_told && !one.linear) {
        let (states, transitions) = (part.n_states() as u64, part.n_transitions() as u64);
        let size = format!(
            "{}, {}",
            units::counted(states, "state"),
            units::counted(transitions, "transition")
        );
        let told = match &one.evidence {
            Some(file) => format!("wrote {file}"),
            None => "--evidence FILE.aut writes it".to_owned(),
        };
        let _ = writeln!(text, "{DIM}the whole reason: {size} ({told}){DIM:#}");
    } else if let Some(file) = &one.evidence {
        let _ = writeln!(text, "wrote {file}");
    }
    text + &render::next_commands(&done.report, found, program.typed())
}

fn shortened(text: &str) -> String {
    const CHARACTERS_MAX: usize = 140;
    match text.char_indices().nth(CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `foresee patterns`.
pub(crate) fn patterns(program: &Program, arguments: &Patterns) -> u8 {
    let Some(name) = &arguments.name else { return print(&all_patterns(program)) };
    match foresee_session::pattern(name) {
        Ok(pattern) => print(pattern.page),
        Err(diagnostic) => complain(&diagnostic, &program.name),
    }
}

fn all_patterns(program: &Program) -> String {
    let mut text = String::new();
    for pattern in patterns::ALL {
        let _ = writeln!(text, "{BOLD}{}{BOLD:#}", pattern.usage());
        let _ = writeln!(text, "  {DIM}{}{DIM:#}", pattern.summary);
    }
    let name = &program.name;
    let _ = writeln!(text, "\nuse:   {name} verify WHAT --pattern 'response(ask, answer)'");
    let _ = writeln!(text, "more:  {name} patterns response");
    text
}
