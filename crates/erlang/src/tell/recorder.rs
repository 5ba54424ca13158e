//! Notes taken while a finished run is stepped again: what built-ins answered, exceptions, calls in tail position.
//! Why on a second pass: none of it is part of a state, and a search has no use for it; it would pay for every event what only
//! the few that are told need. Nothing that is noted changes what a step does.
//! Not here: what a reader is told of it (`crate::tell::account`).

use crate::machine::{Class, Exception, Raise, Raising, Shadow};
use crate::tell::cause::{Cause, cause};
use crate::term::{Pid, Term};
use crate::world::step::{Reply, Step};
use std::collections::BTreeMap;

/// What is noted of a run.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    shadows: BTreeMap<Pid, Shadow>,
    pub(crate) answers: Vec<Answered>,
    /// The event that is being told.
    step: usize,
    /// The next operation is the one that the event's label names.
    is_named: bool,
}

/// What a visible built-in answered.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) step: usize,
    pub(crate) builtin: u32,
    pub(crate) arguments: Box<[Term]>,
    pub(crate) value: Term,
    pub(crate) is_named: bool,
}

/// What is known of an exception that a visible built-in raises.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refused {
    pub(crate) cause: Option<Cause>,
    pub(crate) is_named: bool,
}

impl Recorder {
    /// The next event; whether it is a visible operation that its label names.
    pub(crate) fn begin(&mut self, step: usize, is_named: bool) {
        (self.step, self.is_named) = (step, is_named);
    }

    /// The shadow of a process, while it runs.
    pub(crate) fn take(&mut self, pid: Pid) -> Shadow {
        let mut shadow = self.shadows.remove(&pid).unwrap_or_default();
        shadow.step = self.step;
        shadow
    }

    pub(crate) fn put(&mut self, pid: Pid, shadow: Shadow) {
        self.shadows.insert(pid, shadow);
    }

    pub(crate) fn shadow(&self, pid: Pid) -> Option<&Shadow> {
        self.shadows.get(&pid)
    }

    /// Every exception with the process that raised it, process by process.
    pub(crate) fn raised(&self) -> impl DoubleEndedIterator<Item = (Pid, &Raising)> {
        let shadows = self.shadows.iter();
        shadows.flat_map(|(pid, shadow)| shadow.raised.iter().map(|it| (*pid, it)))
    }

    /// A process could not even begin: what it was to call does not exist.
    pub(crate) fn note_false_start(&mut self, pid: Pid, reason: &Term) {
        let (reason, trace) = match reason.as_tuple() {
            Some([reason, trace]) => (reason.clone(), trace.clone()),
            _ => (reason.clone(), Term::Nil),
        };
        let exception = Exception { class: Class::Error, reason, trace };
        let mut shadow = self.take(pid);
        shadow.note(exception, Vec::new());
        self.put(pid, shadow);
    }
}

impl Step<'_> {
    /// Notes what a visible built-in of the caller answered.
    pub(crate) fn note_reply(&mut self, builtin: u32, arguments: &[Term], reply: &Reply) {
        let caller = self.caller;
        let found = match reply {
            Err(Raise::Exception { .. }) => {
                cause(self, self.program().builtins.get(builtin), arguments)
            }
            _ => None,
        };
        let Some(recorder) = &mut self.recorder else { return };
        let is_named = std::mem::take(&mut recorder.is_named);
        match reply {
            Ok(value) => recorder.answers.push(Answered {
                step: recorder.step,
                builtin,
                arguments: arguments.into(),
                value: value.clone(),
                is_named,
            }),
            Err(Raise::Exception { .. }) => {
                let mut shadow = recorder.take(caller);
                shadow.refused = Some(Refused { cause: found, is_named });
                recorder.put(caller, shadow);
            }
            Err(Raise::Unmodelled(_)) => {}
        }
    }
}
