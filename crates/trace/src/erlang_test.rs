//! A trace as an Erlang test: a module that EUnit runs, with the schedule of the run in it, step by step.
//! The schedule is forced, as far as the program's own text goes: the modules are compiled again with gates before the operations
//! that the trace names (`erlang_test/runtime.erl`). What happens inside the library, a timer, an exit, is not held back; the
//! comment of each step says which it is. The test fails while the violation is there, and passes when it is gone.
//! Not here: which steps can be held back (`session`, which knows the text).

use crate::Finding;
use foresee_lts::{ViolationKind, Words};
use std::fmt::Write;

const RUNTIME: &str = include_str!("erlang_test/runtime.erl");

/// How the test is to be written.
#[derive(Clone, Debug, Default)]
pub struct ErlangTest {
    /// What the test's module is called: the file's name.
    pub name: String,
    /// Where the program starts.
    pub entry: (String, String),
    /// The source files, as the compiler finds them.
    pub sources: Vec<String>,
    pub includes: Vec<String>,
    pub defines: Vec<(String, Option<String>)>,
    pub steps: Vec<ErlangStep>,
    /// What was wrong.
    pub violation: Option<Finding>,
    /// The processes that waited in vain at the end.
    pub stuck: Vec<String>,
}

/// One event of the schedule.
#[derive(Clone, Debug)]
pub struct ErlangStep {
    /// As in labels: `<P.1.2>`, `<P.1/server>`.
    pub process: String,
    pub what: Words,
    /// What kind of operation it is, as the runtime tells them apart: `receive`, `send`, `spawn`, `gen`, `ets`, `register`.
    pub kind: String,
    /// Where it is in the source.
    pub place: Option<(String, u32)>,
    /// What it came to, where that says something: `= [{x,0}]`.
    pub outcome: Option<String>,
    /// It is in the program's own text, so it can be held back.
    pub is_held: bool,
}

/// The source of a module with one test, `NAME:schedule_test_/0`.
///
/// ```
/// use foresee_trace::{ErlangTest, erlang_test};
/// let test = ErlangTest { name: "bank_foresee_test".into(), entry: ("bank".into(), "test".into()), ..Default::default() };
/// assert!(erlang_test(&test).contains("-module(bank_foresee_test).\n"));
/// ```
pub fn erlang_test(test: &ErlangTest) -> String {
    let mut text = String::new();
    let (module, function) = &test.entry;
    let entry = format!("{module}:{function}/0");
    let claim = test.violation.as_ref().map_or("a run".to_owned(), Finding::title);
    let _ = writeln!(text, "%% Written by foresee from a trace of {entry}: {}.", comment(&claim));
    for line in test.violation.iter().flat_map(|finding| finding.message.lines()) {
        let _ = writeln!(text, "%%   {}", comment(line));
    }
    text.push_str(
        "%% The test fails while this run shows the violation and passes when it is gone. Run it where the source files are found:\n\
         %% `eunit:test(MODULE)`, or as one of a project's tests.\n\
         %%\n\
         %% The schedule. A step marked with | is held back until its turn; the others follow by themselves, inside the library or\n\
         %% where a process ends, and are not forced; a timer or a timeout inside the library fires in its own time.\n",
    );
    for (i, step) in test.steps.iter().enumerate() {
        let mark = if step.is_held { '|' } else { ' ' };
        let place = step.place.as_ref().map(|(file, line)| format!("  [{file}:{line}]"));
        let outcome = step.outcome.as_ref().map(|outcome| format!(" {outcome}"));
        let (outcome, place) = (outcome.unwrap_or_default(), place.unwrap_or_default());
        let what = format!("{} {}{outcome}{place}", step.process, step.what);
        let _ = writeln!(text, "%% {mark}{:>4}  {}", i + 1, comment(&what));
    }
    let _ = writeln!(
        text,
        "-module({}).\n-export([schedule_test_/0, gate/1, gate/2, parse_transform/2]).\n",
        atom(&test.name)
    );
    let _ = writeln!(text, "entry() -> {{{}, {}}}.\n", atom(module), atom(function));
    let _ = writeln!(text, "sources() -> [{}].\n", list(test.sources.iter().map(|it| string(it))));
    let includes = test.includes.iter().map(|folder| format!("{{i, {}}}", string(folder)));
    let defines = test.defines.iter().map(|(name, value)| match value {
        Some(value) => format!("{{d, {}, {value}}}", atom(name)),
        None => format!("{{d, {}}}", atom(name)),
    });
    let _ = writeln!(text, "compiler_options() -> [{}].\n", list(includes.chain(defines)));
    text.push_str(&schedule(&test.steps));
    text.push_str(&test_function(test));
    text + RUNTIME
}

