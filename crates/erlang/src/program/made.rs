//! Modules that a program makes while it runs: `compile:forms` and `code:load_binary`, which mocking libraries live on.
//! What is loaded is part of the state (`prelude/foresee_code.erl` keeps it among the persistent terms, so that loading races with
//! calling as any writing does with reading); here is only the code of it, compiled once for each text. A call that may be
//! of such a module asks first (`foresee_code:resolve/3`), which costs an event; so only calls of modules that are not in the
//! program, or that a text about mocks names, are compiled like that.
//! Invariant: the number of a function depends on its module's text alone, not on when or by which thread it was compiled, unless
//! two of them fall on one slot; numbers are part of states.
//! Not here: forms as text (`unparse`), what is loaded.

use crate::program::Program;
use crate::program::code::{Function, Instruction};
use crate::program::compile::Linker;
use crate::program::unparse::unparse;
use crate::term::{Atom, Term};
use foresee_erlang_syntax::{Options, Parse, Severity, no_includes, parse_file};
use foresee_stdx::mix;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// So many functions a program may make, fewer where their slots meet.
const SLOTS: u64 = 1 << 20;

/// The word without which no module is made.
pub(crate) const LOADS: &str = "load_binary";

/// A text that calls functions of this module is about mocks, and names the modules that are mocked.
const MOCKS: &str = "meck";

/// Which calls may be of modules that are made while the program runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Makes {
    pub(crate) is_on: bool,
    /// Modules of the program that may be replaced.
    named: FxHashSet<Atom>,
}

impl Makes {
    pub(crate) fn of(parses: &[Parse]) -> Makes {
        let texts =
            || parses.iter().flat_map(|parse| parse.sources.files()).map(|file| &*file.text);
        let has = |text: &str, wanted: &str| words(text).any(|(word, _)| word == wanted);
        if !texts().any(|text| has(text, LOADS)) {
            return Makes::default();
        }
        let calls = |text: &str| words(text).any(|(word, is_plain)| word == MOCKS && !is_plain);
        let about_mocks = texts().filter(|text| calls(text));
        let plain = about_mocks.flat_map(words).filter(|(_, is_plain)| *is_plain);
        Makes { is_on: true, named: plain.map(|(word, _)| Atom::new(word)).collect() }
    }

    /// Whether a module of the program may be replaced.
    pub(crate) fn may_replace(&self, module: Atom) -> bool {
        self.is_on && module != atom!("erlang") && self.named.contains(&module)
    }
}

/// The words of a text outside of comments, each with whether it stands alone: not before or after a colon, not after `?` or `#`.
fn words(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let code = |line| str::split(line, '%').next().unwrap_or_default();
    text.lines().map(code).flat_map(words_of_line)
}

fn words_of_line(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(is_part)?;
        let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |at| start + at);
        rest = end;
        let before = text[..start].chars().next_back();
        let after = text[end..].chars().find(|c| !c.is_whitespace());
        let is_plain = !matches!(before, Some(':' | '?' | '#')) && after != Some(':');
        Some((&text[start..end], is_plain))
    })
}

/// The functions of a module that was made, by name and arity.
type Exports = FxHashMap<(Atom, u32), u32>;

/// The code of modules that were made.
#[derive(Default)]
pub(crate) struct Made {
    slots: OnceLock<Box<[OnceLock<Box<Function>>]>>,
    /// By a hash of the module's text.
    known: Mutex<FxHashMap<u64, Arc<Exports>>>,
}

impl Made {
    pub(crate) fn get(&self, slot: u32) -> Option<&Function> {
        self.slots.get()?.get(slot as usize)?.get().map(|function| &**function)
    }

    fn slots(&self) -> &[OnceLock<Box<Function>>] {
        self.slots.get_or_init(|| (0..SLOTS).map(|_| OnceLock::new()).collect())
    }
}

impl Program {
    /// The function of a module that was made of these forms; `key` stands for them.
    pub(crate) fn made(
        &self,
        key: u64,
        forms: &Term,
        name: (Atom, u32),
    ) -> Result<Option<u32>, String> {
        let mut known = self.made.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(exports) = known.get(&key) {
            return Ok(exports.get(&name).copied());
        }
        let exports = Arc::new(self.make(key, forms)?);
        let found = exports.get(&name).copied();
        known.insert(key, exports);
        Ok(found)
    }

    fn make(&self, key: u64, forms: &Term) -> Result<Exports, String> {
        let text = unparse(forms).ok_or("forms that are not understood")?;
        let parse = parse_file("made.erl", &text, &Options::default(), &mut no_includes);
        let error = parse.diagnostics.iter().find(|it| it.severity == Severity::Error);
        if let Some(error) = error {
            return Err(format!("forms with an error: {}", error.message));
        }
        let module = parse.module.name.as_ref().ok_or("forms without a module")?;
        let module = Atom::new(&module.name);
        let n_static = self.functions.len();
        let mut linker = Linker {
            builtins: self.builtins,
            numbers: self
                .numbers
                .iter()
                .filter(|(it, _)| it.0 != module)
                .map(|(k, v)| (*k, *v))
                .collect(),
            functions: (0..n_static).map(|_| None).collect(),
            modules: self.modules.clone(),
            attributes: FxHashMap::default(),
            missing: FxHashSet::default(),
            makes: self.makes.clone(),
        };
        linker.declare(module, &parse.module);
        linker.compile(module, &parse.module, &parse.sources, true);
        let made: Vec<Function> = linker.functions.into_iter().skip(n_static).flatten().collect();
        Ok(self.place(key, made))
    }

    /// Puts functions where they are found by their numbers.
    fn place(&self, key: u64, made: Vec<Function>) -> Exports {
        let slots = self.made.slots();
        let n_static = self.functions.len() as u32;
        let mut free: Vec<u32> = Vec::with_capacity(made.len());
        for n in 0..made.len() as u64 {
            let mut slot = (mix(key ^ mix(n)) % SLOTS) as u32;
            while slots[slot as usize].get().is_some() || free.contains(&slot) {
                slot = (slot + 1) % SLOTS as u32;
            }
            free.push(slot);
        }
        let mut exports = Exports::default();
        for (n, mut function) in made.into_iter().enumerate() {
            for instruction in &mut function.code {
                if let Instruction::Call { function: number, .. }
                | Instruction::TailCall { function: number, .. }
                | Instruction::Closure { function: number, .. } = instruction
                    && *number >= n_static
                {
                    *number = n_static + free[(*number - n_static) as usize];
                }
            }
            if function.exported {
                exports.insert((function.name, function.arity), n_static + free[n]);
            }
            let _ = slots[free[n] as usize].set(Box::new(function));
        }
        exports
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_stand_alone_are_told_from_calls() {
        let text = "f() -> meck:new(shop, [x]), % file\n shop_db:get(?MODULE, #r{}), a : b().";
        let plain: Vec<&str> =
            words(text).filter(|(_, plain)| *plain).map(|(word, _)| word).collect();
        assert_eq!(plain, ["f", "shop", "x", "b"]);
    }
}
