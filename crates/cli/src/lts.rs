//! `foresee lts`: a state space written to a file, and questions about files of state spaces.
//! A file is written beside its name and takes its place at the end, so nobody finds half of one; a file of that name that does
//! not look like a state space stays.

use crate::args::{Format, Output};
use crate::disk::Disk;
use crate::model_args::{Compare, Generate, Info, Lts, Question, Tau};
use crate::progress::Line;
use crate::style::{BOLD, DIM, GREEN, RED, YELLOW};
use crate::{Program, check, files, meter, note, out, print, render, units};
use foresee_session::{
    CompareRequest, ComparisonReport, Diagnostic, InfoReport, LabelOptions, Limits, Loaded,
    LtsReport, LtsRequest, LtsTarget, Outcome, Registry, Report, Run, Source, compare_models,
    model_info, open, write_lts,
};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// So many labels are listed unless `--verbose` asks for all.
const LABELS_MAX: usize = 24;
/// A longer formula is not printed twice.
const FORMULA_MAX: usize = 120;

pub(crate) fn run(program: &Program, arguments: &Lts) -> u8 {
    meter::listen_for_interrupt();
    match arguments {
        Lts::Generate(arguments) => generate(program, arguments),
        Lts::Ask(Question::Compare(arguments)) => compare(program, arguments),
        Lts::Ask(Question::Info(arguments)) => info(program, arguments),
    }
}

fn generate(program: &Program, arguments: &Generate) -> u8 {
    let (what, output) = (&arguments.what, &arguments.output);
    let generated = Destination::of(arguments).and_then(|destination| {
        let loaded =
            what.open_with_labels(program, &arguments.faults, &arguments.labels.to_session())?;
        written(&loaded, arguments, destination)
    });
    match generated {
        Ok(done) => show_generated(&done, arguments, program),
        Err(diagnostic) => check::report_error("lts", what, output, diagnostic, program),
    }
}

/// Where the state space goes.
enum Destination {
    Nowhere,
    Pipe,
    Aut(PathBuf),
    Dot(PathBuf),
}

impl Destination {
    fn of(arguments: &Generate) -> Result<Destination, Diagnostic> {
        let Some(file) = &arguments.file else { return Ok(Destination::Nowhere) };
        let is_text = arguments.output.format == Format::Text;
        match file.extension().and_then(|ending| ending.to_str()) {
            _ if file.as_os_str() == "-" && is_text => Ok(Destination::Pipe),
            _ if file.as_os_str() == "-" => Err(Diagnostic::does_not_apply(
                "--format",
                "the state space itself goes to standard output",
            )),
            Some("aut") => Ok(Destination::Aut(file.clone())),
            Some("dot") => Ok(Destination::Dot(file.clone())),
            _ => Err(files::unknown_ending(
                file,
                "-o",
                "end the name in .aut (CADP, mCRL2) or .dot (Graphviz), or give - for standard output",
            )),
        }
    }

    fn file(&self) -> Option<&Path> {
        match self {
            Destination::Aut(file) | Destination::Dot(file) => Some(file),
            Destination::Nowhere | Destination::Pipe => None,
        }
    }
}

fn written(
    loaded: &Loaded,
    arguments: &Generate,
    destination: Destination,
) -> Result<LtsReport, Diagnostic> {
    let request = LtsRequest {
        labels: arguments.labels.to_session(),
        limits: arguments.limits.to_search(),
        crash: arguments.faults.crash.clone(),
        reduce: arguments.reduce.map(crate::model_args::Equivalence::to_session),
        tau: match arguments.tau {
            Tau::Tau => foresee_session::Tau::Mcrl2,
            Tau::I => foresee_session::Tau::Cadp,
        },
    };
    let meter = meter::RealMeter::start(&request.limits);
    let quiet = arguments.output.quiet;
    let write = |target: LtsTarget<'_>| {
        let mut line = Line::new(quiet, request.limits.clone());
        let done = write_lts(loaded, &request, target, &meter, &mut line);
        line.finish();
        done
    };
    let mut done = match destination.file() {
        None if matches!(destination, Destination::Pipe) => write(LtsTarget::Pipe(&mut out::Plain)),
        None => write(LtsTarget::Nowhere),
        Some(file) => {
            let mut draft = files::Draft::create(file, looks_like_a_state_space)?;
            let done = match &destination {
                Destination::Dot(_) => {
                    let mut buffered = BufWriter::new(draft.file());
                    let done = write(LtsTarget::Drawing(&mut buffered));
                    std::io::Write::flush(&mut buffered)
                        .map_err(|error| files::refused(file, &error))?;
                    done
                }
                _ => write(LtsTarget::File(draft.file())),
            };
            if done.report.error.is_none() {
                draft.keep()?;
            }
            done
        }
    };
    if done.report.error.is_none() {
        done.file = destination.file().map(|file| file.display().to_string());
    }
    done.report.peak_memory_bytes = meter::peak_memory_bytes().unwrap_or(0);
    Ok(done)
}

