//! Who gives the master its commands: one after another, as the solution's operator can take them, with pauses in between.

use foresee::{Address, Client, Context, Node};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A list of commands for a client that is not one of those that are judged.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(bound = "")]
pub(crate) struct Paced<C: Client> {
    client: C,
    commands: Vec<C::Command>,
    n_results: usize,
    is_waiting: bool,
    /// Between a result and the next command; none at all if it is zero.
    pause: Duration,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Timer<T> {
    Client(T),
    /// The pause is over.
    Next,
}

type Say<C> = Context<<C as Node>::Message, Timer<<C as Node>::Timer>>;

impl<C: Client> Paced<C> {
    pub(crate) fn new(client: C, commands: Vec<C::Command>, pause: Duration) -> Self {
        Paced { client, commands, n_results: 0, is_waiting: false, pause }
    }

    pub(crate) fn n_results(&self) -> usize {
        self.n_results
    }

    pub(crate) fn is_done(&self) -> bool {
        self.n_results == self.commands.len()
    }

    fn give(&mut self, context: &mut Say<C>) {
        let Some(command) = self.commands.get(self.n_results).cloned() else { return };
        self.is_waiting = true;
        context.within(|it| it, Timer::Client, |inner| self.client.send_command(command, inner));
        self.take(context);
    }

    fn take(&mut self, context: &mut Say<C>) {
        if !self.is_waiting || self.client.result().is_none() {
            return;
        }
        self.is_waiting = false;
        self.n_results += 1;
        if self.is_done() {
            return;
        }
        match self.pause.is_zero() {
            true => self.give(context),
            false => context.set_timer(Timer::Next, self.pause),
        }
    }
}

impl<C: Client> Node for Paced<C> {
    type Message = C::Message;
    type Timer = Timer<C::Timer>;

    fn init(&mut self, context: &mut Say<C>) {
        context.within(|it| it, Timer::Client, |inner| self.client.init(inner));
        self.give(context);
    }

    fn on_message(&mut self, from: Address, message: C::Message, context: &mut Say<C>) {
        context.within(
            |it| it,
            Timer::Client,
            |inner| self.client.on_message(from, message, inner),
        );
        self.take(context);
    }

    fn on_timer(&mut self, timer: Timer<C::Timer>, context: &mut Say<C>) {
        match timer {
            Timer::Client(timer) => {
                context.within(|it| it, Timer::Client, |inner| self.client.on_timer(timer, inner));
                self.take(context);
            }
            Timer::Next => self.give(context),
        }
    }
}
