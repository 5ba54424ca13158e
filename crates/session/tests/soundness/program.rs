//! Programs in which two shapes meet, and a third process looks.
//! A program is three processes that are let go at once, each with the operations of its shape; what they need (a process that
//! waits, tables, servers) is set up before by the first process, and only if some text names it.
//! The same text runs on a real Erlang (`real.rs`), so everything that is looked at in the end is found from the dictionary of
//! the first process.

use crate::shapes::{self, Area, Kind, Shape};
use foresee_stdx::{Random, mix};
use std::fmt;

/// One of the three processes.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) before: String,
    pub(crate) operations: Vec<String>,
    /// It ends with what it has seen as its reason; otherwise it waits for ever.
    pub(crate) ends: bool,
}

/// A program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The shapes that meet, by number.
    pub(crate) pair: (usize, usize),
    pub(crate) parts: [Part; 3],
    pub(crate) table: &'static str,
    /// `T` traps exits.
    pub(crate) traps: bool,
    /// `T` has the name `n`.
    pub(crate) named: bool,
    /// The table `o` has an heir.
    pub(crate) inherited: bool,
    pub(crate) kind: Kind,
}

pub(crate) const TABLE_TYPES: [&str; 4] = ["set", "ordered_set", "bag", "duplicate_bag"];

/// Every pair of shapes, and every pair of operations on tables with each type of table; in an order that a part of it is spread
/// over all.
pub(crate) fn pairs(shapes: &[Shape]) -> Vec<(usize, usize, usize)> {
    let mut pairs = Vec::new();
    for first in 0..shapes.len() {
        for second in first..shapes.len() {
            let both = [shapes[first], shapes[second]].iter().all(|it| it.area == Area::Tables);
            let n_types = if both { TABLE_TYPES.len() } else { 1 };
            pairs.extend((0..n_types).map(|at| (first, second, at)));
        }
    }
    pairs.sort_by_key(|&(a, b, c)| {
        let drawn = mix(((a as u64) << 32) ^ ((b as u64) << 8) ^ c as u64);
        // Those that are likely to bear on each other come early, four of them for each of the others.
        if are_related(shapes[a].area, shapes[b].area) { drawn >> 2 } else { drawn }
    });
    pairs
}

fn are_related(a: Area, b: Area) -> bool {
    let about_processes =
        |area| matches!(area, Area::Processes | Area::Names | Area::Timers | Area::Behaviours);
    a == b || (about_processes(a) && about_processes(b))
}

impl Program {
    /// The program of a pair.
    pub(crate) fn of(shapes: &[Shape], (first, second, table): (usize, usize, usize)) -> Program {
        let (a, b) = (shapes[first], shapes[second]);
        let seed = mix(((first as u64) << 40) ^ ((second as u64) << 16) ^ table as u64);
        let mut random = Random::new(seed);
        let mut bit = || random.below(2) == 1;
        let mut part = |shape: &Shape| {
            let mut operations = vec![shape.text.to_owned()];
            // What has come into its mailbox may make a difference to it.
            if bit() {
                operations.push("receive Y -> Y after 0 -> none end".to_owned());
            }
            Part { before: shape.before.to_owned(), operations, ends: bit() }
        };
        let (one, two) = (part(&a), part(&b));
        let (traps, named, inherited) = (bit(), bit(), bit());
        let looks: Vec<&str> =
            [a.area, b.area].into_iter().flat_map(shapes::looks).copied().collect();
        let look = looks[random.below(looks.len() as u64) as usize].to_owned();
        let both = a.area == Area::Tables && b.area == Area::Tables;
        let table = if both { table } else { random.below(4) as usize };
        let three = Part { before: String::new(), operations: vec![look], ends: false };
        let seen = shapes.iter().find(|it| it.text == three.operations[0]).map(|it| it.kind);
        let kinds = [a.kind, b.kind, seen.unwrap_or(Kind::Start)];
        let kind = kinds.into_iter().max_by_key(|it| *it as u8).expect("three");
        Program {
            pair: (first, second),
            parts: [one, two, three],
            table: TABLE_TYPES[table],
            traps,
            named,
            inherited,
            kind,
        }
    }

