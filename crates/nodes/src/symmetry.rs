//! Interchangeable nodes: a state under other names, and one state to stand for all that differ only in names.
//! A value is renamed by writing it down with other addresses and reading it back. So what a node holds must be told apart by
//! content alone: a set of addresses is the same set in another order, a list is not.
//! The representative: each interchangeable node gets a *signature*, what the state says of it when all other interchangeable nodes are
//! called the same; nodes are then renamed so that signatures are in order. Nodes with equal signatures keep their order. If such nodes
//! are not alike after all (what they know of each other differs), several states stand for one orbit, which costs states and nothing
//! else.
//! Not here: whether handlers and properties really treat the nodes alike; engines look at that (`foresee_stateful`).

use crate::core::Core;
use crate::fault::Environment;
use crate::{Address, tree_of};
use foresee_lts::{Renamer, State, Tree};
use foresee_node::with_other_names;
use foresee_stdx::{mix, stable_hash};
use rustc_hash::FxHashMap;

/// One worker's memory of names.
pub(crate) struct Names<'a> {
    core: &'a Core,
    /// Interchangeable nodes, by group; in the order of adding.
    groups: &'a [Vec<u32>],
    /// By slot, id and the node that is looked at.
    signatures: FxHashMap<(u32, u32, u32), u64>,
    /// Numbers of renamings: for each node the one whose place it takes.
    numbers: FxHashMap<Vec<u32>, u32>,
    /// By slot, id and the number of a renaming: the id in the slot to which the content goes.
    renamed: FxHashMap<(u32, u32, u32), Option<u32>>,
}

/// What stands for a node that is looked at, and for its likes, in a signature.
const ME: &str = "<me>";

impl<'a> Names<'a> {
    pub(crate) fn new(core: &'a Core, groups: &'a [Vec<u32>]) -> Self {
        Names {
            core,
            groups,
            signatures: FxHashMap::default(),
            numbers: FxHashMap::default(),
            renamed: FxHashMap::default(),
        }
    }

    /// The state after `renaming`; `None` if something in it cannot be renamed.
    fn rename(&mut self, state: &[u32], renaming: &[u32]) -> Option<State> {
        let number = match self.numbers.get(renaming) {
            Some(number) => *number,
            None => {
                let number = self.numbers.len() as u32;
                self.numbers.insert(renaming.to_vec(), number);
                number
            }
        };
        let mut next = state.to_vec();
        for slot in 0..2 * self.core.n_nodes() {
            let place = 2 * renaming[slot / 2] as usize + slot % 2;
            next[place] = self.rename_slot(slot, state[slot], (renaming, number))?;
        }
        if let Some(slot) = self.core.environment_slot() {
            next[slot] = self.rename_slot(slot, state[slot], (renaming, number))?;
        }
        Some(next)
    }

    fn rename_slot(&mut self, slot: usize, id: u32, (it, number): (&[u32], u32)) -> Option<u32> {
        let key = (slot as u32, id, number);
        if let Some(known) = self.renamed.get(&key) {
            return *known;
        }
        let renamed = if slot >= 2 * self.core.n_nodes() {
            self.rename_environment(id, it)
        } else if slot.is_multiple_of(2) {
            self.rename_component(slot as u32 / 2, id, it)
        } else {
            self.rename_inbox(slot as u32 / 2, id, it)
        };
        self.renamed.insert(key, renamed);
        renamed
    }

    fn rename_component(&self, node: u32, id: u32, renaming: &[u32]) -> Option<u32> {
        let core = self.core;
        let component = core.members[node as usize].components.component(id);
        let place = renaming[node as usize] as usize;
        core.members[place].components.adopt(component, &self.pairs(renaming))
    }

    fn rename_inbox(&self, node: u32, id: u32, renaming: &[u32]) -> Option<u32> {
        let core = self.core;
        let (place, pairs) = (renaming[node as usize], self.pairs(renaming));
        let mut inbox = Vec::new();
        for &id in core.members[node as usize].inboxes.get(id) {
            let from = renaming[core.envelopes().sender(id) as usize];
            let envelope = core.envelopes().renamed(id, &pairs, core.route(from, place))?;
            core.network.put(&mut inbox, envelope, core.envelopes());
        }
        Some(core.intern_inbox(place, &inbox))
    }

    fn rename_environment(&self, id: u32, renaming: &[u32]) -> Option<u32> {
        let environment = self.core.environments.get(id);
        let Some(way) = environment.split else { return Some(id) };
        let side = &self.core.splits[way as usize];
        let mut other = side.clone();
        for (node, place) in renaming.iter().enumerate() {
            other[*place as usize] = side[node];
        }
        if other[0] {
            other.iter_mut().for_each(|on| *on = !*on);
        }
        let way = self.core.splits.iter().position(|split| *split == other)?;
        let split = Some(way as u32);
        let after = Environment { left: environment.left, split };
        Some(self.core.intern_environment(after))
    }

    fn pairs(&self, renaming: &[u32]) -> Vec<(Address, Address)> {
        let moved = (0u32..).zip(renaming).filter(|(node, place)| node != *place);
        moved.map(|(node, place)| (self.core.address(node), self.core.address(*place))).collect()
    }

