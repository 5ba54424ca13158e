//! Instances: parts of a formula with values for their data variables, taken apart as far as they stay in one state.
//! What a state must satisfy is a conjunction or a disjunction of two kinds of things: after such an action, that instance
//! (`steps`); here, that instance (`stays`). Nested parts of the same kind are merged into one, and a fixpoint inside is
//! entered at once; only a fixpoint's *variable* is a vertex of its own, since its priority must be seen on the way round
//! a cycle. That makes one or two vertices a state for most formulas instead of one for each operator.
//! Instances are made when they are first needed: parameters may take any number of values.

use super::alphabet::{Alphabet, MatcherId};
use super::core::{BinderId, Core, CoreId, Program};
use crate::formula::data::{Data, Environment};
use crate::formula::tree::Variable;
use crate::{Diagnostic, Span, codes};
use rustc_hash::FxHashMap;

pub(super) type InstanceId = u32;

/// The two constants come first.
pub(super) const FALSE: InstanceId = 0;
pub(super) const TRUE: InstanceId = 1;

/// What must hold in a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    /// All of it, or any of it.
    pub(super) is_all: bool,
    pub(super) steps: Vec<(MatcherId, InstanceId)>,
    pub(super) stays: Vec<InstanceId>,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
enum Origin {
    Core(CoreId),
    Binder(BinderId),
}

pub(super) struct Instances<'a> {
    pub(super) program: &'a Program,
    origins: Vec<(Origin, Environment)>,
    known: FxHashMap<(Origin, Environment), InstanceId>,
    bodies: Vec<Option<Body>>,
}

type Fallible<T> = Result<T, Box<Diagnostic>>;

