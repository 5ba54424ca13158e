//! What is wrong with a state in itself: a process that ended abnormally, an assertion, a bad halt.

use crate::system::Erlang;
use crate::term::{Pid, Term};
use crate::world::component::{Component, Control, Shared, Stage};
use foresee_lts::{Fault, FaultKind};

impl Erlang {
    pub(crate) fn first_fault(&self, state: &[u32]) -> Option<Fault> {
        let mut faults: Vec<&Fault> =
            state.iter().filter(|id| **id != 0).filter_map(|id| self.fault_in(*id)).collect();
        faults.sort_by(|a, b| a.message.cmp(&b.message));
        faults.first().map(|fault| (*fault).clone())
    }

    /// What is wrong with a component.
    pub(crate) fn fault_in(&self, id: u32) -> Option<&Fault> {
        let stored = self.core.components.get(id);
        stored.fault.get_or_init(|| self.fault_of(&stored.component)).as_ref()
    }

    pub(crate) fn is_abnormal(&self, reason: &Term) -> bool {
        let tag = match reason.as_tuple() {
            Some([tag, ..]) => tag,
            _ => reason,
        };
        !self.options.normal_reasons.iter().any(|normal| normal == reason || normal == tag)
    }

    pub(crate) fn fault_of(&self, component: &Component) -> Option<Fault> {
        let Component::Process(process) = component else {
            return match component {
                Component::Shared(Shared { halted: Some(status), .. })
                    if *status != Term::Int(0) =>
                {
                    let message = format!("the program halted with status {status}");
                    Some(Fault { kind: FaultKind::AbnormalHalt, message })
                }
                _ => None,
            };
        };
        match &process.control {
            // A crash was asked for.
            _ if process.mark.crashed => None,
            Control::Ended { reason } => self.fault_of_exit(process.pid, reason),
            Control::Ending { reason, stage, .. } if *stage > Stage::Killed => {
                self.fault_of_exit(process.pid, reason)
            }
            Control::Stuck(stuck) => Some(Fault {
                kind: FaultKind::Unmodelled,
                message: format!("{} cannot go on: {stuck}", process.pid),
            }),
            _ => None,
        }
    }

    fn fault_of_exit(&self, pid: Pid, reason: &Term) -> Option<Fault> {
        if !self.is_abnormal(reason) {
            return None;
        }
        let kind =
            if is_assertion(reason) { FaultKind::Assertion } else { FaultKind::AbnormalExit };
        Some(Fault { kind, message: format!("{pid} exited abnormally: {reason}") })
    }
}

/// Reasons that the macros of eunit give: `{{assertEqual, …}, Stack}`.
fn is_assertion(reason: &Term) -> bool {
    let Some([error, ..]) = reason.as_tuple() else { return false };
    let Some([Term::Atom(tag), ..]) = error.as_tuple() else { return false };
    tag.text().starts_with("assert")
}
