//! Module `rand`: the generators of OTP, so that a seeded program draws the very numbers it draws in Erlang.
//! The state is a term in the process dictionary, hence part of the process: two runs that have drawn alike are in one
//! state. A process that draws without a seed is seeded from the run's seed and its own name; in Erlang it would be from
//! the clock, so any seed is a possible one.
//! Not here: how the numbers come about (`generator`).

mod generator;

use super::{Builtin, Outcome, pure};
use crate::machine::{Local, Raise};
use crate::term::Term;
use foresee_stdx::mix;
use generator::{
    Kind, MASK58, MASK59, State, TWO_POW_MINUS_53, function_clause, integer, low_word, splitmix,
};

pub(super) const TABLE: &[Builtin] = &[
    pure("rand", "seed", 1, seed),
    pure("rand", "seed", 2, seed),
    pure("rand", "seed_s", 1, |local, args| Ok(seeded(local, args)?.term())),
    pure("rand", "seed_s", 2, |local, args| Ok(seeded(local, args)?.term())),
    pure("rand", "export_seed", 0, export_seed),
    pure("rand", "export_seed_s", 1, export_seed_s),
    pure("rand", "uniform", 0, |local, _| own(local, |state| Ok(Term::Float(state.float())))),
    pure("rand", "uniform", 1, |local, args| own(local, |state| state.below(&args[0]))),
    pure("rand", "uniform_s", 1, |_, args| given(&args[0], |state| Ok(Term::Float(state.float())))),
    pure("rand", "uniform_s", 2, |_, args| given(&args[1], |state| state.below(&args[0]))),
    pure("rand", "uniform_real", 0, |local, _| own(local, |state| Ok(Term::Float(state.real())))),
    pure("rand", "uniform_real_s", 1, |_, args| {
        given(&args[0], |state| Ok(Term::Float(state.real())))
    }),
    pure("rand", "bytes", 1, |local, args| own(local, |state| state.bytes(&args[0]))),
    pure("rand", "bytes_s", 2, |_, args| given(&args[1], |state| state.bytes(&args[0]))),
    pure("rand", "normal", 0, |local, _| own(local, |state| Ok(Term::Float(state.normal())))),
    pure("rand", "normal", 2, |local, args| own(local, |state| state.normal_of(args))),
    pure("rand", "normal_s", 1, |_, args| given(&args[0], |state| Ok(Term::Float(state.normal())))),
    pure("rand", "normal_s", 3, |_, args| given(&args[2], |state| state.normal_of(args))),
    pure("rand", "jump", 0, jump),
    pure("rand", "jump", 1, jump_s),
    pure("rand", "exsp_next", 1, exsp_next),
    pure("rand", "splitmix64_next", 1, splitmix64_next),
    pure("rand", "mwc59", 1, mwc59),
    pure("rand", "mwc59_value32", 1, mwc59_value32),
    pure("rand", "mwc59_value", 1, mwc59_value),
    pure("rand", "mwc59_float", 1, mwc59_float),
    pure("rand", "mwc59_seed", 0, mwc59_seed),
    pure("rand", "mwc59_seed", 1, mwc59_seed),
    pure("crypto", "strong_rand_bytes", 1, strong_rand_bytes),
];

fn key() -> Term {
    a!("rand_seed")
}

/// A seed for a process that asked for none in particular.
fn any_seed(local: &Local<'_>) -> u64 {
    mix(local.seed ^ local.pid.content_hash())
}

/// The state of the process itself.
fn own_state(local: &Local<'_>) -> Result<State, Raise> {
    match local.dictionary.get(&key()) {
        Some(term) => State::of(term),
        None => State::seeded(Kind::Exsss, &integer(any_seed(local))),
    }
}

fn own(local: &mut Local<'_>, draw: impl FnOnce(&mut State) -> Outcome) -> Outcome {
    let mut state = own_state(local)?;
    let value = draw(&mut state)?;
    local.dictionary.insert(key(), state.term());
    Ok(value)
}

fn given(term: &Term, draw: impl FnOnce(&mut State) -> Outcome) -> Outcome {
    let mut state = State::of(term)?;
    let value = draw(&mut state)?;
    Ok(Term::tuple([value, state.term()]))
}

fn seeded(local: &Local<'_>, args: &[Term]) -> Result<State, Raise> {
    match args {
        [kind, seed] => State::seeded(Kind::of(kind)?, seed),
        [state] if state.as_tuple().is_some() => State::of(state),
        _ => State::seeded(Kind::of(&args[0])?, &integer(any_seed(local))),
    }
}

fn seed(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let state = seeded(local, args)?.term();
    local.dictionary.insert(key(), state.clone());
    Ok(state)
}

fn export_seed(local: &mut Local<'_>, _: &[Term]) -> Outcome {
    match local.dictionary.get(&key()) {
        Some(state) => exported(&State::of(state)?),
        None => Ok(a!("undefined")),
    }
}

fn export_seed_s(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    exported(&State::of(&args[0])?)
}

fn exported(state: &State) -> Outcome {
    Ok(Term::tuple([state.kind.name(), state.words()]))
}

fn jump(local: &mut Local<'_>, _: &[Term]) -> Outcome {
    let mut state = own_state(local)?;
    state.jump()?;
    local.dictionary.insert(key(), state.term());
    Ok(state.term())
}

fn jump_s(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut state = State::of(&args[0])?;
    state.jump()?;
    Ok(state.term())
}

fn exsp_next(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut state = State::of(&Term::tuple([a!("exsp"), args[0].clone()]))?;
    let number = integer(state.next());
    Ok(Term::tuple([number, state.words()]))
}

fn splitmix64_next(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (number, next) = splitmix(low_word(&args[0]).ok_or_else(function_clause)?);
    Ok(Term::tuple([integer(number), integer(next)]))
}

fn word(args: &[Term]) -> Result<u64, Raise> {
    low_word(&args[0]).ok_or_else(Raise::badarith)
}

fn mwc59(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let state = word(args)? & MASK59;
    Ok(integer(0x7FA_6502 * (state & 0xFFFF_FFFF) + (state >> 32)))
}

fn mwc59_value32(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let low = word(args)? & 0xFFFF_FFFF;
    Ok(integer(low ^ (low << 8 & 0xFFFF_FFFF)))
}

fn scrambled(word: u64, mask: u64) -> u64 {
    let low = word & mask;
    let once = low ^ (low << 4 & mask);
    once ^ (once << 27 & mask)
}

fn mwc59_value(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(integer(scrambled(word(args)?, MASK59)))
}

fn mwc59_float(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::Float(scrambled(word(args)?, (1 << 53) - 1) as f64 * TWO_POW_MINUS_53))
}

fn mwc59_seed(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let seed = match args.first() {
        Some(seed) => {
            let seed = seed.as_int().and_then(|seed| u64::try_from(seed).ok());
            seed.filter(|seed| *seed <= MASK58).ok_or_else(function_clause)?
        }
        None => any_seed(local) & MASK58,
    };
    let mixed = ((seed ^ (seed >> 29)).wrapping_mul(0x351_AFD7_ED55_8CCD)) & MASK58;
    let mixed = ((mixed ^ (mixed >> 29)).wrapping_mul(0x0CE_B9FE_1A85_EC53)) & MASK58;
    Ok(integer((mixed ^ (mixed >> 29)) + 1))
}

/// Bytes nobody can foresee are any bytes; these differ with every call, process and seed.
fn strong_rand_bytes(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    local.n_unique += 1;
    let start = any_seed(local) ^ mix(u64::from(local.n_unique));
    State::seeded(Kind::Exsss, &integer(start))?.bytes(&args[0])
}
