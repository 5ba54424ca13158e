//! Small Erlang programs that are a function of a seed.
//! A program is a few processes with a few operations each; an operation is a text of its own, so that any part of a program
//! is a program. What a program does is drawn from a few themes, because programs that do a little of everything rarely
//! have two processes meet.

use foresee_stdx::Random;
use std::fmt;

/// The operations of each process, and how each of them ends.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) processes: Vec<(Vec<String>, String)>,
}

const MAIL: &[&str] =
    &["{P} ! {M}", "{P} ! {M}", "{P} ! {M}", "{RECEIVE}", "{RECEIVE}", "{RECEIVE}"];
const TABLES: &[&str] = &[
    "ets:insert(t, {{K}, {V}})",
    "ets:insert(t, [{k, {V}}, {l, {V}}])",
    "ets:insert_new(t, {{K}, {V}})",
    "ets:lookup(t, {K})",
    "ets:member(t, {K})",
    "ets:delete(t, {K})",
    "ets:take(t, {K})",
    "ets:update_counter(t, {K}, 1)",
    "ets:update_counter(t, {K}, 1, {{K}, 0})",
    "ets:update_element(t, {K}, {2, {V}})",
    "ets:info(t, size)",
    "ets:tab2list(t)",
    "ets:select_count(t, [{{'_', {V}}, [], [true]}])",
    "ets:match_delete(t, {{K}, '_'})",
    "ets:delete_object(t, {{K}, {V}})",
    "ets:delete_all_objects(t)",
];
const NAMES: &[&str] = &[
    "register({N}, self())",
    "register({N}, {P})",
    "unregister({N})",
    "whereis({N})",
    "{N} ! {M}",
    "put(monitor, monitor(process, {N}))",
    "registered() -- [m]",
    "exit(whereis({N}), {R})",
];
const LIVES: &[&str] = &[
    "link({P})",
    "unlink({P})",
    "put(monitor, monitor(process, {P}))",
    "demonitor(get(monitor))",
    "demonitor(get(monitor), [flush])",
    "demonitor(get(monitor), [flush, info])",
    "exit({P}, {R})",
    "exit({P}, {R})",
    "process_flag(trap_exit, true)",
    "process_flag(trap_exit, {B})",
    "is_process_alive({P})",
    "receive {'EXIT', _, R} -> {exit, R} {A} end",
    "receive {'DOWN', _, _, _, R} -> {down, R} {A} end",
    "receive {m, X} -> X; {'DOWN', _, _, _, R} -> R {A} end",
];
const BIRTHS: &[&str] = &[
    "spawn(fun() -> {P} ! {M} end)",
    "spawn(fun() -> receive {M} -> {P} ! {M} end end) ! {M}",
    "spawn_link(fun() -> exit({R}) end)",
    "spawn_link(fun() -> {P} ! {M} end)",
    "spawn_monitor(fun() -> exit({R}) end)",
    "spawn_monitor(fun() -> ets:insert(t, {{K}, {V}}) end)",
    "spawn_link(fun() -> receive X -> X {A} end end)",
];
const TIMERS: &[&str] = &[
    "put(timer, erlang:send_after(5, {P}, {M}))",
    "put(timer, erlang:start_timer(5, {P}, {M}))",
    "put(timer, erlang:send_after(5, self(), {M}))",
    "erlang:cancel_timer(get(timer)) =:= false",
    "erlang:read_timer(get(timer)) =:= false",
    "receive {timeout, _, X} -> X {A} end",
    "{RECEIVE}",
];
const SERVERS: &[&str] = &[
    "gen_server:call(S, {Q}, 10)",
    "gen_server:call(S, {Q}, 10)",
    "gen_server:call(S, {Q}, infinity)",
    "gen_server:cast(S, {C})",
    "S ! {M}",
    "{P} ! {M}",
];
const OTHERS: &[&str] = &[
    "persistent_term:put({K}, {V})",
    "persistent_term:get({K}, none)",
    "persistent_term:erase({K})",
    "process_info({P}, message_queue_len)",
    "process_info(self(), message_queue_len)",
    "begin A = alias(), {P} ! {alias, A}, put(alias, A) end",
    "unalias(get(alias))",
    "receive {alias, A} -> A ! {M} {A} end",
];
const THEMES: [&[&str]; 8] = [MAIL, TABLES, NAMES, LIVES, BIRTHS, TIMERS, SERVERS, OTHERS];

const RECEIVES: &[&str] = &[
    "receive X -> X {A} end",
    "receive X -> X {A} end",
    "receive a -> a {A} end",
    "receive {m, X} -> X {A} end",
    "receive {m, X} when X > 1 -> X {A} end",
    "receive X when is_atom(X) -> X {A} end",
    "receive b -> b; {m, 1} -> one {A} end",
];
const MESSAGES: &[&str] = &["a", "b", "{m, 1}", "{m, 2}"];
const REASONS: &[&str] = &["normal", "kill", "boom", "boom", "shutdown"];
const QUESTIONS: &[&str] = &["get", "get", "{set, {V}}", "never", "stop", "later"];
const CASTS: &[&str] = &["{set, {V}}", "{tell, {P}}", "stop", "answer"];
const ENDS: &[&str] = &["", "", "", "ok", "exit({R})"];

