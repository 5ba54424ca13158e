//! Library modules written in Erlang, compiled with the program that uses them.
//! Why in Erlang: what calls funs must be able to rest in them, and a function of a few lines is best read in its own
//! language. A module takes part when its name occurs in the program, as an atom anywhere, or in another that does.

use foresee_erlang_syntax::{Options, Parse, no_includes, parse_file};
use rustc_hash::FxHashSet;

/// Name and text of each module.
pub const MODULES: &[(&str, &str)] = &[
    ("lists", include_str!("prelude/lists.erl")),
    ("maps", include_str!("prelude/maps.erl")),
    ("proplists", include_str!("prelude/proplists.erl")),
    ("ets", include_str!("prelude/ets.erl")),
    ("timer", include_str!("prelude/timer.erl")),
    ("gen", include_str!("otp/gen.erl")),
    ("proc_lib", include_str!("otp/proc_lib.erl")),
    ("sys", include_str!("otp/sys.erl")),
    ("gen_server", include_str!("otp/gen_server.erl")),
    ("gen_statem", include_str!("otp/gen_statem.erl")),
    ("gen_event", include_str!("otp/gen_event.erl")),
    ("supervisor", include_str!("otp/supervisor.erl")),
    ("application", include_str!("otp/application.erl")),
    ("logger", include_str!("otp/logger.erl")),
    ("error_logger", include_str!("otp/error_logger.erl")),
];

/// Paths of prelude modules start with this.
pub const PATH: &str = "prelude/";

/// The prelude modules that `parses` may call, parsed, in the order of the table.
pub(crate) fn modules_for(parses: &[Parse], own: &FxHashSet<&str>) -> Vec<Parse> {
    let texts: Vec<&str> = parses
        .iter()
        .flat_map(|parse| parse.sources.files().iter().map(|file| &*file.text))
        .collect();
    let mut wanted = vec![false; MODULES.len()];
    let mut todo = texts;
    while let Some(text) = todo.pop() {
        let words: FxHashSet<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '@').collect();
        for (i, (name, source)) in MODULES.iter().enumerate() {
            if !wanted[i] && words.contains(name) && !own.contains(name) {
                wanted[i] = true;
                todo.push(source);
            }
        }
    }
    let chosen = MODULES.iter().zip(wanted).filter(|(_, wanted)| *wanted);
    chosen
        .map(|((name, text), _)| {
            let path = format!("{PATH}{name}.erl");
            parse_file(&path, text, &Options::default(), &mut no_includes)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_parses() {
        for (name, text) in MODULES {
            let parse = parse_file(name, text, &Options::default(), &mut no_includes);
            assert!(parse.is_usable(), "{name}: {:?}", parse.diagnostics);
        }
    }
}
