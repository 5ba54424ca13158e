//! The table of functions in `docs/erlang-builtins.md`: every built-in and prelude function, whether it is native or
//! embedded, and a case of the oracle that calls it. `BLESS=1` rewrites it; a function without a case is an error.
#![allow(
    clippy::disallowed_methods,
    reason = "an edge: it reads and writes files and the environment"
)]

#[path = "runner/calls.rs"]
mod calls;

use calls::Function;
use foresee_erlang::builtins::BUILTINS;
use foresee_erlang::program::prelude::MODULES;
use foresee_erlang_syntax::{Options, no_includes, parse_file};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Functions that only our own texts call: Erlang has none of that name, so there is nothing to compare.
const OWN: [&str; 5] =
    ["gen:", "sys:handle/", "sys:get_debug/", ":init_it/", "erlang:get_module_info/"];

/// Later than the oracle, which is OTP 25: tested in `newer.rs`.
const NEWER: [&str; 21] = [
    "base64:",
    "binary:encode_hex/2",
    "lists:enumerate/3",
    "lists:zip/3",
    "lists:zip3/4",
    "lists:zipwith/4",
    "lists:zipwith3/5",
    "proc_lib:get_label/",
    "timer:apply_after/2",
    "timer:apply_after/3",
    "timer:apply_interval/",
    "timer:apply_repeatedly/",
    "timer:tc/4",
    "ets:lookup_element/4",
    "ets:update_element/4",
    "gen_server:receive_response/1",
    "gen_server:wait_response/1",
    "maps:iterator/2",
    "math:tau/0",
    "proc_lib:init_fail/",
    "proc_lib:set_label/",
];

/// What cannot be asked of a running Erlang for its answer, and where else it is tested or why not at all.
const ELSEWHERE: [(&str, &str); 32] = [
    ("cover:", "nothing is counted"),
    ("inet:gethostname/", "the name of a machine"),
    ("file:", "files in memory: `crates/foresee/tests/erlang_projects.rs`"),
    ("filelib:", "files in memory: `crates/foresee/tests/erlang_projects.rs`"),
    ("prim_file:", "as `file`"),
    ("ct:", "an application of its own: `crates/foresee/tests/erlang_projects.rs`"),
    ("test_server:", "an application of its own: `crates/foresee/tests/erlang_projects.rs`"),
    ("gen_fsm:", "`tests/cases/erlang/gen_fsm`"),
    ("alarm_handler:", "needs SASL: `tests/cases/erlang/system`"),
    ("sys:get_log/", "of a process that logs; none does"),
    ("application:load/2", "for several nodes"),
    ("json:", "later than the oracle's OTP 25: `tests/cases/erlang/modern`"),
    ("pg:handle_", "called by the behaviour itself"),
    ("pg:init/", "called by the behaviour itself"),
    ("pg:terminate/", "called by the behaviour itself"),
    ("erlang:halt/", "ends the run: `tests/cases`"),
    ("init:stop/", "ends the run: `tests/cases`"),
    ("erlang:display/", "written past the group leader: `tests/cases`"),
    ("erlang:memory/", "not modelled: says so"),
    ("erlang:system_flag/", "not modelled: says so"),
    ("os:cmd/", "not modelled: says so"),
    ("os:putenv/", "not modelled: says so"),
    ("os:unsetenv/", "not modelled: says so"),
    ("os:set_signal/", "not modelled: says so"),
    ("ets:from_dets/", "not modelled: says so"),
    ("ets:i/", "prints for people"),
    ("crypto:", "needs a library of the machine"),
    ("eunit:", "an application of its own: `crates/erlang/tests/oracle/programs/eunit_assertions`"),
    ("error_logger:", "changes what the node logs"),
    ("logger:", "changes what the node logs"),
    ("supervisor:", "called by the behaviour itself"),
    ("proc_lib:stop/", "`tests/behaviours`"),
];

