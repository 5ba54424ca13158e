//! Primary and backup. The view server goes from view to view, never further than the primary has acknowledged. The primary acknowledges a
//! view when the backup has its state; it carries out a command when the backup has, and says so only then. Everything between
//! servers names its view, and what belongs to another view is not heard.
//!
//! What keeps the state space small: pings and retries send what was sent before; the view server keeps one bit for each server; commands that
//! wait when the view changes are dropped, because nobody was told of them and clients ask again.

use foresee::{
    Address, Application, Client, Context, KeyValueCommand, KeyValueResult, KeyValueStore, Node,
};
use foresee_lab2::{CHECK_EVERY, PING_EVERY, PrimaryBackup, RETRY_AFTER, View, ViewMessage};
// zoo:
use foresee_labs::Switch;
// :zoo
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A command, and whose it is. A client's numbers rise with its commands.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Request {
    client: Address,
    number: u64,
    command: KeyValueCommand,
}

/// What a server has of the store: it travels as a whole.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Contents {
    store: KeyValueStore,
    /// For each client the number and the result of its last command.
    answered: BTreeMap<Address, (u64, KeyValueResult)>,
    /// How many commands this view and those before it have carried out.
    n_done: u64,
}

impl Contents {
    /// Carries out a command once; what it returned is kept.
    fn carry_out(&mut self, request: &Request) {
        self.n_done += 1;
        let last = self.answered.get(&request.client).map_or(0, |(number, _)| *number);
        if request.number > last {
            let result = self.store.execute(&request.command);
            self.answered.insert(request.client, (request.number, result));
        }
    }

    /// Tells the client what came of its command, if it is carried out and the client still waits for it. Whether it is.
    fn answer<T>(&self, client: Address, number: u64, context: &mut Context<Message, T>) -> bool {
        let Some((last, result)) = self.answered.get(&client) else { return false };
        if *last == number {
            context.send(client, Message::Reply { number, result: result.clone() });
        }
        *last >= number
    }
}

/// What nodes say to each other.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Message {
    Views(ViewMessage),
    Request {
        number: u64,
        command: KeyValueCommand,
    },
    Reply {
        number: u64,
        result: KeyValueResult,
    },
    /// The primary's copy, for the backup of this view.
    Transfer {
        view: View,
        contents: Contents,
    },
    /// The backup of the view with this number has it.
    Transferred {
        view: u64,
    },
    /// The n-th command, for the backup.
    Forward {
        view: u64,
        n: u64,
        request: Request,
    },
    /// The backup has carried out the first n.
    Done {
        view: u64,
        n: u64,
    },
}

impl From<ViewMessage> for Message {
    fn from(message: ViewMessage) -> Self {
        Message::Views(message)
    }
}

/// Says who is primary and who is backup.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct ViewServer {
    view: View,
    is_acknowledged: bool,
    /// The servers that are there, and whether each has been silent since the last check.
    servers: BTreeMap<Address, bool>,
    // zoo:
    #[serde(skip)]
    bug: Switch,
    // zoo: late-removal
    lingering: Option<Address>,
    // :zoo
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Check;

impl ViewServer {
    fn is_there(&self, server: Option<Address>) -> bool {
        server.is_some_and(|server| self.servers.contains_key(&server))
    }

    /// The first server that is there and has no part in the view.
    fn idle(&self, view: View) -> Option<Address> {
        let members = [view.primary, view.backup];
        self.servers.keys().copied().find(|server| !members.contains(&Some(*server)))
    }

    /// Goes on to another view, if there is reason to and it is allowed.
    fn go_on(&mut self) {
        let View { number, primary, backup } = self.view;
        let is_allowed = number == 0 || self.is_acknowledged;
        // zoo: 2a
        let is_allowed = is_allowed || self.bug.is("2a");
        // :zoo
        if !is_allowed {
            return;
        }
        let mut next = View { number: number + 1, primary, backup };
        if number == 0 {
            next.primary = self.idle(next);
        } else if !self.is_there(primary) {
            // Only the backup has the state. Without one there is nobody to go on with.
            if !self.is_there(backup) {
                // zoo: 2c
                let idle = self.idle(self.view).filter(|_| self.bug.is("2c"));
                if idle.is_some() {
                    self.view = View { primary: idle, backup: None, ..next };
                    self.is_acknowledged = false;
                }
                // :zoo
                return;
            }
            (next.primary, next.backup) = (backup, None);
        }
        let is_gone = !self.is_there(next.backup);
        // zoo: late-removal
        let is_gone = is_gone && (self.lingering.is_none() || self.lingering != next.backup);
        // :zoo
        if is_gone {
            next.backup = None;
        }
        if next.backup.is_none() && next.primary.is_some() {
            next.backup = self.idle(next).filter(|_| number > 0);
        }
        let has_changed = (next.primary, next.backup) != (primary, backup);
        // zoo: 2e
        let has_changed = has_changed || self.bug.is("2e") && number > 0;
        // :zoo
        if has_changed {
            self.view = next;
            self.is_acknowledged = false;
        }
    }
}