pub(crate) fn looks_like_a_state_space(start: &[u8]) -> bool {
    let start = start.trim_ascii_start();
    start.starts_with(b"des")
        || start.starts_with(b"digraph")
        || start.starts_with(b"strict digraph")
}

fn compare(program: &Program, arguments: &Compare) -> u8 {
    let equivalence = arguments.equivalence.to_session();
    let compared = load(&arguments.left).and_then(|left| Ok((left, load(&arguments.right)?))).map(
        |(left, right)| {
            let limits = arguments.limits.to_search();
            let labels = arguments.labels.to_session();
            let request = CompareRequest { equivalence, labels, limits };
            let mut line = Line::new(arguments.output.quiet, request.limits.clone());
            let meter = meter::RealMeter::start(&request.limits);
            let mut done = compare_models(&left, &right, &request, &meter, &mut line);
            line.finish();
            done.report.peak_memory_bytes = meter::peak_memory_bytes().unwrap_or(0);
            done
        },
    );
    let done = compared.unwrap_or_else(|diagnostic| {
        let names = format!("{} {}", arguments.left, arguments.right);
        ComparisonReport::error(names, equivalence, diagnostic)
    });
    let text = comparison(&done, &arguments.output, program);
    finish(&done, &done.report, &arguments.output, program, text)
}

fn info(program: &Program, arguments: &Info) -> u8 {
    let labels = arguments.labels.to_session();
    let limits = arguments.limits.to_search();
    let done = load(&arguments.file)
        .map(|loaded| looked_at(&loaded, &labels, &limits, &arguments.output))
        .unwrap_or_else(|diagnostic| {
            InfoReport::error(Report::new("lts", arguments.file.clone()), diagnostic)
        });
    let text = facts(&done, &arguments.output);
    finish(&done, &done.report, &arguments.output, program, text)
}

fn looked_at(
    loaded: &Loaded,
    labels: &LabelOptions,
    limits: &Limits,
    output: &Output,
) -> InfoReport {
    let mut line = Line::new(output.quiet, limits.clone());
    let meter = meter::RealMeter::start(limits);
    let mut done = model_info(loaded, labels, limits, &meter, &mut line);
    line.finish();
    done.report.peak_memory_bytes = meter::peak_memory_bytes().unwrap_or(0);
    done
}

/// A question about files of state spaces is about models in files.
fn load(path: &str) -> Result<Loaded, Diagnostic> {
    open(&Source::model_file(path), &Registry::new(), &Disk)
}

fn show_generated(done: &LtsReport, arguments: &Generate, program: &Program) -> u8 {
    let text = generated(done, &arguments.output);
    if arguments.file.as_deref() == Some(Path::new("-")) {
        if out::has_failed() {
            return 2;
        }
        // The file has standard output; a person reads the rest elsewhere.
        if !arguments.output.quiet {
            note(text.trim_end());
        }
        news(&done.report, program);
        return done.report.verdict.exit_code();
    }
    finish(done, &done.report, &arguments.output, program, text)
}

/// Prints what was found in the format asked for, and gives the exit code.
fn finish(
    done: &impl Serialize,
    report: &Report,
    output: &Output,
    program: &Program,
    text: String,
) -> u8 {
    match output.format {
        Format::Json => {
            print(&format!("{}\n", serde_json::to_string(done).expect("plain data")));
        }
        Format::Junit => return check::show(report, output, program),
        Format::Text => {
            if report.error.is_none() {
                print(&text);
            }
            news(report, program);
        }
    }
    report.verdict.exit_code()
}

