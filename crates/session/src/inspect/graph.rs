//! The states around a place, laid out in layers: those it can reach in a few steps below it, those that lead to it above.
//! States before it are known only of a transition system that is in a file.

use super::Inspection;
use crate::StageError;
use foresee_lts::{State, System};
use foresee_search::PlaceId;
use std::collections::BTreeMap;

/// The states around a place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Neighbourhood {
    pub nodes: Vec<GraphNode>,
    /// From, to, label; nodes by their ids.
    pub edges: Vec<(u32, u32, String)>,
    /// There are more states around than are shown.
    pub cut: bool,
}

/// A state of it.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphNode {
    pub id: u32,
    pub label: String,
    pub here: bool,
    /// Along the layer.
    pub x: f32,
    /// The layer.
    pub y: f32,
}

/// No more states are shown.
const NODES_MAX: usize = 200;

/// What was found so far.
#[derive(Default)]
struct Found {
    ids: BTreeMap<State, usize>,
    /// The layer of each, and what it is called.
    layers: Vec<(i32, String)>,
    edges: Vec<(usize, usize, String)>,
    is_cut: bool,
}

impl Found {
    /// The number of a state, which is new unless it is known; `None` if there is no room.
    fn add(
        &mut self,
        state: &State,
        layer: i32,
        name: impl FnOnce() -> String,
    ) -> Option<(usize, bool)> {
        if let Some(known) = self.ids.get(state) {
            return Some((*known, false));
        }
        if self.layers.len() == NODES_MAX {
            self.is_cut = true;
            return None;
        }
        self.layers.push((layer, name()));
        self.ids.insert(state.clone(), self.layers.len() - 1);
        Some((self.layers.len() - 1, true))
    }
}

impl Inspection {
    pub fn neighbourhood(
        &mut self,
        place: PlaceId,
        radius: u32,
    ) -> Result<Neighbourhood, StageError> {
        let (stage, local) = self.spots.at(place)?;
        let (loaded, here) = (stage.loaded().clone(), stage.state_of(local)?);
        let front = loaded.front();
        let lts = front.as_lts();
        let name = |number: usize, state: &State| match lts {
            Some(_) => state.first().map_or(String::new(), u32::to_string),
            None => number.to_string(),
        };
        let mut found = Found::default();
        found.add(&here, 0, || name(0, &here));
        let mut layer = vec![here.clone()];
        for depth in 1..=radius as i32 {
            let mut next = Vec::new();
            for state in &layer {
                let from = found.ids[state];
                let mut actions = Vec::new();
                loaded.enabled(state, &mut actions);
                for action in actions {
                    let after = loaded.step(state, action);
                    let label =
                        loaded.visible_label(state, action).unwrap_or_else(|| "tau".to_owned());
                    let number = found.layers.len();
                    let Some((to, is_new)) = found.add(&after, depth, || name(number, &after))
                    else {
                        continue;
                    };
                    found.edges.push((from, to, label));
                    if is_new {
                        next.push(after);
                    }
                }
            }
            layer = next;
        }
        if let (Some(lts), Some(own)) = (lts, here.first()) {
            before(lts, *own, radius, &mut found);
        }
        Ok(laid_out(found))
    }
}

/// The states that lead to one, layer by layer.
fn before(lts: &foresee_logic::Lts, own: u32, radius: u32, found: &mut Found) {
    let mut layer = vec![own];
    for depth in 1..=radius as i32 {
        let mut next = Vec::new();
        for (from, label, to) in lts.transitions() {
            if !layer.contains(&to) {
                continue;
            }
            let (target, state) = (found.ids[&vec![to]], vec![from]);
            let Some((source, is_new)) = found.add(&state, -depth, || from.to_string()) else {
                continue;
            };
            let label = lts.labels().visible(label).unwrap_or("tau").to_owned();
            let edge = (source, target, label);
            if !found.edges.contains(&edge) {
                found.edges.push(edge);
            }
            if is_new {
                next.push(from);
            }
        }
        layer = next;
    }
}

/// Layers from the top; in each, states stand near the middle of those of the layer before that they are joined to.
fn laid_out(found: Found) -> Neighbourhood {
    let top = found.layers.iter().map(|(layer, _)| *layer).min().unwrap_or(0);
    let bottom = found.layers.iter().map(|(layer, _)| *layer).max().unwrap_or(0);
    let mut x = vec![0.0f32; found.layers.len()];
    for layer in top..=bottom {
        let own = (0..found.layers.len()).filter(|at| found.layers[*at].0 == layer);
        let mut own: Vec<(f32, usize)> =
            own.map(|at| (middle(&found, &x, layer, at), at)).collect();
        own.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let half = (own.len() as f32 - 1.0) / 2.0;
        for (position, (_, at)) in own.into_iter().enumerate() {
            x[at] = position as f32 - half;
        }
    }
    let left = x.iter().copied().fold(0.0, f32::min);
    let nodes = found.layers.iter().enumerate().map(|(at, (layer, label))| GraphNode {
        id: at as u32,
        label: label.clone(),
        here: at == 0,
        x: x[at] - left,
        y: (layer - top) as f32,
    });
    let edges =
        found.edges.iter().map(|(from, to, label)| (*from as u32, *to as u32, label.clone()));
    Neighbourhood { nodes: nodes.collect(), edges: edges.collect(), cut: found.is_cut }
}

/// Where the neighbours in the layer above stand, on average.
fn middle(found: &Found, x: &[f32], layer: i32, at: usize) -> f32 {
    let above = found.edges.iter().filter_map(|(from, to, _)| {
        let other = if *to == at {
            *from
        } else if *from == at {
            *to
        } else {
            return None;
        };
        (found.layers[other].0 == layer - 1).then_some(x[other])
    });
    let above: Vec<f32> = above.collect();
    if above.is_empty() { 0.0 } else { above.iter().sum::<f32>() / above.len() as f32 }
}
