//! What the modules of Erlang/OTP export, as a list of names and arities.
//! Why: a call of a function that Erlang does not have is `undef` and can be caught; a call of one that Erlang has and that has
//! no model here must stop the run, for nobody knows what it would have answered. Only a list tells the two apart.
//! The list is OTP 25's (`cargo xtask otp-exports` writes it): a line for each module, its name and then its functions, each
//! with its arities.
//! Not here: which functions have a model (`crate::builtins`, `crate::program::prelude`).

use crate::program::compile::Mfa;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

static MODULES: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("../otp/exports.txt").lines();
    lines.map(|line| line.split_once(' ').unwrap_or((line, ""))).collect()
});

/// Whether OTP has a module of this name.
pub(crate) fn has_module(module: &str) -> bool {
    MODULES.contains_key(module)
}

/// The names of OTP's modules, in no order.
pub(crate) fn modules() -> impl Iterator<Item = &'static str> {
    MODULES.keys().copied()
}

/// Whether OTP exports this function.
pub(crate) fn has((module, name, arity): Mfa) -> bool {
    functions(module.text()).any(|(own, own_arity)| own == name.text() && own_arity == arity)
}

/// The functions of one of OTP's modules: name and arity.
pub(crate) fn functions(module: &str) -> impl Iterator<Item = (&'static str, u32)> {
    let functions = MODULES.get(module).copied().unwrap_or_default().split(' ');
    // An operator's name may hold a slash itself.
    functions.filter_map(|function| function.rsplit_once('/')).flat_map(|(name, arities)| {
        arities.split(',').filter_map(move |arity| Some((name, arity.parse().ok()?)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Atom;

    fn is_there(module: &str, name: &str, arity: u32) -> bool {
        has((Atom::new(module), Atom::new(name), arity))
    }

    #[test]
    fn functions_are_told_from_others() {
        assert!(is_there("zlib", "compress", 1) && is_there("erlang", "/", 2));
        assert!(is_there("mnesia", "transaction", 1) && is_there("memsup", "get_memory_data", 0));
        assert!(!is_there("zlib", "compress", 2) && !is_there("lists", "revers", 1));
        assert!(!is_there("no_such_module", "f", 1) && !has_module("no_such_module"));
    }
}
