//! Two offers meet: their data must be equal, which is how most variables of sums get their values.

use super::engine::{Engine, Failure};
use super::offers::{Guard, Offer};
use crate::model::ActionId;
use crate::rewrite::TermId;
use smallvec::SmallVec;

impl Engine {
    /// The communication of two offers as `action`; `None` if their data can never be equal. The first `n_shared`
    /// variables of both are the same ones.
    pub(crate) fn merge(
        &mut self,
        left: &Offer,
        right: &Offer,
        action: ActionId,
        n_shared: usize,
    ) -> Result<Option<Offer>, Failure> {
        let moved;
        let right = if right.variables.len() > n_shared && left.variables.len() > n_shared {
            moved = self.renumber(right, n_shared, left.variables.len() - n_shared)?;
            &moved
        } else {
            right
        };
        let mut variables = left.variables.clone();
        variables.extend(right.variables.iter().skip(left.variables.len()).copied());
        let mut values = vec![0; variables.len()];
        let mut guards: SmallVec<[Guard; 1]> = left.guards.clone();
        guards.extend(right.guards.iter().filter(|it| !left.guards.contains(it)).copied());
        for (a, b) in left.arguments.iter().zip(&right.arguments) {
            if !self.unify(*a, *b, &mut values, &mut guards) {
                return Ok(None);
            }
        }
        let mut next = left.next.clone();
        next.extend_from_slice(&right.next);
        let arguments = left.arguments.clone();
        let offer = Offer { action, arguments, variables, guards, next };
        self.bind(offer, &values).map(Some)
    }

    /// The offer with these values for its variables; what a value mentions is replaced as well.
    pub(super) fn bind(&mut self, mut offer: Offer, values: &[TermId]) -> Result<Offer, Failure> {
        if values.iter().all(|value| *value == 0) {
            return Ok(offer);
        }
        let mut values = values.to_vec();
        for at in 0..values.len() {
            // Values were found one after the other, so an earlier one may mention a variable that a later one binds.
            for _ in 0..values.len() {
                let value = self.substitute(values[at], &values.clone())?;
                if value == values[at] {
                    break;
                }
                values[at] = value;
            }
        }
        self.replace(&mut offer, &values)?;
        Ok(offer)
    }

    fn replace(&mut self, offer: &mut Offer, values: &[TermId]) -> Result<(), Failure> {
        for argument in &mut offer.arguments {
            *argument = self.substitute(*argument, values)?;
        }
        for guard in &mut offer.guards {
            match guard {
                Guard::Is { term, .. } => *term = self.substitute(*term, values)?,
                Guard::Equal(a, b) => {
                    *a = self.substitute(*a, values)?;
                    *b = self.substitute(*b, values)?;
                }
            }
        }
        for next in &mut offer.next {
            *next = self.substitute_proc(*next, values)?;
        }
        Ok(())
    }

    /// Makes two terms equal by giving variables values; what cannot be decided yet becomes a guard.
    fn unify(
        &self,
        a: TermId,
        b: TermId,
        values: &mut [TermId],
        guards: &mut SmallVec<[Guard; 1]>,
    ) -> bool {
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            let (a, b) = (self.value_of(a, values), self.value_of(b, values));
            if a == b {
                continue;
            }
            if !self.terms.is_open(a) && !self.terms.is_open(b) {
                return false;
            }
            match (self.terms.as_variable(a), self.terms.as_variable(b)) {
                (Some(number), _) if !self.mentions(b, number, values) => {
                    values[number as usize] = b
                }
                (_, Some(number)) if !self.mentions(a, number, values) => {
                    values[number as usize] = a
                }
                (None, None) if self.is_free(a) && self.is_free(b) => {
                    if self.terms.symbol(a) != self.terms.symbol(b) {
                        return false;
                    }
                    let (a, b) = (self.terms.arguments(a), self.terms.arguments(b));
                    pairs.extend(a.iter().copied().zip(b.iter().copied()));
                }
                _ => guards.push(Guard::Equal(a, b)),
            }
        }
        true
    }

    /// Follows a variable to its value.
    fn value_of(&self, mut term: TermId, values: &[TermId]) -> TermId {
        while let Some(number) = self.terms.as_variable(term) {
            match values[number as usize] {
                0 => break,
                value => term = value,
            }
        }
        term
    }

    fn mentions(&self, term: TermId, number: u32, values: &[TermId]) -> bool {
        let mut found = false;
        self.terms.variables(term, &mut |it| {
            let value = values[it as usize];
            found |= it == number || (value != 0 && self.mentions(value, number, values));
        });
        found
    }

    fn is_free(&self, term: TermId) -> bool {
        self.terms.as_variable(term).is_none() && self.model.symbol(self.terms.symbol(term)).is_free
    }

    /// The same offer with its own variables numbered higher by `by`, to make room for others.
    fn renumber(&mut self, offer: &Offer, n_shared: usize, by: usize) -> Result<Offer, Failure> {
        let n = offer.variables.len();
        let mut values = vec![0; n];
        let mut variables = offer.variables.clone();
        for (at, value) in values.iter_mut().enumerate().skip(n_shared) {
            *value = self.terms.variable((at + by) as u32);
        }
        for at in 0..by {
            variables.insert(n_shared + at, offer.variables[n_shared]);
        }
        let mut moved = offer.clone();
        moved.variables = variables;
        self.replace(&mut moved, &values)?;
        Ok(moved)
    }
}
