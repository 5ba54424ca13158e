//! Traces and exports as files. What was asked for by name and cannot be written is an error (exit code 2), and the report
//! still tells everything that was found. A trace that nobody has asked for is only a warning.

use crate::{Program, debug};
use foresee_session::{Code, Diagnostic, Loaded, Report, Trace};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// What the first bytes of a trace file are.
const MARK: &[u8] = b"foresee trace ";

/// Which traces are saved.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Traces {
    /// Of violations of one kind and property, the first.
    OneOfAKind,
    All,
}

/// Writes the trace of each violation and puts its name into the report.
pub(crate) fn save_traces(report: &mut Report, system: &str, chosen: Option<&Path>, which: Traces) {
    let mut failed = None;
    let mut saved = Vec::new();
    for found in report.violations.iter_mut() {
        let Some(run) = &found.run else { continue };
        let kind = (found.kind, found.property.clone());
        if which == Traces::OneOfAKind && saved.contains(&kind) {
            report.extras.traces_left_out += 1;
            continue;
        }
        let name = trace_name(system, chosen, saved.len());
        saved.push(kind);
        let was_there = std::fs::metadata(&name).is_ok_and(|it| it.is_file() && it.len() > 0);
        match save_trace(&name, run) {
            Ok(()) => {
                let name = name.display().to_string();
                if was_there {
                    report.extras.replaced.push(name.clone());
                }
                found.trace = Some(name);
            }
            Err(news) if chosen.is_some() => failed = failed.or(Some(news)),
            Err(news) => report.warnings.push(format!(
                "{}: the trace was not saved: {}; choose another place with --trace FILE",
                news.code, news.message
            )),
        }
    }
    if let Some(news) = failed {
        report.fail_to_write(news);
    }
}

/// Writes one trace.
pub(crate) fn save_trace(file: &Path, run: &Trace) -> Result<(), Diagnostic> {
    let is_own = |start: &[u8]| start.starts_with(MARK);
    write_over_own(file, run.to_string().as_bytes(), is_own)
}

/// Writes the graph that was asked for; answers what to say of it.
pub(crate) fn save_graph(report: &mut Report, file: Option<&Path>) -> String {
    let Some(file) = file else { return String::new() };
    match report.extras.graph.take() {
        Some(graph) => save_own(report, file, &graph, "// foresee graph\n"),
        None => {
            let warning = "--graph shows interleavings, which only --engine stateless has";
            report.warnings.push(warning.to_owned());
            String::new()
        }
    }
}

/// What the first bytes of a page are.
const PAGE_MARK: &str = "<!doctype html>\n<!-- foresee report -->";

/// The same for the page that plays what was found.
pub(crate) fn save_page(
    report: &mut Report,
    file: Option<&Path>,
    program: &Program,
    reopen: &dyn Fn() -> Result<Loaded, Diagnostic>,
) -> String {
    let Some(file) = file else { return String::new() };
    match debug::page(program, reopen, report) {
        Ok(page) => save_own(report, file, &page, PAGE_MARK),
        Err(diagnostic) => {
            report.fail_to_write(diagnostic);
            String::new()
        }
    }
}

fn save_own(report: &mut Report, file: &Path, content: &str, mark: &str) -> String {
    let is_own = |start: &[u8]| start.starts_with(mark.as_bytes());
    match write_over_own(file, content.as_bytes(), is_own) {
        Ok(()) => format!("wrote {}\n", file.display()),
        Err(diagnostic) => {
            report.fail_to_write(diagnostic);
            String::new()
        }
    }
}

/// `SYSTEM.1.trace`, or `FILE`, `FILE` with `.2` before its ending, and so on.
pub(crate) fn trace_name(system: &str, chosen: Option<&Path>, index: usize) -> PathBuf {
    let number = index + 1;
    match chosen {
        None => PathBuf::from(format!("{}.{number}.trace", file_part(system))),
        Some(file) if index == 0 => file.to_owned(),
        Some(file) => {
            let ending = file.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
            file.with_extension(format!("{number}{}", ending.unwrap_or_default()))
        }
    }
}

