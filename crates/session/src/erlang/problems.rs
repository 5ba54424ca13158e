//! What is wrong with an Erlang program, in the door's words: of its texts (`in_text`), each thing once and in order; of a run,
//! why it could not go on.

use crate::{Code, Diagnostic, Mark, in_text};
use foresee_erlang::{AbsentCall, Gap, Problem, StuckBy, Trouble};
use foresee_text::{FileId, Severity, SourceFile, line_range};
use std::ops::Range;

/// All errors as one diagnostic with the others beside it, and the warnings as lines.
pub(crate) fn errors_and_warnings(problems: &[Problem]) -> (Option<Diagnostic>, Vec<String>) {
    let problems = once_each(in_order(problems));
    let (errors, warnings): (Vec<&Problem>, Vec<&Problem>) =
        problems.into_iter().partition(|problem| problem.diagnostic.severity == Severity::Error);
    let warnings = warnings.into_iter().map(|it| in_text::warning(&it.diagnostic, &it.sources));
    let errors = errors.into_iter().map(|it| in_text::diagnostic(&it.diagnostic, &it.sources));
    (Diagnostic::all(errors), warnings.collect())
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

/// Why a run could not go on, with the line if it is in one of `files`.
pub(crate) fn trouble(
    trouble: &Trouble,
    files: &[SourceFile],
    unloaded: &[(String, Diagnostic)],
) -> Diagnostic {
    let code = Code::of_program(trouble.code.0).unwrap_or(Code::Internal);
    let message = format!("{} cannot go on: {}", trouble.pid, trouble.by);
    let help = match &trouble.by {
        StuckBy::Gap(Gap::NotStarted { .. }) => {
            "--supervisor MODULE:FUNCTION names the function that starts the tree, usually start_link, which gives what \
             supervisor:start_link gives; look at why it gives something else with `simulate`"
        }
        StuckBy::Messages(_) | StuckBy::Heap(_) => {
            "what grows for ever has no last state; let the test send or keep only so much"
        }
        StuckBy::NoEnd { .. } => {
            "a process that never waits, sends or prints gives nobody else a turn; a loop must end or wait in a `receive`"
        }
        StuckBy::Gap(Gap::OtherNode(_)) => {
            "a program is checked on one node; let a process play the part of the other node"
        }
        StuckBy::Gap(Gap::Operation(_)) | StuckBy::Absent(_) => match &trouble.absent {
            Some(absent) => about_absent(absent),
            None => "replace the call in the test by a function that the test defines",
        },
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
        let range = code_of_line(&file.text, *line);
        let mark = Mark { range, label: String::new(), is_main: true };
        diagnostic.excerpts = Box::new([in_text::excerpt(file, mark)]);
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

/// The bytes of a line of Erlang, without the white space and the comment around it.
fn code_of_line(text: &str, line: u32) -> Range<usize> {
    let Range { start, end } = line_range(text, u64::from(line));
    let content = &text[start..end];
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
        assert_eq!(&text[code_of_line(text, 1)], "a.");
        assert_eq!(&text[code_of_line(text, 2)], "b(c).");
        assert_eq!(code_of_line(text, 9), text.len()..text.len());
    }
}
