//! How fast interleavings of Erlang programs are explored: through the door, as `foresee check` does it, on one thread but
//! for the last line, which compares one thread with two.
//! Each figure stands beside the floor it must not fall under (`floor`, or `ceiling` where less is better) and says whether
//! it is met; speed is judged by the best run, because what else the machine does can only slow one down, and memory by a run
//! of its own in which every allocation is counted. Every run asserts its number of interleavings.
//! Rates are in processor time, as the peer's are, and without the start, which has a line of its own.
//! The peer needs an Erlang to run on and is not run here: its figures are those measured on this kind of machine when the
//! floors were set, cited as they were written down.

use crate::erlang::rounded;
use crate::memory;
use foresee_session::{
    CheckRequest, Engine, ErlangOptions, ErlangSource, Ignored, Loaded, NoMeter, Outcome, Registry,
    Report, Silent, check, open,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;

pub(crate) const CASES: &[crate::Measured] = &[
    ("erlang-dpor-start", start),
    ("erlang-dpor-start-gen-server", start_gen_server),
    ("erlang-dpor-readers-12", readers),
    ("erlang-dpor-clients-6", clients),
    ("erlang-dpor-corfu-rate", corfu_rate),
    ("erlang-dpor-corfu-whole", corfu_whole),
    ("erlang-dpor-corfu-threads", corfu_threads),
];

/// An odd number, so that the median is a run.
const RUNS: usize = 9;

const PEER: &str = "concuerror (cited)";

/// No case may hold more at once.
const MEGABYTES_MAX: f64 = 200.0;

const SMALL: &str = "test() -> Self = self(), [spawn(fun() -> Self ! N end) || N <- lists:seq(1, 3)],\n\
    [receive _ -> ok end || _ <- lists:seq(1, 3)].\n";

const READERS: &str = "test() -> T = ets:new(t, [public]), ets:insert(T, {x, 0}),\n\
    [spawn(fun() -> ets:lookup(T, x) end) || _ <- lists:seq(1, 12)],\n\
    spawn(fun() -> ets:insert(T, {x, 1}) end), receive after infinity -> ok end.\n";

const CLIENTS: &str = "test() -> {ok, S} = gen_server:start_link(m, 0, []),\n\
    Call = fun(N) -> spawn_monitor(fun() -> gen_server:call(S, N, infinity) end) end,\n\
    Clients = [Call(N) || N <- lists:seq(1, 6)],\n\
    [receive {'DOWN', M, process, _, _} -> ok end || {_, M} <- Clients],\n\
    gen_server:stop(S).\n";

const SERVER: &str = "init(State) -> {ok, State}.\n\
    handle_call(_, _, State) -> {reply, State, State + 1}.\n\
    handle_cast(_, State) -> {noreply, State}.\n";

/// The chain-repair study, as it stands in the examples.
pub(crate) const CORFU: [(&str, &str); 6] = [
    ("corfu.erl", include_str!("../../examples/corfu/corfu.erl")),
    ("corfu.hrl", include_str!("../../examples/corfu/corfu.hrl")),
    ("corfu_client.erl", include_str!("../../examples/corfu/corfu_client.erl")),
    ("corfu_layout.erl", include_str!("../../examples/corfu/corfu_layout.erl")),
    ("corfu_log.erl", include_str!("../../examples/corfu/corfu_log.erl")),
    ("corfu_repair.erl", include_str!("../../examples/corfu/corfu_repair.erl")),
];

/// A program and how much of it to explore.
#[derive(Clone)]
struct Program {
    files: BTreeMap<String, String>,
    test: &'static str,
    threads: usize,
    interleavings_max: Option<u64>,
    /// How many there must be.
    interleavings: u64,
}

impl Program {
    fn module(body: &str, interleavings: u64) -> Self {
        let server = if body.contains("gen_server") { SERVER } else { "" };
        let exports = if server.is_empty() { "" } else { ", init/1, handle_call/3, handle_cast/2" };
        let text = format!("-module(m).\n-export([test/0{exports}]).\n{body}{server}");
        let files = BTreeMap::from([("m.erl".to_owned(), text)]);
        Program { files, test: "test", threads: 1, interleavings_max: None, interleavings }
    }

    /// Method 3 on a chain of one, with both refinements.
    fn corfu(interleavings_max: Option<u64>, interleavings: u64) -> Self {
        let own = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        let files = CORFU.iter().map(own).collect();
        let (test, threads) = ("middle_refined", 1);
        Program { files, test, threads, interleavings_max, interleavings }
    }

    fn load(&self) -> Loaded {
        let is_module = |name: &&String| name.ends_with(".erl");
        let request = ErlangSource {
            files: self.files.keys().filter(is_module).cloned().collect(),
            function: Some(self.test.to_owned()),
            // The readers' first process waits for ever.
            options: ErlangOptions { ignored: vec![Ignored::Deadlock], ..ErlangOptions::default() },
            ..ErlangSource::default()
        };
        open(&request.into(), &Registry::new(), &self.files).expect("a program without mistakes")
    }

    fn check(&self, loaded: &Loaded) -> Report {
        let (engine, threads) = (Some(Engine::Stateless), self.threads);
        let mut request = CheckRequest { engine, threads, ..CheckRequest::default() };
        request.limits.interleavings_max = self.interleavings_max;
        let report = check(loaded, &request, &NoMeter, &mut Silent);
        let is_cut = self.interleavings_max.is_some();
        let expected = if is_cut { Outcome::Inconclusive } else { Outcome::Holds };
        assert_eq!((report.verdict, report.interleavings), (expected, self.interleavings));
        report
    }

    /// The same, only its first interleaving.
    fn first(&self) -> Program {
        Program { interleavings_max: Some(1), interleavings: 1, ..self.clone() }
    }

    /// Seconds of loading and exploring, each time anew, the fastest first.
    fn times(&self, n_runs: usize, now: impl Fn() -> f64) -> Vec<f64> {
        let once = |_| {
            let started = now();
            self.check(&self.load());
            now() - started
        };
        let mut all: Vec<f64> = (0..n_runs).map(once).collect();
        all.sort_by(f64::total_cmp);
        all
    }

    /// Most megabytes held at once.
    fn megabytes(&self) -> f64 {
        let ((), bytes) = memory::peak_of(|| drop(self.check(&self.load())));
        rounded(bytes as f64 / 1e6)
    }
}

/// Seconds on the wall.
fn wall() -> impl Fn() -> f64 {
    let origin = Instant::now();
    move || origin.elapsed().as_secs_f64()
}

/// Seconds that this thread has been given, where the system tells, else those on the wall.
fn processor() -> impl Fn() -> f64 {
    let wall = wall();
    move || {
        // The system brings the figure up to date at each of its ticks, some milliseconds apart, and when a thread yields.
        std::thread::yield_now();
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let first = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
        first.map_or_else(&wall, |nanoseconds| nanoseconds / 1e9)
    }
}

fn line(name: &str, mut ours: Value, limit: (&str, f64), is_met: bool, megabytes: f64) -> Value {
    ours["megabytes"] = json!(megabytes);
    let is_met = is_met && megabytes <= MEGABYTES_MAX;
    let mut line = json!({ "bench": name, "ours": ours, "peer": PEER });
    line[limit.0] = json!(limit.1);
    line["megabytes_max"] = json!(MEGABYTES_MAX);
    line["floors"] = json!(if is_met { "met" } else { "not met" });
    line
}

/// From nothing to the end of the first interleaving.
fn milliseconds(name: &str, body: &str, theirs_ms: f64) -> Value {
    let program = Program::module(body, 1).first();
    let times = program.times(RUNS, wall());
    let (ms, best) = (times[RUNS / 2] * 1e3, times[0] * 1e3);
    let ours = json!({ "ms": rounded(ms), "best": rounded(best) });
    let mut line = line(name, ours, ("ceiling", 30.0), best <= 30.0, program.megabytes());
    line["theirs"] = json!({ "ms": theirs_ms });
    line["ratio"] = json!((theirs_ms / ms).round());
    line
}

fn start() -> Value {
    milliseconds("erlang-dpor-start", SMALL, 1_600.0)
}

fn start_gen_server() -> Value {
    milliseconds("erlang-dpor-start-gen-server", CLIENTS, 3_000.0)
}

/// Interleavings a second of processor time after the first.
fn rate(name: &str, program: &Program, n_runs: usize, floor: f64, theirs: f64) -> Value {
    let start = program.first().times(RUNS, processor())[RUNS / 2];
    let times = program.times(n_runs, processor());
    let n_others = (program.interleavings - 1) as f64;
    let per_s = |seconds: f64| (n_others / (seconds - start)).round();
    let (median, best) = (per_s(times[n_runs / 2]), per_s(times[0]));
    let ours = json!({
        "interleavings": program.interleavings, "interleavings_per_s": median, "best": best,
    });
    let mut line = line(name, ours, ("floor", floor), best >= floor, program.megabytes());
    line["theirs"] = json!({ "interleavings_per_s": theirs });
    line["ratio"] = json!((median / theirs).round());
    line
}

fn readers() -> Value {
    rate("erlang-dpor-readers-12", &Program::module(READERS, 4_096), RUNS, 120_000.0, 900.0)
}

fn clients() -> Value {
    rate("erlang-dpor-clients-6", &Program::module(CLIENTS, 720), RUNS, 40_000.0, 600.0)
}

fn corfu_rate() -> Value {
    let program = Program::corfu(Some(50_000), 50_000);
    rate("erlang-dpor-corfu-rate", &program, 3, 5_000.0, 140.0)
}

/// The whole of it, once: the peer had not finished after 26 minutes.
fn corfu_whole() -> Value {
    let program = Program::corfu(None, 948_142);
    let seconds = program.times(1, wall())[0];
    let ours = json!({ "interleavings": program.interleavings, "seconds": rounded(seconds) });
    let is_met = seconds <= 300.0;
    let name = "erlang-dpor-corfu-whole";
    let mut line = line(name, ours, ("ceiling", 300.0), is_met, program.megabytes());
    line["theirs"] = json!({ "seconds": 1_560, "finished": false });
    line
}

/// Method 3 on a chain of two, by one thread and by two: no floor, a figure to watch. On a machine with other work to do it
/// says little.
fn corfu_threads() -> Value {
    let alone =
        Program { test: "middle_of_two_refined", interleavings: 87_040, ..Program::corfu(None, 0) };
    let together = Program { threads: 2, ..alone.clone() };
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        one.extend(alone.times(1, wall()));
        two.extend(together.times(1, wall()));
    }
    one.sort_by(f64::total_cmp);
    two.sort_by(f64::total_cmp);
    json!({ "bench": "erlang-dpor-corfu-threads", "ours": {
        "interleavings": alone.interleavings, "seconds": rounded(one[1]),
        "seconds_2_threads": rounded(two[1]), "speed_up": rounded(one[1] / two[1]),
    } })
}
