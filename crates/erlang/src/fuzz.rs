//! Reading anything: the whole way from bytes to linked code, for fuzzing.
//! Why here: what reads a text last is the compiler, and a text that the parser takes may still be too much for it. Whatever comes
//! in, this returns: no panic, no overflow of the stack, memory in proportion to the text.

use crate::program::link;
use foresee_erlang_syntax::{
    Options, abstract_forms, apply_transforms, lint, no_includes, parse_file, print_expr,
};

/// Reads bytes as the text of a module: preprocesses, parses, checks, prints, and compiles it if it is sound.
///
/// ```
/// foresee_erlang::read_anything(b"-module(m).\nf() -> <<\xff");
/// ```
pub fn read_anything(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut parse = parse_file("fuzz.erl", &text, &Options::default(), &mut no_includes);
    apply_transforms(&mut parse, &[], &[]);
    for diagnostic in parse.diagnostics.iter().chain(&lint(&parse)) {
        let place = parse.sources.place(diagnostic.span);
        assert!(!place.is_empty(), "{}: every mistake has a place", diagnostic.code);
    }
    for clause in parse.module.functions().flat_map(|function| &function.clauses) {
        clause.body.iter().for_each(|expr| drop(print_expr(expr)));
    }
    if parse.is_usable() {
        drop(abstract_forms(&parse));
    }
    drop(link(vec![parse]));
}
