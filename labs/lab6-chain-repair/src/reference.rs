//! Chain repair by the third method: the repaired server goes into the middle, where neither the first nor the last word is its own.
//! The head decides which value a key has; everybody who finds a value there carries it down the chain before telling anybody of it. Every
//! request names the epoch it belongs to: a server refuses older ones, and a newer one moves it on, so that asking the tail for what
//! it holds also seals it against writers that have not heard of the repair.

use foresee::{Address, Client, Context, Node};
use foresee_lab6::{ChainRepair, Layout, LogCommand, LogResult, Part, Place, RETRY_AFTER, Task};
// zoo:
use foresee_labs::Switch;
// :zoo
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

type Entries = BTreeMap<String, String>;

/// What nodes say to each other.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Message {
    /// Store the value, unless there is one.
    Write {
        epoch: u64,
        part: Part,
        key: String,
        value: String,
    },
    /// This is the value that is there.
    Holds {
        epoch: u64,
        part: Part,
        key: String,
        value: String,
    },
    /// Numbered: what a place holds changes, so an old answer is not an answer.
    Read {
        epoch: u64,
        part: Part,
        key: String,
        number: u64,
    },
    Found {
        epoch: u64,
        value: Option<String>,
        number: u64,
    },
    /// Everything that is there.
    ReadAll {
        epoch: u64,
        part: Part,
    },
    All {
        epoch: u64,
        entries: Entries,
    },
    /// Store all of it, except where there is something.
    Fill {
        epoch: u64,
        entries: Entries,
    },
    Filled {
        epoch: u64,
    },
    /// The request belongs to an epoch that is over.
    Refused {
        epoch: u64,
    },
    Ask,
    /// Let this be the layout, if it follows on the one there is.
    Change {
        layout: Layout,
    },
    Current {
        layout: Layout,
    },
    // zoo: 6d
    /// The layout service tells a server of a new epoch.
    Enter {
        epoch: u64,
    },
    // :zoo
}

/// Gives out layouts, one after another.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Layouts {
    layout: Layout,
    // zoo:
    #[serde(skip)]
    bug: Switch,
    // :zoo
}

impl Node for Layouts {
    type Message = Message;
    type Timer = ();

    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        match message {
            Message::Ask => {}
            Message::Change { layout } => {
                let follows = layout.epoch == self.layout.epoch + 1;
                // zoo: 6l
                let follows = follows || self.bug.is("6l") && layout.epoch == self.layout.epoch;
                // :zoo
                if follows {
                    self.layout = layout;
                    // zoo: 6d
                    if self.bug.is("6d") {
                        for place in &self.layout.chain {
                            context.send(place.server, Message::Enter { epoch: self.layout.epoch });
                        }
                    }
                    // :zoo
                }
            }
            _ => return,
        }
        context.send(from, Message::Current { layout: self.layout.clone() });
    }
}

/// Holds values, each written once.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Server {
    epoch: u64,
    disk: Entries,
    /// As the first half of a chain of one: values on their way to the second half. Lost when the two become one again.
    memory: Entries,
    // zoo:
    #[serde(skip)]
    bug: Switch,
    // :zoo
}

impl Server {
    /// Whether a request of this epoch is served; a newer one moves the server on.
    fn admits(&mut self, epoch: u64, part: Part) -> bool {
        // zoo: 6c
        if self.bug.is("6c") && epoch < self.epoch {
            return true;
        }
        // zoo: 6d
        if self.bug.is("6d") && self.epoch > 0 && epoch > self.epoch {
            return true;
        }
        // :zoo
        if epoch > self.epoch {
            self.epoch = epoch;
            match part {
                // What it has may be older than anything the chain has seen since.
                Part::Repaired => self.disk.clear(),
                // Two halves that are one again: what did not reach the second was never readable.
                Part::Whole => self.memory.clear(),
                Part::Head | Part::Tail => {}
            }
        }
        epoch == self.epoch
    }

    fn value(&self, part: Part, key: &str) -> Option<&String> {
        let in_memory = self.memory.get(key).filter(|_| part == Part::Head);
        // zoo: 6n
        let in_memory = in_memory
            .or_else(|| self.memory.get(key).filter(|_| self.bug.is("6n") && part == Part::Tail));
        // :zoo
        self.disk.get(key).or(in_memory)
    }

