//! The first actions of a component. A sum leaves its variable open in the offer; a condition about it becomes a guard.
//! Variables are numbered from 0 within an offer.

use super::engine::{Engine, Failure};
use super::store::{DONE, Proc, ProcId};
use crate::diagnostic::{Diagnostic, GROWS, UNDECIDED_CONDITION};
use crate::model::{ActionId, Fate, NodeId, NodeKind, SortId, TAU};
use crate::rewrite::TermId;
use foresee_stdx::halt;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// Something that can happen, for those values of the variables for which the guards hold.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Offer {
    pub(crate) action: ActionId,
    pub(crate) arguments: SmallVec<[TermId; 4]>,
    pub(crate) variables: SmallVec<[Open; 2]>,
    pub(crate) guards: SmallVec<[Guard; 1]>,
    /// The states afterwards: one for each component that takes part.
    pub(crate) next: SmallVec<[ProcId; 2]>,
}

/// A variable of a sum: its sort and the `sum` that binds it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Open {
    pub(crate) sort: SortId,
    pub(crate) sum: NodeId,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Guard {
    /// The condition at `node` must be this.
    Is {
        term: TermId,
        wanted: bool,
        node: NodeId,
    },
    Equal(TermId, TermId),
}

/// Parallel processes nested deeper than this inside one component are taken to grow without end.
const DEPTH_MAX: u32 = 150;

/// What surrounds the expression whose first actions are looked for.
#[derive(Clone, Default)]
struct Around {
    variables: SmallVec<[Open; 2]>,
    guards: SmallVec<[Guard; 1]>,
}

impl Engine {
    /// What a component in this state can do next.
    pub(crate) fn offers(&mut self, proc: ProcId) -> Result<Arc<[Offer]>, Failure> {
        if let Some(offers) = self.offers.get(&proc) {
            return Ok(Arc::clone(offers));
        }
        let mut offers = Vec::new();
        self.first_actions(proc, &Around::default(), &mut offers)?;
        let mut distinct: Vec<Offer> = Vec::with_capacity(offers.len());
        for offer in offers {
            if !distinct.contains(&offer) {
                distinct.push(offer);
            }
        }
        let offers: Arc<[Offer]> = distinct.into();
        self.offers.insert(proc, Arc::clone(&offers));
        Ok(offers)
    }

    fn first_actions(
        &mut self,
        proc: ProcId,
        around: &Around,
        out: &mut Vec<Offer>,
    ) -> Result<(), Failure> {
        // Also of what an expression has just put side by side: to find what it can do takes the square of its depth.
        if self.procs.depth(proc) > DEPTH_MAX {
            return Err(self.grown());
        }
        match self.procs.get(proc).clone() {
            Proc::Nothing | Proc::Delta | Proc::Done => {}
            Proc::At(node, data) => {
                let mut environment = self.environment(node, &data);
                self.expand(node, &mut environment, around, out)?;
            }
            Proc::Prefix(action, arguments, then) => {
                let mut offer = around.offer(action, arguments.as_ref().into());
                offer.next[0] = then;
                out.push(offer);
            }
            Proc::Sequence(first, then) => {
                let start = out.len();
                self.first_actions(first, around, out)?;
                for offer in &mut out[start..] {
                    offer.next[0] = self.procs.sequence(offer.next[0], then);
                }
            }
            Proc::Parallel(left, right) => self.interleave(left, right, around, true, out)?,
            Proc::Filter(filter, inside) => {
                let mut offers = Vec::new();
                self.first_actions(inside, around, &mut offers)?;
                for mut offer in offers {
                    if self.pass(filter, &mut offer) {
                        offer.next[0] = self.procs.filter(filter, offer.next[0]);
                        out.push(offer);
                    }
                }
            }
        }
        Ok(())
    }