fn schedule(steps: &[ErlangStep]) -> String {
    let held = steps.iter().enumerate().filter(|(_, step)| step.is_held);
    let held = held
        .map(|(i, step)| format!("{{{}, {}, {}}}", path(&step.process), atom(&step.kind), i + 1));
    let lines: Vec<String> = held.collect();
    format!(
        "%% Process, kind of operation, number of the step.\nschedule() ->\n    [{}].\n\n",
        lines.join(",\n     ")
    )
}

fn test_function(test: &ErlangTest) -> String {
    let is_deadlock =
        test.violation.as_ref().is_some_and(|finding| finding.kind == ViolationKind::Deadlock);
    let check = if is_deadlock {
        let stuck = list(test.stuck.iter().map(|name| path(name)));
        format!(
            "         #{{waiting := Waiting}} = run(),\n         \
             %% These processes waited for ever.\n         \
             case [Path || Path <- [{stuck}], lists:member(Path, Waiting)] of\n             \
             [] -> ok;\n             \
             Stuck -> erlang:error({{deadlock, Stuck}})\n         \
             end"
        )
    } else {
        "         #{failed := Failed} = run(),\n         \
         case Failed of\n             \
         [] -> ok;\n             \
         [{Path, Reason} | _] -> erlang:error({abnormal_exit, Path, Reason})\n         \
         end"
        .to_owned()
    };
    format!("schedule_test_() ->\n    {{timeout, 60, fun() ->\n{check}\n     end}}.\n\n")
}

/// `<P.1.2/name>` as `[1, 2]`.
fn path(process: &str) -> String {
    let inside = process.trim_start_matches('<').trim_end_matches('>');
    let pid = inside.split('/').next().unwrap_or_default();
    let numbers: Vec<&str> =
        pid.split('.').skip(1).filter(|part| part.bytes().all(|b| b.is_ascii_digit())).collect();
    format!("[{}]", numbers.join(", "))
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

/// Text for the rest of a line.
fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn string(text: &str) -> String {
    format!("\"{}\"", escaped(text, '"'))
}

/// Without quotes where it needs none.
fn atom(text: &str) -> String {
    let is_bare = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_bare && !is_reserved(text) {
        text.to_owned()
    } else {
        format!("'{}'", escaped(text, '\''))
    }
}

fn escaped(text: &str, quote: char) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {
                let _ = write!(out, "\\x{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

fn is_reserved(word: &str) -> bool {
    const RESERVED: &str = "after and andalso band begin bnot bor bsl bsr bxor case catch cond div else end fun if let maybe not \
        of or orelse receive rem try when xor";
    RESERVED.split_whitespace().any(|reserved| reserved == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_erlang_reads_them() {
        assert_eq!((path("<P>"), path("<P.1.2/a.b>")), ("[]".to_owned(), "[1, 2]".to_owned()));
        assert_eq!(
            (atom("bank_1"), atom("end"), atom("it's")),
            ("bank_1".into(), "'end'".into(), "'it\\'s'".into())
        );
        assert_eq!(string("a\"\\\n"), "\"a\\\"\\\\\\x{a}\"");
        assert_eq!(comment("a\nerlang:halt()."), "a erlang:halt().");
    }
}
