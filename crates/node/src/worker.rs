//! Workers: a client and a workload make a node that works through its commands.
//! A worker runs in a closed loop: it gives the client the next command as soon as the last one has a result. It keeps
//! commands and results for predicates (`results`), and reports them for histories (`Context::invoked`, `returned`).
//! Messages and timers are the client's own, so a worker looks on the network like the client alone.

use crate::{Address, Client, Context, Node, Stored, Workload};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// A command that was given to a client, and what came of it.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Outcome<C, R> {
    pub command: C,
    /// `None` while the client waits for it, and for ever if the client crashed while it waited.
    pub result: Option<R>,
}

/// A result that is not what the workload expects.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Unexpected<C, R> {
    pub command: C,
    pub expected: R,
    pub result: R,
}

/// A client at work.
///
/// ```
/// # use foresee_node::{Address, Client, ClientWorker, Context, Node, Workload};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
/// # struct Doubling { server: Address, result: Option<u32> }
/// # impl Node for Doubling {
/// #     type Message = u32;
/// #     type Timer = ();
/// #     fn on_message(&mut self, _from: Address, answer: u32, _: &mut Context<u32, ()>) {
/// #         self.result = Some(answer);
/// #     }
/// # }
/// # impl Client for Doubling {
/// #     type Command = u32;
/// #     type Result = u32;
/// #     fn send_command(&mut self, number: u32, context: &mut Context<u32, ()>) {
/// #         self.result = None;
/// #         context.send(self.server, number);
/// #     }
/// #     fn result(&self) -> Option<u32> { self.result }
/// # }
/// // `Doubling` is the client of `Client`'s example.
/// let server = Address::new("server");
/// let mut worker = ClientWorker::new(Doubling { server, result: None }, Workload::new([1, 2]));
/// let mut context = Context::new(Address::new("client"));
/// worker.init(&mut context);
/// worker.on_message(server, 2, &mut context);
/// worker.on_message(server, 4, &mut context);
/// assert_eq!(context.sent(), [(server, 1), (server, 2)]);
/// assert_eq!(worker.results().copied().collect::<Vec<_>>(), [2, 4]);
/// assert!(worker.is_done());
/// ```
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct ClientWorker<C: Client> {
    client: C,
    workload: Workload<C::Command, C::Result>,
    /// The place in the workload of the command that comes next.
    next: usize,
    waiting: bool,
    keeps_results: bool,
    /// Everything so far, or only the command the client waits for.
    outcomes: Vec<Outcome<C::Command, C::Result>>,
    unexpected: Option<Unexpected<C::Command, C::Result>>,
}

impl<C: Client> ClientWorker<C> {
    pub fn new(client: C, workload: Workload<C::Command, C::Result>) -> Self {
        ClientWorker {
            client,
            workload,
            next: 0,
            waiting: false,
            keeps_results: true,
            outcomes: Vec::new(),
            unexpected: None,
        }
    }

    /// Forgets commands once they have returned, so that endless workloads have finitely many states. Unexpected results
    /// are noticed all the same.
    #[must_use]
    pub fn forgetting_results(mut self) -> Self {
        self.keeps_results = false;
        self
    }

    pub fn client(&self) -> &C {
        &self.client
    }

    pub fn workload(&self) -> &Workload<C::Command, C::Result> {
        &self.workload
    }

    /// Every command given to the client so far, with its result.
    pub fn outcomes(&self) -> &[Outcome<C::Command, C::Result>] {
        &self.outcomes
    }

    /// The results so far, in order.
    pub fn results(&self) -> impl Iterator<Item = &C::Result> {
        self.outcomes.iter().filter_map(|outcome| outcome.result.as_ref())
    }

    /// The command the client waits for.
    pub fn waits_for(&self) -> Option<&C::Command> {
        self.outcomes.last().filter(|_| self.waiting).map(|outcome| &outcome.command)
    }

    /// Whether the workload is finished and every result is there.
    pub fn is_done(&self) -> bool {
        !self.waiting && self.workload.len().is_some_and(|len| self.next >= len)
    }

    /// The first result that is not what the workload expects.
    pub fn unexpected(&self) -> Option<&Unexpected<C::Command, C::Result>> {
        self.unexpected.as_ref()
    }

