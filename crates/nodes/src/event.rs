//! Events of a world and their codes as actions.
//! A code names interned components, so it means something only to the world that made it.

use foresee_lts::Action;

/// Something that can happen in a world. Nodes are numbered in the order of adding, envelopes are ids.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Event {
    Deliver {
        from: u32,
        to: u32,
        envelope: u32,
    },
    /// The timer at this position of the node's queue fires.
    Timer {
        node: u32,
        position: u32,
    },
    Drop {
        from: u32,
        to: u32,
        envelope: u32,
    },
    Duplicate {
        from: u32,
        to: u32,
        envelope: u32,
    },
    Crash {
        node: u32,
    },
    Restart {
        node: u32,
    },
    /// The network splits in the n-th of the ways it can split.
    Partition {
        way: u32,
    },
    Heal,
    /// The oldest sync of the node that is under way is done.
    Sync {
        node: u32,
    },
    /// A crash after which so many of the writes that were not synced, at least one, are on the disk.
    Torn {
        node: u32,
        n_kept: u32,
    },
    /// The disk of a crashed node is lost.
    LoseDisk {
        node: u32,
    },
}

/// The largest number of nodes: two of their numbers fit into a code beside the kind and an id.
pub(crate) const NODES_MAX: usize = 1 << 14;

const KIND_SHIFT: u32 = 60;
const NODE_SHIFT: u32 = 46;
const FROM_SHIFT: u32 = 32;

impl Event {
    pub(crate) fn action(self) -> Action {
        let code = |kind: u64, node: u32, from: u32, id: u32| {
            let nodes = (u64::from(node) << NODE_SHIFT) | (u64::from(from) << FROM_SHIFT);
            Action((kind << KIND_SHIFT) | nodes | u64::from(id))
        };
        match self {
            Event::Deliver { from, to, envelope } => code(0, to, from, envelope),
            Event::Timer { node, position } => code(1, node, 0, position),
            Event::Drop { from, to, envelope } => code(2, to, from, envelope),
            Event::Duplicate { from, to, envelope } => code(3, to, from, envelope),
            Event::Crash { node } => code(4, node, 0, 0),
            Event::Restart { node } => code(5, node, 0, 0),
            Event::Partition { way } => code(6, 0, 0, way),
            Event::Heal => code(7, 0, 0, 0),
            Event::Sync { node } => code(8, node, 0, 0),
            Event::Torn { node, n_kept } => code(9, node, 0, n_kept),
            Event::LoseDisk { node } => code(10, node, 0, 0),
        }
    }

    pub(crate) fn of(action: Action) -> Event {
        let node = (action.0 >> NODE_SHIFT) as u32 & (NODES_MAX as u32 - 1);
        let from = (action.0 >> FROM_SHIFT) as u32 & (NODES_MAX as u32 - 1);
        let id = action.0 as u32;
        match action.0 >> KIND_SHIFT {
            0 => Event::Deliver { from, to: node, envelope: id },
            1 => Event::Timer { node, position: id },
            2 => Event::Drop { from, to: node, envelope: id },
            3 => Event::Duplicate { from, to: node, envelope: id },
            4 => Event::Crash { node },
            5 => Event::Restart { node },
            6 => Event::Partition { way: id },
            7 => Event::Heal,
            8 => Event::Sync { node },
            9 => Event::Torn { node, n_kept: id },
            10 => Event::LoseDisk { node },
            _ => panic!("{action:?} is no action of a world"),
        }
    }

    /// The node whose slots the event changes first; `None` for the network as a whole.
    pub(crate) fn node(self) -> Option<u32> {
        match self {
            Event::Deliver { to, .. } | Event::Drop { to, .. } | Event::Duplicate { to, .. } => {
                Some(to)
            }
            Event::Timer { node, .. }
            | Event::Crash { node }
            | Event::Restart { node }
            | Event::Sync { node }
            | Event::Torn { node, .. }
            | Event::LoseDisk { node } => Some(node),
            Event::Partition { .. } | Event::Heal => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_read_back() {
        let (node, from) = (NODES_MAX as u32 - 1, NODES_MAX as u32 - 2);
        for id in [0, 1, u32::MAX] {
            for event in [
                Event::Deliver { from, to: node, envelope: id },
                Event::Timer { node, position: id },
                Event::Drop { from, to: node, envelope: id },
                Event::Duplicate { from, to: node, envelope: id },
                Event::Crash { node },
                Event::Restart { node },
                Event::Partition { way: id },
                Event::Heal,
                Event::Sync { node },
                Event::Torn { node, n_kept: id },
                Event::LoseDisk { node },
            ] {
                assert_eq!(Event::of(event.action()), event);
            }
        }
    }
}
