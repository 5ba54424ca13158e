//! What the built-in systems share: parameters that mean the same everywhere, and the judging of registers.

use crate::register::{Client, Message, Stored};
use foresee_nodes::{
    Address, ArgumentError, Arguments, BuildOptions, ClientHistory, Data, Histories, Linearizable,
    Network, Parameter, Register, Runnable, Scope, WorldBuilder, check, is_linearizable,
};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// What building a system gives.
pub(crate) type Built = Result<Box<dyn Runnable>, ArgumentError>;

/// For a timer that stands for a choice: it may fire now or much later, before or after any other of its kind.
pub(crate) const ANY_TIME: Range<Duration> = Duration::ZERO..Duration::from_secs(1);

/// How messages travel; the system's own network comes first and is the default.
pub(crate) fn network(default: Network) -> Parameter {
    let help = "how messages travel: see the guide on network models";
    Parameter::word("network", default.words(), help)
}

/// Whether properties tell the engine what they read.
pub(crate) fn properties() -> Parameter {
    Parameter::word(
        "properties",
        &["scoped", "opaque"],
        "scoped: evaluated when what they read has changed; opaque: on every state (for measurements)",
    )
}

/// `scope`, unless the user wants to see what life is without.
pub(crate) fn scope(arguments: &Arguments, scope: Scope) -> Scope {
    if arguments.word("properties") == "opaque" { Scope::Everything } else { scope }
}

/// Adds `client1`, `client2`, … as the parameter `clients` says.
pub(crate) fn add_clients<P: Data>(
    world: &mut WorldBuilder<Message<P>>,
    arguments: &Arguments,
    servers: &[Address],
) -> Vec<Address> {
    let clients = Address::numbered("client", arguments.number("clients") as usize);
    for (index, client) in clients.iter().enumerate() {
        world.add_client(*client, Client::<P>::new(index, servers));
    }
    clients
}

/// The register must look like one copy, and somebody must be able to read what was put.
pub(crate) fn judge_register<P: Data>(
    world: &mut WorldBuilder<Message<P>>,
    arguments: &Arguments,
    clients: &[Address],
) {
    if arguments.word("properties") == "opaque" {
        judge_from_scratch(world, clients);
    } else {
        world.recorder(|_| Arc::new(Linearizable::new(Register::new(Stored::Nothing))));
    }
    let readers = clients.to_vec();
    let scope = scope(arguments, Scope::inboxes(clients.iter().copied()));
    world.reachable("value chosen", scope, move |view, _| {
        let reads = |message: &Message<P>| {
            matches!(message, Message::GetOk { value: Stored::Value(_), .. })
        };
        readers.iter().any(|client| view.inbox(*client).any(|envelope| reads(&envelope.message)))
    });
}

/// Linearizability as a closure that knows nothing of what it said about other states.
fn judge_from_scratch<P: Data>(world: &mut WorldBuilder<Message<P>>, clients: &[Address]) {
    let clients = clients.to_vec();
    world.recorder(|_| Arc::new(Histories::default()));
    world.invariant("linearizable", Scope::Everything, move |view, why| {
        let histories = clients.iter().map(|client| view.client_history(*client));
        let histories: Vec<Cow<'_, ClientHistory>> = histories.collect();
        let answer = is_linearizable(&histories, &Register::new(Stored::Nothing));
        why.because(format_args!("{}", std::fmt::from_fn(|f| explain(&histories, f))));
        answer
    });
}

fn explain(
    histories: &[Cow<'_, ClientHistory>],
    f: &mut std::fmt::Formatter<'_>,
) -> std::fmt::Result {
    match check(histories, &Register::new(Stored::Nothing)) {
        Ok(_) => f.write_str("some order explains every result"),
        Err(explanation) => write!(f, "{explanation}"),
    }
}

/// The world with the network and faults that the user wants.
pub(crate) fn finish<M: Data>(
    mut world: WorldBuilder<M>,
    arguments: &Arguments,
    options: &BuildOptions,
) -> Built {
    let network = Network::of_word(arguments.word("network"));
    world.network(network.expect("the parameter has the words of all models"));
    world.options(options);
    match world.try_build() {
        Ok(world) => Ok(Box::new(world)),
        Err(error) => Err(ArgumentError::Refused { reason: error.to_string() }),
    }
}
