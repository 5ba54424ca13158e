//! A project's application files (`.app.src`, `.app`), as a module that our `application` asks for what they say.
//! Why a module: an application file is a term, and a function that returns it is the shortest way for a program to have it. The
//! words in it are then found like those of any module, so that the application's callback module is loaded.

use crate::Files;
use foresee_erlang_syntax::parse_expr;
use std::fmt::Write as _;

/// How the module's text is called in messages.
pub(crate) const PATH: &str = "foresee_applications.erl";

/// The module's text, if there is an application file that can be read.
pub(crate) fn module(files: &dyn Files, specifications: &[(String, String)]) -> Option<String> {
    let mut clauses = String::new();
    for (name, path) in specifications {
        let Some(term) = files.read(path).ok().and_then(|text| only_term(&text)) else { continue };
        let name = foresee_erlang_syntax::print_atom(name);
        let _ = writeln!(clauses, "specification({name}) -> {term};");
    }
    let head = "-module(foresee_applications).\n-export([specification/1]).\n";
    (!clauses.is_empty()).then(|| format!("{head}{clauses}specification(_) -> none.\n"))
}

/// The term of a file of one term, as text without its full stop and the comments around it.
fn only_term(text: &str) -> Option<String> {
    let term = parse_expr(text).ok()?;
    Some(foresee_erlang_syntax::print_expr(&term))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn an_application_file_becomes_a_clause() {
        let text =
            "%% ours. Really.\n{application, shop,\n [{vsn, \"1. a\"}, {mod, {shop_app, []}}]}.\n";
        let files = BTreeMap::from([("src/shop.app.src".to_owned(), text.to_owned())]);
        let specifications = [("shop".to_owned(), "src/shop.app.src".to_owned())];
        let text = module(&files, &specifications).expect("a module");
        assert!(
            text.contains("specification(shop) -> {application, shop, [{vsn, \"1. a\"}"),
            "{text}"
        );
        assert_eq!(module(&files, &[("x".to_owned(), "no.app.src".to_owned())]), None);
    }
}
