//! The state space of a muCRL file at full speed, counted or written: `cargo run --release -p foresee-algebra
//! --example count -- FILE.mcrl [FILE.aut]`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to a person")]
#![allow(clippy::disallowed_methods, reason = "an example measures time")]

use foresee_logic::{Nowhere, Sink, aut, generate};
use foresee_search::{Limits, NoMeter, Silent};
use std::io::BufWriter;
use std::time::Instant;

fn main() {
    let path = std::env::args().nth(1).expect("the name of a file");
    let text = std::fs::read_to_string(&path).expect("a file that can be read");
    let system = match foresee_algebra::load(&text, Default::default()) {
        Ok(system) => system,
        Err(problems) => {
            problems.iter().for_each(|it| eprintln!("{}", it.render(&path, &text)));
            std::process::exit(2);
        }
    };
    let start = Instant::now();
    let label = |_: &[u32], action| system.visible_text(action);
    let run = |sink: &mut dyn Sink| {
        generate(&system, &label, &Limits::none(), &NoMeter, &mut Silent, sink).expect("written")
    };
    let made = match std::env::args().nth(2) {
        None => run(&mut Nowhere),
        Some(out) => {
            let file = std::fs::File::create(out).expect("a file that can be written");
            let mut writer = aut::Writer::seekable(BufWriter::new(file), aut::Tau::Mcrl2);
            let made = run(&mut writer);
            writer.finish(made.states).expect("written");
            made
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} states, {} transitions, {:.0} transitions/s",
        made.states,
        made.transitions,
        made.transitions as f64 / seconds
    );
}