    fn write(&mut self, part: Part, key: &str, value: &str) -> String {
        // What a read may answer is no obstacle to a write.
        let there = match part {
            Part::Head => self.value(part, key).cloned(),
            _ => self.disk.get(key).cloned(),
        };
        if let Some(there) = there {
            return there;
        }
        let (key, value) = (key.to_owned(), value.to_owned());
        match part {
            Part::Head => {
                self.memory.insert(key, value.clone());
            }
            Part::Tail => {
                self.memory.remove(&key);
                self.disk.insert(key, value.clone());
            }
            Part::Whole | Part::Repaired => {
                self.disk.insert(key, value.clone());
            }
        }
        value
    }
}

impl Node for Server {
    type Message = Message;
    type Timer = ();

    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        let (epoch, part) = match &message {
            Message::Write { epoch, part, .. }
            | Message::Read { epoch, part, .. }
            | Message::ReadAll { epoch, part } => (*epoch, *part),
            Message::Fill { epoch, .. } => (*epoch, Part::Repaired),
            // zoo: 6d
            Message::Enter { epoch } => {
                self.epoch = self.epoch.max(*epoch);
                return;
            }
            // :zoo
            _ => return,
        };
        // zoo: 6k
        if let (true, Message::ReadAll { epoch, part }) = (self.bug.is("6k"), &message) {
            let entries = self.entries(*part);
            context.send(from, Message::All { epoch: *epoch, entries });
            return;
        }
        // :zoo
        if !self.admits(epoch, part) {
            context.send(from, Message::Refused { epoch: self.epoch });
            return;
        }
        let answer = match message {
            Message::Write { key, value, .. } => {
                let value = self.write(part, &key, &value);
                Message::Holds { epoch, part, key, value }
            }
            Message::Read { key, number, .. } => {
                Message::Found { epoch, value: self.value(part, &key).cloned(), number }
            }
            Message::ReadAll { .. } => Message::All { epoch, entries: self.entries(part) },
            Message::Fill { entries, .. } => {
                // zoo: 6j
                if self.bug.is("6j") {
                    self.disk.clear();
                }
                // :zoo
                for (key, value) in entries {
                    self.disk.entry(key).or_insert(value);
                }
                Message::Filled { epoch }
            }
            _ => return,
        };
        context.send(from, answer);
    }
}

impl Server {
    /// Everything that a part holds.
    fn entries(&self, part: Part) -> Entries {
        let mut all = self.disk.clone();
        if part == Part::Head {
            all.extend(self.memory.clone());
        }
        all
    }
}

/// The client's timer: it names the command that it is about.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Retry {
    number: u64,
}

/// Writes along the chain and reads from its tail.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Caller {
    layouts: Address,
    layout: Layout,
    number: u64,
    open: Option<Open>,
    result: Option<LogResult>,
    // zoo:
    #[serde(skip)]
    bug: Switch,
    // :zoo
}

/// A command that waits for its result.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Open {
    command: LogCommand,
    step: Step,
    // zoo: 6e, 6o, reads-twice
    /// The place at which the layout turned out to be old; whether the command was begun again.
    refused_at: Option<(Address, String)>,
    again: bool,
    // :zoo
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Step {
    /// The places before this one hold `value`.
    Write {
        at: usize,
        value: String,
    },
    Read,
    /// The layout is old.
    Ask,
}

impl Caller {
    fn first_step(command: &LogCommand) -> Step {
        match command {
            LogCommand::Write { value, .. } => Step::Write { at: 0, value: value.clone() },
            LogCommand::Read { .. } => Step::Read,
        }
    }

    /// Sends what the step asks for.
    fn send(&self, context: &mut Context<Message, Retry>) {
        let Some(open) = &self.open else { return };
        let (epoch, number) = (self.layout.epoch, self.number);
        match (&open.step, &open.command) {
            (Step::Ask, _) => context.send(self.layouts, Message::Ask),
            (
                Step::Write { at, value },
                LogCommand::Write { key, .. } | LogCommand::Read { key },
            ) => {
                let Place { server, part } = self.layout.chain[*at];
                let (key, value) = (key.clone(), value.clone());
                context.send(server, Message::Write { epoch, part, key, value });
            }
            (Step::Read, LogCommand::Read { key } | LogCommand::Write { key, .. }) => {
                let Place { server, part } = self.layout.tail;
                context.send(server, Message::Read { epoch, part, key: key.clone(), number });
            }
        }
    }

    fn finish(&mut self, result: LogResult) {
        self.open = None;
        self.result = Some(result);
    }

