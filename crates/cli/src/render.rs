//! The report as a person reads it: the verdict first, then the story, then why, then what to type next, then the numbers.
//! Not here: the run itself (`run_text`), the page (`page`).

use crate::args::Output;
use crate::run_text::{Told, steps, story};
use crate::style::{BOLD, DIM, GREEN, RED, YELLOW};
use crate::{units, width};
use annotate_snippets::{Level, Renderer, Snippet};
use foresee_session::{Claim, Code, Diagnostic, Found, Outcome, Report, ViolationKind};
use std::fmt::Write;

/// What the reader can type: the name of the binary, and whether it has the debugger.
#[derive(Clone, Copy)]
pub(crate) struct Typed<'a> {
    pub(crate) program: &'a str,
    pub(crate) has_debugger: bool,
}

/// The whole report for standard output; empty if there is nothing to say but an error.
pub(crate) fn report(report: &Report, output: &Output, typed: Typed<'_>) -> String {
    let mut text = String::new();
    for found in &report.violations {
        text.push_str(&width::fitted(&headline(report, found)));
        if !output.quiet {
            text.push_str(&story(found, output));
            text.push_str(&next_commands(report, found, typed));
        }
    }
    if let Some(found) = report.extras.how_far.as_ref().filter(|found| found.steps > 0)
        && !output.quiet
    {
        let _ = writeln!(text, "{}:", how_far(found));
        text.push_str(
            &found
                .story
                .as_ref()
                .map_or(String::new(), |it| steps(&it.steps, &Told::default(), output)),
        );
    }
    match report.answer() {
        Outcome::Holds if report.command == "simulate" => {
            let runs = units::counted(report.interleavings, "run");
            let _ = writeln!(text, "{GREEN}nothing wrong{GREEN:#} in {runs} of {}", report.system);
        }
        Outcome::Holds => {
            let head = format!("{GREEN}holds{GREEN:#}: {}\n", report.system);
            text.push_str(&width::fitted(&head));
        }
        Outcome::Inconclusive => {
            let head = format!("{YELLOW}inconclusive{YELLOW:#}: {}\n", report.system);
            let why = format!("  {}\n", why_inconclusive(report));
            text.push_str(&width::fitted(&(head + &why)));
        }
        Outcome::Violated => {
            if let Some(stopped) = stopped_by(report) {
                let _ = writeln!(text, "  not everything was explored: {stopped}");
            }
        }
        Outcome::Error => {}
    }
    if !output.quiet {
        text.push_str(&width::fitted(&scope(report)));
    }
    if !output.quiet && report.extras.traces_left_out > 0 {
        let n = units::counted(report.extras.traces_left_out as u64, "more trace");
        let _ = writeln!(text, "  {n} of the same kinds not saved: --all-traces");
    }
    let did_something = report.states > 0 || report.interleavings > 0;
    if !output.quiet && report.command == "check" && (did_something || report.error.is_none()) {
        let mut rest = properties(report, output) + &summary(report);
        if output.verbose {
            rest.push_str(&details(report));
        }
        text.push_str(&width::fitted(&rest));
    }
    text + &also_checked(report, output, typed)
}

/// What a second search found that takes less for granted; one that found nothing is spoken of only at length.
fn also_checked(report: &Report, output: &Output, typed: Typed<'_>) -> String {
    let Some(also) = &report.also_checked else { return String::new() };
    let is_violated = also.verdict == Outcome::Violated;
    if output.quiet || (!is_violated && !output.verbose) {
        return String::new();
    }
    let runs = units::counted(also.interleavings, "interleaving");
    let head = format!(
        "also checked, messages taking any time (--instant-delivery false): {}, {runs}\n",
        also.verdict.word()
    );
    let mut text = width::fitted(&head);
    for found in &also.violations {
        text.push_str(&width::fitted(&headline(report, found)));
        text.push_str(&story(found, output));
        text.push_str(&next_commands(report, found, typed));
    }
    text
}

/// What a verdict covers, unless it is about a run that shows something wrong.
pub(crate) fn scope(report: &Report) -> String {
    let mut text = String::new();
    if !matches!(report.answer(), Outcome::Holds | Outcome::Inconclusive) {
        return text;
    }
    if !report.checked.is_empty() {
        let _ = writeln!(text, "  checked: {}", claims(&report.checked));
    }
    if !report.assumed.is_empty() {
        let _ = writeln!(text, "  assumed: {}", assumptions(report));
    }
    text
}

