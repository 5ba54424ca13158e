//! The processes that a run-time system has before any program starts, as far as programs speak to them.
//! They are there, have names and are looked at; `init` and the device `user` answer, and whatever else is asked of any of them
//! stops the run as not modelled: a program is never blamed for an answer that we do not give.
//! An answer comes when it comes: it is a timer of no time, so that it may arrive before or after what others send.
//! Not here: output through `io`, which is an event at once (`crate::builtins::io`).

use crate::builtins::Outcome;
use crate::format::{characters, format};
use crate::machine::Raise;
use crate::term::{Atom, Pid, Term};
use crate::world::component::Timer;
use crate::world::step::{Event, Step};

/// The names under which an OTP 25 without a shell has processes.
pub(crate) const NAMES: [&str; 24] = [
    "application_controller",
    "code_server",
    "erl_prim_loader",
    "erl_signal_server",
    "erts_code_purger",
    "file_server_2",
    "global_group",
    "global_group_check",
    "global_name_server",
    "inet_db",
    "init",
    "kernel_refc",
    "kernel_safe_sup",
    "kernel_sup",
    "logger",
    "logger_handler_watcher",
    "logger_proxy",
    "logger_std_h_default",
    "logger_sup",
    "rex",
    "socket_registry",
    "standard_error",
    "standard_error_sup",
    "user",
];

/// The names of the tables that it has.
const TABLES: [&str; 18] = [
    "ac_tab",
    "code_names",
    "file_io_servers",
    "global_locks",
    "global_lost_connections",
    "global_names",
    "global_names_ext",
    "global_node_resources",
    "global_pid_ids",
    "global_pid_names",
    "inet_cache",
    "inet_db",
    "inet_hosts_byaddr",
    "inet_hosts_byname",
    "inet_hosts_file_byaddr",
    "inet_hosts_file_byname",
    "inet_sockets",
    "logger",
];

pub(crate) fn whereis(name: Atom) -> Option<Pid> {
    NAMES.iter().find(|own| **own == name.text()).map(|own| Pid::system(own))
}

pub(crate) fn is_table(name: Atom) -> bool {
    TABLES.contains(&name.text())
}

/// All of them, in the order of their names.
pub(crate) fn all() -> impl Iterator<Item = (Atom, Pid)> {
    NAMES.iter().map(|name| (Atom::new(name), Pid::system(name)))
}

/// What one is asked and has no model.
pub(crate) fn not_modelled(what: &str, pid: Pid) -> Raise {
    Raise::unmodelled(format!("{what} the system process {}", pid.system_name().unwrap_or("")))
}

/// Stops what would be done to a process of the system.
pub(crate) fn refuse(what: &str, pid: Pid) -> Result<(), Raise> {
    if pid.is_system() { Err(not_modelled(what, pid)) } else { Ok(()) }
}

/// What `process_info` says of one.
pub(crate) fn info(pid: Pid, item: &Term) -> Outcome {
    let name = pid.system_name().unwrap_or("");
    Ok(match item.as_atom().map_or("", Atom::text) {
        "registered_name" => Term::atom(name),
        // That of `init` is itself, the others have one of their own.
        "group_leader" if name == "init" => Term::Pid(pid),
        "group_leader" => Term::Pid(Pid::system("user")),
        "message_queue_len" => Term::Int(0),
        "messages" | "binary" | "suspending" => Term::Nil,
        // As of any process: how much memory and work something takes is not modelled.
        "memory" | "heap_size" | "stack_size" | "total_heap_size" | "reductions" => Term::Int(0),
        "status" => a!("waiting"),
        "trap_exit" => Term::bool(!matches!(name, "global_group_check" | "kernel_refc")),
        "current_function" => function(rests_in(name)),
        "initial_call" => function(began_in(name)),
        "priority" => a!("normal"),
        _ => return Err(not_modelled(&format!("process_info(…, {item}) of"), pid)),
    })
}

/// A function as `process_info` names it.
fn function((module, name, arity): (&str, &str, i64)) -> Term {
    Term::tuple([Term::atom(module), Term::atom(name), Term::Int(arity)])
}

/// Where one waits for messages.
fn rests_in(name: &str) -> (&'static str, &'static str, i64) {
    match name {
        "code_server" => ("code_server", "loop", 1),
        "erl_prim_loader" => ("erl_prim_loader", "loop", 3),
        "erl_signal_server" => ("gen_event", "fetch_msg", 6),
        "erts_code_purger" => ("erts_code_purger", "wait_for_request", 0),
        "global_group_check" => ("global_group", "global_group_check_dispatcher", 0),
        "init" => ("init", "boot_loop", 2),
        "socket_registry" => ("socket_registry", "loop", 1),
        "standard_error" => ("standard_error", "server_loop", 1),
        "user" => ("user", "server_loop", 2),
        _ => ("gen_server", "loop", 7),
    }
}