/// A name without what is no part of a file's name.
fn file_part(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect()
}

/// Writes a file, unless there is one already that does not look like our own.
pub(crate) fn write_over_own(
    file: &Path,
    content: &[u8],
    is_own: impl Fn(&[u8]) -> bool,
) -> Result<(), Diagnostic> {
    require_own(file, is_own)?;
    std::fs::write(file, content).map_err(|error| refused(file, &error))
}

/// Refuses a name under which there is something that does not look like our own. A device or a pipe holds nothing to lose.
fn require_own(file: &Path, is_own: impl Fn(&[u8]) -> bool) -> Result<(), Diagnostic> {
    if is_special(file) {
        return Ok(());
    }
    match start_of(file) {
        Ok(start) if !start.is_empty() && !is_own(&start) => {
            Err(refused(file, &"there is a file of this name that foresee did not write"))
        }
        Err(error) if error.kind() != ErrorKind::NotFound => Err(refused(file, &error)),
        _ => Ok(()),
    }
}

pub(crate) fn refused(file: &Path, reason: &dyn std::fmt::Display) -> Diagnostic {
    let message = format!("cannot write `{}`: {reason}", file.display());
    Diagnostic::new(Code::FileNotWritten, message).help("choose another name or directory")
}

/// A file's name that does not say what to write.
pub(crate) fn unknown_ending(file: &Path, flag: &str, help: &str) -> Diagnostic {
    let message = format!("`{}` does not say what to write", file.display());
    Diagnostic::new(Code::UnknownExport, message)
        .at(format!("{flag} {}", file.display()))
        .help(help)
}

/// A file that takes its name only when it is complete.
pub(crate) struct Draft {
    name: PathBuf,
    draft: PathBuf,
    file: std::fs::File,
}

impl Draft {
    pub(crate) fn create(name: &Path, is_own: impl Fn(&[u8]) -> bool) -> Result<Self, Diagnostic> {
        require_own(name, is_own)?;
        let mut draft = name.as_os_str().to_owned();
        draft.push(format!(".{}.part", std::process::id()));
        let draft = PathBuf::from(draft);
        let file = std::fs::File::create(&draft).map_err(|error| refused(name, &error))?;
        Ok(Draft { name: name.to_owned(), draft, file })
    }

    pub(crate) fn file(&mut self) -> &mut std::fs::File {
        &mut self.file
    }

    /// The file is complete.
    pub(crate) fn keep(self) -> Result<(), Diagnostic> {
        std::fs::rename(&self.draft, &self.name).map_err(|error| refused(&self.name, &error))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After `keep` there is nothing left under this name.
        let _ = std::fs::remove_file(&self.draft);
    }
}

/// Something that is neither a file nor a folder: a device, a pipe.
fn is_special(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|it| !it.is_file() && !it.is_dir())
}

fn start_of(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    std::fs::File::open(file)?.take(4096).read_to_end(&mut start)?;
    Ok(start)
}

/// Reads a trace.
pub(crate) fn read_trace(file: &Path) -> Result<Trace, Diagnostic> {
    let bytes = std::fs::read(file).map_err(|error| {
        let help = match error.kind() {
            ErrorKind::NotFound => {
                "`check` prints the name of each trace it writes; is this the right directory?"
            }
            _ => "is it a file, and may you read it?",
        };
        Diagnostic::new(Code::TraceNotReadable, format!("cannot read the trace: {error}"))
            .at(file.display().to_string())
            .help(help)
    })?;
    foresee_session::read_trace(&file.display().to_string(), &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_traces() {
        let name = |chosen: Option<&str>, index| {
            trace_name("locks/2", chosen.map(Path::new), index).display().to_string()
        };
        assert_eq!(
            (name(None, 0), name(None, 1)),
            ("locks-2.1.trace".to_owned(), "locks-2.2.trace".to_owned())
        );
        let chosen = Some("out/a.trace");
        assert_eq!(
            (name(chosen, 0), name(chosen, 1)),
            ("out/a.trace".to_owned(), "out/a.2.trace".to_owned())
        );
        assert_eq!(name(Some("a"), 2), "a.3");
    }
}
