//! Random specifications: every operator, data, sums, conditions, calls; the naive reading is the referee, and what is
//! printed reads back to the same tree and the same state space; an independent parser accepts the mCRL2.
//! A failure prints the seed and the text.

mod support;

use foresee_algebra::{Options, Process, ProcessKind, Specification, Term, load, parse};
use foresee_stdx::Random;
use merc_syntax::UntypedProcessSpecification;
use support::naive::Naive;
use support::{explore_with_ends, system};

const PROCESSES: u64 = 3;

struct Maker {
    random: Random,
}

impl Maker {
    fn specification(&mut self) -> Specification {
        let mut spec = Specification::default();
        spec.sort("D").sort("E").constructor("d", &[], "D").constructor(
            "pair",
            &["D", "Bool"],
            "E",
        );
        spec.constructor("s", &["Bool"], "D").map("f", &["D"], "D").map("is", &["D", "D"], "Bool");
        spec.map("eq", &["D", "D"], "Bool").map("not", &["Bool"], "Bool");
        let name = Term::name;
        let apply =
            |f: &str, it: &[&Term]| Term::apply(f, it.iter().map(|it| (*it).clone()).collect());
        let (x, d) = (name("v"), name("d"));
        let s = |it: &Term| apply("s", &[it]);
        spec.rule(&[], apply("f", &[&d]), s(&name("T")));
        spec.rule(&[("v", "Bool")], apply("f", &[&s(&x)]), s(&apply("not", &[&x])));
        spec.rule(&[], apply("not", &[&name("T")]), name("F"));
        spec.rule(&[], apply("not", &[&name("F")]), name("T"));
        spec.rule(&[("v", "D")], apply("is", &[&d, &x]), apply("eq", &[&x, &d]));
        spec.rule(&[("v", "Bool")], apply("is", &[&s(&x), &d]), name("F"));
        spec.rule(&[("v", "Bool"), ("w", "D")], apply("is", &[&s(&x), &s(&x)]), name("T"));
        spec.rule(&[], apply("is", &[&s(&name("T")), &s(&name("F"))]), name("F"));
        spec.rule(&[], apply("is", &[&s(&name("F")), &s(&name("T"))]), name("F"));
        for action in ["a", "b", "c"] {
            spec.action(action, &["D"]);
        }
        for action in ["g", "h", "k"] {
            spec.action(action, &[]);
        }
        spec.communicate("a", "b", "c").communicate("g", "h", "k");
        if self.random.chance(0.3) {
            spec.communicate("a", "a", "c");
        }
        for number in 0..PROCESSES {
            let body = self.process(4, Some(number), false, &["x"], 0.03);
            spec.process(&format!("P{number}"), &[("x", "D")], body);
        }
        let mut init = self.process(2, None, false, &[], 0.6);
        if self.random.chance(0.5) {
            init = init.encap(&["a", "b"]);
        }
        if self.random.chance(0.5) {
            init = init.hide(&["c", "g"]);
        }
        spec.init = Some(init);
        spec
    }

    /// A process; inside process `own`, calls that are not guarded go to later processes only.
    fn process(
        &mut self,
        depth: u64,
        own: Option<u64>,
        guarded: bool,
        scope: &[&str],
        side_by_side: f64,
    ) -> Process {
        if depth == 0 {
            return self.leaf(own, guarded, scope);
        }
        let go = |maker: &mut Maker, guarded| {
            maker.process(depth - 1, own, guarded, scope, side_by_side)
        };
        if self.random.chance(side_by_side) {
            let (left, right) = (go(self, guarded), go(self, guarded));
            let (left, right) = (Box::new(left), Box::new(right));
            return match self.random.below(8) {
                0 => ProcessKind::LeftMerge(left, right).into(),
                1 => ProcessKind::Communication(left, right).into(),
                _ => ProcessKind::Parallel(left, right).into(),
            };
        }
        match self.random.below(12) {
            0..=2 => go(self, guarded).or(go(self, guarded)),
            3..=6 => {
                let first =
                    if self.random.chance(0.7) { self.action(scope) } else { go(self, guarded) };
                first.then(go(self, true))
            }
            7 => {
                let condition = self.condition(scope);
                go(self, guarded).when(condition, go(self, guarded))
            }
            8 | 9 => {
                let name = ["y", "z", "x"][self.random.below(3) as usize];
                let mut inner = scope.to_vec();
                inner.push(name);
                Process::sum(name, "D", self.process(depth - 1, own, guarded, &inner, side_by_side))
            }
            10 => match self.random.below(3) {
                0 => go(self, guarded).encap(&["b", "g"]),
                1 => go(self, guarded).hide(&["a"]),
                _ => go(self, guarded).rename(&[("a", "b"), ("g", "k")]),
            },
            _ => self.leaf(own, guarded, scope),
        }
    }

