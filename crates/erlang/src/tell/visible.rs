//! Visible labels: what stands on an arrow of the transition system, for formulas and for comparing systems.
//! A label has one form whatever made the system: `call(Server,Message,Client)`, `cast(Server,Message)` and
//! `info(Server,Message)` when a generic server takes a message, `reply(Client,Message,Server)` when it sends an answer,
//! `crash(Process)`, and actions that the program names itself. All else is hidden unless it is asked for.
//! Processes have the names they are registered under, or those of their supervisor's children, or else those of people's
//! labels. Terms are written as Erlang does, without blanks.
//! A label is found once for what it depends on (`crate::events::memo`): it is asked for at every transition of a large system.

use crate::builtins::Builtin;
use crate::events::actions::Move;
use crate::events::lookup::Lookups;
use crate::options::{LabelKind, Labels};
use crate::system::Erlang;
use crate::term::{Atom, Map, Pid, Term};
use crate::world::component::{Control, Process, Stage};
use crate::world::slots::{SHARED, SlotKey};
use foresee_lts::Action;
use std::sync::Arc;

impl Erlang {
    /// The visible label of an action; `None` if it is hidden. As `Options::labels` wants it.
    pub fn visible_label(&self, state: &[u32], action: Action) -> Option<String> {
        if let Some(known) = self.visible.read().get(&self.core, state, action.0) {
            return known.as_deref().map(str::to_owned);
        }
        let mut finder = Finder { system: self, state, asked: Lookups::default() };
        let label = finder.label(action).filter(|label| !self.hides(label));
        let known: Option<Arc<str>> = label.as_deref().map(Arc::from);
        self.visible.write().put(state, action.0, finder.asked, known);
        label
    }

    /// A process's name in visible labels.
    pub fn visible_name(&self, state: &[u32], pid: Pid) -> String {
        Finder { system: self, state, asked: Lookups::default() }.name(pid).to_string()
    }

    fn hides(&self, label: &str) -> bool {
        let name = label.split('(').next().unwrap_or(label);
        let labels = self.options.labels.as_ref();
        labels.is_some_and(|labels| labels.hide.iter().any(|hidden| hidden == name))
    }
}

/// Finds one label, and notes on what it depends.
struct Finder<'s> {
    system: &'s Erlang,
    state: &'s [u32],
    asked: Lookups,
}

impl<'s> Finder<'s> {
    fn ask(&mut self, slot: u32) {
        let id = self.state.get(slot as usize).copied().unwrap_or(0);
        self.asked.slot(slot, id);
    }

    fn shows(&self, kind: LabelKind) -> bool {
        let labels: Option<&Labels> = self.system.options.labels.as_ref();
        labels.is_some_and(|labels| labels.show.contains(&kind))
    }

    fn label(&mut self, action: Action) -> Option<String> {
        match self.system.decode(self.state, action) {
            Move::Process(pid) => {
                let process = self.process(pid)?;
                match &process.control {
                    Control::Calling { builtin, arguments, .. } => {
                        let entry = self.system.program().builtins.get(*builtin);
                        self.operation(pid, entry, arguments)
                    }
                    Control::Receiving { .. } if self.system.core.hibernates(process) => None,
                    Control::Receiving { .. } => {
                        let core = &self.system.core;
                        let slot = core.slots.find(SlotKey::Inbox(pid))?;
                        let at = self.asked.first_match(core, self.state, slot)?;
                        let message = self.system.inbox(self.state, pid)?.messages.get(at)?;
                        self.taken(process, message)
                    }
                    Control::Ending { reason, stage: Stage::Exit | Stage::Killed, .. } => {
                        let reason = crate::tell::words::reason(&self.named(reason));
                        self.shown(LabelKind::Exit, |it| format!("exit({},{reason})", it.name(pid)))
                    }
                    _ => None,
                }
            }
            Move::Timeout(pid) => {
                let process = self.process(pid)?;
                if self.serves(process) {
                    return Some(format!("info({},timeout)", self.name(pid)));
                }
                self.shown(LabelKind::Timeout, |it| format!("timeout({})", it.name(pid)))
            }
            Move::Timer(index) => {
                self.ask(crate::world::slots::TIMERS);
                let timer = self.system.timers(self.state).timers.get(index)?;
                self.shown(LabelKind::Timer, |it| {
                    format!("timer({},{})", it.named(&timer.target), it.named(&timer.message))
                })
            }
            Move::Deliver(from, to) => {
                let slot = self.system.core.slots.find(SlotKey::Channel(from, to))?;
                self.ask(slot);
                let signal = self.system.channel(self.state, from, to)?.signals.first()?;
                let text = crate::tell::describe::signal_text(signal);
                self.shown(LabelKind::Deliver, |it| {
                    format!("deliver({},{},{text})", it.name(from), it.name(to))
                })
            }
            Move::Crash(pid) => {
                let process = self.process(pid)?;
                self.ask(SHARED);
                let shared = self.system.shared(self.state);
                let has_effect = self.system.core.crash_has_effect(process, shared);
                has_effect.then(|| format!("crash({})", self.name(pid)))
            }
            Move::NoMoreCrashes => None,
        }
    }