/// `no panic; in every reachable state agreement, validity`
pub(crate) fn claims(checked: &[Claim]) -> String {
    let (mut plain, mut invariants, mut reachable) = (Vec::new(), Vec::new(), Vec::new());
    for claim in checked {
        match claim {
            Claim::Invariant(name) => invariants.push(name.clone()),
            Claim::Reachable(name) => reachable.push(name.clone()),
            other => plain.push(other.to_string()),
        }
    }
    let named = |lead: &str, names: Vec<String>| match names.is_empty() {
        true => None,
        false => Some(format!("{lead}{}", names.join(", "))),
    };
    let parts = [
        named("", plain),
        named("in every reachable state ", invariants),
        named("reachable ", reachable),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// `messages arrive at once; no crashes`
pub(crate) fn assumptions(report: &Report) -> String {
    report.assumed.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn how_far(found: &Found) -> String {
    format!(
        "{YELLOW}as far as it can be followed{YELLOW:#}, {}",
        units::counted(found.steps as u64, "step")
    )
}

/// `violated: agreement   7 steps (from 41), seed 88213`
pub(crate) fn headline(report: &Report, found: &Found) -> String {
    let what = match (&found.property, found.kind) {
        (Some(property), ViolationKind::Invariant | ViolationKind::Property) => property.clone(),
        (Some(property), kind) => format!("{property} ({})", kind.word()),
        (None, kind) => kind.word().to_owned(),
    };
    let mut line = format!("{RED}violated{RED:#}: {BOLD}{what}{BOLD:#}");
    if found.run.is_some() {
        let _ = write!(line, "   {}", units::counted(found.steps as u64, "step"));
    }
    let n_visible = found.visible.iter().flatten().count();
    if n_visible < found.visible.len() {
        let _ = write!(line, ", {n_visible} visible");
    }
    if found.steps_found > found.steps {
        let _ = write!(line, " (from {})", found.steps_found);
    }
    if report.strategy == "random" || report.seed != 0 {
        let _ = write!(line, ", seed {}", report.seed);
    }
    line.push('\n');
    line
}

pub(crate) fn next_commands(report: &Report, found: &Found, typed: Typed<'_>) -> String {
    let Some(file) = &found.trace else { return String::new() };
    let replay = replay_command(file, typed.program);
    let look = if typed.has_debugger {
        format!("look:    {} debug {}\n", typed.program, quoted_file(file))
    } else {
        let svg = std::path::Path::new(file).with_extension("svg");
        format!("look:    {replay} --export {}\n", quoted_file(&svg.display().to_string()))
    };
    if report.command == "replay" {
        return look;
    }
    let is_replaced = report.extras.replaced.contains(file);
    let replaced = if is_replaced { format!("replaced {file}\n") } else { String::new() };
    format!("{replaced}replay:  {replay}\n{look}")
}

/// `foresee replay bank.1.trace`
pub(crate) fn replay_command(file: &str, program: &str) -> String {
    format!("{program} replay {}", quoted_file(file))
}

/// A file's name for a shell; one that begins with a dash is no flag.
pub(crate) fn quoted_file(name: &str) -> String {
    match name.starts_with('-') {
        true => quoted(&format!("./{name}")),
        false => quoted(name),
    }
}

/// A word for a shell, quoted where it must be.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

pub(crate) fn why_inconclusive(report: &Report) -> String {
    match stopped_by(report) {
        Some(stopped) => format!("nothing wrong was found until {stopped}"),
        None => "nothing can be said".to_owned(),
    }
}

/// `--time-max stopped it`.
pub(crate) fn stopped_by(report: &Report) -> Option<String> {
    Some(match report.stopped_by?.word() {
        "interrupt" => "you stopped it".to_owned(),
        "memory" => "--memory-max stopped it".to_owned(),
        "bound" => "--bound stopped it".to_owned(),
        "disk" => "the disk was full or --disk-max used up".to_owned(),
        "goal" => match &report.phase {
            Some(phase) => format!("the phase `{phase}` did not find its goal"),
            None => "a phase did not find its goal".to_owned(),
        },
        "guide" => "the phases of the guide were done; of what lies outside them nothing is said"
            .to_owned(),
        "timers" => "--timer-firings-max held timers back".to_owned(),
        word => format!("--{word}-max stopped it"),
    })
}

/// What was reached, and with `--verbose` what was looked at where that is not said already.
fn properties(report: &Report, output: &Output) -> String {
    let mut text = String::new();
    let extras = &report.extras;
    let holds = report.answer() == Outcome::Holds;
    if report.answer() == Outcome::Violated && output.verbose && !extras.properties.is_empty() {
        let _ = writeln!(text, "  checked: {}", extras.properties.join(", "));
    }
    for (name, steps) in extras.reached.iter().filter(|_| holds || output.verbose) {
        let _ = writeln!(text, "  reached after {}: {name}", units::counted(*steps as u64, "step"));
    }
    text
}

/// One line of numbers.
pub(crate) fn summary(report: &Report) -> String {
    let mut parts = Vec::new();
    if report.engine == "stateless" {
        return summary_of_interleavings(report);
    }
    if report.strategy == "random" {
        parts.push(units::counted(report.interleavings, "walk"));
    } else {
        parts.push(units::counted(report.states, "state"));
    }
    parts.push(units::counted(report.transitions, "transition"));
    parts.push(format!("depth {}", report.depth));
    let mut line = parts.join(", ");
    let _ = write!(line, " in {}", units::duration(report.seconds));
    if report.seconds > 0.0 && report.strategy != "random" {
        let _ = write!(line, " ({})", units::rate(report.states as f64 / report.seconds));
    }
    if report.peak_memory_bytes > 0 {
        let _ = write!(line, ", {}", units::bytes(report.peak_memory_bytes));
    }
    if let Some(bytes) = report.bytes_exchanged {
        let _ = write!(line, ", {} exchanged", units::bytes(bytes));
        if report.states >= 10_000 {
            let _ = write!(line, " ({:.1} B/state)", bytes as f64 / report.states as f64);
        }
    }
    if let Some(bytes) = report.disk_bytes {
        let _ = write!(line, ", {} on disk", units::bytes(bytes));
        if report.states >= 10_000 {
            let _ = write!(line, " ({:.1} B/state)", bytes as f64 / report.states as f64);
        }
    // Below that the fixed sizes of tables say more than the states do.
    } else if report.states >= 10_000
        && report.extras.store_bytes > 0
        && report.bytes_exchanged.is_none()
    {
        let _ = write!(
            line,
            ", {:.1} B/state",
            report.extras.store_bytes as f64 / report.states as f64
        );
    }
    line.push('\n');
    line
}

/// `720 interleavings, 30 erroneous, longest 25 events in 0.01 s (72,000/s), 9.1 MB`
fn summary_of_interleavings(report: &Report) -> String {
    let mut parts = vec![units::counted(report.interleavings, "interleaving")];
    if report.erroneous_interleavings > 0 {
        parts.push(format!("{} erroneous", units::grouped(report.erroneous_interleavings)));
    }
    if report.sleep_set_blocked > 0 {
        parts.push(format!("{} given up", units::grouped(report.sleep_set_blocked)));
    }
    if report.interleavings_planned > 0 {
        parts.push(format!("at least {} left", units::grouped(report.interleavings_planned)));
    }
    parts.push(format!("longest {}", units::counted(u64::from(report.depth), "event")));
    let mut line = format!("{} in {}", parts.join(", "), units::duration(report.seconds));
    // A few runs say nothing of speed.
    if report.seconds > 0.0 && report.interleavings >= 100 {
        let rate = units::rate(report.interleavings as f64 / report.seconds);
        let _ = write!(line, " ({rate})");
    }
    if report.peak_memory_bytes > 0 {
        let _ = write!(line, ", {}", units::bytes(report.peak_memory_bytes));
    }
    line + "\n"
}

/// How the work was done.
fn details(report: &Report) -> String {
    let mut text = format!(
        "engine {}, strategy {}, {}, seed {}\n",
        report.engine,
        report.strategy,
        units::counted(report.threads as u64, "thread"),
        report.seed
    );
    if report.extras.handler_calls > 0 {
        let _ =
            writeln!(text, "handlers ran {} times", units::grouped(report.extras.handler_calls));
    }
    if report.engine == "stateless" {
        let held = units::bytes(report.extras.search_bytes);
        let _ = writeln!(text, "exploration and system hold {held}");
        return text;
    }
    let _ = writeln!(
        text,
        "search and system hold {}, of which visited states {}",
        units::bytes(report.extras.search_bytes),
        units::bytes(report.extras.store_bytes)
    );
    for (handler, example) in &report.extras.not_idempotent {
        let _ = writeln!(text, "not idempotent, for information: {handler}: {example}");
    }
    if let Some(probability) = report.extras.collision_probability {
        let _ = writeln!(text, "probability that a state was overlooked: {probability:.1e}");
    }
    text
}

pub(crate) fn warning(text: &str) -> String {
    format!("{YELLOW}warning{YELLOW:#}: {text}")
}

/// What, where, what to do, and where to read more. Mistakes in a text are shown in it, all of them.
pub(crate) fn diagnostic(diagnostic: &Diagnostic, program: &str) -> String {
    let all: Vec<&Diagnostic> = std::iter::once(diagnostic).chain(&diagnostic.also).collect();
    let mut text = String::new();
    for diagnostic in &all {
        text.push_str(&if diagnostic.excerpts.is_empty() {
            width::fitted(&plain(diagnostic))
        } else {
            in_source(diagnostic)
        });
        text.push('\n');
    }
    let mut codes: Vec<&str> = Vec::new();
    for diagnostic in all.iter().filter(|it| it.code != Code::UnknownCode) {
        if !codes.contains(&diagnostic.code.id()) {
            codes.push(diagnostic.code.id());
        }
    }
    let n = all.len() as u64;
    match codes.as_slice() {
        [] => {}
        [code] if n == 1 => {
            let _ = write!(text, "  {DIM}more: {program} explain {code}{DIM:#}");
        }
        [first, others @ ..] => {
            let _ = write!(text, "{BOLD}{}{BOLD:#}", units::counted(n, "error"));
            let _ = write!(text, "; {DIM}for more: {program} explain {first}");
            if !others.is_empty() {
                let _ = write!(text, " (or {})", others.join(", "));
            }
            let _ = write!(text, "{DIM:#}");
        }
    }
    text.trim_end().to_owned()
}

fn plain(diagnostic: &Diagnostic) -> String {
    let Diagnostic { code, message, location, help, path, .. } = diagnostic;
    let mut text = format!("{RED}error[{code}]{RED:#}: {message}");
    if let Some(location) = location {
        let _ = write!(text, "\n  at:   {location}");
    }
    for call in path {
        let _ = write!(text, "\n  by way of {call}");
    }
    if let Some(help) = help {
        let _ = write!(text, "\n  help: {help}");
    }
    text
}

/// The lines of the source with what is wrong below them.
fn in_source(diagnostic: &Diagnostic) -> String {
    let snippets = diagnostic.excerpts.iter().map(|excerpt| {
        let marks = excerpt.marks.iter().map(|mark| {
            let level = if mark.is_main { Level::Error } else { Level::Info };
            level.span(mark.range.clone()).label(&mark.label)
        });
        Snippet::source(&excerpt.text).origin(&excerpt.path).fold(true).annotations(marks)
    });
    let path: Vec<String> =
        diagnostic.path.iter().map(|call| format!("by way of {call}")).collect();
    let path = path.iter().map(|call| Level::Note.title(call));
    let help = diagnostic.help.iter().flat_map(|help| help.lines());
    let message = Level::Error
        .title(&diagnostic.message)
        .id(diagnostic.code.id())
        .snippets(snippets)
        .footers(path.chain(help.map(|line| Level::Help.title(line))));
    let renderer = match width::of_output() {
        Some(columns) => Renderer::styled().term_width(columns),
        None => Renderer::styled(),
    };
    let text = renderer.render(message).to_string();
    let lines = text.lines().map(|line| {
        // Beside the main place, other places are marked; the renderer calls each of them `info`.
        let is_mark = anstream::adapter::strip_str(line).to_string().trim_start().starts_with('|');
        if is_mark { line.replacen("info: ", "", 1) } else { line.to_owned() }
    });
    lines.map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell() {
        assert_eq!(quoted("ping.1.trace"), "ping.1.trace");
        assert_eq!(quoted("my file"), "'my file'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!((quoted_file("-a.trace"), quoted_file("b")), ("./-a.trace".into(), "b".into()));
    }
}