    /// A place holds this value under the key of the command.
    fn held(&mut self, value: String, context: &mut Context<Message, Retry>) {
        let Some(Open { command: LogCommand::Write { value: own, .. }, step, .. }) = &mut self.open
        else {
            return;
        };
        let Step::Write { at, .. } = step else { return };
        let (at, own) = (*at + 1, own.clone());
        // zoo: 6f
        let value = if self.bug.is("6f") { own.clone() } else { value };
        // zoo: 6m
        if self.bug.is("6m") && at == 1 && value != own {
            return;
        }
        // zoo: 6o
        let is_again = self.open.as_ref().is_some_and(|open| open.again);
        if self.bug.is("6o") && is_again && value == own {
            return self.finish(LogResult::Written);
        }
        // :zoo
        if at == self.layout.chain.len() {
            let result = if value == own { LogResult::Written } else { LogResult::Taken(value) };
            return self.finish(result);
        }
        if let Some(open) = &mut self.open {
            open.step = Step::Write { at, value };
        }
        self.send(context);
    }

    /// A newer layout: from the beginning.
    fn start_again(&mut self, layout: Layout, context: &mut Context<Message, Retry>) {
        self.layout = layout;
        if let Some(open) = &mut self.open {
            // zoo: 6o
            open.again = self.bug.is("6o");
            // :zoo
            open.step = Self::first_step(&open.command);
            // zoo: 6e
            let refused = open.refused_at.take();
            if let Some((server, value)) = refused.filter(|_| self.bug.is("6e")) {
                let at = self.layout.chain.iter().rposition(|place| place.server == server);
                open.step = Step::Write { at: at.unwrap_or(0), value };
            }
            // :zoo
        }
        self.send(context);
    }
}

impl Node for Caller {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Retry>,
    ) {
        let epoch = self.layout.epoch;
        let Some(open) = &mut self.open else { return };
        match (message, &open.step) {
            (Message::Holds { epoch: of, part, key, value }, Step::Write { at, .. }) => {
                let is_mine =
                    matches!(&open.command, LogCommand::Write { key: own, .. } if *own == key);
                let is_next = self.layout.chain[*at] == Place { server: from, part };
                if is_mine && is_next && of == epoch {
                    self.held(value, context);
                }
            }
            (Message::Found { epoch: of, value, number }, Step::Read)
                if of == epoch && number == self.number =>
            {
                // zoo: reads-twice
                if self.bug.is("reads-twice") && !open.again {
                    open.again = true;
                    self.number += 1;
                    self.send(context);
                    return context.set_timer(Retry { number: self.number }, RETRY_AFTER);
                }
                // :zoo
                self.finish(value.map_or(LogResult::Nothing, LogResult::Value));
            }
            (Message::Refused { epoch: newer }, Step::Write { .. } | Step::Read)
                if newer > epoch =>
            {
                // zoo: 6e
                if let (true, Step::Write { at, value }) = (self.bug.is("6e"), &open.step) {
                    open.refused_at = Some((self.layout.chain[*at].server, value.clone()));
                }
                // :zoo
                open.step = Step::Ask;
                self.send(context);
            }
            (Message::Current { layout }, Step::Ask) if layout.epoch > epoch => {
                self.start_again(layout, context);
            }
            _ => {}
        }
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Message, Retry>) {
        if timer.number != self.number || self.open.is_none() {
            return;
        }
        self.send(context);
        // zoo: 6g
        if let (true, Some(Open { command: LogCommand::Read { key }, step: Step::Read, .. })) =
            (self.bug.is("6g"), &self.open)
        {
            let Place { server, part } = self.layout.chain[0];
            let (epoch, key, number) = (self.layout.epoch, key.clone(), self.number);
            context.send(server, Message::Read { epoch, part, key, number });
        }
        // :zoo
        context.set_timer(timer, RETRY_AFTER);
    }
}

impl Client for Caller {
    type Command = LogCommand;
    type Result = LogResult;

    fn send_command(&mut self, command: LogCommand, context: &mut Context<Message, Retry>) {
        self.number += 1;
        self.result = None;
        self.open = Some(Open {
            step: Self::first_step(&command),
            command,
            // zoo: 6e, 6o, reads-twice
            refused_at: None,
            again: false,
            // :zoo
        });
        self.send(context);
        context.set_timer(Retry { number: self.number }, RETRY_AFTER);
    }

    fn result(&self) -> Option<LogResult> {
        self.result.clone()
    }
}

