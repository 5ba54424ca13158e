//! What stands between processes: the buffer of a server, the mailbox of whoever waits for replies, the place where
//! results of calls are left; and which halves of actions meet.

use crate::communicate::{tag_name, tagged};
use crate::death::crash_half;
use crate::options::Buffer;
use crate::terms::{constant, eq, integer};
use crate::translator::Translator;
use foresee_algebra::{Process, Term};
use std::collections::BTreeSet;

/// Two halves and what they are together.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    pub(crate) left: String,
    pub(crate) right: String,
    pub(crate) result: String,
    pub(crate) n_data: usize,
    pub(crate) is_hidden: bool,
}

fn meeting(left: &str, right: &str, result: &str, n_data: usize, is_hidden: bool) -> Meeting {
    Meeting {
        left: left.to_owned(),
        right: right.to_owned(),
        result: result.to_owned(),
        n_data,
        is_hidden,
    }
}

impl Translator<'_> {
    /// All meetings, given the actions that the processes themselves do.
    pub(crate) fn meetings(&self, used: &BTreeSet<String>) -> Vec<Meeting> {
        let mut all = Vec::new();
        let has_buffer = self.options.buffer != Buffer::None;
        let tags = |name: &str| -> Vec<String> {
            if self.options.async_reply {
                (0..self.n_tags()).map(|it| tagged(name, it)).collect()
            } else {
                vec![name.to_owned()]
            }
        };
        let zip = |a: &str, b: &str| tags(a).into_iter().zip(tags(b));
        if has_buffer {
            for (a, b) in zip("gen_server_call", "gscall") {
                all.push(meeting(&a, &b, "buffercall", 3, true));
            }
            all.push(meeting("gen_server_cast", "gscast", "buffercast", 2, true));
            for half in ["crash", "exit_signal", "send"].into_iter().filter(|it| used.contains(*it))
            {
                all.push(meeting(half, "gsinfo", "bufferinfo", 2, true));
            }
            let servers = self.servers();
            for server in &servers {
                let half = crash_half("crash_signal", server, &servers);
                if used.contains(&half) {
                    let other = crash_half("gscrash", server, &servers);
                    all.push(meeting(&half, &other, "crash", 1, false));
                }
            }
            for (a, b) in zip("gshcall", "handle_call") {
                all.push(meeting(&a, &b, "call", 3, false));
            }
            all.push(meeting("gshcast", "handle_cast", "cast", 2, false));
            all.push(meeting("gshinfo", "handle_info", "info", 2, false));
        } else {
            for (a, b) in zip("gen_server_call", "handle_call") {
                all.push(meeting(&a, &b, "call", 3, false));
            }
            all.push(meeting("gen_server_cast", "handle_cast", "cast", 2, false));
            for half in ["crash", "exit_signal", "send"] {
                if used.contains(half) || half == "send" {
                    all.push(meeting(half, "handle_info", "info", 2, false));
                }
            }
        }
        for (a, b) in zip("gen_server_reply", "gen_server_replied") {
            all.push(meeting(&a, &b, "reply", 3, false));
        }
        if self.options.async_reply {
            all.push(meeting("await", "awaited", "waiting", 2, true));
            all.push(meeting("deliver", "receive", "received", 2, true));
        }
        if self.uses_results {
            all.push(meeting("rcallvalue", "wcallvalue", "callvalue", 2, true));
            all.push(meeting("wcallresult", "rcallresult", "callresult", 2, true));
        }
        all
    }

    /// The equations between processes, where they are needed.
    pub(crate) fn make_protocol(&mut self, meetings: &[Meeting]) {
        let has =
            |it: &str| meetings.iter().any(|meeting| meeting.left == it || meeting.right == it);
        if self.options.buffer != Buffer::None {
            let crashes = meetings.iter().filter(|it| it.result == "crash");
            let crashes: Vec<&str> = crashes.map(|it| it.right.as_str()).collect();
            self.make_buffer(has("gsinfo"), &crashes);
        }
        if self.options.async_reply {
            self.make_reply();
            self.make_mailbox();
        }
        if self.uses_results {
            let [own, value] = ["Self", "Value"].map(constant);
            let takes = Process::action("rcallresult", vec![own.clone(), value.clone()]);
            let gives = Process::action("wcallvalue", vec![own.clone(), value.clone()]);
            let body = takes.then(gives.then(Process::call("CallResult", vec![own])));
            let body = Process::sum("Value", "Term", body);
            let comment = "where a function leaves its result for its caller".to_owned();
            self.define("CallResult", &["Self".to_owned()], body, comment);
        }
    }

    /// The queue in front of a server.
    fn make_buffer(&mut self, takes_info: bool, crashes: &[&str]) {
        let [own, queue, message, client] = ["Self", "Messages", "Message", "Client"].map(constant);
        let first = || Term::apply("hd", vec![queue.clone()]);
        let buffer = |rest: Term| Process::call("Server_Buffer", vec![own.clone(), rest]);
        let put = |item: Term| buffer(Term::apply("snoc", vec![queue.clone(), item]));
        let item = |name: &str, data: &[&Term]| {
            Term::apply(name, data.iter().map(|it| (*it).clone()).collect())
        };
        let sum = |name: &str, body: Process| Process::sum(name, "Term", body);
        let mut takes = Vec::new();
        for (half, item) in self.call_items(&message, &client) {
            let call = Process::action(
                &half("gscall"),
                vec![own.clone(), message.clone(), client.clone()],
            );
            takes.push(sum("Message", sum("Client", call.then(put(item)))));
        }
        let cast = Process::action("gscast", vec![own.clone(), message.clone()]);
        takes.push(sum("Message", cast.then(put(item("castitem", &[&message])))));
        if takes_info {
            let info = Process::action("gsinfo", vec![own.clone(), message.clone()]);
            takes.push(sum("Message", info.then(put(item("infoitem", &[&message])))));
        }
        if !crashes.is_empty() {
            let crash = self.atom("crash");
            let exit = self.exit_message(client.clone(), crash);
            let servers = self.servers();
            for server in &servers {
                let half = crash_half("gscrash", server, &servers);
                if !crashes.contains(&half.as_str()) {
                    continue;
                }
                let crash = Process::action(&half, vec![client.clone()]);
                let taken = sum("Client", crash.then(put(item("infoitem", &[&exit]))));
                takes.push(match servers.len() {
                    1 => taken,
                    _ => taken.when(eq(own.clone(), constant(server)), Process::delta()),
                });
            }
        }
        let rest = buffer(Term::apply("tl", vec![queue.clone()]));
        let said = Term::apply("itemmessage", vec![first()]);
        let test = |name: &str| Term::apply(name, vec![queue.clone()]);
        let give = |half: &str, data: Vec<Term>| Process::action(half, data).then(rest.clone());
        let mut gives_call = Process::delta();
        let by = Term::apply("itempid", vec![first()]);
        for tag in (0..self.n_tags()).rev() {
            let data = vec![own.clone(), said.clone(), by.clone()];
            gives_call = if self.options.async_reply {
                let call = give(&tagged("gshcall", tag), data);
                let is_it = eq(Term::apply("itemtag", vec![first()]), constant(&tag_name(tag)));
                if tag + 1 == self.n_tags() { call } else { call.when(is_it, gives_call) }
            } else {
                give("gshcall", data)
            };
        }
        let other = if takes_info || !crashes.is_empty() {
            give("gshinfo", vec![own.clone(), said.clone()]).when(test("is_info"), Process::delta())
        } else {
            Process::delta()
        };
        let other = give("gshcast", vec![own.clone(), said.clone()]).when(test("is_cast"), other);
        let gives = gives_call.when(test("is_call"), other);
        let body = Process::choice(takes).or(gives.clone());
        let body = match self.options.buffer {
            Buffer::Bounded(n) => {
                let length = Term::apply("length", vec![queue.clone()]);
                let is_full = Term::apply("less", vec![integer(n as i64), length]);
                Process::action("bufferfull", vec![own.clone()]).then(gives).when(is_full, body)
            }
            _ => body,
        };
        let comment = "the messages on their way to a server, oldest first".to_owned();
        self.define("Server_Buffer", &["Self".to_owned(), "Messages".to_owned()], body, comment);
    }

    /// For each kind of call: the names of its halves, and what lies in the buffer.
    fn call_items(
        &self,
        message: &Term,
        client: &Term,
    ) -> Vec<(impl Fn(&str) -> String + use<>, Term)> {
        let is_tagged = self.options.async_reply;
        (0..self.n_tags())
            .map(|tag| {
                let mut data = vec![message.clone(), client.clone()];
                if is_tagged {
                    data.push(constant(&tag_name(tag)));
                }
                let item = Term::apply(if is_tagged { "taggeditem" } else { "callitem" }, data);
                let half =
                    move |name: &str| if is_tagged { tagged(name, tag) } else { name.to_owned() };
                (half, item)
            })
            .collect()
    }

    /// `Reply` finds the name under which the client's mailbox takes the reply to this call.
    fn make_reply(&mut self) {
        let [client, tag, message, own] = ["Client", "Tag", "Message", "Self"].map(constant);
        let data = vec![client, message, own];
        let mut body = Process::delta();
        for at in (0..self.n_tags()).rev() {
            let reply = Process::action(&tagged("gen_server_reply", at), data.clone());
            let is_it = eq(tag.clone(), constant(&tag_name(at)));
            body = if at + 1 == self.n_tags() { reply } else { reply.when(is_it, body) };
        }
        let parameters = ["Client", "Tag", "Message", "Self"].map(str::to_owned);
        self.define(
            "Reply",
            &parameters,
            body,
            "a reply on its way to the client's mailbox".to_owned(),
        );
    }

    /// Takes every reply at once; keeps the one to the call that its owner waits for, and drops the others.
    fn make_mailbox(&mut self) {
        let [own, tag, message, server, value] =
            ["Self", "Tag", "Message", "Server", "Value"].map(constant);
        let sum = |name: &str, body: Process| Process::sum(name, "Term", body);
        let takes = |at: usize, then: Process| {
            let data = vec![own.clone(), message.clone(), server.clone()];
            let half = tagged("gen_server_replied", at);
            sum("Message", sum("Server", Process::action(&half, data).then(then)))
        };
        let idle = || Process::call("Mailbox", vec![own.clone()]);
        let waits = || Process::call("Mailbox_waits", vec![own.clone(), tag.clone()]);
        let holds = |it: &Term| Process::call("Mailbox_holds", vec![own.clone(), it.clone()]);
        let each = |of: &dyn Fn(usize) -> Process| Process::choice((0..self.n_tags()).map(of));
        let told = Process::action("awaited", vec![own.clone(), tag.clone()]).then(waits());
        let idle_body = sum("Tag", told).or(each(&|at| takes(at, idle())));
        let waits_body = each(&|at| {
            takes(at, holds(&message))
                .when(eq(tag.clone(), constant(&tag_name(at))), takes(at, waits()))
        });
        let gives = Process::action("deliver", vec![own.clone(), value.clone()]).then(idle());
        let holds_body = gives.or(each(&|at| takes(at, holds(&value))));
        let own = "Self".to_owned();
        self.define(
            "Mailbox",
            std::slice::from_ref(&own),
            idle_body,
            "nobody waits: replies are dropped".to_owned(),
        );
        let comment = "a reply to this call is kept".to_owned();
        self.define("Mailbox_waits", &[own.clone(), "Tag".to_owned()], waits_body, comment);
        let comment = "the reply is there; others are dropped".to_owned();
        self.define("Mailbox_holds", &[own, "Value".to_owned()], holds_body, comment);
    }
}