impl Node for ViewServer {
    type Message = Message;
    type Timer = Check;

    fn init(&mut self, context: &mut Context<Message, Check>) {
        context.set_timer(Check, CHECK_EVERY);
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Check>,
    ) {
        match message {
            Message::Views(ViewMessage::Ping { number }) => {
                // zoo: 2d
                let is_known = self.servers.contains_key(&from);
                // :zoo
                self.servers.insert(from, false);
                // zoo: 2d
                if self.bug.is("2d") && !is_known {
                    self.servers.insert(from, true);
                }
                // :zoo
                let is_primary = self.view.primary == Some(from);
                // zoo: 2b
                let is_primary = is_primary || self.bug.is("2b");
                // :zoo
                self.is_acknowledged |= is_primary && number == self.view.number;
                self.go_on();
            }
            Message::Views(ViewMessage::Get) => {}
            _ => return,
        }
        context.send(from, Message::Views(ViewMessage::View(self.view)));
    }

    fn on_timer(&mut self, timer: Check, context: &mut Context<Message, Check>) {
        // zoo: late-removal
        let backup = self.view.backup;
        let was_there = self.is_there(backup);
        // :zoo
        self.servers.retain(|_, is_silent| !std::mem::replace(is_silent, true));
        // zoo: late-removal
        if self.bug.is("late-removal") {
            let is_gone = backup.is_some_and(|backup| !self.servers.contains_key(&backup));
            self.lingering = backup.filter(|_| is_gone && was_there);
        }
        // :zoo
        self.go_on();
        context.set_timer(timer, CHECK_EVERY);
    }
}

/// Primary, backup or idle.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Server {
    view_server: Address,
    /// The newest that it has heard of.
    view: View,
    /// A primary: the backup has its copy. A backup: it has the primary's.
    is_ready: bool,
    contents: Contents,
    /// A primary's commands that the backup has not carried out yet, and a backup's that came too early, by number.
    waiting: BTreeMap<u64, Request>,
    // zoo:
    #[serde(skip)]
    bug: Switch,
    // :zoo
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Ping;

type Say = Context<Message, Ping>;

impl Server {
    fn is_primary(&self, me: Address) -> bool {
        self.view.primary == Some(me)
    }

    fn is_backup(&self, me: Address) -> bool {
        self.view.backup == Some(me)
    }

    /// A primary that is not ready has not acknowledged its view.
    fn ping(&self, context: &mut Say) {
        let number = if self.is_ready { self.view.number } else { 0 };
        // zoo: 2o
        let number = if self.bug.is("2o") { self.view.number } else { number };
        // :zoo
        context.send(self.view_server, ViewMessage::Ping { number }.into());
    }

    /// Sends the backup what it has not got: the copy, or then the commands that wait.
    fn send_to_backup(&self, context: &mut Say) {
        let Some(backup) = self.view.backup.filter(|_| self.is_primary(context.me())) else {
            return;
        };
        if !self.is_ready {
            let contents = self.contents.clone();
            // zoo: 2k
            let answered = if self.bug.is("2k") { BTreeMap::new() } else { contents.answered };
            let contents = Contents { answered, ..contents };
            // :zoo
            context.send(backup, Message::Transfer { view: self.view, contents });
        }
        for n in self.waiting.keys() {
            self.forward(*n, context);
        }
    }

    fn forward(&self, n: u64, context: &mut Say) {
        if let (Some(backup), Some(request)) = (self.view.backup, self.waiting.get(&n)) {
            let (view, request) = (self.view.number, request.clone());
            context.send(backup, Message::Forward { view, n, request });
        }
    }

    fn on_view(&mut self, view: View, context: &mut Say) {
        let is_new = view.number > self.view.number;
        // zoo: 2n
        let is_new = is_new || self.bug.is("2n") && view.number != self.view.number;
        // :zoo
        if !is_new {
            return;
        }
        self.view = view;
        self.waiting.clear();
        self.is_ready = self.is_primary(context.me()) && view.backup.is_none();
        if self.is_ready {
            self.ping(context);
        }
        self.send_to_backup(context);
    }