/// Changes layouts.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Operator {
    layouts: Address,
    task: Task,
    step: Work,
    // zoo: copies-twice
    copied: bool,
    #[serde(skip)]
    bug: Switch,
    // :zoo
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Work {
    Ask,
    Change(Layout),
    /// The tail is asked what it holds.
    Read(Layout),
    Fill(Layout, Entries),
    Done,
    // zoo: 6h
    /// What the tail held before anything was changed.
    Early(Layout),
    EarlyChange(Layout, Entries),
    // :zoo
}

/// The operator's timer.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Again;

impl Operator {
    fn send(&self, context: &mut Context<Message, Again>) {
        match &self.step {
            Work::Ask => context.send(self.layouts, Message::Ask),
            Work::Change(layout) => {
                context.send(self.layouts, Message::Change { layout: layout.clone() });
            }
            Work::Read(layout) => {
                let Place { server, part } = layout.tail;
                // zoo: 6i
                let Place { server, part } =
                    if self.bug.is("6i") { layout.chain[0] } else { Place { server, part } };
                // :zoo
                context.send(server, Message::ReadAll { epoch: layout.epoch, part });
            }
            Work::Fill(layout, entries) => {
                if let Some(server) = layout.repairing() {
                    let (epoch, entries) = (layout.epoch, entries.clone());
                    context.send(server, Message::Fill { epoch, entries });
                }
            }
            Work::Done => {}
            // zoo: 6h
            Work::Early(layout) => {
                let Place { server, part } = layout.tail;
                context.send(server, Message::ReadAll { epoch: layout.epoch, part });
            }
            Work::EarlyChange(layout, _) => {
                context.send(self.layouts, Message::Change { layout: layout.clone() });
            } // :zoo
        }
    }

    fn go_on(&mut self, step: Work, context: &mut Context<Message, Again>) {
        self.step = step;
        self.send(context);
    }

    fn wants_whole(&self) -> bool {
        matches!(&self.step, Work::Change(wanted) if wanted.repairing().is_none())
    }

    /// What there is to do in this layout.
    fn look(&mut self, layout: Layout, context: &mut Context<Message, Again>) {
        let is_in = |server| layout.chain.iter().any(|place| place.server == server);
        let step = match (self.task, layout.repairing()) {
            // Its own repair, or one that somebody began and left.
            (Task::Repair(server), Some(under_way)) if server == under_way => Work::Read(layout),
            // Another repair first: the timer asks again.
            (Task::Repair(_), Some(_)) => {
                self.step = Work::Ask;
                return;
            }
            (Task::Repair(server), None) if is_in(server) => Work::Done,
            // It was to be made whole, and is not even there: somebody has abandoned the repair.
            (Task::Repair(_), None) if self.wants_whole() => Work::Done,
            // zoo: 6h
            (Task::Repair(_), None) if self.bug.is("6h") => Work::Early(layout),
            // :zoo
            (Task::Repair(server), None) => {
                let begun = with_repaired(&layout, server);
                // zoo: 6a, 6b
                let begun = match self.bug.id() {
                    Some("6a") => at_the_end(&layout, server, false),
                    Some("6b") => at_the_end(&layout, server, true),
                    _ => begun,
                };
                // :zoo
                Work::Change(begun)
            }
            (Task::Abandon, Some(_)) => Work::Change(without_repaired(&layout)),
            (Task::Abandon, None) => Work::Done,
        };
        self.go_on(step, context);
    }
}

/// The server goes into the middle, just before the tail. A chain of one is split in two, to have a middle.
fn with_repaired(layout: &Layout, server: Address) -> Layout {
    let mut chain = layout.chain.clone();
    let mut tail = chain.pop().expect("a chain has a tail");
    if chain.is_empty() {
        chain.push(Place { part: Part::Head, ..tail });
        tail.part = Part::Tail;
    }
    chain.extend([Place { server, part: Part::Repaired }, tail]);
    Layout { epoch: layout.epoch + 1, chain, tail }
}

/// The server is as good as the others.
fn with_whole(layout: &Layout) -> Layout {
    let mut next = Layout { epoch: layout.epoch + 1, ..layout.clone() };
    for place in next.chain.iter_mut().filter(|place| place.part == Part::Repaired) {
        place.part = Part::Whole;
    }
    next
}

/// The chain of the others.
fn without_repaired(layout: &Layout) -> Layout {
    let healthy = layout.chain.iter().filter(|place| place.part != Part::Repaired);
    let mut chain: Vec<Place> = healthy.copied().collect();
    if let [Place { part: Part::Head, server }, Place { part: Part::Tail, .. }] = chain[..] {
        chain = vec![Place { server, part: Part::Whole }];
    }
    let tail = *chain.last().expect("a chain has a tail");
    Layout { epoch: layout.epoch + 1, chain, tail }
}
// zoo: 6a, 6b

