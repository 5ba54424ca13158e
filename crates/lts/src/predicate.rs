//! Predicates on states that can say why, and the properties made of them.
//! Why: an engine evaluates a predicate on millions of states and explains it on one. So the test gets a [`Why`] that is
//! deaf while searching, and the same closure runs once more, listening, on the state that is reported.
//! A predicate names the slots it reads ([`Reads`]); engines then evaluate it once per distinct projection. A conjunction keeps
//! its parts ([`Predicate::conjuncts`]): each has fewer projections than all together.

use std::fmt;
use std::sync::Arc;

/// Which slots a predicate looks at.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Reads {
    /// Anything: evaluated once for every state.
    All,
    /// Only these slots, sorted: evaluated once for every combination of their ids.
    Slots(Vec<usize>),
}

impl Reads {
    /// Only `slots`.
    pub fn slots(slots: impl IntoIterator<Item = usize>) -> Self {
        let mut slots: Vec<_> = slots.into_iter().collect();
        slots.sort_unstable();
        slots.dedup();
        Reads::Slots(slots)
    }

    /// What two predicates read together.
    #[must_use]
    pub fn union(&self, other: &Reads) -> Reads {
        match (self, other) {
            (Reads::Slots(a), Reads::Slots(b)) => Reads::slots(a.iter().chain(b).copied()),
            _ => Reads::All,
        }
    }
}

/// Collects the reasons of a predicate's answer, when somebody listens.
#[derive(Debug, Default)]
pub struct Why {
    reasons: Option<Vec<String>>,
}

impl Why {
    /// Nobody listens: reasons are not even formatted.
    pub fn deaf() -> Self {
        Why { reasons: None }
    }

    /// Somebody listens.
    pub fn listening() -> Self {
        Why { reasons: Some(Vec::new()) }
    }

    /// Gives a reason; use `format_args!`.
    pub fn because(&mut self, reason: fmt::Arguments<'_>) {
        if let Some(reasons) = &mut self.reasons {
            reasons.push(reason.to_string());
        }
    }

    /// Everything said, in order.
    pub fn text(&self) -> String {
        self.reasons.as_deref().unwrap_or_default().join("; ")
    }
}

type Test = dyn Fn(&[u32], &mut Why) -> bool + Send + Sync;

/// A named question about a state.
///
/// ```
/// use foresee_lts::{Predicate, Reads};
/// let small = Predicate::new("small", Reads::slots([0]), |state, why| {
///     why.because(format_args!("slot 0 is {}", state[0]));
///     state[0] < 10
/// });
/// assert!(small.holds(&[3, 0]) && !small.holds(&[30, 0]));
/// assert_eq!(small.explain(&[30, 0]), "slot 0 is 30");
/// let both = small.and(Predicate::new("even", Reads::slots([1]), |state, _| state[1] % 2 == 0));
/// assert_eq!(both.name(), "small and even");
/// assert!(!both.holds(&[3, 1]));
/// assert_eq!(both.conjuncts().len(), 2);
/// ```
#[derive(Clone)]
pub struct Predicate {
    name: String,
    reads: Reads,
    is_lasting: bool,
    test: Arc<Test>,
    /// The predicates of which this is the conjunction; none if it is no conjunction.
    conjuncts: Arc<[Predicate]>,
}

impl Predicate {
    pub fn new(
        name: impl Into<String>,
        reads: Reads,
        test: impl Fn(&[u32], &mut Why) -> bool + Send + Sync + 'static,
    ) -> Self {
        let (name, test, conjuncts) = (name.into(), Arc::new(test), Arc::default());
        Predicate { name, reads, is_lasting: false, test, conjuncts }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn reads(&self) -> &Reads {
        &self.reads
    }

    /// The predicates that hold together exactly where this one holds, if it was made of them; otherwise none.
    pub fn conjuncts(&self) -> &[Predicate] {
        &self.conjuncts
    }

    /// The same predicate under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The same predicate evaluated on every state, as if it read everything (for measurements and tests).
    #[must_use]
    pub fn opaque(mut self) -> Self {
        self.reads = Reads::All;
        self.conjuncts = Arc::default();
        self
    }

    /// The same predicate, with the author's word that once it fails in a run it fails for the rest of it, and that what it
    /// says of the end of a run does not depend on the order of independent events: then ends are all that need be looked at.
    #[must_use]
    pub fn lasting(mut self) -> Self {
        self.is_lasting = true;
        self
    }

    pub fn is_lasting(&self) -> bool {
        self.is_lasting
    }

    pub fn holds(&self, state: &[u32]) -> bool {
        (self.test)(state, &mut Why::deaf())
    }

    /// The reasons for the answer on this state; may be empty.
    pub fn explain(&self, state: &[u32]) -> String {
        let mut why = Why::listening();
        (self.test)(state, &mut why);
        why.text()
    }

    /// Evaluates with the reasons going to `why`.
    pub fn test(&self, state: &[u32], why: &mut Why) -> bool {
        (self.test)(state, why)
    }

    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "reads as `and`, `or` and `implies` do")]
    pub fn not(self) -> Self {
        let (name, test) = (format!("not {}", self.name), self.test);
        Predicate::new(name, self.reads, move |state, why| !test(state, why))
    }

    #[must_use]
    pub fn and(self, other: Predicate) -> Self {
        let parts = [&self, &other].map(|part| match part.conjuncts() {
            [] => std::slice::from_ref(part),
            parts => parts,
        });
        let conjuncts = parts.concat().into();
        Predicate { conjuncts, ..self.combine("and", other, |a, b| a() && b()) }
    }

    #[must_use]
    pub fn or(self, other: Predicate) -> Self {
        self.combine("or", other, |a, b| a() || b())
    }

    #[must_use]
    pub fn implies(self, other: Predicate) -> Self {
        self.combine("implies", other, |a, b| !a() || b())
    }

    fn combine(
        self,
        word: &str,
        other: Predicate,
        join: impl Fn(&mut dyn FnMut() -> bool, &mut dyn FnMut() -> bool) -> bool
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let name = format!("{} {word} {}", self.name, other.name);
        let reads = self.reads.union(&other.reads);
        let (left, right) = (self.test, other.test);
        let test = move |state: &[u32], why: &mut Why| {
            let mut reasons = Why { reasons: why.reasons.as_ref().map(|_| Vec::new()) };
            let mut reasons_right = Why { reasons: why.reasons.as_ref().map(|_| Vec::new()) };
            let answer =
                join(&mut || left(state, &mut reasons), &mut || right(state, &mut reasons_right));
            for heard in [reasons, reasons_right] {
                for reason in heard.reasons.unwrap_or_default() {
                    why.because(format_args!("{reason}"));
                }
            }
            answer
        };
        Predicate::new(name, reads, test)
    }
}

impl fmt::Debug for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Predicate").field("name", &self.name).field("reads", &self.reads).finish()
    }
}

/// What is claimed of a predicate.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum PropertyKind {
    /// Holds in every reachable state.
    Invariant,
    /// Holds in at least one reachable state.
    Reachable,
}

/// A claim about a system.
#[derive(Clone, Debug)]
pub struct Property {
    pub kind: PropertyKind,
    pub predicate: Predicate,
}

impl Property {
    pub fn invariant(predicate: Predicate) -> Self {
        Property { kind: PropertyKind::Invariant, predicate }
    }

    pub fn reachable(predicate: Predicate) -> Self {
        Property { kind: PropertyKind::Reachable, predicate }
    }

    pub fn name(&self) -> &str {
        self.predicate.name()
    }
}