    /// The same with a part left out, for every part.
    pub(crate) fn smaller(&self) -> Vec<Program> {
        let mut smaller = Vec::new();
        for at in 0..3 {
            let mut with = |change: &dyn Fn(&mut Part)| {
                let mut program = self.clone();
                change(&mut program.parts[at]);
                smaller.push(program);
            };
            let part = &self.parts[at];
            for number in 0..part.operations.len() {
                with(&|part| drop(part.operations.remove(number)));
            }
            if !part.before.is_empty() {
                with(&|part| part.before.clear());
            }
            if part.ends {
                with(&|part| part.ends = false);
            }
        }
        for (is_set, clear) in [
            (self.traps, (|it| it.traps = false) as fn(&mut Program)),
            (self.named, |it| it.named = false),
            (self.inherited, |it| it.inherited = false),
        ] {
            if is_set {
                let mut program = self.clone();
                clear(&mut program);
                smaller.push(program);
            }
        }
        smaller
    }

    /// Whether some text names this.
    fn names(&self, word: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        self.parts.iter().any(|part| {
            let texts = part.operations.iter().chain([&part.before]);
            texts.into_iter().any(|text| text.split(|c| !is_part(c)).any(|it| it == word))
        })
    }

    /// Whether a run may wait for time to go by.
    pub(crate) fn waits(&self) -> bool {
        let texts = self.parts.iter().flat_map(|it| it.operations.iter().chain([&it.before]));
        let words = [
            "after 5",
            ", 5)",
            "_after(",
            "start_timer(",
            "TR",
            "nap",
            "wait",
            "supervisor",
            "(w)",
        ];
        texts.into_iter().any(|text| words.iter().any(|word| text.contains(word)))
    }

    /// The module.
    pub(crate) fn module(&self, name: &str) -> String {
        let mut text = format!("-module({name}).\n{HEAD}main() ->\n    Main = self(),\n");
        for at in 1..=3 {
            text += &format!("    P{at} = spawn(fun p{at}/0),\n");
        }
        text += &format!(
            "    T = spawn(fun() -> process_flag(trap_exit, {}), target() end),\n",
            self.traps
        );
        let own = |word: &str, value: &str, otherwise: &str| {
            let value = if self.names(word) { value } else { otherwise };
            format!("    {word} = {value},\n")
        };
        let mut lines = String::new();
        lines += &own("D", "ended()", "none");
        lines += &own("C", "counters:new(2, [])", "none");
        lines += &own("X", "atomics:new(1, [])", "none");
        lines += &own("S", "ok(gen_server:start(?MODULE, 0, []))", "none");
        lines += &own("F", "ok(gen_statem:start(?MODULE, fsm, []))", "none");
        lines += &own("E", "manager()", "none");
        lines += &own("V", "supervisor()", "none");
        text += &lines;
        if self.names("t") {
            text += &format!("    ets:new(t, [named_table, public, {}]),\n", self.table);
            text += "    ets:insert(t, [{k, 0}, {1, i}]),\n";
        }
        if self.names("o") {
            let heir = if self.inherited { "[{heir, Main, h}]" } else { "[]" };
            text += &format!("    T ! {{own, Main, {heir}}}, receive owned -> ok end,\n");
        }
        if self.named {
            text += "    register(n, T),\n";
        }
        text += "    put(names, [{main, Main}, {p1, P1}, {p2, P2}, {p3, P3}, {t, T}, {d, D}, {s, S}, {f, F}, {e, E}, {v, V}]),\n";
        text += "    put(cells, {C, X}),\n    sync(),\n";
        // One after the other: two that set up the same thing would race for it before anybody looks.
        for (own, other) in [(1, 2), (2, 1), (3, 1)] {
            text += &format!("    P{own} ! {{env, Main, P{other}, T, D, C, X, S, F, E, V}},\n");
            text += &format!("    A{own} = receive {{ready, P{own}, It{own}}} -> It{own} end,\n");
        }
        let timer = if self.names("TR") { "erlang:send_after(1, T, tm)" } else { "none" };
        text += &format!("    TR = {timer},\n");
        text += "    [P ! {go, A, TR} || {P, A} <- [{P1, A2}, {P2, A1}, {P3, A1}]],\n";
        text += "    put(ready, true),\n    receive {never, Main} -> ok end.\n";
        for (at, part) in self.parts.iter().enumerate() {
            text += &self.process(at + 1, part);
        }
        text + REST
    }