    /// What the state says of each interchangeable node.
    fn signature(&mut self, state: &[u32], node: u32) -> u64 {
        let own = self.said(state, node, node);
        let mut sum = 0u64;
        for other in (0..self.core.n_nodes() as u32).filter(|other| *other != node) {
            let said = self.said(state, other, node);
            // One that can stand for another is known by what it is, not by its name.
            let name = match self.groups.iter().position(|group| group.contains(&other)) {
                Some(group) => mix(group as u64) ^ self.said(state, other, other),
                None => !u64::from(other),
            };
            sum = sum.wrapping_add(mix(mix(name) ^ said));
        }
        let apart = self.core.environment_slot().map_or(0, |slot| {
            let split = self.core.environments.get(state[slot]).split;
            split.map_or(0, |way| 1 + u64::from(self.core.splits[way as usize][node as usize]))
        });
        mix(own ^ mix(sum) ^ mix(apart))
    }

    /// What the component and the inbox of `of` say of node `about`.
    fn said(&mut self, state: &[u32], of: u32, about: u32) -> u64 {
        let component = self.slot_says(2 * of, state[2 * of as usize], about);
        let inbox = self.slot_says(2 * of + 1, state[2 * of as usize + 1], about);
        mix(component ^ mix(inbox))
    }

    fn slot_says(&mut self, slot: u32, id: u32, about: u32) -> u64 {
        if let Some(known) = self.signatures.get(&(slot, id, about)) {
            return *known;
        }
        let names: Vec<(Address, Address)> = (0..)
            .zip(self.groups)
            .flat_map(|(number, group)| group.iter().map(move |node| (number, *node)))
            .map(|(group, node): (u32, u32)| {
                let likes = || Address::new(&format!("<{group}>"));
                let name = if node == about { Address::new(ME) } else { likes() };
                (self.core.address(node), name)
            })
            .collect();
        let core = self.core;
        let member = &core.members[slot as usize / 2];
        let said = with_other_names(&names, || match slot % 2 {
            0 => {
                let timers = member.components.describe_timers(id).into_iter();
                let timers = timers.fold(0u64, |sum, (_, timer)| mix(sum) ^ hash_of(&timer));
                let status = stable_hash(&format!("{:?}", member.components.status(id)));
                hash_of(&member.components.describe(id)) ^ mix(timers) ^ mix(status)
            }
            _ => {
                let mut sum = 0u64;
                for &id in member.inboxes.get(id) {
                    let route = core.envelopes().route(id);
                    let parties = tree_of(&(route.from, route.to));
                    let message = hash_of(&core.envelopes().content(id));
                    let parties = stable_hash(&parties);
                    sum = sum.wrapping_add(mix(message ^ mix(parties)));
                }
                sum
            }
        });
        self.signatures.insert((slot, id, about), said);
        said
    }
}

/// A hash of a value taken apart, the same in whatever order a set or a list has its parts.
fn hash_of(tree: &Tree) -> u64 {
    let sum = |hashes: &mut dyn Iterator<Item = u64>| {
        hashes.fold(0u64, |sum, hash| sum.wrapping_add(mix(hash)))
    };
    match tree {
        Tree::Leaf(text) => stable_hash(text),
        Tree::Record { name, fields } => {
            let field = |(name, tree): &(String, Tree)| stable_hash(name) ^ mix(hash_of(tree));
            stable_hash(name) ^ sum(&mut fields.iter().map(field))
        }
        Tree::List { name, items } => stable_hash(name) ^ sum(&mut items.iter().map(hash_of)),
        Tree::Map(entries) => {
            let entry = |(key, value): &(Tree, Tree)| hash_of(key) ^ mix(hash_of(value) ^ 1);
            sum(&mut entries.iter().map(entry))
        }
    }
}

impl Renamer for Names<'_> {
    fn representative(&mut self, state: &[u32]) -> State {
        let mut renaming: Vec<u32> = (0..self.core.n_nodes() as u32).collect();
        for group in self.groups {
            let signed = group.iter().map(|node| (self.signature(state, *node), *node));
            let mut signed: Vec<(u64, u32)> = signed.collect();
            signed.sort_unstable();
            for ((_, node), place) in signed.into_iter().zip(group) {
                renaming[node as usize] = *place;
            }
        }
        if renaming.iter().enumerate().all(|(node, place)| node == *place as usize) {
            return state.to_vec();
        }
        // What cannot be renamed stands for itself.
        self.rename(state, &renaming).unwrap_or_else(|| state.to_vec())
    }

    fn exchanged(&mut self, state: &[u32], pair: usize) -> Result<State, String> {
        let mut pairs = self.groups.iter().flat_map(|group| group.windows(2));
        let Some(&[one, other]) = pairs.nth(pair) else { return Ok(state.to_vec()) };
        let mut renaming: Vec<u32> = (0..self.core.n_nodes() as u32).collect();
        renaming.swap(one as usize, other as usize);
        self.rename(state, &renaming).ok_or_else(|| {
            let (one, other) = (self.core.address(one), self.core.address(other));
            format!("a state cannot be renamed: {one} and {other} are nodes of different types, or hold what cannot be written down and read back")
        })
    }
}
