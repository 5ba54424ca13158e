//! An `Lts` is itself a `System`: whatever explores front ends explores files too.
//! A state is one slot that holds its number; an action is the number of an edge, so its label needs no state.

use crate::{LabelOf, Lts};
use foresee_lts::{
    About, Action, Change, Explorer, Label, State, Successors, System, Telling, Verb,
};

impl Lts {
    /// The text on an action of this LTS as a system; `None` is the internal step.
    pub fn label_of(&self, action: Action) -> Option<&str> {
        self.labels().visible(self.all_edges()[action.0 as usize].label)
    }

    /// The labels as `generate` and `solve` want them.
    pub fn label_function(&self) -> Box<LabelOf<'_>> {
        Box::new(|_, action| self.label_of(action).map(str::to_owned))
    }
}

impl System for Lts {
    fn initial(&self) -> Vec<State> {
        vec![vec![Lts::initial(self)]]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        actions.extend(self.edge_range(state[0]).map(|edge| Action(edge as u64)));
    }

    fn step(&self, _state: &[u32], action: Action) -> State {
        vec![self.all_edges()[action.0 as usize].target]
    }

    fn name(&self) -> String {
        "lts".to_owned()
    }

    fn explorer(&self) -> Box<dyn Explorer + '_> {
        Box::new(Edges { lts: self })
    }

    fn telling(&self) -> Option<&dyn Telling> {
        Some(self)
    }
}

impl Telling for Lts {
    fn label(&self, _state: &[u32], action: Action) -> Label {
        let text = self.label_of(action).unwrap_or("tau");
        let name = text.split('(').next().map(|name| name.trim().to_owned());
        let about = About { name, is_whole: true, ..About::default() };
        Label::of_actor(Verb::Step, "lts", text).about(about)
    }
}

struct Edges<'a> {
    lts: &'a Lts,
}

impl Explorer for Edges<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        let before = self.lts.content_hash(0, state[0]);
        for edge in self.lts.edge_range(state[0]) {
            let target = self.lts.all_edges()[edge].target;
            let delta = self.lts.content_hash(0, target).wrapping_sub(before);
            let change = [Change { slot: 0, id: target }];
            let n_changes = usize::from(target != state[0]);
            successors.push(Action(edge as u64), delta, false, &change[..n_changes]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LtsBuilder;

    #[test]
    fn the_explorer_agrees_with_enabled_and_step() {
        let mut builder = LtsBuilder::default();
        for (from, to) in [(0, 1), (1, 0), (1, 1), (0, 2)] {
            builder.add(from, Some("a"), to);
        }
        let lts = builder.build(1);
        assert_eq!(System::initial(&lts), [[1]]);
        let mut successors = Successors::default();
        for state in 0..3 {
            lts.explorer().expand(&[state], &mut successors);
            successors.assert_consistent(&lts, &[state]);
            let mut actions = Vec::new();
            lts.enabled(&[state], &mut actions);
            assert_eq!(successors.iter().map(|one| one.action).collect::<Vec<_>>(), actions);
            for successor in successors.iter() {
                let mut next = vec![state];
                successors.apply(successor, &mut next);
                assert_eq!(next, lts.step(&[state], successor.action));
            }
        }
    }
}
