//! Actions and actors: names for choices, opaque to engines.

/// One thing that can happen in a state: a front end's own code for a choice.
///
/// An action is meaningful only to the system instance that offered it, because it may hold ids of interned
/// components. What outlives the instance is the action's [`Label`](crate::Label).
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Action(pub u64);

/// Who acts: a node, a process, a channel, the environment. Numbered from 0 by the front end.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Actor(pub u32);
