//! What is wrong with an Erlang program, in the door's words: the same codes, with the source beside them.

use crate::{Code, Diagnostic, Excerpt, Mark};
use foresee_erlang::{AbsentCall, Problem, Trouble};
use foresee_erlang_syntax::{FileId, Severity, SourceFile, Sources};
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a place that are shown.
const SHOWN_MAX: usize = 4000;

/// All errors as one diagnostic with the others beside it, and the warnings as lines.
pub(crate) fn errors_and_warnings(problems: &[Problem]) -> (Option<Diagnostic>, Vec<String>) {
    let problems = once_each(in_order(problems));
    let (errors, warnings): (Vec<&Problem>, Vec<&Problem>) =
        problems.into_iter().partition(|problem| problem.diagnostic.severity == Severity::Error);
    let warnings = warnings.into_iter().map(|problem| {
        let place = problem.sources.place(problem.diagnostic.span);
        let said = [&problem.diagnostic.message].into_iter().chain(&problem.diagnostic.help);
        let said: Vec<&str> = said.map(String::as_str).collect();
        format!("{place}: {}: {}", problem.diagnostic.code, said.join("; "))
    });
    (Diagnostic::all(errors.into_iter().map(diagnostic)), warnings.collect())
}

/// File by file, and in each from top to bottom, whoever found them.
fn in_order(problems: &[Problem]) -> Vec<&Problem> {
    let main = |problem: &Problem| problem.sources.files().first().map(|file| file.path.clone());
    let mut files = Vec::new();
    for problem in problems {
        if !files.contains(&main(problem)) {
            files.push(main(problem));
        }
    }
    let mut ordered: Vec<&Problem> = problems.iter().collect();
    ordered.sort_by_key(|problem| {
        let file = files.iter().position(|file| *file == main(problem));
        (file, problem.diagnostic.span)
    });
    ordered
}

/// A function that is not there is told once in a file, however often it is called.
fn once_each(problems: Vec<&Problem>) -> Vec<&Problem> {
    let mut told: Vec<(&str, &str, FileId)> = Vec::new();
    let mut kept = Vec::new();
    for problem in problems {
        let Problem { diagnostic, .. } = problem;
        let key = (diagnostic.code.0, diagnostic.message.as_str(), diagnostic.span.file);
        let is_call = matches!(diagnostic.code.0, "E0152" | "E0201" | "E0202");
        if !(is_call && told.contains(&key)) {
            told.push(key);
            kept.push(problem);
        }
    }
    kept
}

fn diagnostic(problem: &Problem) -> Diagnostic {
    let Problem { diagnostic, sources } = problem;
    let code = Code::of_program(diagnostic.code.0).unwrap_or(Code::Internal);
    let help = diagnostic.help.join("\n");
    Diagnostic {
        location: Some(sources.place(diagnostic.span)),
        help: (!help.is_empty()).then_some(help),
        excerpts: excerpts(diagnostic, sources).into(),
        ..Diagnostic::new(code, &diagnostic.message)
    }
}

/// One excerpt for each file that has a part in it, the main one first.
fn excerpts(diagnostic: &foresee_erlang_syntax::Diagnostic, sources: &Sources) -> Vec<Excerpt> {
    let main = [(diagnostic.span, diagnostic.label.clone(), true)];
    let others =
        diagnostic.secondary.iter().map(|label| (label.span, label.message.clone(), false));
    let mut found: Vec<(FileId, Excerpt)> = Vec::new();
    for (span, label, is_main) in main.into_iter().chain(others) {
        let file = sources.file(span.file);
        let end = (span.end as usize).min(file.text.len());
        let mark = Mark {
            range: shortened(&file.text, (span.start as usize).min(end)..end),
            label,
            is_main,
        };
        match found.iter_mut().find(|(id, _)| *id == span.file) {
            Some((_, excerpt)) => excerpt.marks.push(mark),
            None => found.push((span.file, excerpt(file, mark))),
        }
    }
    found.into_iter().map(|(_, excerpt)| excerpt).collect()
}