/// What one was spawned with.
fn began_in(name: &str) -> (&'static str, &'static str, i64) {
    match name {
        "init" => ("erl_init", "start", 2),
        "erts_code_purger" => ("erts_code_purger", "start", 0),
        "socket_registry" => ("socket_registry", "start", 0),
        "application_controller"
        | "code_server"
        | "erl_prim_loader"
        | "global_group_check"
        | "standard_error"
        | "user" => ("erlang", "apply", 2),
        _ => ("proc_lib", "init_p", 5),
    }
}

impl Step<'_> {
    /// A message of the caller to a process of the system.
    pub(crate) fn tell_system(&mut self, to: Pid, message: &Term) -> Result<(), Raise> {
        match (to.system_name().unwrap_or(""), message.as_tuple()) {
            ("user" | "standard_error", Some([tag, Term::Pid(from), reply_as, request]))
                if tag.is_atom(atom!("io_request")) =>
            {
                let text = output_of(request)?;
                if !text.is_empty() {
                    self.events.push(Event::Output { pid: *from, text });
                }
                let reply = Term::tuple([a!("io_reply"), reply_as.clone(), a!("ok")]);
                self.answer_later(*from, reply);
                Ok(())
            }
            // A device takes no notice of anything else.
            ("user" | "standard_error", _) => Ok(()),
            ("init", Some([Term::Pid(from), request])) => {
                let answer = init_answer(request)
                    .ok_or_else(|| not_modelled(&format!("the message {message} to"), to))?;
                self.answer_later(*from, Term::tuple([a!("init"), answer]));
                Ok(())
            }
            _ => Err(not_modelled(&format!("the message {message} to"), to)),
        }
    }

    fn answer_later(&mut self, to: Pid, message: Term) {
        let reference = self.new_reference();
        self.touched.sets_timer(reference);
        let timer = Timer {
            reference,
            target: Term::Pid(to),
            message,
            milliseconds: 0,
            set_at_ms: self.virtual_ms.unwrap_or(0),
            repeats: false,
            cancelled: false,
        };
        let timers = &mut self.timers_mut().timers;
        let at = timers.partition_point(|own| own.reference < reference);
        timers.insert(at, timer);
    }
}

/// What `init` answers: there is no command line.
fn init_answer(request: &Term) -> Option<Term> {
    Some(match request.as_atom()?.text() {
        "get_arguments" | "get_plain_arguments" => Term::Nil,
        "get_status" => Term::tuple([a!("started"), a!("started")]),
        "script_id" => Term::tuple([Term::string("Erlang/OTP"), Term::string("25")]),
        _ => return None,
    })
}

/// The text that a request to a device writes.
fn output_of(request: &Term) -> Result<String, Raise> {
    let unmodelled = || Raise::unmodelled(format!("the request {request} to a device"));
    match request.as_tuple() {
        Some([tag, chars]) if tag.is_atom(atom!("put_chars")) => {
            characters(chars, false).ok_or_else(unmodelled)
        }
        Some([tag, encoding, chars]) if tag.is_atom(atom!("put_chars")) => {
            characters(chars, encoding.is_atom(atom!("unicode"))).ok_or_else(unmodelled)
        }
        Some([tag, _, module, function, arguments]) if tag.is_atom(atom!("put_chars")) => {
            let is_format = module.is_atom(atom!("io_lib"))
                && function.as_atom().is_some_and(|it| matches!(it.text(), "format" | "fwrite"));
            let arguments = arguments.to_vec().filter(|_| is_format).ok_or_else(unmodelled)?;
            let [template, values] = &arguments[..] else { return Err(unmodelled()) };
            let template = characters(template, false).ok_or_else(unmodelled)?;
            let values = values.to_vec().ok_or_else(unmodelled)?;
            format(&template, &values).ok_or_else(unmodelled)
        }
        Some([tag, requests]) if tag.is_atom(atom!("requests")) => {
            let requests = requests.to_vec().ok_or_else(unmodelled)?;
            requests.iter().map(output_of).collect()
        }
        Some([tag, _]) if tag.is_atom(atom!("setopts")) => Ok(String::new()),
        _ => Err(unmodelled()),
    }
}
