//! `Judge`: what is wrong with a state, and whether it is what we are looking for.
//! Why: replay, minimisation and causal reordering must all agree on "the same violation": the same kind of the same
//! property. Messages hold values and may differ.
//! Not here: violations of whole runs (liveness, a `reachable` property never reached). One state does not show them, and
//! the judge says so instead of guessing.

use crate::{Allow, Finding};
use foresee_lts::{Action, Path, Predicate, Property, PropertyKind, System, ViolationKind};
use foresee_stdx::panic_text;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Looks at states under a search's own settings.
///
/// ```
/// use foresee_lts::{ViolationKind, toy::Counters};
/// use foresee_trace::Judge;
/// let system = Counters::new(2, 3).forbid_sum(2);
/// let judge = Judge::of(&system);
/// assert!(judge.findings(&system, &[1, 0]).is_empty());
/// let finding = &judge.findings(&system, &[1, 1])[0];
/// assert_eq!((finding.kind, finding.message.as_str()), (ViolationKind::Invariant, "the counters add up to 2"));
/// assert!(judge.shows(&system, &[2, 0], finding).is_some());
/// ```
#[derive(Clone)]
pub struct Judge {
    properties: Vec<Property>,
    allow: Option<Allow>,
}

impl Judge {
    /// Judges by the properties that the system itself states.
    pub fn of(system: &dyn System) -> Self {
        Judge { properties: system.properties(), allow: None }
    }

    /// Judges by these properties instead.
    #[must_use]
    pub fn with_properties(mut self, properties: Vec<Property>) -> Self {
        self.properties = properties;
        self
    }

    /// Only these actions count: a state in which none of them is enabled is a deadlock.
    #[must_use]
    pub fn with_allow(mut self, allow: Option<Allow>) -> Self {
        self.allow = allow;
        self
    }

    pub(crate) fn allow(&self) -> Option<Allow> {
        self.allow.clone()
    }

    /// Everything wrong with `state` in itself: faults, then broken invariants in the order they were stated. Deadlocks
    /// are not among them, because most systems may end; ask with [`Judge::shows`].
    pub fn findings(&self, system: &dyn System, state: &[u32]) -> Vec<Finding> {
        let fault = system.fault(state).map(|fault| Finding {
            kind: fault.kind.into(),
            property: None,
            message: fault.message,
        });
        let broken = self.invariants().filter_map(|predicate| breach(predicate, state));
        fault.into_iter().chain(broken).collect()
    }

    /// The message with which `state` shows `wanted`, or `None` if it does not.
    pub fn shows(&self, system: &dyn System, state: &[u32], wanted: &Finding) -> Option<String> {
        if wanted.kind == ViolationKind::Deadlock {
            return self.is_stuck(system, state).then(|| system.why_stuck(state));
        }
        if wanted.kind == ViolationKind::Invariant {
            let named =
                |predicate: &&Predicate| wanted.property.as_deref() == Some(predicate.name());
            let predicate = self.invariants().find(named)?;
            let finding = breach(predicate, state)?;
            return (finding.kind == wanted.kind).then_some(finding.message);
        }
        let mut findings = self.findings(system, state).into_iter();
        findings.find(|finding| finding.same_as(wanted)).map(|finding| finding.message)
    }

    /// Why a replay cannot decide about `wanted`, if it cannot.
    pub fn cannot_tell(&self, wanted: &Finding) -> Option<String> {
        let named = |predicate: &Predicate| wanted.property.as_deref() == Some(predicate.name());
        match wanted.kind {
            ViolationKind::Invariant if !self.invariants().any(named) => Some(format!(
                "the system has no invariant named `{}` now",
                wanted.property.as_deref().unwrap_or_default()
            )),
            ViolationKind::Property | ViolationKind::Liveness | ViolationKind::DepthBound => {
                Some(format!(
                    "a violation of kind `{}` is about all runs or an endless one, so replaying one run cannot show it; \
                     check the system again",
                    wanted.kind.word()
                ))
            }
            _ => None,
        }
    }

    /// The oracle for [`minimise`](fn@crate::minimise) and [`causal_order`](crate::causal_order): the state reached shows
    /// `wanted`.
    pub fn oracle<'a>(
        &'a self,
        system: &'a dyn System,
        wanted: &'a Finding,
    ) -> impl Fn(&Path, &[u32]) -> bool + 'a {
        move |_, state| self.shows(system, state, wanted).is_some()
    }

    fn invariants(&self) -> impl Iterator<Item = &Predicate> {
        let properties = self.properties.iter();
        properties
            .filter(|property| property.kind == PropertyKind::Invariant)
            .map(|property| &property.predicate)
    }

    fn is_stuck(&self, system: &dyn System, state: &[u32]) -> bool {
        if system.is_final(state) {
            return false;
        }
        let mut actions: Vec<Action> = Vec::new();
        system.enabled(state, &mut actions);
        match &self.allow {
            Some(allow) => !actions.iter().any(|action| allow(state, *action)),
            None => actions.is_empty(),
        }
    }
}

/// The finding of an invariant that does not hold, or whose own code panics.
fn breach(predicate: &Predicate, state: &[u32]) -> Option<Finding> {
    let holds = catch_unwind(AssertUnwindSafe(|| predicate.holds(state)));
    let (kind, message) = match holds {
        Ok(true) => return None,
        Ok(false) => (ViolationKind::Invariant, predicate.explain(state).trim_end().to_owned()),
        Err(panic) => (ViolationKind::Panic, panic_text(&*panic)),
    };
    Some(Finding { kind, property: Some(predicate.name().to_owned()), message })
}
