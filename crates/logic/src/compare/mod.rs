//! Comparison: are two LTSs the same, and if not, how does one tell?
//! Both are put side by side in one LTS, which is reduced; they are the same if their initial states share a class. If
//! not, the difference is shown on the reduced LTS: a shortest trace that only one has, where there is one, and for
//! bisimulations a formula that holds for the left one only, written so that `formula::parse` reads it.

mod distinguish;
mod rounds;

use crate::formula::{Notation, parse};
use crate::reduce::Classes;
use crate::traces::{Difference, difference};
use crate::{Equivalence, LabelId, Labels, Lts, LtsBuilder};
use distinguish::Distinguisher;
use rounds::Rounds;

/// Pairs of sets of states looked at when the question is about traces.
const PAIRS_MAX: usize = 4_000_000;
/// The same when a trace is only an extra.
const PAIRS_MAX_EXTRA: usize = 20_000;

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// `None` if there were too many sets of states to decide about traces.
    pub equivalent: Option<bool>,
    /// A shortest trace that only one of the two has.
    pub trace: Option<DistinguishingTrace>,
    /// A formula in the notation of the paper that holds for the left LTS and not for the right one.
    pub formula: Option<String>,
}

/// A sequence of labels that only one of two LTSs can do.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DistinguishingTrace {
    pub labels: Vec<String>,
    /// The left one can, the right one cannot; otherwise the other way round.
    pub only_left: bool,
    /// Internal steps are passed over.
    pub is_weak: bool,
}

/// Compares two LTSs.
///
/// ```
/// use foresee_logic::{Equivalence, aut, compare};
/// let left = aut::read(&b"des (0, 3, 4)\n(0, a, 1)\n(1, b, 2)\n(1, c, 3)\n"[..]).unwrap();
/// let right = aut::read(&b"des (0, 4, 5)\n(0, a, 1)\n(1, b, 2)\n(0, a, 3)\n(3, c, 4)\n"[..]).unwrap();
/// assert_eq!(compare(&left, &right, Equivalence::Trace).equivalent, Some(true));
/// let strong = compare(&left, &right, Equivalence::Strong);
/// assert_eq!(strong.equivalent, Some(false));
/// assert_eq!(strong.formula.unwrap(), r#"<"a"> (<"b"> true and <"c"> true)"#);
/// ```
pub fn compare(left: &Lts, right: &Lts, equivalence: Equivalence) -> Comparison {
    let (both, roots) = side_by_side(left, right);
    match equivalence {
        Equivalence::Trace | Equivalence::WeakTrace => compare_traces(&both, roots, equivalence),
        _ => compare_classes(&both, roots, equivalence),
    }
}

fn compare_traces(both: &Lts, (left, right): (u32, u32), equivalence: Equivalence) -> Comparison {
    let is_weak = equivalence == Equivalence::WeakTrace;
    // Strong and branching bisimulation keep (weak) traces, and fewer states make fewer sets.
    let keeping = if is_weak { Equivalence::Branching } else { Equivalence::Strong };
    let classes = Classes::of(both, keeping);
    let quotient = classes.quotient(both, &[left, right]);
    let root = |state: u32| quotient.class_of[state as usize].expect("a root is reachable");
    let (left, right) = (root(left), root(right));
    match difference(&quotient.lts, left, right, is_weak, PAIRS_MAX) {
        Difference::None => Comparison { equivalent: Some(true), trace: None, formula: None },
        Difference::TooMany => Comparison { equivalent: None, trace: None, formula: None },
        Difference::Trace { labels, only_left } => {
            let table = quotient.lts.labels();
            let trace = named(table, &labels, only_left, is_weak);
            let formula = Some(trace_formula(table, &labels, only_left, is_weak));
            Comparison { equivalent: Some(false), trace: Some(trace), formula }
        }
    }
}

fn compare_classes(both: &Lts, (left, right): (u32, u32), equivalence: Equivalence) -> Comparison {
    let classes = Classes::of(both, equivalence);
    if classes.class(left) == classes.class(right) {
        return Comparison { equivalent: Some(true), trace: None, formula: None };
    }
    let quotient = classes.quotient(both, &[left, right]);
    let root = |state: u32| quotient.class_of[state as usize].expect("a root is reachable");
    let (left, right) = (root(left), root(right));
    let is_weak = equivalence != Equivalence::Strong;
    let trace = match difference(&quotient.lts, left, right, is_weak, PAIRS_MAX_EXTRA) {
        Difference::Trace { labels, only_left } => {
            Some(named(quotient.lts.labels(), &labels, only_left, is_weak))
        }
        Difference::None | Difference::TooMany => None,
    };
    let rounds = Rounds::until_apart(&quotient.lts, equivalence, left, right);
    let formula =
        rounds.and_then(|rounds| Distinguisher::new(&quotient.lts, &rounds).formula(left, right));
    let formula = formula.filter(|text| !is_too_deep(text));
    Comparison { equivalent: Some(false), trace, formula }
}

/// Whether a formula nests deeper than the parser allows, so that nobody could ask it: a difference far from the start.
fn is_too_deep(text: &str) -> bool {
    const SHALLOW: usize = 500;
    text.len() > SHALLOW && parse(text, Notation::Paper).formula.is_none()
}

/// One LTS with the states of both, and where each begins.
fn side_by_side(left: &Lts, right: &Lts) -> (Lts, (u32, u32)) {
    let offset = left.n_states() as u32;
    let mut builder = LtsBuilder::with_labels(left.labels().clone());
    for (from, label, to) in left.transitions() {
        builder.add_edge(from, label, to);
    }
    let labels: Vec<LabelId> =
        right.labels().iter().map(|(_, name)| builder.labels_mut().intern(name)).collect();
    for (from, label, to) in right.transitions() {
        builder.add_edge(from + offset, labels[label.0 as usize], to + offset);
    }
    builder.at_least_states(offset + right.n_states() as u32);
    let roots = (left.initial(), right.initial() + offset);
    (builder.build(roots.0), roots)
}

fn named(
    labels: &Labels,
    trace: &[LabelId],
    only_left: bool,
    is_weak: bool,
) -> DistinguishingTrace {
    let labels = trace.iter().map(|label| labels.name(*label).to_owned()).collect();
    DistinguishingTrace { labels, only_left, is_weak }
}

/// "This can be done", or that it cannot.
fn trace_formula(labels: &Labels, trace: &[LabelId], only_left: bool, is_weak: bool) -> String {
    let separator = if is_weak { " . tau* . " } else { " . " };
    let steps: Vec<String> = trace.iter().map(|label| quoted(labels, *label)).collect();
    let start = if is_weak { "tau* . " } else { "" };
    let formula = format!("<{start}{}> true", steps.join(separator));
    if only_left { formula } else { format!("not {formula}") }
}

/// A label as the notation of the paper writes it.
fn quoted(labels: &Labels, label: LabelId) -> String {
    match labels.visible(label) {
        None => "tau".to_owned(),
        Some(name) => format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}
