//! What a verdict takes for granted of the world around a program: how messages travel, which timeouts may fire, what clocks,
//! random numbers and the operating system do.
//! What a program never asks for is not spoken of: functions that its own modules can come to by calls are looked at, and
//! whatever they name as an atom counts as called, so nothing that is asked for goes unsaid.
//! Not here: what of the program's behaviour is an error (`crate::tell::fault`, the door).

use crate::options::{CrashPoints, Options};
use crate::program::Program;
use crate::program::code::Instruction;
use crate::system::Erlang;
use crate::tell::label::is_users;
use crate::term::Term;
use foresee_lts::{Assumption, Budget};
use rustc_hash::FxHashSet;

/// What a program can ask the world around it for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Asked {
    Clock,
    Random,
    Environment,
}

const CLOCKS: [&str; 10] = [
    "monotonic_time",
    "system_time",
    "timestamp",
    "now",
    "date",
    "time",
    "localtime",
    "universaltime",
    "perf_counter",
    "time_offset",
];

/// What a built-in asks for, if anything.
fn asked(module: &str, name: &str) -> Option<Asked> {
    match (module, name) {
        ("erlang" | "os", name) if CLOCKS.contains(&name) => Some(Asked::Clock),
        ("rand", "seed" | "seed_s") => None,
        ("rand", name) if !name.ends_with("_s") => Some(Asked::Random),
        ("os", "getenv" | "getpid" | "type" | "version" | "find_executable") => {
            Some(Asked::Environment)
        }
        ("init", "get_argument" | "get_arguments" | "get_plain_arguments") => {
            Some(Asked::Environment)
        }
        _ => None,
    }
}

impl Erlang {
    /// What is taken for granted when this program is explored.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let options: &Options = &self.options;
        let asked = asks(self.program());
        let mut all = vec![
            Assumption::Delivery { is_instant: options.instant_delivery },
            Assumption::Timeouts { below_ms: options.after_timeout },
            crashes(options),
        ];
        all.extend(options.send_after_timeout.map(|below_ms| Assumption::Timers { below_ms }));
        all.extend(options.timer_firings_max.map(|max| Assumption::TimerFirings { max }));
        if asked.contains(&Asked::Clock) {
            all.push(Assumption::Clocks { meaning: options.clock.meaning() });
        }
        if asked.contains(&Asked::Random) {
            all.push(Assumption::RandomNumbers { seed: options.seed });
        }
        if asked.contains(&Asked::Environment) {
            all.push(Assumption::NoSurroundings);
        }
        all
    }
}

fn crashes(options: &Options) -> Assumption {
    match &options.crashes {
        None => {
            let words = ("crash", "crashes");
            Assumption::Faults { budgets: vec![Budget { words, max: 0 }], only: Vec::new() }
        }
        Some(crashes) => Assumption::Crashes {
            of: crashes.processes.clone(),
            max: crashes.max,
            at_calls_only: crashes.points == CrashPoints::Calls,
            is_told: crashes.restart,
        },
    }
}

/// Everything that the user's functions, and what they call, can ask for.
fn asks(program: &Program) -> Vec<Asked> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let own = (0..).map_while(|number| Some((number, program.get(number)?)));
    let mut left: Vec<u32> =
        own.filter(|(_, function)| is_users(function.file)).map(|(number, _)| number).collect();
    while let Some(number) = left.pop() {
        let Some(function) = program.get(number).filter(|_| seen.insert(number)) else { continue };
        for instruction in &function.code {
            match instruction {
                Instruction::Call { function, .. }
                | Instruction::TailCall { function, .. }
                | Instruction::Closure { function, .. } => left.push(*function),
                Instruction::Builtin { builtin, .. } => {
                    let builtin = program.builtins.get(*builtin);
                    found.extend(asked(builtin.module, builtin.name));
                }
                _ => {}
            }
        }
        if is_users(function.file) {
            found.extend(function.constants.iter().filter_map(named));
        }
    }
    found
}

/// An atom that may be the name of a clock, for `apply`.
fn named(constant: &Term) -> Option<Asked> {
    let name = constant.as_atom()?;
    matches!(name.text(), "monotonic_time" | "system_time" | "timestamp").then_some(Asked::Clock)
}
