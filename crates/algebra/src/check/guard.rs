//! Guardedness: no process reaches a call of itself without an action in between, else its first steps are undefined.
//! What stands after a `.` is guarded, since muCRL has no process that ends without an action.

use super::Checker;
use crate::diagnostic::{Diagnostic, UNGUARDED};
use crate::model::{NodeId, NodeKind, ProcessId};
use foresee_text::Span;

impl Checker {
    pub(super) fn guardedness(&mut self) {
        let n = self.model.processes.len();
        let calls: Vec<Vec<(ProcessId, Span)>> = (0..n)
            .map(|id| {
                let mut calls = Vec::new();
                self.unguarded_calls(self.model.processes[id].root, &mut calls);
                calls
            })
            .collect();
        let mut reported = vec![false; n];
        for start in 0..n as ProcessId {
            if reported[start as usize] {
                continue;
            }
            let Some(cycle) = cycle_from(start, &calls) else { continue };
            cycle.iter().for_each(|(process, _)| reported[*process as usize] = true);
            let name = |id: ProcessId| self.model.processes[id as usize].name.as_str();
            let mut path: Vec<_> = cycle.iter().map(|(process, _)| name(*process)).collect();
            path.insert(0, name(start));
            let message = format!("`{}` calls itself without an action in between", name(start));
            let problem = Diagnostic::error(UNGUARDED, cycle[0].1, message)
                .help(format!("the calls are {}", path.join(" -> ")))
                .help("put an action before the call, or `tau` if nothing is to be seen");
            self.report(problem);
        }
    }

    fn unguarded_calls(&self, node: NodeId, calls: &mut Vec<(ProcessId, Span)>) {
        let node = self.model.node(node);
        match &node.kind {
            NodeKind::Delta | NodeKind::Tau | NodeKind::Action(..) => {}
            NodeKind::Call(process, _) => calls.push((*process, node.span)),
            NodeKind::Choice(a, b)
            | NodeKind::Parallel(a, b)
            | NodeKind::Communication(a, b)
            | NodeKind::Condition(a, _, b) => {
                self.unguarded_calls(*a, calls);
                self.unguarded_calls(*b, calls);
            }
            NodeKind::Sequence(a, _) | NodeKind::LeftMerge(a, _) => self.unguarded_calls(*a, calls),
            NodeKind::Sum(_, _, body) | NodeKind::Filter(_, body) => {
                self.unguarded_calls(*body, calls);
            }
        }
    }
}

/// A way from `start` back to itself: the processes called one after the other, with the places of the calls.
fn cycle_from(
    start: ProcessId,
    calls: &[Vec<(ProcessId, Span)>],
) -> Option<Vec<(ProcessId, Span)>> {
    let mut seen = vec![false; calls.len()];
    let mut paths = vec![Vec::new()];
    while let Some(path) = paths.pop() {
        let at = path.last().map_or(start, |it: &(ProcessId, Span)| it.0);
        for &(next, span) in calls[at as usize].iter().rev() {
            let mut longer = path.clone();
            longer.push((next, span));
            if next == start {
                return Some(longer);
            }
            if !std::mem::replace(&mut seen[next as usize], true) {
                paths.push(longer);
            }
        }
    }
    None
}
