//! Ready-made predicates on any world; those about clients' results are with the clients.

use crate::{Address, Data, Envelope, Scope, World};
use foresee_lts::Predicate;

impl<M: Data> World<M> {
    /// Some message on its way satisfies `test`; the reason quotes it.
    ///
    /// ```
    /// # use foresee_nodes::{Address, Context, Node, WorldBuilder};
    /// # use foresee_lts::System;
    /// # #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
    /// # struct Caller;
    /// # impl Node for Caller {
    /// #     type Message = u32;
    /// #     type Timer = ();
    /// #     fn init(&mut self, context: &mut Context<u32, ()>) { context.send(context.me(), 7); }
    /// #     fn on_message(&mut self, _: Address, _: u32, _: &mut Context<u32, ()>) {}
    /// # }
    /// let mut world = WorldBuilder::<u32>::new("one call");
    /// world.add("caller", Caller);
    /// let world = world.build();
    /// let called = world.message_in_network("called", |envelope| envelope.message == 7);
    /// let start = &world.initial()[0];
    /// assert!(called.holds(start));
    /// assert_eq!(called.explain(start), "7 is on its way from caller to caller");
    /// ```
    pub fn message_in_network(
        &self,
        name: impl Into<String>,
        test: impl Fn(&Envelope<M>) -> bool + Send + Sync + 'static,
    ) -> Predicate {
        self.predicate(name, Scope::network(), move |view, why| {
            let found = view.messages().find(|envelope| test(envelope));
            match found {
                Some(Envelope { from, to, message, .. }) => {
                    why.because(format_args!("{message:?} is on its way from {from} to {to}"));
                }
                None => why.because(format_args!("no such message is on its way")),
            }
            found.is_some()
        })
    }

    /// The node at `name` runs.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn node_is_up(&self, name: Address) -> Predicate {
        self.predicate(format!("{name} is up"), Scope::nodes([name]), move |view, why| {
            let is_up = view.is_up(name);
            why.because(format_args!("{name} is {}", if is_up { "up" } else { "down" }));
            is_up
        })
    }
}
