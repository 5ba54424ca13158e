//! Library modules written in Erlang, compiled with the program that uses them.
//! Why in Erlang: what calls funs must be able to rest in them, and a function of a few lines is best read in its own
//! language. A module takes part when its name occurs in the program, as an atom anywhere, or when one that takes part
//! calls it. What is native (`builtins`) is not here again: a function has one text.

use foresee_erlang_syntax::{Options, Parse, no_includes, parse_file};
use rustc_hash::FxHashSet;
use std::sync::OnceLock;

/// Name and text of each module.
pub const MODULES: &[(&str, &str)] = &[
    ("lists", include_str!("../prelude/lists.erl")),
    ("maps", include_str!("../prelude/maps.erl")),
    ("proplists", include_str!("../prelude/proplists.erl")),
    ("ordsets", include_str!("../prelude/ordsets.erl")),
    ("orddict", include_str!("../prelude/orddict.erl")),
    ("sets", include_str!("../prelude/sets.erl")),
    ("dict", include_str!("../prelude/dict.erl")),
    ("gb_sets", include_str!("../prelude/gb_sets.erl")),
    ("gb_trees", include_str!("../prelude/gb_trees.erl")),
    ("queue", include_str!("../prelude/queue.erl")),
    ("array", include_str!("../prelude/array.erl")),
    ("string", include_str!("../prelude/string.erl")),
    ("ets", include_str!("../prelude/ets.erl")),
    ("timer", include_str!("../prelude/timer.erl")),
    ("re", include_str!("../prelude/re.erl")),
    ("calendar", include_str!("../prelude/calendar.erl")),
    ("io", include_str!("../prelude/io.erl")),
    ("random", include_str!("../prelude/random.erl")),
    ("global", include_str!("../prelude/global.erl")),
    ("rpc", include_str!("../prelude/rpc.erl")),
    ("pg", include_str!("../prelude/pg.erl")),
    ("digraph", include_str!("../prelude/digraph.erl")),
    ("digraph_utils", include_str!("../prelude/digraph_utils.erl")),
    ("json", include_str!("../prelude/json.erl")),
    ("eunit", include_str!("../prelude/eunit.erl")),
    ("file", include_str!("../prelude/file.erl")),
    ("filelib", include_str!("../prelude/filelib.erl")),
    ("prim_file", include_str!("../prelude/prim_file.erl")),
    ("foresee_os", include_str!("../prelude/foresee_os.erl")),
    ("foresee_code", include_str!("../prelude/foresee_code.erl")),
    ("compile", include_str!("../prelude/compile.erl")),
    ("beam_lib", include_str!("../prelude/beam_lib.erl")),
    ("cover", include_str!("../prelude/cover.erl")),
    ("dets", include_str!("../prelude/dets.erl")),
    ("net_kernel", include_str!("../prelude/net_kernel.erl")),
    ("inet", include_str!("../prelude/inet.erl")),
    ("uri_string", include_str!("../prelude/uri_string.erl")),
    ("erl_anno", include_str!("../prelude/erl_anno.erl")),
    ("io_lib_format", include_str!("../prelude/io_lib_format.erl")),
    ("erl_syntax", include_str!("../prelude/erl_syntax.erl")),
    ("erl_internal", include_str!("../prelude/erl_internal.erl")),
    ("erl_pp", include_str!("../prelude/erl_pp.erl")),
    ("dbg", include_str!("../prelude/dbg.erl")),
    ("erl_lint", include_str!("../prelude/erl_lint.erl")),
    ("erl_syntax_lib", include_str!("../prelude/erl_syntax_lib.erl")),
    ("qlc", include_str!("../prelude/qlc.erl")),
    (SUPERVISION, include_str!("../prelude/foresee_supervision.erl")),
    ("gen", include_str!("../otp/gen.erl")),
    ("proc_lib", include_str!("../otp/proc_lib.erl")),
    ("sys", include_str!("../otp/sys.erl")),
    ("gen_server", include_str!("../otp/gen_server.erl")),
    ("gen_statem", include_str!("../otp/gen_statem.erl")),
    ("gen_event", include_str!("../otp/gen_event.erl")),
    ("gen_fsm", include_str!("../otp/gen_fsm.erl")),
    ("alarm_handler", include_str!("../otp/alarm_handler.erl")),
    ("supervisor", include_str!("../otp/supervisor.erl")),
    ("application", include_str!("../otp/application.erl")),
    ("logger", include_str!("../otp/logger.erl")),
    ("error_logger", include_str!("../otp/error_logger.erl")),
    (REPORTS, include_str!("../otp/foresee_reports.erl")),
    ("ct", include_str!("../otp/ct.erl")),
    ("test_server", include_str!("../otp/test_server.erl")),
];

