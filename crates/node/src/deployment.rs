//! Deployments: the nodes of a system before anything has happened to them, ready to be run on machines.
//! Why: whoever runs nodes (one process, many, a replay) knows neither their types nor their messages. The types are
//! forgotten here, in two steps: a node becomes an actor of its message type (`actor`), and the actors of one process a
//! [`Host`] that takes and gives bytes. Between nodes of one host messages stay values: nothing is encoded, nothing allocated.

use crate::actor::{Actor, Live};
use crate::host::{Host, Hosted};
use crate::{Address, Data, Node, Schema};
use std::fmt;
use std::sync::Arc;

/// One node of a deployment.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Member {
    pub address: Address,
    /// Whether it reports operations (`Context::invoked`).
    pub is_client: bool,
}

/// A deployment whose message type has been forgotten.
pub trait Deploy: Send + Sync {
    /// What the user types to get it.
    fn name(&self) -> &str;
    /// Every node, in the order of adding.
    fn members(&self) -> Vec<Member>;
    /// What its messages look like on a wire.
    fn schema(&self) -> Schema;
    /// The nodes at these addresses, in one process. Addresses that are no members are left out.
    fn host(&self, addresses: &[Address]) -> Box<dyn Host>;
}

/// The nodes of a system with messages `M`.
///
/// ```
/// use foresee_node::{Address, Context, Deploy, Deployment, Node};
/// # #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Server;
/// # impl Node for Server {
/// #     type Message = u32;
/// #     type Timer = ();
/// #     fn on_message(&mut self, _: Address, _: u32, _: &mut Context<u32, ()>) {}
/// # }
/// let mut deployment = Deployment::new("counting");
/// deployment.add("server", Server);
/// assert_eq!(deployment.members()[0].address, Address::new("server"));
/// assert_eq!(deployment.schema().text, "u32\n");
/// ```
pub struct Deployment<M: Data> {
    name: String,
    plans: Vec<(Member, Arc<dyn Plan<M>>)>,
}

/// How to make a node.
pub trait Plan<M>: Send + Sync {
    fn actor(&self, me: Address) -> Box<dyn Actor<M>>;
}

impl<N: Node> Plan<N::Message> for N {
    fn actor(&self, me: Address) -> Box<dyn Actor<N::Message>> {
        Box::new(Live::new(me, self.clone()))
    }
}

impl<M: Data> Deployment<M> {
    pub fn new(name: impl Into<String>) -> Self {
        Deployment { name: name.into(), plans: Vec::new() }
    }

    pub fn add<N: Node<Message = M>>(&mut self, address: impl Into<Address>, node: N) {
        self.add_plan(Member { address: address.into(), is_client: false }, Arc::new(node));
    }

    /// Adds a node that reports operations.
    pub fn add_client<N: Node<Message = M>>(&mut self, address: impl Into<Address>, node: N) {
        self.add_plan(Member { address: address.into(), is_client: true }, Arc::new(node));
    }

    /// Adds a node whose type is forgotten already.
    ///
    /// # Panics
    /// If there is a node at this address.
    pub fn add_plan(&mut self, member: Member, plan: Arc<dyn Plan<M>>) {
        let is_new = self.plans.iter().all(|(known, _)| known.address != member.address);
        assert!(is_new, "two nodes have the address {}; each needs its own", member.address);
        self.plans.push((member, plan));
    }
}

impl<M: Data> Deploy for Deployment<M> {
    fn name(&self) -> &str {
        &self.name
    }

    fn members(&self) -> Vec<Member> {
        self.plans.iter().map(|(member, _)| *member).collect()
    }

    fn schema(&self) -> Schema {
        Schema::of::<M>()
    }

    fn host(&self, addresses: &[Address]) -> Box<dyn Host> {
        let here = self.plans.iter().filter(|(member, _)| addresses.contains(&member.address));
        let actors = here.map(|(member, plan)| (*member, plan.actor(member.address)));
        Box::new(Hosted::new(actors.collect()))
    }
}

impl<M: Data> fmt::Debug for Deployment<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deployment")
            .field("name", &self.name)
            .field("members", &self.members())
            .finish_non_exhaustive()
    }
}