    fn on_request(&mut self, request: Request, context: &mut Say) {
        let may_serve = self.is_primary(context.me()) && self.is_ready;
        // zoo: 2i
        let may_serve = may_serve || self.bug.is("2i") && !self.is_primary(context.me());
        // zoo: 2j, 2l
        let may_serve =
            may_serve || self.is_primary(context.me()) && (self.bug.is("2j") || self.bug.is("2l"));
        // :zoo
        if !may_serve {
            return;
        }
        if self.contents.answer(request.client, request.number, context) {
            return;
        }
        let mut waiting = self.waiting.values();
        if waiting.any(|it| (it.client, it.number) == (request.client, request.number)) {
            return;
        }
        let has_backup = self.view.backup.is_some();
        // zoo: 2h
        if self.bug.is("2h") && matches!(request.command, KeyValueCommand::Get { .. }) {
            let result = self.contents.store.clone().execute(&request.command);
            let number = request.number;
            context.send(request.client, Message::Reply { number, result });
            return;
        }
        // zoo: 2i, 2l
        let has_backup = match self.bug.id() {
            Some("2i") => has_backup && self.is_primary(context.me()),
            Some("2l") => has_backup && self.is_ready,
            _ => has_backup,
        };
        // :zoo
        let n = self.contents.n_done + 1 + self.waiting.len() as u64;
        // zoo: 2f
        if self.bug.is("2f") && has_backup {
            let view = self.view.number;
            let backup = self.view.backup.expect("it has one");
            context.send(backup, Message::Forward { view, n, request: request.clone() });
            self.carry_out(&request, context);
            return;
        }
        // :zoo
        if has_backup {
            self.waiting.insert(n, request);
            self.forward(n, context);
        } else {
            self.carry_out(&request, context);
        }
    }

    fn carry_out(&mut self, request: &Request, context: &mut Say) {
        self.contents.carry_out(request);
        self.contents.answer(request.client, request.number, context);
    }

    fn on_transfer(&mut self, from: Address, view: View, contents: Contents, context: &mut Say) {
        // zoo: hears-views-first
        if self.bug.is("hears-views-first") && view.number != self.view.number {
            return;
        }
        // :zoo
        self.on_view(view, context);
        if view != self.view || !self.is_backup(context.me()) {
            return;
        }
        // What comes again is older than what was forwarded since.
        if !self.is_ready {
            self.is_ready = true;
            self.contents = contents;
        }
        context.send(from, Message::Transferred { view: view.number });
    }

    fn on_forward(
        &mut self,
        from: Address,
        view: u64,
        n: u64,
        request: Request,
        context: &mut Say,
    ) {
        let may_follow = view == self.view.number && self.is_backup(context.me()) && self.is_ready;
        // zoo: 2g
        let may_follow = may_follow || self.bug.is("2g") && self.is_ready;
        // zoo: 2j
        if self.bug.is("2j") && view == self.view.number && !self.is_ready {
            context.send(from, Message::Done { view, n });
            return;
        }
        // :zoo
        if !may_follow {
            return;
        }
        // zoo: 2m
        let last = self.contents.answered.get(&request.client).map_or(0, |(number, _)| *number);
        let n = match self.bug.is("2m") && request.number > last {
            true => self.contents.n_done + 1,
            false => n,
        };
        // :zoo
        if n > self.contents.n_done {
            self.waiting.insert(n, request);
        }
        while let Some(request) = self.waiting.remove(&(self.contents.n_done + 1)) {
            self.contents.carry_out(&request);
        }
        context.send(from, Message::Done { view, n: self.contents.n_done });
    }

    fn on_done(&mut self, view: u64, n: u64, context: &mut Say) {
        if view != self.view.number || !self.is_primary(context.me()) {
            return;
        }
        while self.contents.n_done < n
            && let Some(request) = self.waiting.remove(&(self.contents.n_done + 1))
        {
            self.carry_out(&request, context);
        }
    }
}

impl Node for Server {
    type Message = Message;
    type Timer = Ping;

    fn init(&mut self, context: &mut Say) {
        self.on_timer(Ping, context);
    }

