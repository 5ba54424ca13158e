//! Where no engine is chosen, two explore in turns, and who answers does not depend on time.

use foresee_search::Meter;
use foresee_session::{
    CheckRequest, Engine, ErlangOptions, ErlangSource, Ignored, Loaded, NoMeter, Outcome, Registry,
    Report, Silent, check, open,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

fn program(body: &str) -> Loaded {
    let text = format!("-module(m).\n-export([test/0]).\n{body}\n");
    let files = BTreeMap::from([("m.erl".to_owned(), text)]);
    let options = ErlangOptions { ignored: vec![Ignored::Deadlock], ..ErlangOptions::default() };
    let source =
        ErlangSource { files: vec!["m.erl".to_owned()], options, ..ErlangSource::default() };
    open(&source.into(), &Registry::new(), &files).expect("a sound program")
}

fn explore(body: &str, engine: Option<Engine>, threads: usize, meter: &dyn Meter) -> Report {
    let request = CheckRequest { engine, threads, ..CheckRequest::default() };
    let mut report = check(&program(body), &request, meter, &mut Silent);
    (report.threads, report.seconds) = (1, 0.0);
    // Threads number components in another order, so states may be packed a little wider.
    (report.peak_memory_bytes, report.extras.search_bytes, report.extras.store_bytes) = (0, 0, 0);
    report
}

/// Nine writers of one counter: 9! orders, whose states meet again and again.
const COUNTING: &str = "test() -> T = ets:new(t, [public]), ets:insert(T, {x, 0}),\n\
     [spawn(fun() -> ets:update_counter(T, x, 1) end) || _ <- lists:seq(1, 9)],\n\
     receive after infinity -> ok end.";

/// Fails at once.
const WRONG: &str = "test() -> S = self(), spawn(fun() -> S ! a end), spawn(fun() -> S ! b end),\n\
     receive b -> ok end, receive X -> a = X, error(wrong) end.";

/// A clock at which others come first.
struct Slow(AtomicU64);

impl Meter for Slow {
    fn elapsed(&self) -> Duration {
        (0..self.0.load(Relaxed) % 7).for_each(|_| std::thread::yield_now());
        Duration::from_micros(self.0.fetch_add(3, Relaxed))
    }
}

#[test]
fn what_is_answered_at_once_is_answered_as_before() {
    let chosen = explore(WRONG, Some(Engine::Stateless), 1, &NoMeter);
    let free = explore(WRONG, None, 1, &NoMeter);
    assert_eq!((free.verdict, free.engine), (Outcome::Violated, "stateless"));
    assert_eq!(format!("{free:?}"), format!("{chosen:?}"));
}

#[test]
fn many_orders_of_few_states_are_answered_by_states() {
    let report = explore(COUNTING, None, 1, &NoMeter);
    assert_eq!((report.verdict, report.engine), (Outcome::Holds, "stateful"));
    let chosen = explore(COUNTING, Some(Engine::Stateful), 1, &NoMeter);
    assert_eq!((report.states, report.transitions), (chosen.states, chosen.transitions));
    assert_eq!((&report.checked, &report.assumed), (&chosen.checked, &chosen.assumed));
}

/// Neither the clock nor the number of threads changes who answers, or what. The memory that it took may differ: threads make
/// room in the store for what each of them may find in a round.
#[test]
fn the_answer_does_not_depend_on_time() {
    let told = |threads, meter: &dyn Meter| {
        let mut report = explore(COUNTING, None, threads, meter);
        report.extras.store_bytes = 0;
        format!("{report:?}")
    };
    let report = told(1, &NoMeter);
    for threads in [1, 2, 3] {
        assert_eq!(told(threads, &Slow(AtomicU64::new(5))), report, "{threads}");
    }
}

/// More states than are explored plainly at first: those between which nothing can get are left out.
#[test]
fn many_states_are_explored_reduced() {
    let body = COUNTING.replace("lists:seq(1, 9)", "lists:seq(1, 11)");
    let report = explore(&body, None, 1, &NoMeter);
    assert_eq!((report.verdict, report.engine), (Outcome::Holds, "stateful"));
    let is_reduced = report.assumed.iter().any(|it| it.to_string().contains("taken at once"));
    assert!(is_reduced && report.transitions < 1 << 20, "{report:?}");
    let again = explore(&body, None, 2, &Slow(AtomicU64::new(5)));
    assert_eq!((again.states, again.transitions), (report.states, report.transitions));
    assert_eq!(again.assumed, report.assumed);
}

#[test]
fn what_only_one_engine_knows_chooses_it() {
    let bound = foresee_session::InterleavingOptions { bound: Some(1), ..Default::default() };
    let request = CheckRequest { interleavings: bound, ..CheckRequest::default() };
    let report = check(&program(COUNTING), &request, &NoMeter, &mut Silent);
    assert_eq!(report.engine, "stateless");
}
