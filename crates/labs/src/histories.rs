//! Linearizability of long runs: histories are kept, and judged part by part when asked.
//! Why beside the monitor of searches: the monitor follows every way in which pending operations may have taken effect, which ten clients
//! on one key make too many. A run is one history, and judging it anew is cheap.

use foresee_lts::Why;
use foresee_node::{Client, Observed, Operation, Sequential};
use foresee_nodes::{
    Address, ClientWorker, Clients, Data, Judgement, KeyValueCommand, KeyValueResult, Recorded,
    Scope, Test, View, WorldBuilder, judge,
};
use std::time::Duration;

/// Clients that append to one key are told values of which each begins with the one before and ends with what was appended: every append
/// happened once, and all in one order. For many clients at once this is all that linearizability asks, but for the order in real
/// time, and it is decided by sorting.
pub fn appends_in_one_order<C>(clients: &Clients<C>) -> impl Test<C>
where
    C: Client<Command = KeyValueCommand, Result = KeyValueResult>,
{
    let names = clients.addresses().to_vec();
    move |view: &View<'_, C::Message>, why: &mut Why| {
        let mut told: Vec<(Address, &str, &str)> = Vec::new();
        for &name in &names {
            for outcome in view.node::<ClientWorker<C>>(name).outcomes() {
                let KeyValueCommand::Append { value, .. } = &outcome.command else { continue };
                match &outcome.result {
                    Some(KeyValueResult::AppendResult(whole)) => told.push((name, value, whole)),
                    None => {}
                    Some(other) => {
                        why.because(format_args!(
                            "{name}'s append of {value:?} returned {other:?}"
                        ));
                        return false;
                    }
                }
            }
        }
        told.sort_by_key(|(name, _, whole)| (whole.len(), *name));
        let mut before = "";
        for (name, value, whole) in told {
            let rest = whole.strip_prefix(before).and_then(|rest| rest.strip_suffix(value));
            if rest.is_none() || whole.matches(value).count() != 1 {
                why.because(format_args!(
                    "{name} appended {value:?} and was told {whole:?}, which should begin with {before:?} and have what was appended once, at its end"
                ));
                return false;
            }
            before = whole;
        }
        true
    }
}

/// Claims that what clients are told is linearizable, for worlds that are run and not searched.
pub fn judged_linearizable<M: Data, S: Sequential>(
    world: &mut WorldBuilder<M>,
    clients: &[Address],
    initial: S,
) {
    let clients = clients.to_vec();
    world.histories();
    // The same of runs on real machines, where no state holds histories.
    world.judged(initial.clone());
    world.invariant("linearizable", Scope::histories(), move |view, why| {
        match judge(&history(view, &clients), &initial) {
            Judgement::NotLinearizable(reason) => {
                why.because(format_args!("{reason}"));
                false
            }
            // What is too hard to judge is not wrong.
            _ => true,
        }
    });
}

/// The histories of all clients as one list of events with the same order between returns and invocations.
fn history<M: Data>(view: &View<'_, M>, clients: &[Address]) -> Vec<Observed> {
    let histories: Vec<Vec<Recorded>> = clients.iter().map(|name| view.history(*name)).collect();
    let mut invocations: Vec<(usize, usize)> = Vec::new();
    for (client, operations) in histories.iter().enumerate() {
        invocations.extend((0..operations.len()).map(|operation| (client, operation)));
    }
    // What has returned before an invocation only grows with time, so the counts order the invocations.
    invocations.sort_by_key(|&(client, operation)| {
        let before = &histories[client][operation].completed_before;
        (before.iter().sum::<u32>() + operation as u32, client)
    });
    let mut events = Events {
        clients,
        histories: &histories,
        returned: vec![0; clients.len()],
        list: Vec::new(),
    };
    for (client, operation) in invocations {
        let before = histories[client][operation].completed_before.clone();
        for (other, n_before) in before.iter().enumerate().filter(|(other, _)| *other != client) {
            events.return_up_to(other, *n_before as usize);
        }
        events.return_up_to(client, operation);
        let invoked = Operation::Invoked(histories[client][operation].operation.clone());
        events.push(client, invoked);
    }
    (0..clients.len()).for_each(|client| events.return_up_to(client, usize::MAX));
    events.list
}

struct Events<'a> {
    clients: &'a [Address],
    histories: &'a [Vec<Recorded>],
    returned: Vec<usize>,
    list: Vec<Observed>,
}

impl Events<'_> {
    /// The first `n` operations of a client have returned, as far as they ever do.
    fn return_up_to(&mut self, client: usize, n: usize) {
        let operations = &self.histories[client];
        while self.returned[client] < n.min(operations.len()) {
            let result = operations[self.returned[client]].result.clone();
            self.returned[client] += 1;
            if let Some(result) = result {
                self.push(client, Operation::Returned(result));
            }
        }
    }

    fn push(&mut self, client: usize, what: Operation) {
        self.list.push(Observed { client: self.clients[client], at: Duration::ZERO, what });
    }
}