impl<'a> Instances<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        let constant = (Origin::Core(usize::MAX), Environment::new());
        Instances {
            program,
            origins: vec![constant.clone(), constant],
            known: FxHashMap::default(),
            bodies: vec![None, None],
        }
    }

    pub(super) fn root(&mut self) -> Fallible<InstanceId> {
        self.of_core(self.program.root, &Environment::new())
    }

    /// The priority of a fixpoint variable; `None` for everything else.
    pub(super) fn priority(&self, instance: InstanceId) -> Option<u32> {
        match &self.origins[instance as usize].0 {
            Origin::Binder(binder) => Some(self.program.binders[*binder].priority),
            Origin::Core(_) => None,
        }
    }

    /// Where the instance is written; `None` for constants.
    pub(super) fn span(&self, instance: InstanceId) -> Option<Span> {
        match &self.origins[instance as usize].0 {
            Origin::Binder(binder) => Some(self.program.binders[*binder].span),
            Origin::Core(core) => self.program.spans.get(*core).copied(),
        }
    }

    /// The body of an instance that is no constant.
    pub(super) fn expand(&mut self, instance: InstanceId, alphabet: &mut Alphabet) -> Fallible<()> {
        if self.bodies[instance as usize].is_some() {
            return Ok(());
        }
        let (origin, environment) = self.origins[instance as usize].clone();
        let core = match origin {
            Origin::Core(core) => core,
            Origin::Binder(binder) => self.program.binders[binder].body,
        };
        let mut body = Body { is_all: self.is_all(core), ..Body::default() };
        let decided = self.flatten(core, &environment, &mut body, alphabet)?;
        if decided {
            let constant = if body.is_all { FALSE } else { TRUE };
            body =
                Body { stays: vec![constant], ..Body { is_all: body.is_all, ..Body::default() } };
        }
        body.stays.sort_unstable();
        body.stays.dedup();
        body.steps.sort_unstable();
        body.steps.dedup();
        self.bodies[instance as usize] = Some(body);
        Ok(())
    }

    pub(super) fn body(&self, instance: InstanceId) -> &Body {
        self.bodies[instance as usize].as_ref().expect("expanded before")
    }

    /// Whether a core is a conjunction; what is neither counts as one.
    fn is_all(&self, core: CoreId) -> bool {
        match &self.program.cores[core] {
            Core::Several { is_all, .. }
            | Core::Modal { is_all, .. }
            | Core::Quantified { is_all, .. } => *is_all,
            Core::Fixpoint(binder) => self.is_all(self.program.binders[*binder].body),
            Core::Constant(_) | Core::Value { .. } | Core::Reference { .. } => true,
        }
    }

    /// Adds the parts of a core to a body; true if one of them decides the whole.
    fn flatten(
        &mut self,
        core: CoreId,
        environment: &Environment,
        body: &mut Body,
        alphabet: &mut Alphabet,
    ) -> Fallible<bool> {
        let program = self.program;
        match &program.cores[core] {
            Core::Several { is_all, parts } if *is_all == body.is_all => {
                for part in parts {
                    if self.flatten(*part, environment, body, alphabet)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Core::Modal { is_all, action, inside } if *is_all == body.is_all => {
                let names = &program.action_names[*action];
                let values = restricted(environment, |name| names.contains(name));
                let matcher = alphabet.matcher(*action, values);
                let inside = self.of_core(*inside, environment)?;
                body.steps.push((matcher, inside));
                Ok(false)
            }
            Core::Quantified { is_all, variables, inside } if *is_all == body.is_all => {
                self.quantified(variables, *inside, environment, body, alphabet)
            }
            Core::Fixpoint(binder) if self.is_all(core) == body.is_all => {
                let environment = self.entered(*binder, environment, None)?;
                self.flatten(program.binders[*binder].body, &environment, body, alphabet)
            }
            _ => {
                let here = self.of_core(core, environment)?;
                match here {
                    FALSE => Ok(body.is_all),
                    TRUE => Ok(!body.is_all),
                    other => {
                        body.stays.push(other);
                        Ok(false)
                    }
                }
            }
        }
    }

    fn quantified(
        &mut self,
        variables: &[Variable],
        inside: CoreId,
        environment: &Environment,
        body: &mut Body,
        alphabet: &mut Alphabet,
    ) -> Fallible<bool> {
        let Some((variable, rest)) = variables.split_first() else {
            return self.flatten(inside, environment, body, alphabet);
        };
        let domain = variable.domain.as_ref().expect("parsed: only over finite sorts");
        for value in domain {
            let mut environment = environment.clone();
            environment.insert(variable.name.clone(), value.clone());
            if self.quantified(rest, inside, &environment, body, alphabet)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn of_core(&mut self, core: CoreId, environment: &Environment) -> Fallible<InstanceId> {
        let program = self.program;
        match &program.cores[core] {
            Core::Constant(value) => Ok(u32::from(*value)),
            Core::Value { data, wanted } => {
                let value = data
                    .holds(environment)
                    .map_err(|wrong| no_value(wrong, program.spans[core]))?;
                Ok(u32::from(value == *wanted))
            }
            Core::Fixpoint(binder) => {
                let environment = self.entered(*binder, environment, None)?;
                Ok(self.intern(Origin::Binder(*binder), environment))
            }
            Core::Reference { binder, arguments } => {
                let at = Some((arguments.as_slice(), program.spans[core]));
                let environment = self.entered(*binder, environment, at)?;
                Ok(self.intern(Origin::Binder(*binder), environment))
            }
            _ => {
                let names = &program.free[core];
                let environment = restricted(environment, |name| names.contains(name));
                Ok(self.intern(Origin::Core(core), environment))
            }
        }
    }

    /// The values inside a fixpoint: those outside, and its parameters.
    fn entered(
        &self,
        binder: BinderId,
        environment: &Environment,
        arguments: Option<(&[Data], Span)>,
    ) -> Fallible<Environment> {
        let binder = &self.program.binders[binder];
        let (arguments, span) = arguments.unwrap_or((&binder.initial, binder.span));
        let mut inside = restricted(environment, |name| binder.outer.contains(name));
        for (name, data) in binder.parameters.iter().zip(arguments) {
            let value = data.evaluate(environment).map_err(|wrong| no_value(wrong, span))?;
            inside.insert(name.clone(), value);
        }
        Ok(inside)
    }

    fn intern(&mut self, origin: Origin, environment: Environment) -> InstanceId {
        let next = self.origins.len() as InstanceId;
        let key = (origin, environment);
        let id = *self.known.entry(key.clone()).or_insert(next);
        if id == next {
            self.origins.push(key);
            self.bodies.push(None);
        }
        id
    }
}

fn restricted(environment: &Environment, keep: impl Fn(&String) -> bool) -> Environment {
    environment
        .iter()
        .filter(|(name, _)| keep(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn no_value(wrong: String, span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::NO_VALUE, span, wrong))
}