fn news(report: &Report, program: &Program) {
    report.warnings.iter().for_each(|warning| note(&render::warning(warning)));
    if let Some(error) = &report.error {
        note(&render::diagnostic(error, &program.name));
    }
}

fn generated(done: &LtsReport, output: &Output) -> String {
    let report = &done.report;
    let mut text = String::new();
    if report.verdict == Outcome::Inconclusive {
        text.push_str(&incomplete(report));
    }
    let size = match &done.generated {
        Some(size) => sizes(size.states, size.transitions),
        None => sizes(report.states, report.transitions),
    };
    let _ = writeln!(text, "{BOLD}{}{BOLD:#}: {size}, depth {}", report.system, report.depth);
    if done.incomplete > 0 {
        let n = units::counted(done.incomplete, "state");
        let how = match done.file.is_some() {
            true => {
                format!("; in the file they have loops labelled {}", foresee_session::INCOMPLETE)
            }
            false => String::new(),
        };
        let _ = writeln!(text, "the transitions of {n} are missing{how}");
    }
    if let Some(equivalence) = done.reduced {
        let size = sizes(report.states, report.transitions);
        let _ = writeln!(text, "{BOLD}{equivalence}{BOLD:#}: {size}");
    }
    if output.quiet {
        return text;
    }
    let _ = writeln!(text, "{}", counted_or_no(done.deadlocks, "deadlock"));
    if done.file.is_none() || output.verbose {
        let counts = done.counts.iter().map(|(label, count)| (label.as_str(), *count));
        text.push_str(&labels(counts, output));
    }
    if let Some(file) = &done.file {
        let _ = writeln!(text, "wrote {file}");
    }
    if !report.assumed.is_empty() {
        let _ = writeln!(text, "  assumed: {}", render::assumptions(report));
    }
    let n_transitions = done.generated.map_or(report.transitions, |size| size.transitions);
    text + &effort(report, n_transitions)
}

fn facts(done: &InfoReport, output: &Output) -> String {
    let report = &done.report;
    let mut text = String::new();
    if report.verdict == Outcome::Inconclusive {
        text.push_str(&incomplete(report));
    }
    let size = sizes(report.states, report.transitions);
    let _ = writeln!(text, "{BOLD}{}{BOLD:#}: {size}, depth {}", report.system, report.depth);
    if output.quiet {
        return text;
    }
    if done.unreachable > 0 {
        let _ = writeln!(text, "{} cannot be reached", units::counted(done.unreachable, "state"));
    }
    let _ = writeln!(text, "{}deterministic", if done.deterministic { "" } else { "not " });
    let _ = writeln!(text, "{}", counted_or_no(done.deadlocks, "deadlock"));
    text.push_str(&runs(&done.deadlock_runs, done.deadlocks, output));
    let cycles = "(cycle of internal steps)";
    let _ = writeln!(text, "{} {DIM}{cycles}{DIM:#}", counted_or_no(done.livelocks, "livelock"));
    text.push_str(&runs(&done.livelock_runs, done.livelocks, output));
    let counts = done.label_counts.iter().map(|one| (one.label.as_str(), one.transitions));
    text + &labels(counts, output)
}

/// Shortest runs: the first in full, the others only with `--verbose`.
fn runs(runs: &[Run], n: u64, output: &Output) -> String {
    let mut text = String::new();
    let told = if output.verbose { runs.len() } else { 1 };
    for run in runs.iter().take(told) {
        let steps = units::counted(run.labels.len() as u64, "step");
        let _ = writeln!(text, "  state {}, reached by {steps}:", run.state);
        text.push_str(&numbered(&run.labels));
    }
    let others = runs.len().saturating_sub(told) as u64;
    if others > 0 {
        let shown: Vec<String> = runs
            .iter()
            .skip(told)
            .map(|run| format!("{} ({})", run.state, run.labels.len()))
            .collect();
        let more = if n > runs.len() as u64 { ", …" } else { "" };
        let shown = shown.join(", ");
        let _ = writeln!(text, "  {DIM}others, with their distance: {shown}{more}{DIM:#}");
    }
    text
}

