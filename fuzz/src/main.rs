//! `cargo xtask fuzz [TARGET …] [--minutes N] [--seed N]`: hunts each target, all of them without a name.
//! `--hunt TARGET SEED MILLISECONDS` is one hunt, as `supervise` starts it.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an edge: it prints")]

use foresee_fuzz::{Hunt, Order, TARGETS, Target, hunt, supervise};
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, target, seed, left] = &words[..]
        && flag == "--hunt"
    {
        return one(target, seed, left);
    }
    match order(&words) {
        Ok(order) => {
            if supervise(&order) {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(wrong) => {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            eprintln!("fuzz: {wrong}\nthe targets are {}", names.join(", "));
            ExitCode::from(2)
        }
    }
}

fn one(target: &str, seed: &str, left: &str) -> ExitCode {
    let (Some(target), Ok(seed), Ok(left)) = (find(target), seed.parse(), left.parse()) else {
        return ExitCode::from(2);
    };
    let duration = Duration::from_millis(left);
    let (n_tried, n_found) = hunt(&Hunt { target, seed, duration });
    println!("{}: {n_tried} inputs in {} s, {n_found} panics", target.name, duration.as_secs());
    if n_found == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn order(words: &[String]) -> Result<Order, String> {
    let mut order = Order { targets: Vec::new(), minutes: 10.0, seed: 1 };
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{word} needs a number"));
        match word.as_str() {
            "--minutes" => {
                order.minutes = value()?.parse().map_err(|_| format!("{word} needs a number"))?;
            }
            "--seed" => {
                order.seed = value()?.parse().map_err(|_| format!("{word} needs a number"))?;
            }
            name => {
                order
                    .targets
                    .push(find(name).ok_or_else(|| format!("there is no target `{name}`"))?);
            }
        }
    }
    if order.targets.is_empty() {
        order.targets = TARGETS.iter().collect();
    }
    Ok(order)
}

fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