    fn process(&self, at: usize, part: &Part) -> String {
        let mut text = format!(
            "p{at}() ->\n    receive {{env, Main, Q, T, D, C, X, S, F, E, V}} -> ok end,\n"
        );
        if !part.before.is_empty() {
            text += &format!("    catch {},\n", part.before);
        }
        if self.names("AQ") && !part.before.contains("put(a,") {
            text += "    put(a, alias([reply])),\n";
        }
        text += "    Main ! {ready, self(), get(a)},\n";
        // Some operations happen together with the receive before them.
        text += "    receive {go, AQ, TR} -> ok end,\n    erlang:yield(),\n    put(log, []),\n";
        for operation in &part.operations {
            text += &format!("    log(t(fun() -> {operation} end)),\n");
        }
        text += match part.ends {
            true => "    exit({log, get(log)}),\n",
            false => "    receive never -> ok end,\n",
        };
        text + "    {Q, T, D, C, X, S, F, E, V, AQ, TR}.\n"
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Program { table, traps, named, inherited, .. } = self;
        writeln!(f, "{table}, T traps: {traps}, T is n: {named}, o has an heir: {inherited}")?;
        for (at, part) in self.parts.iter().enumerate() {
            let end = if part.ends { "; ends" } else { "" };
            writeln!(f, "P{}: [{}] {}{end}", at + 1, part.before, part.operations.join(",  "))?;
        }
        Ok(())
    }
}

const HEAD: &str = "-compile([nowarn_unused_vars, nowarn_unused_function, nowarn_export_vars]).
-export([main/0, child/1, start_w/0, init/1, handle_call/3, handle_cast/2, handle_info/2,
         callback_mode/0, handle_event/4, handle_event/2, handle_call/2]).
";

const REST: &str = "
-ifdef(REAL).
sync() -> harness ! {self(), get(names)}, receive continue -> ok end.
rest() ->
    case rand:uniform(4) of
        1 -> erlang:yield();
        2 -> lists:sum(lists:seq(1, rand:uniform(2000)));
        _ -> ok
    end.
-else.
sync() -> ok.
rest() -> ok.
-endif.
log(R) -> put(log, [R | get(log)]).
t(F) -> rest(), try F() catch _:E -> {failed, E} end.
ok({ok, It}) -> It.
ended() ->
    {D, M} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', M, _, _, _} -> D end.
manager() ->
    {ok, E} = gen_event:start(),
    ok = gen_event:add_handler(E, ?MODULE, ev),
    E.
supervisor() ->
    {ok, V} = supervisor:start_link(?MODULE, sup),
    unlink(V),
    V.
start_w() -> gen_server:start_link({local, w}, ?MODULE, 0, []).
child(T) -> T ! c.
target() ->
    receive
        stop -> ok;
        {ask, From} -> From ! {answer, 1}, target();
        {own, Main, Heir} ->
            ets:new(o, [named_table, public | Heir]),
            ets:insert(o, {k, 0}),
            Main ! owned,
            target()
    end.

init(0) -> {ok, 0};
init(ev) -> {ok, ev};
init(fsm) -> {ok, off, 0};
init(bad) -> {stop, bad};
init(sup) -> {ok, {{one_for_one, 1, 10}, [{w, {?MODULE, start_w, []}, permanent, 100, worker, [?MODULE]}]}}.
handle_call(get, _, State) -> {reply, State, State};
handle_call({set, V}, _, State) -> {reply, State, V};
handle_call(never, _, State) -> {noreply, State};
handle_call({later, _}, From, _) -> gen_server:reply(From, early), {noreply, later};
handle_call(crash, _, _) -> exit(crashed);
handle_call(stop, _, State) -> {stop, normal, State, State}.
handle_cast({set, V}, _) -> {noreply, V};
handle_cast({tell, P}, State) -> P ! told, {noreply, State};
handle_cast(nap, State) -> {noreply, State, 1};
handle_cast(stop, State) -> {stop, normal, State}.
handle_info(timeout, _) -> {noreply, rested};
handle_info(_, ev) -> {ok, ev};
handle_info(_, State) -> {noreply, State}.

callback_mode() -> handle_event_function.
handle_event({call, From}, get, State, _) -> {keep_state_and_data, [{reply, From, State}]};
handle_event(cast, flip, off, Data) -> {next_state, on, Data};
handle_event(cast, flip, _, Data) -> {next_state, off, Data};
handle_event(cast, wait, _, _) -> {keep_state_and_data, [{state_timeout, 1, over}]};
handle_event(state_timeout, over, _, Data) -> {next_state, late, Data};
handle_event(_, _, _, _) -> keep_state_and_data.

handle_event({tell, P}, State) -> P ! event, {ok, State};
handle_event(_, State) -> {ok, State}.
handle_call(_, State) -> {ok, State, State}.
";
