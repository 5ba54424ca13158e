//! Counts the states and transitions of a muCRL file: `cargo run --release -p foresee-algebra --example count -- FILE`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to a person")]

use foresee_lts::{Successors, System};
use std::collections::HashMap;

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
    let mut states = system.initial();
    let mut index = HashMap::from([(states[0].clone(), 0)]);
    let (mut explorer, mut successors) = (system.explorer(), Successors::default());
    let (mut at, mut n_transitions) = (0, 0u64);
    while at < states.len() {
        explorer.expand(&states[at], &mut successors);
        for successor in successors.iter() {
            n_transitions += 1;
            let mut next = states[at].clone();
            successors.apply(successor, &mut next);
            if successor.faulty {
                let fault = system.fault(&next).expect("a fault");
                eprintln!("{}", fault.message);
                std::process::exit(2);
            }
            let fresh = states.len();
            if *index.entry(next.clone()).or_insert(fresh) == fresh {
                states.push(next);
            }
        }
        at += 1;
    }
    println!(
        "{} states, {n_transitions} transitions, {} rewrites",
        states.len(),
        system.n_rewrites()
    );
}
