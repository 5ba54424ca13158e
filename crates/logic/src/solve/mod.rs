//! Solving: does a system satisfy a formula? On the fly, with evidence either way.
//! The formula is brought into a core (`core`), its parts with values are instances (`instance`), and a vertex of the game
//! graph (`graph`) asks whether a state satisfies an instance. The search (`explore`) expands vertices breadth-first until
//! the first one is decided: by constants as soon as they are met, by cycles (`cycles`, and `parity` where fixpoints
//! alternate) at intervals and at the end. `evidence` then shows why.
//! Papers: Mateescu, "Local model-checking of an alternation-free value-based modal mu-calculus" (1998), for boolean
//! equation systems solved as they are found; ours differs in handling full alternation and in looking for cycles early.

mod alphabet;
mod core;
mod cycles;
mod evidence;
mod explore;
mod graph;
mod instance;
mod parity;

pub use evidence::{Evidence, SubLts};

use crate::formula::Formula;
use crate::{Diagnostic, LabelOf};
use core::Program;
use explore::Search;
use foresee_lts::{StoppedBy, System};
use foresee_search::{Limits, Meter, NoMeter, Observer, Silent};
use foresee_stdx::halt;
use graph::Truth;

/// The answer.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Whether every initial state satisfies the formula; `None` if a limit was reached before that was known.
    pub holds: Option<bool>,
    pub stopped_by: Option<StoppedBy>,
    /// Why, if there is an answer.
    pub evidence: Option<Evidence>,
    /// Distinct states found.
    pub states: u64,
    pub transitions: u64,
    /// Vertices of the game: pairs of a state and a part of the formula.
    pub vertices: u64,
    pub depth: u32,
    /// Labels of the formula that match nothing, known only if everything was explored.
    pub warnings: Vec<Diagnostic>,
}

/// Checks a formula on a system. The error is a data expression without a value.
///
/// ```
/// use foresee_logic::{aut, formula::{Notation, parse}, solve};
/// use foresee_search::{Limits, NoMeter, Silent};
/// let lts = aut::read(&b"des (0, 3, 3)\n(0, ask, 1)\n(1, answer, 0)\n(1, lose, 2)\n"[..]).unwrap();
/// let formula = parse("[-* . 'ask'] mu X . (<->true and [not 'answer'] X)", Notation::Paper);
/// let labels = lts.label_function();
/// let formula = formula.into_result().unwrap();
/// let solution = solve(&lts, &*labels, &formula, &Limits::none(), &NoMeter, &mut Silent).unwrap();
/// assert_eq!(solution.holds, Some(false));
/// let labels: Vec<_> = solution.evidence.unwrap().labels.into_iter().flatten().collect();
/// assert_eq!(labels, ["ask", "lose"]);
/// ```
pub fn solve(
    system: &dyn System,
    labels: &LabelOf<'_>,
    formula: &Formula,
    limits: &Limits,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Result<Solution, Diagnostic> {
    let program = Program::of(&formula.root);
    let mut search = Search::new(system, labels, &program, limits);
    match halt::until_halted(|| search.run(limits, meter, observer)) {
        Ok(run) => run.map_err(|error| *error)?,
        Err(halted) => search.stopped_by = Some(halted.cause.into()),
    }
    let holds = match search.graph.value(search.root) {
        Truth::True => Some(true),
        Truth::False => Some(false),
        Truth::Unknown => None,
    };
    // Without an initial state there is no first vertex.
    let holds = holds.filter(|_| search.root != 0);
    let evidence = holds.map(|_| evidence::evidence(&mut search));
    let warnings = match search.is_complete() {
        true => search.alphabet.unmatched(&program),
        false => Vec::new(),
    };
    Ok(Solution {
        holds,
        stopped_by: search.stopped_by.filter(|_| holds.is_none()),
        evidence,
        states: search.space.len() as u64,
        transitions: search.n_transitions() as u64,
        vertices: search.graph.len() as u64,
        depth: search.depth,
        warnings,
    })
}

/// A warning for each label of a formula that matches none of these labels, nor the internal step.
///
/// ```
/// use foresee_logic::{formula::{Notation, parse}, unmatched_labels};
/// let formula = parse("[-* . 'uze(.*)' . ok] false", Notation::Paper).formula.unwrap();
/// let warnings = unmatched_labels(&formula, ["use(c1)", "ok"]);
/// assert_eq!(warnings.len(), 1);
/// ```
pub fn unmatched_labels<'a>(
    formula: &Formula,
    labels: impl IntoIterator<Item = &'a str>,
) -> Vec<Diagnostic> {
    let mut alphabet = alphabet::Alphabet::default();
    alphabet.label(None);
    for label in labels {
        alphabet.label(Some(label));
    }
    alphabet.unmatched(&Program::of(&formula.root))
}

/// Whether what happens in some states alone decides a formula: the transitions of all other states are not looked at, and
/// whatever they are, the answer stays the same. `None` if they matter. So a run is checked to be the whole reason for a
/// verdict.
///
/// ```
/// use foresee_logic::{aut, formula::{Notation, parse}, solve_within};
/// let lts = aut::read(&b"des (0, 3, 4)\n(0, a, 1)\n(1, b, 2)\n(0, c, 3)\n"[..]).unwrap();
/// let never_b = parse("[-* . 'b'] false", Notation::Paper).into_result().unwrap();
/// let decided = |states: &[u32]| {
///     let (labels, within) = (lts.label_function(), |state: &[u32]| states.contains(&state[0]));
///     solve_within(&lts, &*labels, &never_b, &within).unwrap()
/// };
/// assert_eq!((decided(&[0, 1]), decided(&[0, 3])), (Some(false), None));
/// ```
pub fn solve_within(
    system: &dyn System,
    labels: &LabelOf<'_>,
    formula: &Formula,
    within: &dyn Fn(&[u32]) -> bool,
) -> Result<Option<bool>, Diagnostic> {
    let (program, limits) = (Program::of(&formula.root), Limits::none());
    let mut search = Search::new(system, labels, &program, &limits).within(within);
    search.run(&limits, &NoMeter, &mut Silent).map_err(|error| *error)?;
    Ok(match search.graph.value(search.root) {
        Truth::True => Some(true),
        Truth::False => Some(false),
        Truth::Unknown => None,
    })
}