/// A place that can be shown: of one that is very long, its beginning.
fn shortened(text: &str, range: Range<usize>) -> Range<usize> {
    if range.len() <= SHOWN_MAX {
        return range;
    }
    let end = (range.start..range.start + SHOWN_MAX).rev().find(|at| text.is_char_boundary(*at));
    range.start..end.unwrap_or(range.end)
}

fn excerpt(file: &SourceFile, mark: Mark) -> Excerpt {
    Excerpt { path: file.path.to_string(), text: Arc::clone(&file.text), marks: vec![mark] }
}

/// Why a run could not go on, with the line if it is in one of `files`.
pub(crate) fn trouble(
    trouble: &Trouble,
    files: &[SourceFile],
    unloaded: &[(String, Diagnostic)],
) -> Diagnostic {
    let code = Code::of_program(trouble.code.0).unwrap_or(Code::Internal);
    let message = format!("{} cannot go on: {}", trouble.pid, trouble.what);
    let help = if let Some(absent) = &trouble.absent {
        about_absent(absent)
    } else if trouble.code.0 == "E0305" {
        "--supervisor MODULE:FUNCTION names the function that starts the tree, usually start_link, which gives what \
         supervisor:start_link gives; look at why it gives something else with `simulate`"
    } else if matches!(trouble.code.0, "E0303" | "E0304") {
        "what grows for ever has no last state; let the test send or keep only so much"
    } else if trouble.what.contains(" without end") {
        "a process that never waits, sends or prints gives nobody else a turn; a loop must end or wait in a `receive`"
    } else if trouble.what.contains("node ") {
        "a program is checked on one node; let a process play the part of the other node"
    } else {
        "replace the call in the test by a function that the test defines"
    };
    let mut diagnostic = Diagnostic::new(code, message).help(help);
    if let Some(absent) = &trouble.absent {
        diagnostic.path = absent.path.iter().map(call).collect();
        let why = unloaded.iter().find(|(name, _)| absent.is_unloaded && *name == absent.module);
        let errors = why.map(|(_, why)| std::iter::once(why).chain(&why.also).cloned());
        diagnostic.also.extend(errors.into_iter().flatten());
        diagnostic.also.iter_mut().for_each(|it| it.also.clear());
    }
    let Some((path, line)) = &trouble.place else { return diagnostic };
    let mut diagnostic = diagnostic.at(format!("{path}:{line}"));
    if let Some(file) = files.iter().find(|file| *file.path == **path) {
        let range = line_range(&file.text, *line);
        let mark = Mark { range, label: String::new(), is_main: true };
        diagnostic.excerpts = Box::new([excerpt(file, mark)]);
    }
    diagnostic
}

/// `m:f/1 at m.erl:3`.
fn call((who, place): &(String, Option<(String, u32)>)) -> String {
    match place {
        Some((file, line)) => format!("{who} at {file}:{line}"),
        None => who.clone(),
    }
}

/// What to do about a call of a function that Erlang has and that is not here.
fn about_absent(absent: &AbsentCall) -> &str {
    match absent.advice {
        _ if absent.is_unloaded => "what keeps the module from being loaded is told below",
        Some(advice) => advice,
        None => {
            "give the source of the module (as a file, its folder with `--src DIR`, or an installed OTP with `--otp DIR`), or \
             replace the call in the test by a function that the test defines"
        }
    }
}

/// The bytes of a line, without the white space around it.
fn line_range(text: &str, line: u32) -> std::ops::Range<usize> {
    let start: usize =
        text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let content = text[start..].lines().next().unwrap_or_default();
    let indent = content.len() - content.trim_start().len();
    let code = content.split('%').next().unwrap_or(content).trim();
    start + indent..start + indent + code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_marked_without_its_indentation_and_comment() {
        let text = "a.\n  b(c). % d\n";
        assert_eq!(&text[line_range(text, 1)], "a.");
        assert_eq!(&text[line_range(text, 2)], "b(c).");
        assert_eq!(line_range(text, 9), text.len()..text.len());
    }
}