/// The program of a seed.
pub(crate) fn generated(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let n_processes = random.between(2, 4);
    let mut themes = vec![MAIL];
    for _ in 0..random.between(0, 2) {
        themes.push(*pick(&THEMES, &mut random));
    }
    let mut left = random.between(3, 8);
    let mut processes = Vec::new();
    for at in 0..n_processes {
        let rest = n_processes - at - 1;
        let n_ops = random.between(1, 4).min(left.saturating_sub(rest).max(1));
        left = left.saturating_sub(n_ops);
        let mut op = || {
            let theme = *pick(&themes, &mut random);
            let template = *pick(theme, &mut random);
            filled(template, n_processes, &mut random)
        };
        let ops = (0..n_ops).map(|_| op()).collect();
        let end = *pick(ENDS, &mut random);
        processes.push((ops, filled(end, n_processes, &mut random)));
    }
    Program { processes }
}

fn pick<'t, T>(things: &'t [T], random: &mut Random) -> &'t T {
    &things[random.below(things.len() as u64) as usize]
}

/// The template with something drawn for each of its places.
fn filled(template: &str, n_processes: u64, random: &mut Random) -> String {
    let mut text = template.to_owned();
    let places = [
        ("{RECEIVE}", RECEIVES),
        ("{Q}", QUESTIONS),
        ("{C}", CASTS),
        ("{M}", MESSAGES),
        ("{N}", &["n", "n", "o"]),
        ("{K}", &["k", "k", "l"]),
        ("{V}", &["1", "2"]),
        ("{R}", REASONS),
        ("{B}", &["true", "false"]),
        ("{A}", &["", "", "after 0 -> late", "after 10 -> late"]),
    ];
    for (place, choices) in places {
        while text.contains(place) {
            text = text.replacen(place, pick::<&str>(choices, random), 1);
        }
    }
    while text.contains("{P}") {
        text = text.replacen("{P}", &format!("P{}", random.between(1, n_processes)), 1);
    }
    text
}

impl Program {
    /// The same with a part left out, for every part.
    pub(crate) fn smaller(&self) -> Vec<Program> {
        let mut smaller = Vec::new();
        for (at, (ops, end)) in self.processes.iter().enumerate() {
            let mut with = |ops: Vec<String>, end: &str| {
                let mut program = self.clone();
                program.processes[at] = (ops, end.to_owned());
                smaller.push(program);
            };
            for op in 0..ops.len() {
                let mut fewer = ops.clone();
                fewer.remove(op);
                with(fewer, end);
            }
            for (op, text) in ops.iter().enumerate() {
                let plain = text.replace("after 0 -> late", "").replace("after 10 -> late", "");
                if plain != *text {
                    let mut simpler = ops.clone();
                    simpler[op] = plain;
                    with(simpler, end);
                }
            }
            if !end.is_empty() {
                with(ops.clone(), "");
            }
        }
        let last = self.processes.len() - 1;
        let text = self.to_string();
        if self.processes[last].0.is_empty() && !text.contains(&format!("P{} !", last + 1)) {
            let mut program = self.clone();
            program.processes.pop();
            smaller.push(program);
        }
        smaller
    }

    /// The module: its first process sets the others up, lets them go and waits.
    pub(crate) fn module(&self) -> String {
        let n = self.processes.len();
        let names: Vec<String> = (1..=n).map(|at| format!("P{at}")).collect();
        let all = format!("{{{}, S}}", names.join(", "));
        let spawns: String =
            (1..=n).map(|at| format!("    P{at} = spawn(fun p{at}/0),\n")).collect();
        let goes: String =
            names.iter().map(|name| format!("    {name} ! {{go, All}},\n")).collect();
        let mut text = format!(
            "-module(m).\n-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).\n\
             main() ->\n    ets:new(t, [named_table, public]),\n{spawns}    \
             {{ok, S}} = gen_server:start(m, 0, []),\n    All = {all},\n{goes}    \
             put(ready, true),\n    receive {{never, All}} -> ok end.\n{CALLBACKS}"
        );
        for (at, (ops, end)) in self.processes.iter().enumerate() {
            let all: Vec<String> = names.iter().map(|name| format!("_{name} = {name}")).collect();
            let all = format!("{{{}, _S = S}}", all.join(", "));
            text += &format!(
                "p{}() ->\n    receive {{go, {all}}} -> ok end,\n    ets:info(t, owner),\n",
                at + 1
            );
            for (number, op) in ops.iter().enumerate() {
                text += &format!("    R{number} = t(fun() -> {op} end),\n");
            }
            let log: Vec<String> = (0..ops.len()).map(|number| format!("R{number}")).collect();
            match end.as_str() {
                "" => text += &format!("    receive {{never, [{}]}} -> ok end.\n", log.join(", ")),
                end => text += &format!("    {end}.\n"),
            }
        }
        text
    }
}

const CALLBACKS: &str = "
init(State) -> {ok, State}.
handle_call(get, _, State) -> {reply, State, State};
handle_call({set, V}, _, State) -> {reply, State, V};
handle_call(never, _, State) -> {noreply, State};
handle_call(later, From, _) -> {noreply, {later, From}};
handle_call(stop, _, State) -> {stop, normal, State, State}.
handle_cast({set, V}, _) -> {noreply, V};
handle_cast({tell, P}, State) -> P ! {m, 1}, {noreply, State};
handle_cast(answer, {later, From}) -> gen_server:reply(From, late), {noreply, 0};
handle_cast(answer, State) -> {noreply, State};
handle_cast(stop, State) -> {stop, normal, State}.
handle_info(_, State) -> {noreply, State}.

t(F) -> try F() catch _:E -> {failed, E} end.
";

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (ops, end)) in self.processes.iter().enumerate() {
            writeln!(
                f,
                "P{}: {}{}{end}",
                at + 1,
                ops.join(",  "),
                if end.is_empty() { "" } else { ",  " }
            )?;
        }
        Ok(())
    }
}
