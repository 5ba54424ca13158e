//! Lab 0: a client pings a server until the server answers. The solution is given; the lab is a tour of the tool.
//! Reading order: [`Ping`] (what a solution is), `tests`, and with the feature `solutions` the reference and its one bug.

extern crate self as foresee_lab0;

mod tests;

#[cfg(feature = "solutions")]
pub mod reference;

pub use tests::lab;

use foresee::{Address, Client, Data, Node};

/// A solution of lab 0: it makes servers and clients.
pub trait Ping: Clone + Send + Sync + 'static {
    type Message: Data;
    type Server: Node<Message = Self::Message>;
    /// A command is a text, and its result the same text back from the server.
    type Client: Client<Message = Self::Message, Command = String, Result = String>;

    fn server(&self) -> Self::Server;
    fn client(&self, server: Address) -> Self::Client;
}

#[cfg(feature = "solutions")]
mod zoo {
    use foresee_labs::{ReferenceLab, Specimen, SpecimenKind, Switch};

    /// The solution that is given, as a system of the stock binary.
    pub fn reference() -> ReferenceLab {
        let summary = "lab 0, ping: the solution that is given";
        ReferenceLab { id: "lab0", summary, make, zoo: ZOO }
    }

    fn make(bug: Switch) -> foresee_labs::Lab {
        crate::lab(crate::reference::Solution { bug })
    }

    const ZOO: &[Specimen] = &[
        Specimen {
            id: "0a",
            sentence: "the client takes any pong for the answer to its last ping",
            kind: SpecimenKind::Safety,
        },
        Specimen {
            id: "0b",
            sentence: "the client sets no timer, so a lost message is never sent again",
            kind: SpecimenKind::Liveness,
        },
    ];
}
#[cfg(feature = "solutions")]
pub use zoo::reference;