fn numbered(labels: &[String]) -> String {
    let mut text = String::new();
    for (i, label) in labels.iter().enumerate() {
        let style = if label == "tau" { DIM } else { anstyle::Style::new() };
        let _ = writeln!(text, "  {:>3}  {style}{label}{style:#}", i + 1);
    }
    text
}

fn labels<'a>(counts: impl Iterator<Item = (&'a str, u64)>, output: &Output) -> String {
    let counts: Vec<_> = counts.collect();
    let shown = if output.verbose { counts.len() } else { LABELS_MAX.min(counts.len()) };
    let width = counts.iter().map(|(_, count)| units::grouped(*count).len()).max().unwrap_or(0);
    let mut text = format!("{}:\n", units::counted(counts.len() as u64, "label"));
    for (label, count) in counts.iter().take(shown) {
        let _ = writeln!(text, "  {:>width$}  {label}", units::grouped(*count));
    }
    if shown < counts.len() {
        let more = counts.len() - shown;
        let _ = writeln!(text, "  {DIM}and {more} more; --verbose lists all{DIM:#}");
    }
    text
}

fn comparison(done: &ComparisonReport, output: &Output, program: &Program) -> String {
    let report = &done.report;
    let (left, right) = (&done.left.file, &done.right.file);
    let both = format!("{left} and {right} {DIM}({}){DIM:#}", done.equivalence);
    let mut text = match (done.equivalent, report.stopped_by) {
        (Some(true), _) => format!("{GREEN}equivalent{GREEN:#}: {both}\n"),
        (Some(false), _) => format!("{RED}different{RED:#}: {both}\n"),
        (None, Some(_)) => incomplete(report),
        (None, None) => {
            let why = "there are too many sets of states to compare traces";
            format!("{YELLOW}inconclusive{YELLOW:#}: {both}\n  {why}\n")
        }
    };
    if output.quiet {
        return text;
    }
    if let (Some(labels), Some(of)) = (&done.trace, done.trace_of) {
        let who = if of == "left" { left } else { right };
        let how = if done.trace_is_weak { ", internal steps aside" } else { "" };
        let _ = writeln!(text, "only {BOLD}{who}{BOLD:#} can do this{how}:");
        text.push_str(&numbered(labels));
    }
    if let Some(formula) = &done.formula {
        let _ = writeln!(text, "this holds for {BOLD}{left}{BOLD:#} only:\n  {formula}");
        if formula.chars().count() <= FORMULA_MAX {
            let (left, formula) = (render::quoted(left), render::quoted(formula));
            let name = &program.name;
            let _ = writeln!(text, "check:   {name} verify {left} --formula {formula}");
        }
    }
    let width = left.chars().count().max(right.chars().count());
    for side in [&done.left, &done.right] {
        let _ = writeln!(text, "{:width$}  {}", side.file, sizes(side.states, side.transitions));
    }
    text
}

fn incomplete(report: &Report) -> String {
    let stopped = render::stopped_by(report).unwrap_or_default();
    format!("{YELLOW}incomplete{YELLOW:#}: {}\n  {stopped}\n", report.system)
}

fn counted_or_no(n: u64, what: &str) -> String {
    if n == 0 { format!("no {what}") } else { units::counted(n, what) }
}

fn sizes(states: u64, transitions: u64) -> String {
    let transitions = units::counted(transitions, "transition");
    format!("{}, {transitions}", units::counted(states, "state"))
}

/// `584 transitions in 1.2 ms (1.40 M/s), 6.4 MiB`
fn effort(report: &Report, n_transitions: u64) -> String {
    let seconds = units::duration(report.seconds);
    let mut line = format!("{DIM}{} in {seconds}", units::counted(n_transitions, "transition"));
    if report.seconds > 0.0 {
        let _ = write!(line, " ({})", units::rate(n_transitions as f64 / report.seconds));
    }
    if report.peak_memory_bytes > 0 {
        let _ = write!(line, ", {}", units::bytes(report.peak_memory_bytes));
    }
    line + &format!("{DIM:#}\n")
}
