//! Random trees of two servers and two clients: both routes agree on each, up to branching bisimulation. A failure prints
//! the seed and the texts; `FORESEE_SEED=N cargo test -p foresee-translate --test random` runs that one alone.

#![allow(clippy::disallowed_methods, reason = "a seed to look at again comes from outside")]

mod support;

use foresee_algebra::Algebra;
use foresee_erlang::{CrashPoints, Crashes, Entry, Erlang, Labels, Options as Run, link};
use foresee_erlang_syntax::Parse;
use foresee_logic::{Equivalence, Lts, compare, generate_lts};
use foresee_translate::{Options, erlang_label, translate};
use support::{expect, parse};

/// A small generator of numbers; the same seed gives the same tree.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

/// What a callback does with its state `{N, W}`: a number below three, and who waits.
fn answer(random: &mut Random, is_front: bool) -> String {
    let k = random.below(3);
    let simple = [
        format!("{{reply, N, {{(N + {k}) rem 3, W}}}}"),
        format!(
            "if N =:= {k} -> {{reply, {{yes, N}}, {{0, W}}}}; true -> {{noreply, {{N, W ++ [From]}}}} end"
        ),
        "[gen_server:reply(F, {late, N}) || F <- W], {reply, length(W), {N, []}}".to_owned(),
        "{noreply, {N, [From | W]}, {continue, serve}}".to_owned(),
        format!(
            "case {{N, W}} of {{{k}, []}} -> {{reply, none, {{N, W}}}}; {{M, [F | Fs]}} when M > 0 -> gen_server:reply(F, M), {{reply, some, {{M - 1, Fs}}}}; _ -> bump({k}, N, W) end"
        ),
        format!("foresee:action(seen, [N]), {{reply, lists:member(N, [{k}, 1]), {{N, W}}}}"),
    ];
    let front = [
        "X = gen_server:call(back, a, infinity), {reply, X, {N, W}}".to_owned(),
        format!("gen_server:cast(back, {{c, {k}}}), {{reply, sent, {{(N + 1) rem 3, W}}}}"),
    ];
    let n = simple.len() + if is_front { front.len() } else { 0 };
    simple.into_iter().chain(front).nth(random.below(n)).expect("counted")
}

/// Servers link to their clients only where these talk to one server each: two could not be told of an end in one step.
fn server(random: &mut Random, name: &str, is_crashing: bool) -> String {
    let link = if is_crashing { "link(P)" } else { "id(P)" };
    let is_front = name == "front";
    let calls: Vec<String> = ["a", "b"]
        .iter()
        .map(|it| {
            format!(
                "handle_call({it}, From = {{P, _}}, {{N, W}}) -> {link}, {}",
                answer(random, is_front)
            )
        })
        .collect();
    let served = random.one(&["{served, N}", "N", "W"]);
    let cast = random.one(&[
        "{noreply, {(N + K) rem 3, W}}",
        "{noreply, {K, W}, {continue, serve}}",
        "case W of [] -> {noreply, {K, []}}; [F | Fs] -> gen_server:reply(F, {cast, K}), {noreply, {N, Fs}} end",
    ]);
    let served = if served == "W" { "length(W)" } else { served };
    format!(
        "-module({name}).\n-compile([export_all, nowarn_export_all, nowarn_unused_function]).\n\
         start_link() -> gen_server:start_link({{local, {name}}}, {name}, [], []).\n\
         init(_) -> process_flag(trap_exit, true), {{ok, {{{}, []}}}}.\n{}.\n\
         handle_cast({{c, K}}, {{N, W}}) -> id(N), {cast}.\n\
         handle_continue(serve, {{N, W}}) when length(W) > {} -> gen_server:reply(hd(W), {served}), {{noreply, {{N, tl(W)}}}};\n\
         handle_continue(serve, S) -> {{noreply, S}}.\n\
         handle_info({{'EXIT', P, _}}, {{N, W}}) -> {{noreply, {{N, [F || F = {{Q, _}} <- W, Q =/= P]}}}}.\n\
         bump(K, N, W) -> {{reply, {{bumped, K}}, {{(N + K) rem 3, W}}}}.\nid(X) -> X.\n",
        random.below(3),
        calls.join(";\n"),
        random.below(2),
    )
}