    /// Takes results and gives commands until the client has to wait.
    fn work(&mut self, context: &mut Context<C::Message, C::Timer>) {
        // Nobody has to wait that long: a client that answers by itself for ever would hang the tool.
        for _ in 0..100_000 {
            if self.waiting {
                let Some(result) = self.client.result() else { return };
                self.take(result, context);
            }
            let Some(command) = self.workload.command(self.next, context.me()) else { return };
            if !self.keeps_results {
                self.outcomes.clear();
            }
            self.outcomes.push(Outcome { command: command.clone(), result: None });
            self.waiting = true;
            context.invoked(command.clone());
            self.client.send_command(command, context);
        }
        panic!(
            "{} answers an endless workload by itself, without waiting for any message or timer",
            context.me()
        );
    }

    fn take(&mut self, result: C::Result, context: &mut Context<C::Message, C::Timer>) {
        self.waiting = false;
        let outcome = self.outcomes.last_mut().expect("the client waits for a command");
        let expected = self.workload.expected(self.next, context.me());
        if let Some(expected) = expected.filter(|expected| *expected != result)
            && self.unexpected.is_none()
        {
            let (command, result) = (outcome.command.clone(), result.clone());
            self.unexpected = Some(Unexpected { command, expected, result });
        }
        context.returned(result.clone());
        outcome.result = Some(result);
        if self.keeps_results {
            self.next += 1;
        } else {
            self.outcomes.clear();
            self.next = self.workload.place_after(self.next);
        }
    }
}

impl<C: Client> Node for ClientWorker<C> {
    type Message = C::Message;
    type Timer = C::Timer;

    fn init(&mut self, context: &mut Context<C::Message, C::Timer>) {
        self.client.init(context);
        self.work(context);
    }

    fn on_message(
        &mut self,
        from: Address,
        message: C::Message,
        context: &mut Context<C::Message, C::Timer>,
    ) {
        self.client.on_message(from, message, context);
        self.work(context);
    }

    fn on_timer(&mut self, timer: C::Timer, context: &mut Context<C::Message, C::Timer>) {
        self.client.on_timer(timer, context);
        self.work(context);
    }

    /// The client loses what is not on its stable storage; the record of the test, which is the worker, is kept. The
    /// command that the client waited for is lost: it may have happened or not.
    fn recover(&self, fresh: Self) -> Self {
        let mut worker = self.clone();
        worker.client = self.client.recover(fresh.client);
        if worker.waiting {
            worker.waiting = false;
            worker.next = match worker.keeps_results {
                true => worker.next + 1,
                false => worker.workload.place_after(worker.next),
            };
        }
        worker
    }

    fn restore(&mut self, stored: &Stored) {
        self.client.restore(stored);
    }

    fn on_restart(&mut self, context: &mut Context<C::Message, C::Timer>) {
        self.client.on_restart(context);
        self.work(context);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KeyValueCommand, KeyValueResult};

    /// A client that keeps the number of results on stable storage.
    #[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
    struct Store {
        stable: u32,
        result: Option<KeyValueResult>,
        answers_itself: bool,
    }

    impl Node for Store {
        type Message = KeyValueResult;
        type Timer = ();
        fn on_message(
            &mut self,
            _from: Address,
            message: KeyValueResult,
            _context: &mut Context<KeyValueResult, ()>,
        ) {
            self.stable += 1;
            self.result = Some(message);
        }
        fn recover(&self, fresh: Self) -> Self {
            Store { stable: self.stable, ..fresh }
        }
    }

    impl Client for Store {
        type Command = KeyValueCommand;
        type Result = KeyValueResult;
        fn send_command(
            &mut self,
            _command: KeyValueCommand,
            _context: &mut Context<KeyValueResult, ()>,
        ) {
            self.result = self.answers_itself.then_some(KeyValueResult::PutOk);
        }
        fn result(&self) -> Option<KeyValueResult> {
            self.result.clone()
        }
    }

    fn context() -> Context<KeyValueResult, ()> {
        Context::new(Address::new("client1"))
    }

    fn answer(worker: &mut ClientWorker<Store>, result: KeyValueResult) {
        worker.on_message(Address::new("server"), result, &mut context());
    }

