//! The operations of clients along a run, as bars: from the step that invoked each to the step that answered it.

use super::{ClientOperations, Inspection, Operation};
use crate::StageError;
use foresee_search::PlaceId;

impl Inspection {
    /// What the clients asked for on the way to a place, if the system keeps histories. The operation that a violation at the
    /// end is about is the one that was answered last.
    pub(super) fn operations(
        &mut self,
        tip: PlaceId,
        is_violated: bool,
    ) -> Result<Vec<ClientOperations>, StageError> {
        let mut clients: Vec<ClientOperations> = Vec::new();
        for place in self.spots.line(tip) {
            let step = self.step_of(place);
            let (stage, local) = self.spots.at(place)?;
            let description = stage.outline(local);
            for (client, history) in description.histories.iter().enumerate() {
                if clients.len() <= client {
                    let member = history.member.clone();
                    clients.push(ClientOperations { member, operations: Vec::new() });
                }
                let known = &mut clients[client].operations;
                for (at, (what, result)) in history.operations.iter().enumerate() {
                    if known.len() <= at {
                        let what = what.clone();
                        let new = Operation {
                            what,
                            from: step,
                            to: None,
                            result: None,
                            impossible: false,
                        };
                        known.push(new);
                    }
                    if known[at].result.is_none() && result.is_some() {
                        known[at].result.clone_from(result);
                        known[at].to = Some(step);
                    }
                }
            }
        }
        let last = self.step_of(tip);
        for operation in clients.iter_mut().flat_map(|it| &mut it.operations) {
            operation.impossible = is_violated && operation.to == Some(last);
        }
        clients.retain(|it| !it.operations.is_empty());
        Ok(clients)
    }
}
