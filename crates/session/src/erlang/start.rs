//! Where a program starts, as it is typed after `-t`: a function, one test of an EUnit generator (`pool_test_#2.1`), or a case of
//! a Common Test suite, with its groups (`stress/take_two`).
//! Why in the name: a test is then named the same way on the command line, in reports and in the headers of traces, and each of
//! them starts it again.

use foresee_erlang::Entry;
use foresee_erlang::program::prelude::SUITE;
use foresee_erlang_syntax::Parse;

/// What a name after `-t` stands for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Start {
    Function,
    /// The positions, from 1, in the lists that lead to it.
    Leaf(Vec<u32>),
    /// The groups around it, from the outside in.
    Case(Vec<String>),
}

/// A function of the module and what to do with it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Named {
    pub(crate) function: String,
    pub(crate) arity: u32,
    pub(crate) start: Start,
}

impl Named {
    /// Reads what was typed; a suite's function of one argument is a case.
    pub(crate) fn read(text: &str, module: &str, parse: Option<&Parse>) -> Named {
        let plain =
            |function: &str, arity, start| Named { function: function.to_owned(), arity, start };
        if let Some((function, path)) = text.rsplit_once('#')
            && let Ok(path) = path.split('.').map(str::parse).collect::<Result<Vec<u32>, _>>()
        {
            return plain(function, 0, Start::Leaf(path));
        }
        let mut groups: Vec<String> = text.split('/').map(str::to_owned).collect();
        let case = groups.pop().unwrap_or_default();
        let has = |name: &str, arity| {
            parse.is_some_and(|it| {
                it.module.functions().any(|f| f.name.name == *name && f.arity == arity)
            })
        };
        if module.ends_with(SUITE) && has("all", 0) && has(&case, 1) {
            return plain(&case, 1, Start::Case(groups));
        }
        plain(text, 0, Start::Function)
    }

    /// What the program starts with.
    pub(crate) fn entry(&self, module: &str, typed: &str) -> Entry {
        let shown = Some(format!("{module}:{typed}"));
        match &self.start {
            Start::Function => Entry::new(module, &self.function),
            Start::Leaf(path) => Entry { shown, ..Entry::leaf(module, &self.function, path) },
            Start::Case(groups) => {
                let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
                Entry { shown, ..Entry::case(module, &groups, &self.function) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_erlang_syntax::{Options, no_includes, parse_file};

    #[test]
    fn names_say_what_to_start() {
        let text = "-module(a_SUITE).\nall() -> [c].\nc(_) -> ok.\nd() -> ok.\n";
        let parse = parse_file("a_SUITE.erl", text, &Options::default(), &mut no_includes);
        let read = |text: &str| Named::read(text, "a_SUITE", Some(&parse)).start;
        assert_eq!(read("c"), Start::Case(vec![]));
        assert_eq!(read("g/h/c"), Start::Case(vec!["g".to_owned(), "h".to_owned()]));
        assert_eq!(read("d"), Start::Function);
        let leaf = Named::read("x_test_#2.10", "m", None);
        assert_eq!((leaf.function.as_str(), leaf.start), ("x_test_", Start::Leaf(vec![2, 10])));
        assert_eq!(Named::read("x#y", "m", None).start, Start::Function);
    }
}