#[test]
fn every_function_is_in_the_table_with_a_case() {
    let functions = functions();
    let cases = cases();
    let mut lost = Vec::new();
    let mut table = String::from(
        "# Functions that run here\n\n\
         Every built-in and library function, whether it is native (Rust) or embedded (Erlang, compiled with the program),\n\
         and a case of `crates/erlang/tests` that calls it and was compared with Erlang. Written by\n\
         `BLESS=1 cargo test -p foresee-erlang --test builtins`.\n",
    );
    let n_native = functions.values().filter(|how| **how == "native").count();
    let _ = write!(
        table,
        "\n{} functions: {n_native} native, {} embedded.\n",
        functions.len(),
        functions.len() - n_native
    );
    let mut last_module = "";
    for (function, how) in &functions {
        let (module, name, arity) = function;
        if module != last_module {
            let _ = write!(table, "\n## {module}\n\n| function | how | case |\n|---|---|---|\n");
            last_module = module;
        }
        match cases.get(function) {
            Some(case) => {
                let _ =
                    writeln!(table, "| `{}/{arity}` | {how} | {case} |", name.replace('|', "\\|"));
            }
            None => match excuse(&format!("{module}:{name}/{arity}")) {
                Some(excuse) => {
                    let _ = writeln!(table, "| `{name}/{arity}` | {how} | {excuse} |");
                }
                None => lost.push(format!("{module}:{name}/{arity}")),
            },
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/erlang-builtins.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &table).expect("writable");
    }
    assert!(lost.is_empty(), "{} functions have no case: {}", lost.len(), lost.join(", "));
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == table, "docs/erlang-builtins.md is out of date: run this test with BLESS=1");
}

#[test]
fn no_function_is_written_twice() {
    let native = |function: &Function| {
        BUILTINS.iter().any(|entry| {
            (entry.module, entry.name, usize::from(entry.arity))
                == (function.0.as_str(), function.1.as_str(), function.2)
        })
    };
    let twice: Vec<String> =
        embedded().iter().filter(|f| native(f)).map(|(m, f, n)| format!("{m}:{f}/{n}")).collect();
    assert!(twice.is_empty(), "native and embedded: {}", twice.join(", "));
}

fn is_own(module: &str, name: &str) -> bool {
    let whole = format!("{module}:{name}/");
    name.contains("foresee")
        || module.starts_with("foresee")
        || name.contains('$')
        || OWN.iter().any(|own| whole.contains(own))
}

/// Why a function has no case.
fn excuse(function: &str) -> Option<&'static str> {
    let elsewhere = ELSEWHERE.iter().find(|(start, _)| function.starts_with(start));
    let newer = NEWER.iter().any(|start| function.starts_with(start));
    elsewhere.map(|(_, why)| *why).or(newer.then_some("later than the oracle's OTP 25"))
}

/// All functions and where they live.
fn functions() -> BTreeMap<Function, &'static str> {
    let native = BUILTINS
        .iter()
        .map(|e| ((e.module.to_owned(), e.name.to_owned(), usize::from(e.arity)), "native"));
    let embedded = embedded().into_iter().map(|function| (function, "embedded"));
    native.chain(embedded).filter(|((module, name, _), _)| !is_own(module, name)).collect()
}

/// The functions that prelude modules export.
fn embedded() -> Vec<Function> {
    let mut functions = Vec::new();
    for (module, text) in MODULES {
        let parse = parse_file(module, text, &Options::default(), &mut no_includes);
        let exports = parse.module.exports();
        functions
            .extend(exports.map(|f| ((*module).to_owned(), f.name.to_string(), f.arity as usize)));
    }
    functions
}

/// The first case that calls each function.
fn cases() -> BTreeMap<Function, String> {
    let mut cases = BTreeMap::new();
    for (folder, extension) in
        [("oracle/expressions", "txt"), ("oracle/programs", "erl"), ("behaviours", "erl")]
    {
        for path in files(folder, extension) {
            let text = std::fs::read_to_string(&path).expect("readable");
            let name = path.file_stem().expect("a name").to_string_lossy();
            let folder = folder.trim_start_matches("oracle/");
            for call in calls::calls(&without_outcomes(&text, extension)) {
                cases.entry(call).or_insert_with(|| format!("{folder}/{name}"));
            }
        }
    }
    cases
}

/// The text without what it gives.
fn without_outcomes(text: &str, extension: &str) -> String {
    let is_outcome = |line: &&str| {
        ["=>", "!!", "~~", "   "].iter().any(|start| line.starts_with(start)) && extension == "txt"
    };
    text.lines().filter(|line| !is_outcome(line)).map(|line| format!("{line}\n")).collect()
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .collect();
    files.sort();
    files
}
