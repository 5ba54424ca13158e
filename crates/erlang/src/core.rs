//! What every step needs: the program, where its components live, and the rules of the run.

use crate::component::{Component, Control, Process};
use crate::intern::Interner;
use crate::machine::{Local, Machine};
use crate::program::Program;
use crate::slots::Slots;
use crate::term::{Map, Reference, Term};
use foresee_lts::Fault;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// What steps need: the program, where components live, and the rules.
pub(crate) struct Core {
    pub(crate) program: Program,
    pub(crate) slots: Slots,
    pub(crate) components: Interner<Stored>,
    pub(crate) instant_delivery: bool,
    pub(crate) ends_in_one_step: bool,
    pub(crate) budget: u64,
    pub(crate) seed: u64,
    pub(crate) n_instructions: AtomicU64,
}

pub(crate) struct Stored {
    pub(crate) component: Component,
    references: OnceLock<Box<[Reference]>>,
    pub(crate) fault: OnceLock<Option<Fault>>,
}

impl PartialEq for Stored {
    fn eq(&self, other: &Stored) -> bool {
        self.component == other.component
    }
}

impl Eq for Stored {}

impl Core {
    pub(crate) fn intern(&self, component: Component) -> u32 {
        let hash = component.content_hash();
        let stored = Stored { component, references: OnceLock::new(), fault: OnceLock::new() };
        self.components.intern(hash, stored)
    }

    pub(crate) fn get(&self, id: u32) -> &Component {
        &self.components.get(id).component
    }

    /// The references inside a component.
    pub(crate) fn references(&self, id: u32) -> &[Reference] {
        let stored = self.components.get(id);
        stored.references.get_or_init(|| {
            let mut found = Vec::new();
            stored.component.references(&mut |reference| found.push(reference));
            found.sort_unstable();
            found.dedup();
            found.into()
        })
    }

    pub(crate) fn count(&self, instructions: u64) {
        self.n_instructions.fetch_add(instructions, Ordering::Relaxed);
    }

    /// The process woken by a message in its receive, if it takes it.
    pub(crate) fn offer(&self, process: &Process, message: &Term) -> Option<Machine<'_>> {
        let Control::Receiving { rest, .. } = &process.control else { return None };
        let mut machine = Machine::restore(&self.program, rest, self.budget);
        // Patterns and guards make no references and have no effects.
        let mut in_use = Vec::new;
        let mut local = Local {
            program: &self.program,
            pid: process.pid,
            group_leader: process.group_leader,
            dictionary: Map::new(),
            n_unique: 0,
            now_ms: 0,
            seed: self.seed,
            in_use: &mut in_use,
            new_references: Vec::new(),
        };
        machine.offer(message, &mut local).then_some(machine)
    }
}
