//! The static network: the parallel components that `init` starts, and what `encap`, `hide` and `rename` around them do.
//! Calls are unfolded as long as they lead to parallel composition; each component gets a slot of the state. Operators
//! around all components become one table; a component that has operators of its own inside is one slot as a whole.
//! Which pairs can ever communicate follows from the actions each component can reach.

use crate::diagnostic::Diagnostic;
use crate::model::{ActionId, Fate, Model, NodeId, NodeKind, ProcessId, TAU};
use crate::process::{Engine, Failure, ProcId, infinite_sum};
use crate::rewrite::TermId;
use foresee_lts::{About, Label};

#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) names: Vec<String>,
    pub(crate) initial: Vec<ProcId>,
    /// What becomes of each action outside.
    pub(crate) fates: Vec<Fate>,
    /// The pairs of components that may communicate, in order.
    pub(crate) pairs: Vec<(usize, usize)>,
    /// The result of a communication can take part in another, so that more than two may meet.
    pub(crate) chains: bool,
}

struct Builder<'e> {
    engine: &'e mut Engine,
    network: Network,
    alphabets: Vec<Option<Vec<bool>>>,
    called: Vec<Called>,
}

impl Network {
    /// The network, and how many operators stand around all of it.
    pub(crate) fn new(engine: &mut Engine) -> Result<(Network, usize), Failure> {
        let n = engine.model.actions.len() as ActionId;
        let operands: Vec<ActionId> = engine.model.communications.keys().map(|it| it.0).collect();
        let chains = engine.model.communications.values().any(|it| operands.contains(it));
        let (names, initial, pairs) = (Vec::new(), Vec::new(), Vec::new());
        let fates = (0..n).map(Fate::Becomes).collect();
        let network = Network { names, initial, fates, pairs, chains };
        let mut builder = Builder { engine, network, alphabets: Vec::new(), called: Vec::new() };
        let n_outside = builder.unfold(builder.engine.model.init)?;
        builder.find_pairs();
        Ok((builder.network, n_outside))
    }
}

impl Builder<'_> {
    fn unfold(&mut self, init: NodeId) -> Result<usize, Failure> {
        let model = std::sync::Arc::clone(&self.engine.model);
        let (mut node, mut environment) = (init, Vec::new());
        let mut filters = Vec::new();
        loop {
            match &model.node(node).kind {
                NodeKind::Filter(filter, body) => {
                    filters.push(*filter);
                    node = *body;
                }
                NodeKind::Call(process, _) if leads_to_network(&model, node) => {
                    (node, environment) = self.enter(node, *process, &environment)?;
                }
                _ => break,
            }
        }
        for fate in &mut self.network.fates {
            for filter in filters.iter().rev() {
                if let Fate::Becomes(action) = *fate
                    && action != TAU
                {
                    *fate = self.engine.filters[*filter as usize][action as usize];
                }
            }
        }
        self.components(node, &environment)?;
        self.network.names = names(&self.called);
        Ok(filters.len())
    }

    fn components(&mut self, node: NodeId, environment: &[TermId]) -> Result<(), Failure> {
        let model = std::sync::Arc::clone(&self.engine.model);
        match &model.node(node).kind {
            NodeKind::Parallel(a, b) => {
                self.components(*a, environment)?;
                self.components(*b, environment)
            }
            NodeKind::Call(process, _) if leads_to_parallel(&model, node) => {
                let (root, inner) = self.enter(node, *process, environment)?;
                self.components(root, &inner)
            }
            _ => self.component(node, environment),
        }
    }

    fn component(&mut self, node: NodeId, environment: &[TermId]) -> Result<(), Failure> {
        let proc = self.engine.instantiate(node, environment)?;
        let model = std::sync::Arc::clone(&self.engine.model);
        let called = match &model.node(node).kind {
            NodeKind::Call(process, _) => {
                let arguments = self.engine.evaluate_all(node, environment)?;
                let arguments = arguments.iter().map(|it| self.engine.text(*it)).collect();
                Called { process: model.processes[*process as usize].name.clone(), arguments }
            }
            _ => {
                let process = format!("component{}", self.called.len() + 1);
                Called { process, arguments: Vec::new() }
            }
        };
        self.called.push(called);
        self.network.initial.push(proc);
        self.alphabets.push(alphabet(&model, node));
        Ok(())
    }

    fn enter(
        &mut self,
        call: NodeId,
        process: ProcessId,
        environment: &[TermId],
    ) -> Result<(NodeId, Vec<TermId>), Failure> {
        let mut inner = self.engine.evaluate_all(call, environment)?;
        let process = &self.engine.model.processes[process as usize];
        inner.resize(process.slots.len(), 0);
        Ok((process.root, inner))
    }

    fn find_pairs(&mut self) {
        let model = &self.engine.model;
        let has = |alphabet: &Option<Vec<bool>>, action: ActionId| {
            alphabet.as_ref().is_none_or(|it| it[action as usize])
        };
        for j in 0..self.alphabets.len() {
            for i in 0..j {
                let meets = model.communications.iter().any(|((a, b), result)| {
                    let is_seen = self.network.fates[*result as usize] != Fate::Blocked;
                    is_seen && has(&self.alphabets[i], *a) && has(&self.alphabets[j], *b)
                });
                if meets {
                    self.network.pairs.push((i, j));
                }
            }
        }
        self.network.pairs.sort_unstable();
    }
}

/// What a component is at the start.
struct Called {
    process: String,
    arguments: Vec<String>,
}

