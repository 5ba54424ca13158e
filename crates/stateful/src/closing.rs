//! After a search under a limit on depth: whether the limit has cut anything off.
//! Why: a space that is exactly as deep as the limit is explored completely, and the verdict should say so. The states at the
//! limit are expanded until one has a successor that is not known, usually the first; nothing is counted or stored.

use crate::engine::{Engine, Stop};
use foresee_lts::StoppedBy;
use foresee_search::StateIndex;

impl Engine<'_> {
    /// Whether no successor of these states is new; if one is, the limit on depth has cut something off.
    pub(crate) fn close(&mut self, cut: &[StateIndex]) {
        for state in cut {
            if self.is_stopped() {
                return;
            }
            let mut batch = std::mem::take(&mut self.batch);
            // One by one, so that what is found first does not depend on the clock's grouping.
            self.expander.expand(&self.store, &[*state], &mut batch);
            let is_fit = batch.candidates.misfits().is_empty();
            batch.candidates.drop_known(&self.store);
            if !is_fit || !batch.candidates.is_empty() {
                self.stop(Stop::Limit(StoppedBy::Depth));
            } else if let Some(terminal) = batch.candidates.terminals().first() {
                self.report_deadlock(terminal.state);
            }
            if let Some((state, message)) = &batch.broken {
                self.report_broken(*state, "allow", message.clone());
            }
            self.batch = batch;
            self.poll(1);
        }
    }
}
