//! Faults as events of a search, each kind with a budget: how often it may happen in one run.
//! Why: without a budget every state could lose, double, crash and split for ever. What is left of the budgets and how the
//! network is split stands in the state (one slot, the *environment*), so a run knows what it may still do.
//! Not here: switching links or timers off for a whole search, which is no event (`switches`).

use crate::{Address, BuildOptions, Network};
use foresee_lts::{Assumption, Budget, Reading};
use foresee_stdx::{mix, stable_hash};
use std::hash::{Hash, Hasher};

/// Which faults may happen, and how often each in one run. All are off by default.
///
/// ```
/// use foresee_nodes::Faults;
/// let faults = Faults { crashes: 1, restarts: 1, ..Faults::default() };
/// assert!(faults.any() && !Faults::default().any());
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Faults {
    /// How many messages may be lost. A `Set` network loses by never delivering, so there it means nothing.
    pub drops: u32,
    /// How many messages in flight may be doubled, where the network counts copies.
    pub duplicates: u32,
    /// How many times a node may crash: its timers, what `Node::recover` does not keep and what it has written and not synced are
    /// lost, and a `Fifo` network loses what was on its way to it. What is sent to a node that is down waits for its return.
    pub crashes: u32,
    /// How many times a crashed node may come back.
    pub restarts: u32,
    /// How many times the network may split in two; it heals at no cost, and splits again only after that.
    pub partitions: u32,
    /// How many of the crashes may leave a part of what was not synced, any number of writes from the first on; the record after
    /// them is torn, and a restart does not see it.
    pub torn_writes: u32,
    /// How many times a crashed node may lose its disk and everything that `Node::recover` has kept; it then comes back as new.
    pub lost_disks: u32,
    /// Which nodes may crash.
    pub crashable: Crashable,
    /// In which ways the network may split.
    pub splits: Splits,
}

/// Which nodes may crash.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Crashable {
    #[default]
    AnyNode,
    Only(Vec<Address>),
}

/// In which ways a network may split in two.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Splits {
    /// Every way in which the smaller side has at most this many nodes.
    SmallerSideUpTo(usize),
    /// Each of these groups against all other nodes.
    Groups(Vec<Vec<Address>>),
}

impl Default for Splits {
    fn default() -> Self {
        Splits::SmallerSideUpTo(1)
    }
}

impl Faults {
    /// Whether anything may go wrong at all.
    pub fn any(&self) -> bool {
        self.budgets() != [0; N_KINDS]
    }

    /// The budgets as options of a build.
    pub(crate) fn as_options(&self, reading: Reading) -> BuildOptions {
        BuildOptions {
            drops: self.drops,
            duplicates: self.duplicates,
            crashes: self.crashes,
            restarts: self.restarts,
            partitions: self.partitions,
            torn_writes: self.torn_writes,
            lost_disks: self.lost_disks,
            check_code: false,
            reading,
        }
    }

    /// What a verdict takes for granted of them. What a network does by itself has no budget there, and nodes that never
    /// crash never come back.
    pub(crate) fn assumption(&self, network: Network) -> Assumption {
        let budget = |words, max| Budget { words, max };
        let mut budgets = vec![budget(("crash", "crashes"), self.crashes)];
        if self.crashes > 0 {
            budgets.push(budget(("restart", "restarts"), self.restarts));
        }
        // Said only where there is one: most systems have no disk.
        if self.crashes > 0 && self.torn_writes > 0 {
            budgets.push(budget(("torn write", "torn writes"), self.torn_writes));
        }
        if self.crashes > 0 && self.lost_disks > 0 {
            budgets.push(budget(("lost disk", "lost disks"), self.lost_disks));
        }
        if network.has_message_faults() {
            budgets.push(budget(("lost message", "lost messages"), self.drops));
            budgets.push(budget(("doubled message", "doubled messages"), self.duplicates));
        }
        budgets.push(budget(("partition", "partitions"), self.partitions));
        let only = match &self.crashable {
            Crashable::Only(nodes) if self.crashes > 0 => {
                nodes.iter().map(|node| format!("{node} may crash")).collect()
            }
            _ => Vec::new(),
        };
        Assumption::Faults { budgets, only }
    }

    pub(crate) fn budgets(&self) -> [u32; N_KINDS] {
        [
            self.drops,
            self.duplicates,
            self.crashes,
            self.restarts,
            self.partitions,
            self.torn_writes,
            self.lost_disks,
        ]
    }
}

/// Kinds of faults that have a budget.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    Drop,
    Duplicate,
    Crash,
    Restart,
    Partition,
    /// A crash that leaves a part of what was not synced; it is taken off the budget of crashes as well.
    Torn,
    LoseDisk,
}

pub(crate) const N_KINDS: usize = 7;
/// Kinds that say nothing about disks.
const N_PLAIN_KINDS: usize = 5;

/// What every budget has left, and how the network is split now.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Environment {
    pub(crate) left: [u32; N_KINDS],
    /// One of the ways to split, or whole.
    pub(crate) split: Option<u32>,
}