/// The first and the second method: behind the tail, which answers reads until the repair is done, or before the head.
fn at_the_end(layout: &Layout, server: Address, at_head: bool) -> Layout {
    let mut chain = layout.chain.clone();
    let repaired = Place { server, part: Part::Repaired };
    chain.insert(if at_head { 0 } else { chain.len() }, repaired);
    Layout { epoch: layout.epoch + 1, chain, tail: layout.tail }
}
// :zoo

impl Node for Operator {
    type Message = Message;
    type Timer = Again;

    fn init(&mut self, context: &mut Context<Message, Again>) {
        self.send(context);
        context.set_timer(Again, RETRY_AFTER);
    }

    fn on_message(
        &mut self,
        _from: Address,
        message: Message,
        context: &mut Context<Message, Again>,
    ) {
        match (message, self.step.clone()) {
            (Message::Current { layout }, Work::Ask) => self.look(layout, context),
            // An older answer says nothing of the change.
            (Message::Current { layout }, Work::Change(wanted)) if layout.epoch >= wanted.epoch => {
                self.look(layout, context);
            }
            (Message::All { epoch, entries }, Work::Read(layout)) if epoch == layout.epoch => {
                self.go_on(Work::Fill(layout, entries), context);
            }
            // zoo: copies-twice
            (Message::Filled { epoch }, Work::Fill(layout, _))
                if self.bug.is("copies-twice") && epoch == layout.epoch && !self.copied =>
            {
                self.copied = true;
                self.go_on(Work::Read(layout), context);
            }
            // :zoo
            (Message::Filled { epoch }, Work::Fill(layout, _)) if epoch == layout.epoch => {
                let next = with_whole(&layout);
                // zoo: 6a
                let next = match (self.bug.is("6a"), next.chain.last()) {
                    (true, Some(last)) => Layout { tail: *last, ..next },
                    _ => next,
                };
                // :zoo
                self.go_on(Work::Change(next), context);
            }
            (Message::Refused { epoch }, Work::Read(layout) | Work::Fill(layout, _))
                if epoch > layout.epoch =>
            {
                self.step = Work::Done; // abandoned
            }
            // zoo: 6h
            (Message::All { epoch, entries }, Work::Early(layout)) if epoch == layout.epoch => {
                if let Task::Repair(server) = self.task {
                    let begun = with_repaired(&layout, server);
                    self.go_on(Work::EarlyChange(begun, entries), context);
                }
            }
            (Message::Current { layout }, Work::EarlyChange(wanted, entries))
                if layout == wanted =>
            {
                self.go_on(Work::Fill(layout, entries), context);
            }
            // :zoo
            _ => {}
        }
    }

    fn on_timer(&mut self, timer: Again, context: &mut Context<Message, Again>) {
        if self.step != Work::Done {
            self.send(context);
            context.set_timer(timer, RETRY_AFTER);
        }
    }
}

/// Tells the tests how to make nodes, and what they hold.
#[derive(Clone, Default)]
pub struct Solution {
    // zoo:
    pub(crate) bug: Switch,
    // :zoo
}

impl ChainRepair for Solution {
    type Message = Message;
    type Layouts = Layouts;
    type Server = Server;
    type Client = Caller;
    type Operator = Operator;

    fn layouts(&self, first: Layout) -> Layouts {
        Layouts {
            layout: first,
            // zoo:
            bug: self.bug,
            // :zoo
        }
    }

    fn server(&self) -> Server {
        Server {
            // zoo:
            bug: self.bug,
            // :zoo
            ..Server::default()
        }
    }

    fn client(&self, layouts: Address, layout: Layout) -> Caller {
        Caller {
            layouts,
            layout,
            number: 0,
            open: None,
            result: None,
            // zoo:
            bug: self.bug,
            // :zoo
        }
    }

    fn operator(&self, layouts: Address, task: Task) -> Operator {
        Operator {
            layouts,
            task,
            step: Work::Ask,
            // zoo:
            copied: false,
            bug: self.bug,
            // :zoo
        }
    }

    fn current(&self, layouts: &Layouts) -> Layout {
        layouts.layout.clone()
    }

    fn stored(&self, server: &Server, part: Part, key: &str) -> Option<String> {
        let in_memory = server.memory.get(key).filter(|_| part == Part::Head);
        server.disk.get(key).or(in_memory).cloned()
    }

    fn is_done(&self, operator: &Operator) -> bool {
        operator.step == Work::Done
    }
}