    #[test]
    fn unexpected_results_are_kept_even_if_results_are_not() {
        let workload = Workload::parse("PUT:a:1; GET:a", "OK; VALUE:1").unwrap().repeat(2);
        for keep in [true, false] {
            let mut worker = ClientWorker::new(Store::default(), workload.clone());
            if !keep {
                worker = worker.forgetting_results();
            }
            worker.init(&mut context());
            answer(&mut worker, KeyValueResult::PutOk);
            assert_eq!(worker.unexpected(), None);
            answer(&mut worker, KeyValueResult::KeyNotFound);
            answer(&mut worker, KeyValueResult::KeyNotFound);
            let unexpected = worker.unexpected().expect("a wrong result");
            assert_eq!(unexpected.command, KeyValueCommand::get("a"), "the first is kept");
            assert_eq!(unexpected.expected, KeyValueResult::GetResult("1".into()));
            assert_eq!(worker.results().count(), if keep { 3 } else { 0 });
            assert_eq!(worker.waits_for(), Some(&KeyValueCommand::get("a")));
        }
    }

    #[test]
    fn a_forgetful_worker_on_an_endless_workload_comes_back_to_where_it_was() {
        let workload = Workload::new([KeyValueCommand::get("a"), KeyValueCommand::get("b")]);
        let mut worker = ClientWorker::new(Store::default(), workload.forever());
        worker = worker.forgetting_results();
        worker.init(&mut context());
        let mut seen = Vec::new();
        for _ in 0..10 {
            let mut shown = worker.clone();
            shown.client.stable = 0;
            if !seen.contains(&shown) {
                seen.push(shown);
            }
            answer(&mut worker, KeyValueResult::KeyNotFound);
        }
        assert_eq!(seen.len(), 2, "one for each command");
        assert!(!worker.is_done());
    }

    #[test]
    fn a_crash_loses_the_command_that_was_waited_for() {
        let commands = ["a", "b", "c"].map(KeyValueCommand::get);
        let fresh = ClientWorker::new(Store::default(), Workload::new(commands));
        let mut worker = fresh.clone();
        worker.init(&mut context());
        answer(&mut worker, KeyValueResult::KeyNotFound);
        let mut worker = worker.recover(fresh);
        assert_eq!(worker.client().stable, 1, "stable storage is kept");
        let mut after = context();
        worker.on_restart(&mut after);
        assert_eq!(worker.waits_for(), Some(&KeyValueCommand::get("c")));
        assert_eq!(worker.outcomes()[1].result, None);
        assert_eq!(after.effects().len(), 1, "the next command is invoked");
        answer(&mut worker, KeyValueResult::KeyNotFound);
        assert!(worker.is_done());
        assert_eq!(worker.results().count(), 2);
    }

    #[test]
    fn a_client_that_answers_by_itself_is_served_at_once_but_not_for_ever() {
        let client = Store { answers_itself: true, ..Store::default() };
        let once = Workload::new([KeyValueCommand::get("a")]).repeat(5);
        let mut worker = ClientWorker::new(client.clone(), once.clone());
        let mut notes = context();
        worker.init(&mut notes);
        assert!(worker.is_done());
        assert_eq!(notes.effects().len(), 10, "five invocations and five returns");
        let mut endless = ClientWorker::new(client, once.forever()).forgetting_results();
        let run = std::panic::catch_unwind(move || endless.init(&mut context()));
        let message = *run.unwrap_err().downcast::<String>().unwrap();
        assert!(message.starts_with("client1 answers an endless workload by itself"), "{message}");
    }

    #[test]
    fn a_worker_at_work_is_read_back_as_it_was_written() {
        let workload = Workload::parse("PUT:a:%n; GET:a", "OK; VALUE:1").unwrap().repeat(2);
        let mut worker = ClientWorker::new(Store::default(), workload);
        worker.init(&mut context());
        answer(&mut worker, KeyValueResult::PutOk);
        let written = serde_json::to_string(&worker).unwrap();
        let read: ClientWorker<Store> = serde_json::from_str(&written).unwrap();
        assert_eq!(read, worker);
    }
}
