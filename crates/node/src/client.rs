//! Clients: nodes that take commands from outside and hand back results.
//! Why: tests and workloads speak to a system through its clients, and must not depend on how a protocol's client works
//! inside. The interface is asynchronous: a command goes in, messages and timers happen, at some time there is a result.

use crate::{Context, Data, Node};

/// A client: a node that is given one command at a time.
///
/// ```
/// use foresee_node::{Address, Client, Context, Node};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
/// enum Message { Ask(u32), Answer(u32) }
///
/// /// Asks a server to double numbers.
/// #[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
/// struct Doubling { server: Address, result: Option<u32> }
///
/// impl Node for Doubling {
///     type Message = Message;
///     type Timer = ();
///     fn on_message(&mut self, _from: Address, message: Message, _: &mut Context<Message, ()>) {
///         if let Message::Answer(number) = message {
///             self.result = Some(number);
///         }
///     }
/// }
///
/// impl Client for Doubling {
///     type Command = u32;
///     type Result = u32;
///     fn send_command(&mut self, number: u32, context: &mut Context<Message, ()>) {
///         self.result = None;
///         context.send(self.server, Message::Ask(number));
///     }
///     fn result(&self) -> Option<u32> {
///         self.result
///     }
/// }
///
/// let server = Address::new("server");
/// let mut client = Doubling { server, result: None };
/// let mut context = Context::new(Address::new("client"));
/// client.send_command(4, &mut context);
/// assert_eq!(client.result(), None);
/// client.on_message(server, Message::Answer(8), &mut context);
/// assert_eq!(client.result(), Some(8));
/// ```
pub trait Client: Node {
    type Command: Data;
    type Result: Data;

    /// Takes the next command. Never called while an earlier command has no result, except after a restart.
    fn send_command(
        &mut self,
        command: Self::Command,
        context: &mut Context<Self::Message, Self::Timer>,
    );

    /// The result of the last command, once there is one; `None` again after the next `send_command`.
    fn result(&self) -> Option<Self::Result>;
}
