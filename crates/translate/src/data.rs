//! The data part: of the library (`library/data.mcrl`) what is used, the program's own functions, and a constant for each
//! atom and process.

use crate::terms::{any, constant, not};
use crate::translator::Translator;
use foresee_algebra::{Rule, Specification, Term, parse};
use std::collections::BTreeSet;

impl Translator<'_> {
    /// Declares what the rules and processes of `spec` use and adds the rules of the library that they need.
    pub(crate) fn add_data(&mut self, spec: &mut Specification) {
        let mut library = parse(include_str!("library/data.mcrl")).specification;
        // Calls lie in buffers with their tags, or all of them without.
        let other = if self.options.async_reply { "callitem" } else { "taggeditem" };
        library.rules.retain(|it| !it.left.to_string().contains(other));
        spec.sort("Term");
        let own: BTreeSet<(String, usize)> = self.maps.iter().cloned().collect();
        let mut used = Used { found: BTreeSet::new(), due: Vec::new() };
        for rule in &self.rules {
            used.term(&rule.left);
            used.term(&rule.right);
        }
        for it in &spec.processes {
            crate::shape::terms_of(&it.body, &mut |it| used.term(it));
        }
        if let Some(init) = &spec.init {
            crate::shape::terms_of(init, &mut |it| used.term(it));
        }
        let mut rules: Vec<Rule> = Vec::new();
        while let Some((name, n)) = used.due.pop() {
            let of_library = library
                .rules
                .iter()
                .filter(|it| it.left.name == name && it.left.arguments.len() == n);
            let mut new: Vec<Rule> = of_library.cloned().collect();
            new.extend(self.made_rules(&name, n));
            for rule in &new {
                used.term(&rule.left);
                used.term(&rule.right);
            }
            rules.extend(new);
        }
        let is_used = |name: &str, n: usize| used.found.contains(&(name.to_owned(), n));
        // Constructors of the library in its order, then processes, then atoms.
        let known =
            library.functions.iter().filter(|it| is_used(&it.name.text, it.arguments.len()));
        for it in known.clone().filter(|it| it.is_constructor) {
            spec.functions.push(it.clone());
        }
        let pids: Vec<String> = self.children.iter().map(|it| self.pid(it)).collect();
        let is_library = |name: &str| {
            library.functions.iter().any(|it| it.name.text == name && it.arguments.is_empty())
        };
        let mut constants: Vec<&String> =
            used.found.iter().filter(|it| it.1 == 0).map(|it| &it.0).collect();
        constants.retain(|it| {
            !is_library(it)
                && !matches!(it.as_str(), "T" | "F")
                && !own.contains(&((*it).clone(), 0))
                && !self.names.is_variable(it)
                && !pids.contains(it)
        });
        for name in pids.iter().chain(constants) {
            spec.constructor(name, &[], "Term");
        }
        for it in known.filter(|it| !it.is_constructor) {
            spec.functions.push(it.clone());
        }
        for (name, n) in &used.found {
            let is_test = name.starts_with("is_tuple_")
                || ((name == "is_atom" || name == "is_pid") && *n == 1);
            let is_selector = name.starts_with("element_") && *n == 1;
            if own.contains(&(name.clone(), *n)) || (name == "raised" && *n == 1) || is_selector {
                spec.map(name, &vec!["Term"; *n], "Term");
            } else if is_test && *n == 1 {
                spec.map(name, &["Term"], "Bool");
            }
        }
        // The library's rules in its own order come first.
        let order =
            |rule: &Rule| library.rules.iter().position(|it| it == rule).unwrap_or(usize::MAX);
        rules.sort_by_key(|it| (order(it), it.left.name.clone()));
        spec.rules = rules;
        spec.rules.extend(self.rules.iter().cloned());
    }

    /// Rules that depend on a number or on the program.
    fn made_rules(&self, name: &str, n: usize) -> Vec<Rule> {
        let [x, y] = ["X", "Y"].map(constant);
        let one = |left: Term, right: Term| {
            let mut variables = vec![foresee_algebra::Variable::new("X", "Term")];
            if left.to_string().contains('Y') {
                variables.push(foresee_algebra::Variable::new("Y", "Term"));
            }
            Rule { variables, left, right }
        };
        let of = |name: &str, it: Term| Term::apply(name, vec![it]);
        if n != 1 {
            return Vec::new();
        }
        if let Some(at) = name.strip_prefix("element_").and_then(|it| it.parse::<usize>().ok()) {
            let pair = Term::apply("tuple", vec![x.clone(), y.clone()]);
            return match at {
                1 => vec![
                    one(of(name, pair), x.clone()),
                    one(of(name, of("tuplenil", x.clone())), x),
                ],
                at => vec![one(of(name, pair), of(&format!("element_{}", at - 1), y))],
            };
        }
        if let Some(size) = name.strip_prefix("is_tuple_").and_then(|it| it.parse::<usize>().ok()) {
            let parts: Vec<Term> =
                (1..=size).map(|at| of(&format!("element_{at}"), x.clone())).collect();
            return vec![one(of(name, x.clone()), equal(x, crate::terms::tuple(parts)))];
        }
        match name {
            "is_pid" => {
                let pids = self.children.iter().map(|it| equal(x.clone(), constant(&self.pid(it))));
                vec![one(of(name, x.clone()), any(pids.collect::<Vec<_>>()))]
            }
            "is_atom" => {
                let others =
                    ["is_integer", "is_list", "is_tuple", "is_pid"].map(|it| of(it, x.clone()));
                vec![one(of(name, x.clone()), not(any(others)))]
            }
            _ => Vec::new(),
        }
    }
}

/// An equation that is asked even where both sides look different: one of them is a variable.
fn equal(left: Term, right: Term) -> Term {
    Term::apply("eq", vec![left, right])
}

/// Functions and constants that occur, by name and number of arguments.
struct Used {
    found: BTreeSet<(String, usize)>,
    due: Vec<(String, usize)>,
}

impl Used {
    fn term(&mut self, term: &Term) {
        let key = (term.name.clone(), term.arguments.len());
        if self.found.insert(key.clone()) {
            self.due.push(key);
        }
        term.arguments.iter().for_each(|it| self.term(it));
    }
}