/// The texts of modules in a program that has log handlers or filters of its own; the others' texts are the same, with the macro
/// `REPORTS` defined.
const HANDLERS: &[(&str, &str)] = &[
    ("logger", include_str!("../otp/logger_handlers.erl")),
    ("error_logger", include_str!("../otp/error_logger_handlers.erl")),
];

/// What behaviours call to report crashes, only where somebody can hear of them.
const REPORTS: &str = "foresee_reports";

/// Whether a text may add a log handler or filter: then log calls and crashes are events that handlers are called for. Elsewhere nobody
/// could tell, and logging takes no step.
fn adds_log_handlers(text: &str) -> bool {
    text.contains("logger:add_")
}

/// Where a supervision tree is started; every program has it.
pub(crate) const SUPERVISION: &str = "foresee_supervision";

/// How the names of EUnit's test generators end.
pub const GENERATOR: &str = "_test_";

/// How the names of Common Test's suites end.
pub const SUITE: &str = "_SUITE";

/// Paths of prelude modules start with this.
pub const PATH: &str = "prelude/";

/// Whether a module of this name is here.
pub(crate) fn has(module: &str) -> bool {
    MODULES.iter().any(|(name, _)| *name == module)
}

/// The prelude modules that `parses` may call, parsed, in the order of the table.
pub(crate) fn modules_for(parses: &[Parse], own: &FxHashSet<&str>) -> Vec<&'static Parse> {
    let texts: Vec<&str> = parses
        .iter()
        .flat_map(|parse| parse.sources.files().iter().map(|file| &*file.text))
        .collect();
    let reports = texts.iter().any(|text| adds_log_handlers(text));
    let mut wanted = vec![false; MODULES.len()];
    let mut todo: Vec<usize> =
        MODULES.iter().position(|(name, _)| *name == SUPERVISION).into_iter().collect();
    for text in texts {
        let words: FxHashSet<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '@').collect();
        let has_generator = words.iter().any(|word| word.ends_with(GENERATOR));
        let is_suite = words.iter().any(|word| word.ends_with(SUITE));
        let named = |i: &usize| {
            let name = MODULES[*i].0;
            let is_asked = match name {
                "eunit" => has_generator,
                "ct" => is_suite,
                "foresee_os" => {
                    words.contains("putenv") || words.contains("cmd") && words.contains("os")
                }
                "foresee_code" => words.contains(crate::program::made::LOADS),
                _ => false,
            };
            is_asked || words.contains(name)
        };
        todo.extend((0..MODULES.len()).filter(named));
    }
    while let Some(i) = todo.pop() {
        if !wanted[i] && !own.contains(MODULES[i].0) {
            wanted[i] = true;
            todo.extend(module(i, reports).calls.iter().copied());
        }
    }
    (0..MODULES.len()).filter(|i| wanted[*i]).map(|i| &module(i, reports).parse).collect()
}

/// A module of the prelude as it was read.
struct Module {
    parse: Parse,
    /// The modules of the table that it may call.
    calls: Vec<usize>,
}

/// The module at that place of the table, in a program with or without log handlers. Its text never changes, so it is read once,
/// however many programs are loaded.
fn module(i: usize, reports: bool) -> &'static Module {
    type Read = [OnceLock<Module>; MODULES.len()];
    static QUIET: Read = [const { OnceLock::new() }; MODULES.len()];
    static REPORTING: Read = [const { OnceLock::new() }; MODULES.len()];
    let read = if reports { &REPORTING } else { &QUIET };
    read[i].get_or_init(|| {
        let (name, text) = text(i, reports);
        let path = format!("{PATH}{name}.erl");
        let parse = parse_file(&path, text, &options(reports), &mut no_includes);
        let called = modules_called(text);
        let is_called = |j: &usize| {
            let name = MODULES[*j].0;
            called.contains(name) && (reports || name != REPORTS)
        };
        Module { parse, calls: (0..MODULES.len()).filter(is_called).collect() }
    })
}

fn text(i: usize, reports: bool) -> (&'static str, &'static str) {
    let plain = MODULES[i];
    let other = HANDLERS.iter().find(|(name, _)| reports && *name == plain.0);
    *other.unwrap_or(&plain)
}

fn options(reports: bool) -> Options {
    let mut options = Options::default();
    if reports {
        options.defines.push(("REPORTS".to_owned(), None));
    }
    options
}

/// The words of a prelude module's text that stand before a colon, as in `lists:map`.
fn modules_called(text: &str) -> FxHashSet<&str> {
    let is_apart = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let mut before: Vec<&str> = text.split(':').collect();
    before.pop();
    before.into_iter().filter_map(|part| part.rsplit(is_apart).next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_parses() {
        for reports in [false, true] {
            for i in 0..MODULES.len() {
                let (name, text) = text(i, reports);
                let parse = parse_file(name, text, &options(reports), &mut no_includes);
                assert!(parse.is_usable(), "{name}: {:?}", parse.diagnostics);
            }
        }
    }
}
