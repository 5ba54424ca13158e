//! Expression files: paragraphs of an expression and its outcome in Erlang.
//! All expressions of a file are functions of one module, each called in a process of its own, as `regenerate.escript`
//! does it. A case that does not load, or that stops the run, is struck out and the rest runs again.

use super::{folder, loaded, output, system};
use foresee_erlang::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// One expression and its outcome, the lines as they stand in the file.
struct Case {
    expression: Vec<String>,
    outcome: String,
}

pub(crate) fn check(path: &PathBuf) -> Vec<(String, Option<String>)> {
    let text = std::fs::read_to_string(path).expect("readable");
    let cases = cases(&text);
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let outcomes = outcomes(&format!("expressions_{name}"), &cases);
    let judge = |(i, case): (usize, &Case)| {
        let name = case.expression.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        let got = outcomes.get(&i).map_or("nothing", String::as_str);
        let wrong = (got != case.outcome)
            .then(|| format!("expected\n    {}\ngot\n    {got}", case.outcome));
        (name, wrong.map(|text| text.replace('\n', "\n  ")))
    };
    cases.iter().enumerate().map(judge).collect()
}

/// The paragraphs of a file; lines that start with `%` are comments between them.
fn cases(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().chain([""]) {
        if line.is_empty() {
            let paragraph = std::mem::take(&mut lines);
            let is_outcome = |line: &&str| line.starts_with("=>") || line.starts_with("!!");
            let n = paragraph.iter().position(is_outcome).unwrap_or(paragraph.len());
            if n > 0 {
                cases.push(Case {
                    expression: paragraph[..n].iter().map(|&line| line.to_owned()).collect(),
                    outcome: paragraph[n..].join("\n"),
                });
            }
        } else if !(lines.is_empty() && line.starts_with('%')) {
            lines.push(line);
        }
    }
    cases
}

/// What became of each case, by its number.
fn outcomes(name: &str, cases: &[Case]) -> BTreeMap<usize, String> {
    let mut done = BTreeMap::new();
    let mut active: BTreeSet<usize> = (0..cases.len()).collect();
    while !active.is_empty() {
        let (text, starts) = module(name, cases, &active);
        let loaded = loaded(&format!("{name}.erl"), &text);
        let Some(program) = loaded.program else {
            let n_before = active.len();
            for problem in loaded.problems.iter().filter(|problem| problem.is_error()) {
                let line = problem.sources.line(problem.diagnostic.span) as usize;
                let case = starts.range(..=line).next_back().map(|(_, case)| *case);
                let case = case.unwrap_or_else(|| panic!("{}", problem.diagnostic.message));
                active.remove(&case);
                done.entry(case).or_insert_with(|| problem.diagnostic.message.clone());
            }
            assert!(active.len() < n_before, "a problem of no case");
            continue;
        };
        let (output, outcome) = output(&system(program, name), 0);
        let mut last = None;
        for result in output.split('\u{1}').skip(1) {
            let (number, text) = result.split_once(' ').unwrap_or((result, ""));
            let number: usize = number.trim().parse().expect("the number of a case");
            last = Some(number);
            if !text.is_empty() {
                done.insert(number, text.to_owned());
                active.remove(&number);
            }
        }
        // What was begun and has no result stopped the run.
        if let Some(case) = last.or(active.first().copied()).filter(|case| active.remove(case)) {
            done.insert(case, format!("{outcome:?}"));
        } else if !matches!(outcome, Outcome::Finished | Outcome::Deadlock(_)) {
            panic!("{outcome:?}");
        } else if last.is_none() {
            break;
        }
    }
    done
}

/// A module of the active cases, and the line where each starts.
fn module(
    name: &str,
    cases: &[Case],
    active: &BTreeSet<usize>,
) -> (String, BTreeMap<usize, usize>) {
    let header = std::fs::read_to_string(folder().join("expressions/header.hrl"));
    let mut text = format!(
        "-module({name}).\n-feature(maybe_expr, enable).\n\
         -compile([export_all, nowarn_export_all]).\n{}\n{DRIVER}",
        header.expect("the header is there")
    );
    let calls: Vec<String> =
        active.iter().map(|i| format!("'run a case'({i}, fun case_{}/0)", i + 1)).collect();
    text.push_str(&format!("main() ->\n    {}.\n", calls.join(",\n    ")));
    let mut starts = BTreeMap::new();
    for &i in active {
        starts.insert(text.lines().count() + 1, i);
        text.push_str(&format!("case_{}() ->\n{}.\n\n", i + 1, cases[i].expression.join("\n")));
    }
    (text, starts)
}

/// Prints a control character and the number of a case, then its outcome.
const DRIVER: &str = r#"
'run a case'(I, F) ->
    io:format("\x{1}~w", [I]),
    Self = self(),
    {Pid, Monitor} = spawn_monitor(fun() -> Self ! {self(), 'outcome of a case'(F)} end),
    receive
        {Pid, Result} -> demonitor(Monitor, [flush]), io:format(" ~ts", [Result]);
        {'DOWN', Monitor, process, Pid, Reason} -> io:format(" !! killed:~0tp", [Reason])
    after 10000 -> exit(Pid, kill), io:format(" !! endless")
    end.

'outcome of a case'(F) ->
    try F() of
        Value ->
            Pretty = lists:flatten(io_lib:format("~tp", [Value])),
            Plain = lists:flatten(io_lib:format("~tw", [Value])),
            ["=> ", 'indented'(Pretty), [["\n~~ ", Plain] || Plain =/= Pretty]]
    catch
        Class:Reason -> io_lib:format("!! ~w:~0tp", [Class, Reason])
    end.

'indented'([$\n | Rest]) -> [$\n, 32, 32, 32 | 'indented'(Rest)];
'indented'([C | Rest]) -> [C | 'indented'(Rest)];
'indented'([]) -> [].

"#;
