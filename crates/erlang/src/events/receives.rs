//! Which messages a receive takes, and which of an inbox first: each found once for a process and a message or an inbox.

use crate::term::Term;
use crate::world::component::{Component, Process};
use crate::world::core::Core;
use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet};

/// A message that is taken: where it is, and the hash of its content.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Match {
    pub(crate) at: u32,
    pub(crate) message: u64,
}

#[derive(Default)]
pub(crate) struct Receives {
    /// By the ids of the process and the inbox.
    matches: RwLock<FxHashMap<(u32, u32), Option<Match>>>,
    /// Whether the receive of a process, by its id, takes a message, by the hash of its content.
    takes: RwLock<FxHashMap<(u32, u64), bool>>,
    /// Process id and the hash of a long mailbox of which it takes nothing.
    refused: RwLock<FxHashSet<(u32, u64)>>,
}

/// More messages than this are not looked at again and again.
const LONG: usize = 16;

impl Core {
    /// The first message of an inbox that a process in a receive takes; both by id.
    pub(crate) fn first_match(&self, process: u32, inbox: u32) -> Option<Match> {
        if process == 0 || inbox == 0 {
            return None;
        }
        if let Some(found) = self.receives.matches.read().get(&(process, inbox)) {
            return *found;
        }
        let found = self.find_match(process, inbox);
        self.receives.matches.write().insert((process, inbox), found);
        found
    }

    /// Whether the receive of a process takes a message, as far as that is known.
    pub(crate) fn takes(&self, process: u32, message: u64) -> Option<bool> {
        self.receives.takes.read().get(&(process, message)).copied()
    }

    /// Finds out whether the receive of a process takes a message.
    pub(crate) fn learn_takes(
        &self,
        id: u32,
        process: &Process,
        hash: u64,
        message: &Term,
    ) -> bool {
        let takes = self.offer(process, message).is_some();
        self.receives.takes.write().insert((id, hash), takes);
        takes
    }

    fn find_match(&self, id: u32, inbox: u32) -> Option<Match> {
        let Component::Process(process) = self.get(id) else { return None };
        let Component::Inbox(inbox) = self.get(inbox) else { return None };
        let messages = &inbox.messages;
        let takes = |message: &Term| {
            let hash = message.content_hash();
            self.takes(id, hash).unwrap_or_else(|| self.learn_takes(id, process, hash, message))
        };
        let (hash, before) = messages.hashes();
        let refused = &self.receives.refused;
        // Of a long mailbox only what is new since the last look need be looked at.
        let is_refused = |before: u64| refused.read().contains(&(id, before));
        let at = if messages.len() > LONG && before.is_some_and(is_refused) {
            messages.newest().filter(|message| takes(message)).map(|_| messages.len() - 1)
        } else {
            messages.iter().position(takes)
        };
        if messages.len() >= LONG && at.is_none() {
            refused.write().insert((id, hash));
        }
        let at = at?;
        Some(Match { at: at as u32, message: messages.get(at)?.content_hash() })
    }
}