    fn leaf(&mut self, own: Option<u64>, guarded: bool, scope: &[&str]) -> Process {
        let callable = if guarded { 0 } else { own.map_or(0, |own| own + 1) };
        match self.random.below(10) {
            0 => Process::delta(),
            1 => Process::tau(),
            2..=5 if callable < PROCESSES => {
                let number = self.random.between(callable, PROCESSES - 1);
                Process::call(&format!("P{number}"), vec![self.data(scope)])
            }
            _ => self.action(scope),
        }
    }

    fn action(&mut self, scope: &[&str]) -> Process {
        match self.random.below(5) {
            0 => Process::action(["g", "h"][self.random.below(2) as usize], vec![]),
            _ => Process::action(
                ["a", "b", "c"][self.random.below(3) as usize],
                vec![self.data(scope)],
            ),
        }
    }

    fn data(&mut self, scope: &[&str]) -> Term {
        match self.random.below(6) {
            0 => Term::name("d"),
            1 => Term::apply("s", vec![self.condition(scope)]),
            2 => Term::apply("f", vec![self.data(scope)]),
            _ if scope.is_empty() => Term::name("d"),
            _ => Term::name(scope[self.random.below(scope.len() as u64) as usize]),
        }
    }

    fn condition(&mut self, scope: &[&str]) -> Term {
        match self.random.below(6) {
            0 => Term::name("T"),
            1 => Term::name("F"),
            2 => Term::apply("not", vec![self.condition(scope)]),
            3 => Term::apply("eq", vec![self.data(scope), self.data(scope)]),
            _ => Term::apply("is", vec![self.data(scope), self.data(scope)]),
        }
    }
}

#[test]
fn the_naive_reading_agrees_and_printing_reads_back() {
    let (mut n_compared, mut n_edges) = (0, 0);
    for seed in 0..100 {
        let spec = Maker { random: Random::new(seed) }.specification();
        let text = spec.to_mucrl();
        let parsed = parse(&text);
        assert!(parsed.diagnostics.is_empty(), "seed {seed}: {:?}\n{text}", parsed.diagnostics);
        let mcrl2 = spec.to_mcrl2().expect("no problems");
        // The other parser is slow in a debug build.
        if seed % 5 == 0
            && let Err(error) = UntypedProcessSpecification::parse(&mcrl2)
        {
            panic!("seed {seed}: {error}\n{mcrl2}");
        }
        assert!(without_unused(&spec) == parsed.specification, "seed {seed}\n{text}");
        let system = system(&text);
        let Some(naive) = (Naive { specification: &spec }).explore(60) else { continue };
        let ours = explore_with_ends(&system, 600).unwrap_or_else(|| panic!("seed {seed}\n{text}"));
        assert!(ours.faults.is_empty(), "seed {seed}: {:?}\n{text}", ours.faults);
        assert!(ours.is_bisimilar_to(&naive), "seed {seed}\n{text}");
        let options = Options { merge_positions: true, ..Options::default() };
        let merged = explore_with_ends(&load(&text, options).expect("no problems"), 600);
        assert!(merged.is_some_and(|it| it.is_bisimilar_to(&naive)), "seed {seed}, merged\n{text}");
        n_compared += 1;
        n_edges += naive.n_transitions();
    }
    assert!(n_compared > 50 && n_edges > 500, "{n_compared} compared, {n_edges} transitions");
}

/// What the reader gives for a rule: only the variables that the rule uses.
fn without_unused(spec: &Specification) -> Specification {
    let mut spec = spec.clone();
    for rule in &mut spec.rules {
        let (left, right) = (rule.left.to_string(), rule.right.to_string());
        let uses = |name: &str| {
            let is_word = |it: &str| it.split(['(', ')', ',']).any(|word| word == name);
            is_word(&left) || is_word(&right)
        };
        rule.variables.retain(|it| uses(&it.name.text));
    }
    spec
}