    fn on_message(&mut self, from: Address, message: Message, context: &mut Say) {
        match message {
            Message::Views(ViewMessage::View(view)) => self.on_view(view, context),
            Message::Request { number, command } => {
                self.on_request(Request { client: from, number, command }, context);
            }
            Message::Transfer { view, contents } => self.on_transfer(from, view, contents, context),
            Message::Transferred { view } => {
                let is_mine = view == self.view.number && self.is_primary(context.me());
                if is_mine && !self.is_ready {
                    self.is_ready = true;
                    self.ping(context);
                }
            }
            Message::Forward { view, n, request } => {
                self.on_forward(from, view, n, request, context);
            }
            Message::Done { view, n } => self.on_done(view, n, context),
            Message::Views(_) | Message::Reply { .. } => {}
        }
    }

    fn on_timer(&mut self, timer: Ping, context: &mut Say) {
        self.ping(context);
        self.send_to_backup(context);
        context.set_timer(timer, PING_EVERY);
    }
}

/// The client's timer: it names the command that it is about.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Retry {
    number: u64,
}

/// Sends a command to the primary that it knows of; if nothing comes back, it asks who is primary now, and sends it again.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Caller {
    view_server: Address,
    view: View,
    /// Of the last command.
    number: u64,
    /// The command that waits for its result.
    command: Option<KeyValueCommand>,
    result: Option<KeyValueResult>,
    // zoo:
    #[serde(skip)]
    bug: Switch,
    // :zoo
}

impl Caller {
    fn send(&self, context: &mut Context<Message, Retry>) {
        if let (Some(command), Some(primary)) = (self.command.clone(), self.view.primary) {
            context.send(primary, Message::Request { number: self.number, command });
        }
    }

    fn ask(&self, context: &mut Context<Message, Retry>) {
        context.send(self.view_server, ViewMessage::Get.into());
    }
}

impl Node for Caller {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        _from: Address,
        message: Message,
        context: &mut Context<Message, Retry>,
    ) {
        match message {
            Message::Views(ViewMessage::View(view)) if view.number > self.view.number => {
                self.view = view;
                self.send(context);
            }
            // zoo: 2q
            Message::Views(ViewMessage::View(_)) if self.bug.is("2q") => self.send(context),
            // :zoo
            Message::Reply { number, result }
                if number == self.number && self.command.is_some() =>
            {
                self.command = None;
                self.result = Some(result);
            }
            _ => {}
        }
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Message, Retry>) {
        if timer.number == self.number && self.command.is_some() {
            let asks = true;
            // zoo: 2p
            let asks = asks && !(self.bug.is("2p") && self.view.primary.is_some());
            // :zoo
            if asks {
                self.ask(context);
            }
            self.send(context);
            context.set_timer(timer, RETRY_AFTER);
        }
    }
}

impl Client for Caller {
    type Command = KeyValueCommand;
    type Result = KeyValueResult;

    fn send_command(&mut self, command: KeyValueCommand, context: &mut Context<Message, Retry>) {
        self.number += 1;
        self.command = Some(command);
        self.result = None;
        let knows = self.view.primary.is_some();
        // zoo: 2q
        let knows = knows && !self.bug.is("2q");
        // :zoo
        match knows {
            true => self.send(context),
            false => self.ask(context),
        }
        context.set_timer(Retry { number: self.number }, RETRY_AFTER);
    }

    fn result(&self) -> Option<KeyValueResult> {
        self.result.clone()
    }
}

/// Tells the tests how to make the nodes, and what the view server is at.
#[derive(Clone, Default)]
pub struct Solution {
    // zoo:
    pub(crate) bug: Switch,
    // :zoo
}

impl PrimaryBackup for Solution {
    type Message = Message;
    type ViewServer = ViewServer;
    type Server = Server;
    type Client = Caller;

    fn view_server(&self) -> ViewServer {
        ViewServer {
            // zoo:
            bug: self.bug,
            // :zoo
            ..ViewServer::default()
        }
    }

    fn server(&self, view_server: Address) -> Server {
        Server {
            view_server,
            view: View::default(),
            is_ready: false,
            contents: Contents::default(),
            waiting: BTreeMap::new(),
            // zoo:
            bug: self.bug,
            // :zoo
        }
    }

    fn client(&self, view_server: Address) -> Caller {
        Caller {
            view_server,
            view: View::default(),
            number: 0,
            command: None,
            result: None,
            // zoo:
            bug: self.bug,
            // :zoo
        }
    }

    fn view_message(message: &Message) -> Option<ViewMessage> {
        match message {
            Message::Views(message) => Some(*message),
            _ => None,
        }
    }

    fn view(view_server: &ViewServer) -> View {
        view_server.view
    }

    fn is_acknowledged(view_server: &ViewServer) -> bool {
        view_server.is_acknowledged
    }
}
