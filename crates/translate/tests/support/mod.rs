//! Translating files of the repository and exploring what comes out.
#![allow(dead_code, reason = "not every test uses everything here")]

use foresee_algebra::Algebra;
use foresee_erlang_syntax::{Options as Syntax, Parse, no_includes, parse_file};
use foresee_lts::{Successors, System};
use foresee_translate::{Diagnostic, Options, Translation, translate};
use std::collections::BTreeMap;

/// A state space in the order of discovery.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Space {
    pub(crate) edges: Vec<Vec<(String, usize)>>,
    pub(crate) faults: Vec<String>,
}

impl Space {
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.edges.len(), self.edges.iter().map(Vec::len).sum())
    }

    pub(crate) fn n_deadlocks(&self) -> usize {
        self.edges.iter().filter(|it| it.is_empty()).count()
    }

    pub(crate) fn labels(&self) -> std::collections::BTreeSet<&str> {
        self.edges.iter().flatten().map(|it| it.0.as_str()).collect()
    }

    /// Follows every run with a memory of it; what `step` makes of a label must not be `None`.
    pub(crate) fn always<M: Clone + Ord>(&self, first: M, step: impl Fn(&str, &M) -> Option<M>) {
        let mut seen = std::collections::BTreeSet::from([(0, first.clone())]);
        let mut due = vec![(0, first, Vec::new())];
        while let Some((at, memory, path)) = due.pop() {
            for (label, to) in &self.edges[at] {
                let mut path = path.clone();
                path.push(label.as_str());
                let Some(memory) = step(label, &memory) else { panic!("{path:#?}") };
                if seen.insert((*to, memory.clone())) {
                    due.push((*to, memory, path));
                }
            }
        }
    }

    /// As an `.aut` text.
    pub(crate) fn aut(&self) -> String {
        let (states, transitions) = self.size();
        let mut out = format!("des (0,{transitions},{states})\n");
        for (from, edges) in self.edges.iter().enumerate() {
            for (label, to) in edges {
                let label = if label == "tau" { "tau".to_owned() } else { format!("\"{label}\"") };
                out.push_str(&format!("({from},{label},{to})\n"));
            }
        }
        out
    }
}

pub(crate) fn read(path: &str) -> String {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub(crate) fn parse(path: &str, text: &str, defines: &[(&str, &str)]) -> Parse {
    let defines =
        defines.iter().map(|(name, value)| ((*name).into(), Some((*value).to_owned()))).collect();
    let options = Syntax { defines, ..Syntax::default() };
    let parse = parse_file(path, text, &options, &mut no_includes);
    assert!(parse.is_usable(), "{path}: {:?}", parse.diagnostics);
    parse
}

/// The locker of the examples.
pub(crate) fn locker(defines: &[(&str, &str)], options: &Options) -> Translation {
    expect(translate(&locker_modules(defines), ("locker_sup", "start_link"), options))
}

pub(crate) fn locker_modules(defines: &[(&str, &str)]) -> Vec<Parse> {
    let paths = ["locker", "locker_client", "locker_sup"]
        .map(|it| format!("../../examples/locker/{it}.erl"));
    paths.iter().map(|path| parse(path, &read(path), defines)).collect()
}

pub(crate) fn expect(result: Result<Translation, Vec<Diagnostic>>) -> Translation {
    result.unwrap_or_else(|problems| {
        let texts: Vec<String> = problems.iter().map(show).collect();
        panic!("{}", texts.join("\n"))
    })
}

/// A diagnostic as `path:line:column: code: message` and its help.
pub(crate) fn show(problem: &Diagnostic) -> String {
    let it = &problem.diagnostic;
    format!(
        "{}: {}: {}\n  help: {}",
        problem.sources.place(it.span),
        it.code,
        it.message,
        it.help.join("; ")
    )
}

pub(crate) fn explore(translation: &Translation) -> Space {
    let system = Algebra::new(&translation.specification, translation.algebra_options())
        .unwrap_or_else(|problems| panic!("{problems:#?}\n{}", translation.to_mucrl()));
    explore_system(&system, 200_000)
}

pub(crate) fn explore_system(system: &Algebra, max: usize) -> Space {
    let mut explorer = system.explorer();
    let mut successors = Successors::default();
    let mut states = system.initial();
    let mut index: BTreeMap<Vec<u32>, usize> = BTreeMap::from([(states[0].clone(), 0)]);
    let (mut edges, mut faults) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        explorer.expand(&state, &mut successors);
        let mut outgoing = Vec::new();
        for successor in successors.iter() {
            let mut next = state.clone();
            successors.apply(successor, &mut next);
            let fresh = states.len();
            let to = *index.entry(next.clone()).or_insert(fresh);
            if to == fresh {
                faults.extend(system.fault(&next).map(|it| it.message));
                states.push(next);
            }
            outgoing.push((system.action_text(successor.action), to));
        }
        edges.push(outgoing);
        assert!(states.len() <= max, "more than {max} states");
        at += 1;
    }
    Space { edges, faults }
}

/// A system of `tests/systems`: all its modules, started by `NAME_sup:start_link()`.
pub(crate) fn system(name: &str, defines: &[(&str, &str)], options: &Options) -> Translation {
    let modules = system_modules(name, defines);
    expect(translate(&modules, (&format!("{name}_sup"), "start_link"), options))
}

pub(crate) fn system_modules(name: &str, defines: &[(&str, &str)]) -> Vec<Parse> {
    let folder = format!("{}/tests/systems/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<String> = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|it| it.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    let text = |it: &str| read(&format!("tests/systems/{name}/{it}"));
    files.iter().map(|it| parse(it, &text(it), defines)).collect()
}
