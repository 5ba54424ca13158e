//! Evidence: the part of the graph that proves a verdict, as a run where it is one and as a small LTS otherwise.
//! Whoever is right has one good choice wherever the choice is theirs, and must have an answer to everything where it is
//! not. Choices are made so that the fewest actions lead to a place that needs no further argument: a constant, a state in
//! which nothing of the kind can happen, or a cycle that decides by itself. So a run is a shortest one.

use super::explore::Search;
use super::graph::{Child, FALSE_VERTEX, TRUE_VERTEX, Truth, VertexId};
use crate::{Lts, LtsBuilder, Span};
use foresee_lts::{Action, Path, State};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// More vertices than this prove nothing to a person.
const VERTICES_MAX: usize = 50_000;

/// Why a formula holds or not.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The run that proves the verdict, or that leads to where it begins to branch.
    pub path: Path,
    /// The labels along it; `None` is a hidden step.
    pub labels: Vec<Option<String>>,
    /// The run alone is the whole proof.
    pub is_linear: bool,
    /// The run goes on for ever, back to the state after so many actions.
    pub loops_to: Option<usize>,
    /// The part of the formula that is decided at the end of the run.
    pub at: Option<Span>,
    /// Every state and transition that the proof needs; `None` if they are too many to be of use.
    pub sub_lts: Option<SubLts>,
}

/// A part of a system's state space.
#[derive(Clone, Debug)]
pub struct SubLts {
    pub lts: Lts,
    /// What the numbers of its states stand for.
    pub states: Vec<State>,
}

/// Collects the evidence for the verdict of a finished search.
pub(super) fn evidence(search: &mut Search<'_>) -> Evidence {
    let value = search.graph.value(search.root);
    let costs = costs(search, value);
    let run = run(search, value, &costs);
    let sub_lts = sub_lts(search, value, &costs);
    let own = search.initial.iter().find(|(number, _)| *number == run.initial);
    let initial = own.map_or_else(|| search.space.state(run.initial), |(_, state)| state.clone());
    let actions: Vec<Action> = run.steps.iter().map(|step| action_of(search, step)).collect();
    let labels = run.steps.iter().map(|step| label_of(search, step)).collect();
    Evidence {
        path: Path { initial, actions },
        labels,
        is_linear: run.is_linear,
        loops_to: run.loops_to,
        at: run.at,
        sub_lts,
    }
}

/// How far a vertex is from what needs no argument.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Cost {
    actions: u32,
    /// In the order in which costs were found: a choice goes to an earlier one, so the proof never goes in circles.
    order: u32,
}

const UNKNOWN: Cost = Cost { actions: u32::MAX, order: u32::MAX };

/// The cost of each vertex with this value.
fn costs(search: &Search<'_>, value: Truth) -> Vec<Cost> {
    let graph = &search.graph;
    let mut costs = vec![UNKNOWN; graph.len()];
    let mut n_found = 0;
    let mut waiting = vec![0u32; graph.len()];
    let mut heap: BinaryHeap<Reverse<(u32, VertexId)>> = BinaryHeap::new();
    for vertex in 0..graph.len() as VertexId {
        if graph.value(vertex) != value {
            continue;
        }
        waiting[vertex as usize] = graph.children(vertex).len() as u32;
        let is_constant = vertex == FALSE_VERTEX || vertex == TRUE_VERTEX;
        let is_empty = graph.vertex(vertex).is_expanded && graph.children(vertex).is_empty();
        if is_constant || is_empty || search.rests.contains_key(&vertex) {
            heap.push(Reverse((0, vertex)));
        }
    }
    while let Some(Reverse((cost, vertex))) = heap.pop() {
        if costs[vertex as usize] != UNKNOWN {
            continue;
        }
        costs[vertex as usize] = Cost { actions: cost, order: n_found };
        n_found += 1;
        for parent in graph.parents(vertex) {
            if graph.value(parent) != value || costs[parent as usize] != UNKNOWN {
                continue;
            }
            waiting[parent as usize] = waiting[parent as usize].saturating_sub(1);
            if is_choice(search, parent, value) || waiting[parent as usize] == 0 {
                let of = |child: &Child| {
                    let known = costs[child.vertex as usize];
                    (known != UNKNOWN).then(|| known.actions + u32::from(child.is_step))
                };
                let children = graph.children(parent).iter().filter_map(of);
                let own =
                    if is_choice(search, parent, value) { children.min() } else { children.max() };
                heap.push(Reverse((own.expect("this child at least"), parent)));
            }
        }
    }
    costs
}

/// Whether the one who wins chooses here.
fn is_choice(search: &Search<'_>, vertex: VertexId, value: Truth) -> bool {
    search.graph.vertex(vertex).is_all != (value == Truth::True)
}

/// The children that the proof goes on to.
fn needed(search: &Search<'_>, value: Truth, costs: &[Cost], vertex: VertexId) -> Vec<Child> {
    let children = search.graph.children(vertex);
    if !is_choice(search, vertex, value) {
        let mut all = children.to_vec();
        all.sort_by_key(|child| child.vertex);
        all.dedup_by_key(|child| child.vertex);
        return all;
    }
    if let Some(Some(choice)) = search.rests.get(&vertex) {
        return children.iter().filter(|child| child.vertex == *choice).take(1).copied().collect();
    }
    let best = children.iter().min_by_key(|child| {
        let cost = costs[child.vertex as usize];
        (cost.actions.saturating_add(u32::from(child.is_step)), cost.order)
    });
    best.into_iter().copied().collect()
}