/// Budgets of disks add something only where there are any, so that worlds without them have the hashes they always had.
impl Hash for Environment {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let (plain, disks) = self.left.split_first_chunk::<N_PLAIN_KINDS>().expect("more kinds");
        plain.hash(hasher);
        self.split.hash(hasher);
        if disks.iter().any(|left| *left > 0) {
            disks.hash(hasher);
        }
    }
}

impl Environment {
    pub(crate) fn allows(&self, kind: Kind) -> bool {
        let left = |kind: Kind| self.left[kind as usize] > 0;
        left(kind) && (kind != Kind::Torn || left(Kind::Crash))
    }

    /// The environment after a fault of this kind, which it must allow.
    #[must_use]
    pub(crate) fn after(&self, kind: Kind) -> Self {
        let mut after = self.clone();
        after.left[kind as usize] -= 1;
        if kind == Kind::Torn {
            after.left[Kind::Crash as usize] -= 1;
        }
        after
    }

    pub(crate) fn hash(&self, salt: u64) -> u64 {
        mix(stable_hash(self) ^ salt)
    }
}

/// One way to split: for each node, whether it is on the first side.
pub(crate) type Split = Vec<bool>;

/// The ways to split `n` nodes; the first node is never on the first side, so no way comes twice.
pub(crate) fn splits(faults: &Faults, nodes: &[Address]) -> Result<Vec<Split>, String> {
    if faults.partitions == 0 {
        return Ok(Vec::new());
    }
    match &faults.splits {
        Splits::SmallerSideUpTo(size) => {
            let ways = smaller_sides(nodes.len(), *size);
            (ways.len() <= SPLITS_MAX).then_some(ways).ok_or_else(|| {
                format!("there are more than {SPLITS_MAX} ways to split {} nodes", nodes.len())
            })
        }
        Splits::Groups(groups) => {
            let mut ways: Vec<Split> = Vec::new();
            for group in groups {
                if let Some(stranger) = group.iter().find(|name| !nodes.contains(name)) {
                    return Err(format!("{stranger}, in a group to split off, is no node"));
                }
                let side: Split = nodes.iter().map(|name| group.contains(name)).collect();
                let side = if side[0] { side.iter().map(|on| !on).collect() } else { side };
                if side.contains(&true) && !ways.contains(&side) {
                    ways.push(side);
                }
            }
            Ok(ways)
        }
    }
}

const SPLITS_MAX: usize = 1 << 12;

/// Every split of `n` nodes whose smaller side has at most `size` nodes, by size and then by position.
fn smaller_sides(n: usize, size: usize) -> Vec<Split> {
    let mut ways: Vec<Split> = Vec::new();
    for n_side in 1..=size.min(n / 2) {
        let mut side: Vec<usize> = (0..n_side).collect();
        loop {
            let chosen: Split = (0..n).map(|node| side.contains(&node)).collect();
            let way: Split = if chosen[0] { chosen.iter().map(|on| !on).collect() } else { chosen };
            if !ways.contains(&way) {
                ways.push(way);
            }
            let Some(position) = (0..n_side).rfind(|i| side[*i] < n - n_side + i) else { break };
            side[position] += 1;
            for next in position + 1..n_side {
                side[next] = side[next - 1] + 1;
            }
            if ways.len() > SPLITS_MAX {
                return ways;
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_split_comes_once() {
        let count = |n, size| smaller_sides(n, size).len();
        assert_eq!((count(2, 1), count(3, 1), count(3, 9)), (1, 3, 3));
        assert_eq!((count(4, 1), count(4, 2)), (4, 7), "2^(n-1) - 1 in all");
        assert_eq!((count(5, 2), count(6, 3)), (15, 31));
        for way in smaller_sides(5, 2) {
            assert!(!way[0] && way.contains(&true), "two sides, neither empty: {way:?}");
        }
    }

    #[test]
    fn groups_are_taken_as_given_and_once() {
        let nodes = Address::numbered("n", 3);
        let group = |names: &[usize]| names.iter().map(|i| nodes[*i]).collect::<Vec<_>>();
        let faults =
            |groups| Faults { partitions: 1, splits: Splits::Groups(groups), ..Faults::default() };
        let ways = splits(&faults(vec![group(&[0]), group(&[1, 2])]), &nodes);
        assert_eq!(ways, Ok(vec![vec![false, true, true]]), "both name the same split");
        let stranger = splits(&faults(vec![vec![Address::new("nobody")]]), &nodes);
        assert!(stranger.expect_err("no such node").contains("nobody"));
    }

    #[test]
    fn a_budget_runs_out() {
        let mut environment = Environment { left: [0, 0, 2, 0, 0, 1, 0], split: None };
        assert!(!environment.allows(Kind::Drop) && environment.allows(Kind::Crash));
        environment = environment.after(Kind::Crash).after(Kind::Crash);
        assert!(!environment.allows(Kind::Crash));
        assert!(!environment.allows(Kind::Torn), "a torn write needs a crash");
        let environment = Environment { left: [0, 0, 2, 0, 0, 1, 0], split: None };
        assert_eq!(environment.after(Kind::Torn).left, [0, 0, 1, 0, 0, 0, 0]);
    }
}
