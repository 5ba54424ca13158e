//! Corpus files: what the tests, the oracle and the measurements share.

/// One expression and what it should print.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) line: usize,
    pub(crate) expression: String,
    pub(crate) expected: String,
}

/// The paragraphs of an expression file: expression lines, then lines that start with `> `. Lines that start with `%`
/// are comments.
pub(crate) fn cases(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut expression = String::new();
    let mut expected = String::new();
    let mut start = 0;
    for (i, line) in text.lines().chain([""]).enumerate() {
        if line.starts_with('%') {
            continue;
        }
        if line.is_empty() {
            if !expression.is_empty() {
                let (expression, expected) =
                    (std::mem::take(&mut expression), std::mem::take(&mut expected));
                cases.push(Case { line: start, expression, expected });
            }
        } else if let Some(rest) = line.strip_prefix("> ") {
            expected.push_str(rest);
        } else {
            if expression.is_empty() {
                start = i + 1;
            } else {
                expression.push('\n');
            }
            expression.push_str(line);
        }
    }
    cases
}

/// A module whose `main/0` prints one numbered line for each expression.
pub(crate) fn module(cases: &[Case]) -> String {
    let mut text = String::from(
        "-module(corpus).\n-feature(maybe_expr, enable).\n-export([main/0]).\n-compile([export_all, nowarn_export_all, nowarn_unused_record]).\n\
         -record(point, {x = 0, y = 0}).\n-record(person, {name, age = 18, tags = []}).\n\
         show(N, F) ->\n    try F() of\n        V -> io:format(\"~w ~0p~n\", [N, V])\n    catch\n\
         \x20       C:R -> io:format(\"~w ** ~0p ~0p~n\", [N, C, R])\n    end.\n\
         id(X) -> X.\n",
    );
    let calls: Vec<String> = (0..cases.len()).map(|n| format!("show({n}, fun e{n}/0)")).collect();
    text.push_str(&format!("main() ->\n    {},\n    ok.\n", calls.join(",\n    ")));
    for (n, case) in cases.iter().enumerate() {
        text.push_str(&format!("e{n}() ->\n{}\n", case.expression));
    }
    text
}

/// The printed results, by number.
pub(crate) fn results(output: &str, n: usize) -> Vec<String> {
    let mut results = vec![String::new(); n];
    for line in output.lines() {
        if let Some((number, rest)) = line.split_once(' ')
            && let Ok(number) = number.parse::<usize>()
            && number < n
        {
            results[number] = rest.to_owned();
        }
    }
    results
}
