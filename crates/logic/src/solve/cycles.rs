//! What only cycles decide: whoever can stay for ever among greatest fixpoints is right, among least ones wrong.
//! The undecided part of the graph is taken component by component, what is reached first. In most formulas a component
//! has fixpoints of one sign, which decides all that is left of it at once; for alternating ones it is a parity game.
//! Run on a graph that is still growing, with the unexplored vertices *assumed* to be against somebody, what that somebody
//! wins is won for good: so a cycle is found long before everything is explored.

use super::graph::{Graph, Truth, VertexId};
use super::parity;
use crate::components::components;
use crate::lts::group;
use rustc_hash::FxHashMap;

/// A vertex decided by a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    pub(super) vertex: VertexId,
    pub(super) value: Truth,
    /// Where to go from it, if that is a choice of the one who wins.
    pub(super) choice: Option<VertexId>,
}

/// Everything cycles decide when unexplored vertices have the value `assumed`; only what has the opposite value is certain,
/// unless nothing that matters is unexplored.
pub(super) fn decide(
    graph: &Graph,
    priority: impl Fn(VertexId) -> Option<u32>,
    assumed: bool,
) -> Vec<Rest> {
    let n = graph.len();
    let mut values: Vec<Truth> = (0..n as u32)
        .map(|vertex| match graph.value(vertex) {
            Truth::Unknown if !graph.vertex(vertex).is_expanded => Truth::of(assumed),
            value => value,
        })
        .collect();
    let found = components(n, |vertex, k| {
        if values[vertex as usize] != Truth::Unknown {
            return None;
        }
        let child = graph.children(vertex).get(k)?.vertex;
        Some((values[child as usize] == Truth::Unknown).then_some(child))
    });
    let (offsets, order) = group(found.n, &found.of);
    let order = order.unwrap_or_else(|| (0..n as u32).collect());
    let mut rests = Vec::new();
    let mut pending = vec![0u32; n];
    for component in 0..found.n {
        let members = &order[offsets[component] as usize..offsets[component + 1] as usize];
        if values[members[0] as usize] != Truth::Unknown {
            continue;
        }
        settle(graph, members, &found.of, &mut values, &mut pending);
        let mut parities = members.iter().filter_map(|vertex| priority(*vertex)).map(|one| one % 2);
        let first = parities.next();
        if parities.all(|parity| Some(parity) == first) {
            stay(graph, members, first == Some(0), &found.of, &mut values, &mut rests);
            continue;
        }
        let left: Vec<VertexId> = members
            .iter()
            .copied()
            .filter(|vertex| values[*vertex as usize] == Truth::Unknown)
            .collect();
        for one in parity::solve(graph, &left, &priority) {
            values[one.vertex as usize] = one.value;
            rests.push(one);
        }
    }
    rests
}

/// Spreads the values of lower components through one.
fn settle(
    graph: &Graph,
    members: &[VertexId],
    component_of: &[u32],
    values: &mut [Truth],
    pending: &mut [u32],
) {
    let mut stack = Vec::new();
    for &vertex in members {
        let is_all = graph.vertex(vertex).is_all;
        let children = graph.children(vertex);
        let unknown =
            |child: &&super::graph::Child| values[child.vertex as usize] == Truth::Unknown;
        pending[vertex as usize] = children.iter().filter(unknown).count() as u32;
        let decider = Truth::of(!is_all);
        if children.iter().any(|child| values[child.vertex as usize] == decider) {
            stack.push((vertex, decider));
        } else if pending[vertex as usize] == 0 {
            stack.push((vertex, Truth::of(is_all)));
        }
    }
    // Values are noted only now, so that `pending` counted the members as unknown.
    while let Some((vertex, value)) = stack.pop() {
        if values[vertex as usize] != Truth::Unknown {
            continue;
        }
        values[vertex as usize] = value;
        for parent in graph.parents(vertex) {
            let is_member = component_of[parent as usize] == component_of[vertex as usize];
            if !is_member || values[parent as usize] != Truth::Unknown {
                continue;
            }
            pending[parent as usize] -= 1;
            let is_all = graph.vertex(parent).is_all;
            if value == Truth::of(!is_all) || pending[parent as usize] == 0 {
                stack.push((parent, value));
            }
        }
    }
}

/// Decides what is left of a component whose fixpoints have one sign, and finds where one can stay in it for ever. That
/// includes vertices that are decided by something else too: a cycle near by is better evidence than one far away.
fn stay(
    graph: &Graph,
    members: &[VertexId],
    is_greatest: bool,
    component_of: &[u32],
    values: &mut [Truth],
    rests: &mut Vec<Rest>,
) {
    let value = Truth::of(is_greatest);
    for &vertex in members {
        if values[vertex as usize] == Truth::Unknown {
            values[vertex as usize] = value;
        }
    }
    let is_loop = |vertex: VertexId| graph.children(vertex).iter().any(|it| it.vertex == vertex);
    if members.len() == 1 && !is_loop(members[0]) {
        return;
    }
    let component = component_of[members[0] as usize];
    let is_member = |vertex: VertexId, values: &[Truth]| {
        component_of[vertex as usize] == component && values[vertex as usize] == value
    };
    // How many ways each vertex has to stay among those that can; none, and it cannot.
    let mut ways: FxHashMap<VertexId, usize> = FxHashMap::default();
    let mut leaving = Vec::new();
    for &vertex in members.iter().filter(|vertex| is_member(**vertex, values)) {
        let children = graph.children(vertex).iter();
        let n = children.filter(|child| is_member(child.vertex, values)).count();
        ways.insert(vertex, n);
        if n == 0 {
            leaving.push(vertex);
        }
    }
    while let Some(vertex) = leaving.pop() {
        ways.remove(&vertex);
        for parent in graph.parents(vertex) {
            if let Some(n) = ways.get_mut(&parent) {
                *n -= 1;
                if *n == 0 {
                    leaving.push(parent);
                }
            }
        }
    }
    for &vertex in members.iter().filter(|vertex| ways.contains_key(vertex)) {
        let is_choice = graph.vertex(vertex).is_all != is_greatest;
        let inside = graph.children(vertex).iter().map(|child| child.vertex);
        let choice = inside.filter(|child| ways.contains_key(child)).min();
        rests.push(Rest { vertex, value, choice: choice.filter(|_| is_choice) });
    }
}