/// One action: from a vertex to a child about the next state.
struct Step {
    from: VertexId,
    to: VertexId,
    target: u32,
}

struct Run {
    initial: u32,
    steps: Vec<Step>,
    is_linear: bool,
    loops_to: Option<usize>,
    at: Option<Span>,
}

/// Follows the proof as long as there is one way to go.
fn run(search: &Search<'_>, value: Truth, costs: &[Cost]) -> Run {
    let mut seen: FxHashMap<VertexId, usize> = FxHashMap::default();
    let mut run =
        Run { initial: u32::MAX, steps: Vec::new(), is_linear: true, loops_to: None, at: None };
    let mut vertex = search.root;
    // Several initial states are a choice or a fork like any other.
    loop {
        let known = search.graph.vertex(vertex);
        if run.initial == u32::MAX && known.state != u32::MAX {
            run.initial = known.state;
        }
        if let Some(n_steps) = seen.insert(vertex, run.steps.len()) {
            run.loops_to = Some(n_steps);
            break;
        }
        if let Some(span) = search.instances.span(known.instance) {
            run.at = Some(span);
        }
        let next = needed(search, value, costs, vertex);
        let is_step = |child: &Child| child.is_step;
        match &next[..] {
            [] => break,
            [child] => {
                if is_step(child) {
                    let target = target_of(search, vertex, child);
                    run.steps.push(Step { from: vertex, to: child.vertex, target });
                }
                if child.vertex == FALSE_VERTEX || child.vertex == TRUE_VERTEX {
                    break;
                }
                vertex = child.vertex;
            }
            [_, _, ..] => {
                run.is_linear = false;
                break;
            }
        }
    }
    if run.initial == u32::MAX {
        run.initial = 0;
    }
    run
}

/// The state that a step leads to: that of the child, or for a constant the first that fits.
fn target_of(search: &Search<'_>, from: VertexId, child: &Child) -> u32 {
    match search.graph.vertex(child.vertex).state {
        u32::MAX => fitting(search, from, child.vertex, None).expect("made from a transition").1,
        state => state,
    }
}

/// The first transition of a vertex's state that its instance asks to be followed to this child, and where it leads.
fn fitting(
    search: &Search<'_>,
    from: VertexId,
    child: VertexId,
    target: Option<u32>,
) -> Option<(usize, u32)> {
    let known = search.graph.vertex(from);
    let instance = search.graph.vertex(child).instance;
    let body = search.instances.body(known.instance);
    let fits = |edge: &crate::Edge| {
        target.is_none_or(|target| target == edge.target)
            && body.steps.iter().any(|(matcher, inside)| {
                *inside == instance && search.alphabet.knows_match(*matcher, edge.label)
            })
    };
    let transitions = search.transitions_of(known.state);
    let at = transitions.iter().position(fits)?;
    Some((at, transitions[at].target))
}

fn position(search: &Search<'_>, step: &Step) -> usize {
    fitting(search, step.from, step.to, Some(step.target)).expect("made from a transition").0
}

fn label_of(search: &Search<'_>, step: &Step) -> Option<String> {
    let state = search.graph.vertex(step.from).state;
    let edge = search.transitions_of(state)[position(search, step)];
    search.alphabet.labels.visible(edge.label).map(str::to_owned)
}

/// The action behind a step, by expanding the state again.
fn action_of(search: &mut Search<'_>, step: &Step) -> Action {
    let at = position(search, step);
    let state = search.graph.vertex(step.from).state;
    let expanded = search.space.expand(state);
    debug_assert!(expanded.is_ok(), "its successors are known");
    search.space.found()[at].action
}

/// Everything the proof needs.
fn sub_lts(search: &Search<'_>, value: Truth, costs: &[Cost]) -> Option<SubLts> {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut states = Vec::new();
    let mut number = |state: u32, states: &mut Vec<State>| {
        *numbers.entry(state).or_insert_with(|| {
            states.push(search.space.state(state));
            states.len() as u32 - 1
        })
    };
    let mut edges = std::collections::BTreeSet::new();
    let mut seen = rustc_hash::FxHashSet::from_iter([search.root]);
    let mut queue = std::collections::VecDeque::from([search.root]);
    let mut initial = None;
    while let Some(vertex) = queue.pop_front() {
        if seen.len() > VERTICES_MAX {
            return None;
        }
        let known = search.graph.vertex(vertex);
        let from = (known.state != u32::MAX).then(|| number(known.state, &mut states));
        initial = initial.or(from);
        for child in needed(search, value, costs, vertex) {
            if let (Some(from), true) = (from, child.is_step) {
                let state = search.graph.vertex(child.vertex).state;
                let wanted = (state != u32::MAX).then_some(state);
                let (at, target) =
                    fitting(search, vertex, child.vertex, wanted).expect("made from a transition");
                let label = search.transitions_of(known.state)[at].label;
                edges.insert((from, label, number(target, &mut states)));
            }
            let is_constant = child.vertex == FALSE_VERTEX || child.vertex == TRUE_VERTEX;
            if !is_constant && seen.insert(child.vertex) {
                queue.push_back(child.vertex);
            }
        }
    }
    // A constant needs no state; the first will do.
    let initial = initial.unwrap_or_else(|| number(0, &mut states));
    let mut builder = LtsBuilder::with_labels(search.alphabet.labels.clone());
    for (from, label, to) in edges {
        builder.add_edge(from, label, to);
    }
    builder.at_least_states(states.len() as u32);
    Some(SubLts { lts: builder.build(initial), states })
}