/// The name of the process, with as many arguments as it takes to tell it from others of that name, but one at least, and
/// counted if all are the same. Not all arguments: they change while the component goes on, who it is does not.
fn names(all: &[Called]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, called) in all.iter().enumerate() {
        let others = all.iter().enumerate().filter(|(other, it)| {
            *other != at && it.process == called.process && it.arguments != called.arguments
        });
        let n_shared = |it: &Called| {
            let pairs = it.arguments.iter().zip(&called.arguments);
            pairs.take_while(|(theirs, own)| theirs == own).count()
        };
        let n = 1 + others.map(|(_, it)| n_shared(it)).max().unwrap_or(0);
        let told = &called.arguments[..n.min(called.arguments.len())];
        let name = match told.is_empty() {
            true => called.process.clone(),
            false => format!("{}({})", called.process, told.join(",")),
        };
        let n_same = names.iter().filter(|it| it.split('#').next() == Some(&name)).count();
        names.push(if n_same > 0 { format!("{name}#{}", n_same + 1) } else { name });
    }
    names
}

/// Whether unfolding from here reaches operators or parallel composition before anything else.
fn leads_to_network(model: &Model, node: NodeId) -> bool {
    match &model.node(node).kind {
        NodeKind::Parallel(..) | NodeKind::Filter(..) => true,
        NodeKind::Call(process, _) => {
            leads_to_network(model, model.processes[*process as usize].root)
        }
        _ => false,
    }
}

fn leads_to_parallel(model: &Model, node: NodeId) -> bool {
    match &model.node(node).kind {
        NodeKind::Parallel(..) => true,
        NodeKind::Call(process, _) => {
            leads_to_parallel(model, model.processes[*process as usize].root)
        }
        _ => false,
    }
}

/// The actions that can ever happen from here; `None` for "any", when parallelism or renaming inside makes new ones.
fn alphabet(model: &Model, start: NodeId) -> Option<Vec<bool>> {
    let mut actions = vec![false; model.actions.len()];
    let mut is_plain = true;
    reach(model, start, &mut |_, kind| match kind {
        NodeKind::Action(action, _) => actions[*action as usize] = true,
        NodeKind::Parallel(..) | NodeKind::Communication(..) | NodeKind::LeftMerge(..) => {
            is_plain = false
        }
        NodeKind::Filter(..) => is_plain = false,
        _ => {}
    });
    is_plain.then_some(actions)
}

/// Visits every position that a component starting at `start` can come to.
fn reach(model: &Model, start: NodeId, visit: &mut impl FnMut(NodeId, &NodeKind)) {
    let mut entered = vec![false; model.processes.len()];
    let mut nodes = vec![start];
    while let Some(node) = nodes.pop() {
        let kind = &model.node(node).kind;
        visit(node, kind);
        match kind {
            NodeKind::Delta | NodeKind::Tau | NodeKind::Action(..) => {}
            NodeKind::Call(process, _) => {
                if !std::mem::replace(&mut entered[*process as usize], true) {
                    nodes.push(model.processes[*process as usize].root);
                }
            }
            NodeKind::Choice(a, b)
            | NodeKind::Sequence(a, b)
            | NodeKind::Parallel(a, b)
            | NodeKind::LeftMerge(a, b)
            | NodeKind::Communication(a, b)
            | NodeKind::Condition(a, _, b) => nodes.extend([*b, *a]),
            NodeKind::Sum(_, _, body) | NodeKind::Filter(_, body) => nodes.push(*body),
        }
    }
}

/// Sums over infinite sorts whose action nothing outside blocks and no condition restricts: certain to have no end if
/// they are ever reached, so they are reported when loading.
pub(crate) fn endless_sums(
    model: &Model,
    network: &Network,
    n_filters_inside: usize,
) -> Vec<Diagnostic> {
    let mut problems: Vec<(NodeId, Diagnostic)> = Vec::new();
    if n_filters_inside > 0 {
        return Vec::new();
    }
    reach(model, model.init, &mut |node, kind| {
        let NodeKind::Sum(slot, sort, body) = kind else { return };
        let sort = &model.sorts[*sort as usize];
        if sort.is_finite || !is_endless(model, network, *body, *slot) {
            return;
        }
        let at = model.node(node);
        let variable = &model.processes[at.process as usize].slots[*slot as usize];
        problems.push((node, infinite_sum(sort, variable, at.span, false)));
    });
    problems.sort_by_key(|it| it.0);
    problems.dedup_by_key(|it| it.0);
    problems.into_iter().map(|it| it.1).collect()
}

/// Whether the first action under this node happens alone for every value of the variable in `slot`.
fn is_endless(model: &Model, network: &Network, node: NodeId, slot: u32) -> bool {
    let at = model.node(node);
    match &at.kind {
        NodeKind::Action(action, _) => {
            network.fates[*action as usize] != Fate::Blocked && at.live.contains(&slot)
        }
        NodeKind::Choice(a, b) => {
            is_endless(model, network, *a, slot) || is_endless(model, network, *b, slot)
        }
        NodeKind::Sum(_, _, body) => is_endless(model, network, *body, slot),
        NodeKind::Sequence(a, b) => {
            is_endless(model, network, *a, slot)
                || (model.node(*b).live.contains(&slot) && is_alone(model, network, *a))
        }
        _ => false,
    }
}

/// Whether this is an action that nothing blocks.
fn is_alone(model: &Model, network: &Network, node: NodeId) -> bool {
    match &model.node(node).kind {
        NodeKind::Action(action, _) => network.fates[*action as usize] != Fate::Blocked,
        NodeKind::Tau => true,
        _ => false,
    }
}

/// The label of an action with this text, done by these components.
pub(crate) fn label(actors: &str, text: &str) -> Label {
    // An action is written with its arguments in brackets.
    let name = text.split('(').next().map(str::to_owned);
    let about = About { name, ..About::default() };
    Label::of_actor(foresee_lts::Verb::Step, actors, text).about(about)
}