fn step(random: &mut Random, depth: usize, servers: &[&str]) -> String {
    let server = random.one(servers);
    let message = random.one(&["a", "b"]);
    let call = format!("gen_server:call({server}, {message}, infinity)");
    // Whether a function that recurses comes to the end of its client is seen too late to keep a crash away.
    let n = if servers.len() == 1 { 5 } else { 6 };
    match random.below(if depth == 0 { 4 } else { n }) {
        0 => call,
        1 => format!("gen_server:cast({server}, {{c, {}}})", random.below(3)),
        2 => format!("foresee:action(did, [self(), {}])", random.below(2)),
        3 => format!("ask({server}, {message})"),
        4 => {
            let (one, other) = (step(random, depth - 1, servers), step(random, depth - 1, servers));
            // Variables of one function must differ.
            let r = format!("R{}", random.0 >> 33);
            format!(
                "case {call} of 0 -> {one}; {{_, {r}}} when is_integer({r}) -> {other}; _ -> ok end"
            )
        }
        _ => format!("twice({server}, {message}, {})", 1 + random.below(2)),
    }
}

/// Clients that crash talk to one server each.
fn tree(random: &mut Random, is_crashing: bool) -> String {
    let clients: Vec<String> = (1..=2)
        .map(|n| {
            let servers = match (is_crashing, n) {
                (false, _) => &["front", "back"][..],
                (true, 1) => &["front"],
                (true, _) => &["back"],
            };
            let steps: Vec<String> =
                (0..=random.below(2)).map(|_| step(random, 1, servers)).collect();
            format!("client({n}) -> {}", steps.join(",\n  "))
        })
        .collect();
    format!(
        "-module(tree).\n-compile([export_all, nowarn_export_all, nowarn_unused_function]).\n\
         start_link() -> supervisor:start_link(tree, []).\n\
         init(_) -> {{ok, {{#{{}}, [#{{id => S, start => {{S, start_link, []}}}} || S <- [back, front]] ++\n\
           [#{{id => {{client, N}}, start => {{tree, start, [N]}}, restart => temporary}} || N <- [1, 2]]}}}}.\n\
         start(N) -> {{ok, spawn_link(tree, client, [N])}}.\n{}.\n\
         ask(S, M) -> foresee:action(got, [gen_server:call(S, M, infinity)]).\n\
         twice(_, _, 0) -> 0;\ntwice(S, M, N) -> ask(S, M), 1 + twice(S, M, N - 1).\n",
        clients.join(";\n")
    )
}

fn routes(modules: &[Parse], crash: &[String]) -> (Lts, Lts) {
    let loaded = link(modules.to_vec());
    let Some(program) = loaded.program else { panic!("{:?}", loaded.problems) };
    let (processes, points) = (crash.to_vec(), CrashPoints::Calls);
    let crashes =
        Crashes { processes, points, restart: false, may_cease: false, ..Crashes::default() };
    let crashes = (!crash.is_empty()).then_some(crashes);
    let options = Run { labels: Some(Labels::default()), crashes, ..Run::default() };
    let system = Erlang::new(program, Entry::supervisor("tree", "start_link"), options);
    let direct = generate_lts(&system, &|state, action| system.visible_label(state, action));
    let options = Options { async_reply: true, crash: crash.to_vec(), ..Options::default() };
    let translation = expect(translate(modules, ("tree", "start_link"), &options));
    let system = Algebra::new(&translation.specification, translation.algebra_options())
        .unwrap_or_else(|it| panic!("{it:#?}\n{}", translation.to_mucrl()));
    let label = |action| system.visible_text(action).map(|it| erlang_label(&it).into_owned());
    (direct, generate_lts(&system, &|_, action| label(action)))
}

fn agree(seed: u64, crash: &[String]) {
    let (mut random, is_crashing) = (Random(seed), !crash.is_empty());
    let back = ("back.erl", server(&mut random, "back", is_crashing));
    let front = ("front.erl", server(&mut random, "front", is_crashing));
    let texts = [back, front, ("tree.erl", tree(&mut random, is_crashing))];
    let modules: Vec<Parse> = texts.iter().map(|(path, text)| parse(path, text, &[])).collect();
    let (direct, translated) = routes(&modules, crash);
    let comparison = compare(&direct, &translated, Equivalence::Branching);
    let all: Vec<&str> = texts.iter().map(|it| it.1.as_str()).collect();
    let all = all.join("\n");
    assert_eq!(comparison.equivalent, Some(true), "seed {seed}: {comparison:#?}\n{all}");
}

fn seeds(n: u64) -> std::ops::RangeInclusive<u64> {
    let asked = std::env::var("FORESEE_SEED").ok().and_then(|it| it.parse().ok());
    asked.map_or(1..=n, |it: u64| it..=it)
}

#[test]
fn both_routes_agree_on_random_trees() {
    seeds(24).for_each(|seed| agree(seed, &[]));
}

#[test]
fn both_routes_agree_on_random_trees_whose_clients_crash() {
    seeds(10).for_each(|seed| agree(seed, &["client_*".to_owned()]));
}
