//! `Lts`: a labelled transition system in memory, eight bytes a transition.
//! Transitions stand grouped by their source, in the order in which they were given. A system is turned into one by
//! `generate`, a file by `aut::read`.

use crate::{LabelId, Labels, Sink};
use std::io;

/// A transition without its source.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Edge {
    pub label: LabelId,
    pub target: u32,
}

/// A labelled transition system with one initial state.
///
/// ```
/// use foresee_logic::LtsBuilder;
/// let mut lamp = LtsBuilder::default();
/// lamp.add(0, Some("on"), 1);
/// lamp.add(1, Some("off"), 0);
/// let lamp = lamp.build(0);
/// assert_eq!((lamp.n_states(), lamp.n_transitions()), (2, 2));
/// assert_eq!(lamp.labels().name(lamp.edges(1)[0].label), "off");
/// ```
#[derive(Clone, Debug)]
pub struct Lts {
    initial: u32,
    /// The edges of state `s` are those from `offsets[s]` to `offsets[s + 1]`.
    offsets: Vec<u32>,
    edges: Vec<Edge>,
    labels: Labels,
}

impl Lts {
    pub fn n_states(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn n_transitions(&self) -> usize {
        self.edges.len()
    }

    pub fn initial(&self) -> u32 {
        self.initial
    }

    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// What can happen in a state.
    #[inline]
    pub fn edges(&self, state: u32) -> &[Edge] {
        &self.edges[self.edge_range(state)]
    }

    /// All edges, grouped by source.
    pub fn all_edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The numbers of a state's edges.
    #[inline]
    pub fn edge_range(&self, state: u32) -> std::ops::Range<usize> {
        self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize
    }

    pub fn states(&self) -> std::ops::Range<u32> {
        0..self.n_states() as u32
    }

    /// Every transition: source, label, target.
    pub fn transitions(&self) -> impl Iterator<Item = (u32, LabelId, u32)> {
        self.states().flat_map(|from| {
            self.edges(from).iter().map(move |edge| (from, edge.label, edge.target))
        })
    }

    /// Sends every transition to a sink, in order.
    pub fn send_to(&self, sink: &mut dyn Sink) -> io::Result<()> {
        for (from, label, to) in self.transitions() {
            sink.transition(from, self.labels.visible(label), to)?;
        }
        Ok(())
    }

    /// The same transitions with other texts for labels; labels that get the same text become one.
    #[must_use]
    pub fn with_labels(mut self, respell: impl Fn(&str) -> String) -> Lts {
        let visible = self.labels.iter().skip(1);
        let texts: Vec<String> = visible.map(|(_, name)| respell(name)).collect();
        if texts.iter().zip(self.labels.iter().skip(1)).all(|(text, (_, name))| text == name) {
            return self;
        }
        let mut labels = Labels::default();
        let ids: Vec<LabelId> = std::iter::once(LabelId::TAU)
            .chain(texts.iter().map(|text| labels.intern(text)))
            .collect();
        self.edges.iter_mut().for_each(|edge| edge.label = ids[edge.label.0 as usize]);
        self.labels = labels;
        self
    }

    /// The same transitions with another initial state.
    #[must_use]
    pub fn starting_at(mut self, initial: u32) -> Lts {
        assert!((initial as usize) < self.n_states(), "there is no such state");
        self.initial = initial;
        self
    }
}

/// Collects transitions, in any order, into an [`Lts`].
#[derive(Clone, Debug, Default)]
pub struct LtsBuilder {
    sources: Vec<u32>,
    edges: Vec<Edge>,
    labels: Labels,
    n_states: u32,
}

impl LtsBuilder {
    /// With this table of labels.
    pub fn with_labels(labels: Labels) -> Self {
        LtsBuilder { labels, ..LtsBuilder::default() }
    }

    /// Adds a transition; `None` is the internal step.
    pub fn add(&mut self, from: u32, label: Option<&str>, to: u32) {
        let label = self.labels.intern_option(label);
        self.add_edge(from, label, to);
    }

    /// Adds a transition with a label of this builder's table.
    pub fn add_edge(&mut self, from: u32, label: LabelId, to: u32) {
        debug_assert!((label.0 as usize) < self.labels.len());
        self.n_states = self.n_states.max(from + 1).max(to + 1);
        self.sources.push(from);
        self.edges.push(Edge { label, target: to });
    }

    pub fn labels_mut(&mut self) -> &mut Labels {
        &mut self.labels
    }

    /// Makes room for states that no transition names.
    pub fn at_least_states(&mut self, n_states: u32) {
        self.n_states = self.n_states.max(n_states);
    }

    pub fn n_transitions(&self) -> usize {
        self.edges.len()
    }

    pub fn build(mut self, initial: u32) -> Lts {
        self.at_least_states(initial + 1);
        assert!(self.edges.len() < u32::MAX as usize, "an LTS holds fewer than 2^32 transitions");
        let (offsets, order) = group(self.n_states as usize, &self.sources);
        let edges = match order {
            None => self.edges,
            Some(order) => order.iter().map(|at| self.edges[*at as usize]).collect(),
        };
        Lts { initial, offsets, edges, labels: self.labels }
    }
}

impl Sink for LtsBuilder {
    fn transition(&mut self, from: u32, label: Option<&str>, to: u32) -> io::Result<()> {
        self.add(from, label, to);
        Ok(())
    }
}

/// Offsets of each key's group, and the stable order that groups `keys`; `None` if they are in order already.
pub(crate) fn group(n_keys: usize, keys: &[u32]) -> (Vec<u32>, Option<Vec<u32>>) {
    let mut offsets = vec![0u32; n_keys + 1];
    for key in keys {
        offsets[*key as usize + 1] += 1;
    }
    for key in 0..n_keys {
        offsets[key + 1] += offsets[key];
    }
    if keys.is_sorted() {
        return (offsets, None);
    }
    let mut next = offsets.clone();
    let mut order = vec![0u32; keys.len()];
    for (at, key) in (0u32..).zip(keys) {
        let place = &mut next[*key as usize];
        order[*place as usize] = at;
        *place += 1;
    }
    (offsets, Some(order))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transitions_come_back_grouped_by_source_in_the_order_given() {
        let mut builder = LtsBuilder::default();
        for (from, label, to) in [(2, "c", 0), (0, "b", 1), (2, "a", 2), (0, "a", 2)] {
            builder.add(from, Some(label), to);
        }
        builder.add(1, None, 0);
        let lts = builder.build(2);
        let texts: Vec<_> = lts
            .transitions()
            .map(|(from, label, to)| format!("{from}{}{to}", lts.labels().name(label)))
            .collect();
        assert_eq!(texts, ["0b1", "0a2", "1tau0", "2c0", "2a2"]);
        assert_eq!((lts.initial(), lts.n_states()), (2, 3));
    }

    #[test]
    fn tau_is_the_internal_step_and_i_is_a_label_like_any_other() {
        let mut builder = LtsBuilder::default();
        for label in [Some("i"), Some("tau"), None] {
            builder.add(0, label, 1);
        }
        let lts = builder.build(0);
        let hidden: Vec<bool> = lts.all_edges().iter().map(|edge| edge.label.is_tau()).collect();
        assert_eq!(hidden, [false, true, true]);
        assert_eq!(lts.labels().name(lts.edges(0)[0].label), "i");
    }
}
