//! Values for the variables that are still open when an offer happens: narrowing.
//! A variable is replaced by each constructor of its sort in turn, with new variables as arguments; a guard that has become
//! false ends the branch, so `sum(n: Nat, a(n) <| lt(n, 3) |> delta)` has three values though `Nat` is infinite. A variable of
//! an infinite sort that no guard mentions has no end, and is an error at once.

use super::engine::{Engine, Failure};
use super::offers::{Guard, Offer, Open};
use crate::diagnostic::{Diagnostic, INFINITE_SUM};
use crate::rewrite::TermId;

impl Engine {
    /// Appends every instance of the offer without variables and guards, in the order of the constructors.
    pub(crate) fn solve(&mut self, offer: Offer, out: &mut Vec<Offer>) -> Result<(), Failure> {
        if offer.variables.is_empty() && offer.guards.is_empty() {
            out.push(offer);
            return Ok(());
        }
        let start = out.len();
        let mut n_steps = 0;
        let mut branches = vec![offer];
        while let Some(mut offer) = branches.pop() {
            n_steps += 1;
            foresee_stdx::halt::look();
            if !self.settle_guards(&mut offer)? {
                continue;
            }
            let used = self.used_variables(&offer);
            let Some(&number) = used.iter().min_by_key(|it| self.effort(**it, &offer)) else {
                (offer.variables, offer.guards) = Default::default();
                if !out[start..].contains(&offer) {
                    out.push(offer);
                }
                continue;
            };
            if let Some(value) = self.determined(number, &offer) {
                let mut values = vec![0; offer.variables.len()];
                values[number as usize] = value;
                branches.push(self.bind(offer, &values)?);
                continue;
            }
            let open = offer.variables[number as usize];
            let is_guarded = self.guards_mention(&offer, number);
            if n_steps > self.options.sum_budget || self.has_no_end(open, is_guarded) {
                return Err(self.infinite(open, is_guarded));
            }
            for value in self.instances(&mut offer, open)?.into_iter().rev() {
                let mut values = vec![0; offer.variables.len()];
                values[number as usize] = value;
                branches.push(self.bind(offer.clone(), &values)?);
            }
        }
        Ok(())
    }

    /// Drops the guards that hold; false if one cannot.
    fn settle_guards(&mut self, offer: &mut Offer) -> Result<bool, Failure> {
        let mut kept = Default::default();
        std::mem::swap(&mut kept, &mut offer.guards);
        for guard in kept {
            match guard {
                Guard::Is { term, wanted, node } => match self.truth(term) {
                    Some(truth) if truth == wanted => {}
                    Some(_) => return Ok(false),
                    None if self.terms.is_open(term) => offer.guards.push(guard),
                    None => return Err(self.undecided(term, node)),
                },
                Guard::Equal(a, b) if a == b => {}
                Guard::Equal(a, b) if self.terms.differ(&self.model, a, b) => return Ok(false),
                Guard::Equal(..) => offer.guards.push(guard),
            }
        }
        Ok(true)
    }

    /// The variables that matter, in order.
    fn used_variables(&self, offer: &Offer) -> Vec<u32> {
        let mut used = Vec::new();
        let mut see = |number| {
            if !used.contains(&number) {
                used.push(number);
            }
        };
        offer.arguments.iter().for_each(|it| self.terms.variables(*it, &mut see));
        for guard in &offer.guards {
            self.guard_variables(guard, &mut see);
        }
        offer.next.iter().for_each(|it| self.proc_variables(*it, &mut see));
        used.sort_unstable();
        used
    }

    fn guard_variables(&self, guard: &Guard, see: &mut impl FnMut(u32)) {
        match guard {
            Guard::Is { term, .. } => self.terms.variables(*term, see),
            Guard::Equal(a, b) => {
                self.terms.variables(*a, see);
                self.terms.variables(*b, see);
            }
        }
    }

    fn guards_mention(&self, offer: &Offer, number: u32) -> bool {
        let mut found = false;
        for guard in &offer.guards {
            self.guard_variables(guard, &mut |it| found |= it == number);
        }
        found
    }

    /// Cheap ones first: those a guard determines, then those of finite sorts.
    fn effort(&self, number: u32, offer: &Offer) -> (u8, u32) {
        let sort = offer.variables[number as usize].sort;
        let is_finite = self.model.sorts[sort as usize].is_finite;
        let effort = match self.determined(number, offer) {
            Some(_) => 0,
            None if is_finite => 1,
            None => 2,
        };
        (effort, number)
    }

    /// The value that an equation among the guards gives to a variable.
    fn determined(&self, number: u32, offer: &Offer) -> Option<TermId> {
        offer.guards.iter().find_map(|guard| {
            let (a, b) = match guard {
                Guard::Equal(a, b) => (*a, *b),
                Guard::Is { term, wanted: true, .. } => {
                    let symbol = self.terms.symbol(*term);
                    let is_equality = self.terms.as_variable(*term).is_none()
                        && self.model.symbol(symbol).is_equality;
                    match self.terms.arguments(*term) {
                        [a, b] if is_equality => (*a, *b),
                        _ => return None,
                    }
                }
                Guard::Is { .. } => return None,
            };
            let is_it = |term: TermId| self.terms.as_variable(term) == Some(number);
            if is_it(a) && !self.terms.is_open(b) {
                Some(b)
            } else {
                (is_it(b) && !self.terms.is_open(a)).then_some(a)
            }
        })
    }

    fn has_no_end(&self, open: Open, is_guarded: bool) -> bool {
        let sort = &self.model.sorts[open.sort as usize];
        sort.constructors.is_empty() || (!sort.is_finite && !is_guarded)
    }

    /// Each constructor of the sort applied to new variables, which the offer gets.
    fn instances(&mut self, offer: &mut Offer, open: Open) -> Result<Vec<TermId>, Failure> {
        let model = std::sync::Arc::clone(&self.model);
        let mut instances = Vec::new();
        for &constructor in &model.sorts[open.sort as usize].constructors {
            let mut arguments = Vec::new();
            for &sort in &model.symbol(constructor).arguments {
                arguments.push(self.terms.variable(offer.variables.len() as u32));
                offer.variables.push(Open { sort, sum: open.sum });
            }
            instances.push(self.reduce(constructor, &arguments)?);
        }
        Ok(instances)
    }

    fn infinite(&self, open: Open, is_guarded: bool) -> Failure {
        let node = self.model.node(open.sum);
        let crate::model::NodeKind::Sum(slot, sort, _) = node.kind else {
            unreachable!("only sums bind variables")
        };
        let variable = &self.model.processes[node.process as usize].slots[slot as usize];
        Box::new(infinite_sum(&self.model.sorts[sort as usize], variable, node.span, is_guarded))
    }
}

/// The message about a sum without end, when exploring and when loading.
pub(crate) fn infinite_sum(
    sort: &crate::model::Sort,
    variable: &str,
    span: foresee_text::Span,
    is_guarded: bool,
) -> Diagnostic {
    let name = &sort.name;
    let why = if sort.constructors.is_empty() {
        format!("`{name}` has no constructors")
    } else if is_guarded {
        format!("its conditions leave too many values of `{name}`")
    } else {
        format!("`{name}` has infinitely many values")
    };
    let message = format!("nothing determines `{variable}` in this sum over `{name}`: {why}");
    Diagnostic::error(INFINITE_SUM, span, message)
        .help("let the action communicate (`comm`) and block it alone (`encap`), so that its partner gives the value")
        .help(format!("or restrict `{variable}` with a condition, or sum over a finite sort"))
}