    fn expand(
        &mut self,
        node: NodeId,
        environment: &mut Vec<TermId>,
        around: &Around,
        out: &mut Vec<Offer>,
    ) -> Result<(), Failure> {
        let model = Arc::clone(&self.model);
        match &model.node(node).kind {
            NodeKind::Delta => {}
            NodeKind::Tau => out.push(around.offer(TAU, SmallVec::new())),
            NodeKind::Action(action, _) => {
                let arguments = self.evaluate_all(node, environment)?;
                out.push(around.offer(*action, arguments.into()));
            }
            NodeKind::Call(process, _) => {
                let mut inner = self.evaluate_all(node, environment)?;
                let process = &model.processes[*process as usize];
                inner.resize(process.slots.len(), 0);
                self.expand(process.root, &mut inner, around, out)?;
            }
            NodeKind::Choice(a, b) => {
                self.expand(*a, environment, around, out)?;
                self.expand(*b, environment, around, out)?;
            }
            NodeKind::Sequence(a, b) => {
                let start = out.len();
                self.expand(*a, environment, around, out)?;
                if out.len() > start {
                    let then = self.instantiate(*b, environment)?;
                    for offer in &mut out[start..] {
                        offer.next[0] = self.procs.sequence(offer.next[0], then);
                    }
                }
            }
            NodeKind::Condition(then, _, otherwise) => {
                let condition = self.evaluate(node, 0, environment)?;
                match self.truth(condition) {
                    Some(true) => self.expand(*then, environment, around, out)?,
                    Some(false) => self.expand(*otherwise, environment, around, out)?,
                    None if self.terms.is_open(condition) => {
                        for (branch, wanted) in [(*then, true), (*otherwise, false)] {
                            let mut around = around.clone();
                            around.guards.push(Guard::Is { term: condition, wanted, node });
                            self.expand(branch, environment, &around, out)?;
                        }
                    }
                    None => return Err(self.undecided(condition, node)),
                }
            }
            NodeKind::Sum(slot, sort, body) => {
                let mut around = around.clone();
                let number = around.variables.len() as u32;
                around.variables.push(Open { sort: *sort, sum: node });
                environment[*slot as usize] = self.terms.variable(number);
                self.expand(*body, environment, &around, out)?;
            }
            NodeKind::Parallel(..) | NodeKind::Filter(..) => {
                let proc = self.instantiate(node, environment)?;
                self.first_actions(proc, around, out)?;
            }
            NodeKind::LeftMerge(a, b) => {
                let (left, right) =
                    (self.instantiate(*a, environment)?, self.instantiate(*b, environment)?);
                let start = out.len();
                self.first_actions(left, around, out)?;
                for offer in &mut out[start..] {
                    offer.next[0] = self.procs.parallel(offer.next[0], right);
                }
            }
            NodeKind::Communication(a, b) => {
                let (left, right) =
                    (self.instantiate(*a, environment)?, self.instantiate(*b, environment)?);
                self.interleave(left, right, around, false, out)?;
            }
        }
        Ok(())
    }

    /// What two processes side by side can do: each alone (if `alone`), and both together.
    fn interleave(
        &mut self,
        left: ProcId,
        right: ProcId,
        around: &Around,
        alone: bool,
        out: &mut Vec<Offer>,
    ) -> Result<(), Failure> {
        let (mut lefts, mut rights) = (Vec::new(), Vec::new());
        self.first_actions(left, around, &mut lefts)?;
        self.first_actions(right, around, &mut rights)?;
        if alone {
            for offer in &lefts {
                let mut offer = offer.clone();
                offer.next[0] = self.procs.parallel(offer.next[0], right);
                out.push(offer);
            }
            for offer in &rights {
                let mut offer = offer.clone();
                offer.next[0] = self.procs.parallel(left, offer.next[0]);
                out.push(offer);
            }
        }
        // Variables of sums around both are shared, so that numbering the right ones anew must leave them alone.
        let n_shared = around.variables.len();
        for a in &lefts {
            halt::look();
            for b in &rights {
                let Some(&action) = self.model.communications.get(&(a.action, b.action)) else {
                    continue;
                };
                if let Some(mut offer) = self.merge(a, b, action, n_shared)? {
                    let both = self.procs.parallel(offer.next[0], offer.next[1]);
                    offer.next = smallvec![both];
                    out.push(offer);
                }
            }
        }
        Ok(())
    }

    /// Whether the offer survives, under the name that the filter gives it.
    fn pass(&self, filter: u32, offer: &mut Offer) -> bool {
        if offer.action == TAU {
            return true;
        }
        match self.filters[filter as usize][offer.action as usize] {
            Fate::Blocked => false,
            Fate::Becomes(action) => {
                if action == TAU {
                    offer.arguments.clear();
                }
                offer.action = action;
                true
            }
        }
    }

    /// What a Bool is, if it is decided.
    pub(super) fn truth(&self, term: TermId) -> Option<bool> {
        let symbol = self.terms.symbol(term);
        if symbol == self.model.true_symbol {
            Some(true)
        } else {
            (symbol == self.model.false_symbol).then_some(false)
        }
    }

    fn grown(&self) -> Failure {
        let span = self.model.node(self.model.init).span;
        let message = format!(
            "a component starts processes inside itself without end: they are nested {DEPTH_MAX} deep"
        );
        Box::new(
            Diagnostic::error(GROWS, span, message)
                .help("let the inner process end before the next one starts, or write it beside the others in `init`"),
        )
    }

    pub(super) fn undecided(&self, condition: TermId, node: NodeId) -> Failure {
        let text = self.text(condition);
        let message = format!("this condition is neither T nor F but `{text}`");
        Box::new(
            Diagnostic::error(UNDECIDED_CONDITION, self.model.node(node).span, message)
                .help("a rewrite rule for this case is missing"),
        )
    }
}

impl Around {
    fn offer(&self, action: ActionId, arguments: SmallVec<[TermId; 4]>) -> Offer {
        let (variables, guards) = (self.variables.clone(), self.guards.clone());
        Offer { action, arguments, variables, guards, next: smallvec![DONE] }
    }
}
