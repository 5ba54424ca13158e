//! The form of a case: what to run, then what every engine must answer.
//!
//! ```text
//! # Why this case exists.
//! run: check ping clients=1 pings=10
//! stateful(bfs): holds, states = 120, transitions = 1595, depth = 39
//! stateful(dfs): holds, states = 120, transitions = 1595
//! ```
//! Comments and blank lines are kept; everything from a `run:` line up to the next blank line, comment or `run:` is its
//! expectation. A file may hold several runs.

use std::fmt;

/// A case file, comments and all.
#[derive(Debug, Default)]
pub(crate) struct Case {
    pub(crate) runs: Vec<Run>,
    /// What stands before each run, and after the last.
    between: Vec<Vec<String>>,
}

#[derive(Debug)]
pub(crate) struct Run {
    /// As it would be typed after `foresee`.
    pub(crate) words: String,
    pub(crate) expected: Vec<String>,
}

impl Case {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut case = Case { runs: Vec::new(), between: vec![Vec::new()] };
        let mut inside = false;
        for line in text.lines() {
            let is_aside = line.trim().is_empty() || line.starts_with('#');
            if let Some(words) = line.strip_prefix("run:") {
                case.runs.push(Run { words: words.trim().to_owned(), expected: Vec::new() });
                case.between.push(Vec::new());
                inside = true;
            } else if is_aside {
                case.between.last_mut().expect("never empty").push(line.to_owned());
                inside = false;
            } else if inside {
                case.runs
                    .last_mut()
                    .expect("inside a run")
                    .expected
                    .push(line.trim_end().to_owned());
            } else {
                return Err(format!("`{line}` stands outside of a run: start with a `run:` line"));
            }
        }
        if case.runs.is_empty() {
            return Err("nothing is run: write a `run:` line".to_owned());
        }
        Ok(case)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut asides = self.between.iter();
        let mut aside = |f: &mut fmt::Formatter<'_>| {
            asides.next().into_iter().flatten().try_for_each(|line| writeln!(f, "{line}"))
        };
        aside(f)?;
        for run in &self.runs {
            writeln!(f, "run: {}", run.words)?;
            run.expected.iter().try_for_each(|line| writeln!(f, "{line}"))?;
            aside(f)?;
        }
        Ok(())
    }
}
