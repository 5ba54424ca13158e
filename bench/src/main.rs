//! Side-by-side measurements.
#![allow(clippy::disallowed_methods, reason = "an edge: it reads the clock")]

mod memory;
mod peer;
use peer::{Search, explore};
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

#[expect(clippy::print_stdout, reason = "this is the edge")]
fn run(name: &str, f: impl Fn(Search) -> peer::Counts) {
    for s in [Search::BreadthFirst, Search::DepthFirst] {
        let base = memory::reset_peak();
        let t = Instant::now();
        let c = f(s);
        let e = t.elapsed().as_secs_f64();
        println!(
            "{name} {} unique {} transitions {} {:.3}s {:.0}/s {:.0} B/state",
            s.word(),
            c.unique,
            c.transitions,
            e,
            c.unique as f64 / e,
            (memory::peak() - base) as f64 / c.unique as f64
        );
    }
}
fn main() {
    for rms in [3, 5, 7, 8] {
        run(&format!("2pc-{rms}"), |s| explore(peer::two_phase_commit::TwoPhaseCommit { rms }, s));
    }
    for c in [2, 4] {
        run(&format!("scr-{c}"), |s| explore(peer::single_copy_register::model(1, c), s));
    }
    for c in [2, 3] {
        run(&format!("paxos-{c}"), |s| explore(peer::paxos::model(c), s));
    }
}