    fn process(&mut self, pid: Pid) -> Option<&'s Process> {
        let slot = self.system.core.slots.find(SlotKey::Process(pid))?;
        self.ask(slot);
        self.system.process(self.state, pid)
    }

    fn shown(&mut self, kind: LabelKind, text: impl FnOnce(&mut Self) -> String) -> Option<String> {
        self.shows(kind).then(|| text(self))
    }

    /// Whether a process is in the loop of a generic server that is not a supervisor's.
    fn serves(&self, process: &Process) -> bool {
        let in_loop = |module: &&str| self.system.core.waits_in(process, module, &["loop"]);
        ["gen_server", "gen_statem"].iter().any(in_loop)
            && (!process.mark.is_supervisor || self.shows(LabelKind::Supervisor))
    }

    /// A message is taken.
    fn taken(&mut self, process: &Process, message: &Term) -> Option<String> {
        let pid = process.pid;
        if !self.serves(process) {
            return self.shown(LabelKind::Receive, |it| {
                format!("receive({},{})", it.name(pid), it.named(message))
            });
        }
        let server = self.name(pid);
        match message.as_tuple() {
            Some([Term::Atom(tag), from, request]) if tag.text() == "$gen_call" => {
                let client = from.as_tuple().and_then(|pair| pair.first()?.as_pid())?;
                let client = self.name(client);
                Some(format!("call({server},{},{client})", self.named(request)))
            }
            Some([Term::Atom(tag), request]) if tag.text() == "$gen_cast" => {
                Some(format!("cast({server},{})", self.named(request)))
            }
            Some([Term::Atom(tag), _, _]) if tag.text() == "system" => None,
            _ => Some(format!("info({server},{})", self.named(message))),
        }
    }

    /// A visible built-in is carried out.
    fn operation(&mut self, pid: Pid, entry: &Builtin, arguments: &[Term]) -> Option<String> {
        match (entry.module, entry.name) {
            ("foresee", "action") => {
                let name = arguments.first()?.to_string();
                let values = arguments.get(1).and_then(Term::to_vec).unwrap_or_default();
                Some(match values.is_empty() {
                    true => name,
                    false => format!("{name}({})", self.listed(&values)),
                })
            }
            ("gen", "foresee_reply") => {
                let to = arguments.first()?.as_tuple()?.first()?;
                let (client, server) = (self.named(to), self.name(pid));
                Some(format!("reply({client},{},{server})", self.named(arguments.get(1)?)))
            }
            ("erlang", "!" | "send" | "send_nosuspend")
            | ("gen", "foresee_cast" | "foresee_request" | "foresee_send_request") => {
                let message = match entry.name {
                    "foresee_request" | "foresee_send_request" => arguments.get(2)?,
                    _ => arguments.get(1)?,
                };
                let to = arguments.first()?;
                self.shown(LabelKind::Send, |it| {
                    format!("send({},{},{})", it.named(to), it.named(message), it.name(pid))
                })
            }
            ("gen", "foresee_spawn") => self.spawned(pid),
            ("erlang", name) if crate::tell::deeds::is_spawn(name) => self.spawned(pid),
            _ => self.shown(LabelKind::Operation, |it| {
                let arguments: Vec<Term> = arguments.iter().map(|term| it.named(term)).collect();
                crate::tell::describe::call_text(entry, &arguments).replace(' ', "")
            }),
        }
    }

    fn spawned(&mut self, pid: Pid) -> Option<String> {
        self.shown(LabelKind::Spawn, |it| format!("spawn({})", it.name(pid)))
    }

    fn listed(&mut self, terms: &[Term]) -> String {
        let texts: Vec<String> = terms.iter().map(|term| self.named(term).to_string()).collect();
        texts.join(",")
    }

    /// A process by its name, as a term that is written as the name.
    fn name(&mut self, pid: Pid) -> Term {
        self.known_name(pid).map_or(Term::Pid(pid), Term::Atom)
    }

    fn known_name(&mut self, pid: Pid) -> Option<Atom> {
        let shared = self.system.shared(self.state);
        if let Some(name) = self.asked.registered(shared, pid) {
            return Some(name);
        }
        let slot = self.system.core.slots.find(SlotKey::Process(pid))?;
        self.asked.name(&self.system.core, self.state, slot);
        self.system.process(self.state, pid)?.mark.known_as
    }

    /// A term with names in place of pids.
    fn named(&mut self, term: &Term) -> Term {
        match term {
            Term::Pid(pid) => self.name(*pid),
            Term::Tuple(tuple) => {
                let items: Vec<Term> = tuple.items().iter().map(|it| self.named(it)).collect();
                Term::tuple(items)
            }
            Term::Cons(_) => {
                let mut cells = term.cells();
                let items: Vec<Term> = cells.by_ref().map(|item| self.named(item)).collect();
                let tail = self.named(cells.rest());
                Term::list_with_tail(items, tail)
            }
            Term::Map(map) => {
                let pairs: Vec<(Term, Term)> =
                    map.entries().iter().map(|(k, v)| (self.named(k), self.named(v))).collect();
                Term::map(Map::from_pairs(pairs))
            }
            _ => term.clone(),
        }
    }
}
