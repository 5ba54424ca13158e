//! Module `io_lib`: text as (nested) lists of characters.

use super::io::template_text;
use super::{Builtin, Outcome, arg, pure, truth};
use crate::format::{characters, deep_term, end_column, format_deep};
use crate::machine::{Local, Raise};
use crate::term::pretty::{self, Page, pretty};
use crate::term::print::{self, Style};
use crate::term::{Atom, Term};

pub(super) const TABLE: &[Builtin] = &[
    pure("io_lib", "format", 2, format),
    pure("io_lib", "format", 3, format),
    pure("io_lib", "fwrite", 2, format),
    pure("io_lib", "fwrite", 3, format),
    pure("io_lib", "write", 1, write),
    pure("io_lib", "write", 2, write),
    pure("io_lib", "print", 1, print),
    pure("io_lib", "print", 4, print),
    pure("io_lib", "nl", 0, nl),
    pure("io_lib", "indentation", 2, indentation),
    pure("io_lib", "chars_length", 1, chars_length),
    pure("io_lib", "write_atom", 1, |_, args| atom(args, true)),
    pure("io_lib", "write_atom_as_latin1", 1, |_, args| atom(args, false)),
    pure("io_lib", "write_string", 1, |_, args| string(args, Kind::Unicode)),
    pure("io_lib", "write_string_as_latin1", 1, |_, args| string(args, Kind::Escaped)),
    pure("io_lib", "write_latin1_string", 1, |_, args| string(args, Kind::Latin1)),
    pure("io_lib", "write_char", 1, |_, args| character(args, Kind::Unicode)),
    pure("io_lib", "write_char_as_latin1", 1, |_, args| character(args, Kind::Escaped)),
    pure("io_lib", "write_latin1_char", 1, |_, args| character(args, Kind::Latin1)),
    pure("io_lib", "printable_list", 1, |_, args| printable(args, false)),
    pure("io_lib", "printable_latin1_list", 1, |_, args| printable(args, false)),
    pure("io_lib", "printable_unicode_list", 1, |_, args| printable(args, true)),
    pure("io_lib", "char_list", 1, |_, args| flat_characters(args, CHARACTER_MAX)),
    pure("io_lib", "latin1_char_list", 1, |_, args| flat_characters(args, 255)),
    pure("io_lib", "deep_char_list", 1, |_, args| truth(is_deep(&args[0], CHARACTER_MAX))),
    pure("io_lib", "deep_latin1_char_list", 1, |_, args| truth(is_deep(&args[0], 255))),
];

const CHARACTER_MAX: i64 = 0x10_FFFF;

/// What to do with characters beyond Latin-1.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Kind {
    Unicode,
    Escaped,
    Latin1,
}

fn function_clause() -> Raise {
    Raise::error(a!("function_clause"))
}

/// The value of a key in a list of options.
fn option(options: &Term, key: Atom) -> Option<&Term> {
    options.cells().find_map(|option| match option.as_tuple() {
        Some([own, value]) if own.is_atom(key) => Some(value),
        _ => None,
    })
}

fn format(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let limit = match args.get(2) {
        Some(options) => option(options, atom!("chars_limit")).and_then(Term::as_int).unwrap_or(-1),
        None => -1,
    };
    let template = arg(template_text(&args[0]))?;
    arg(format_deep(&template, &arg(args[1].to_vec())?, limit))
}

fn write(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (mut depth, mut limit, mut unicode) = (-1, -1, false);
    match args.get(1) {
        Some(Term::Int(n)) => depth = *n,
        Some(options @ (Term::Nil | Term::Cons(_))) => {
            let number = |key| option(options, key).and_then(Term::as_int).unwrap_or(-1);
            (depth, limit) = (number(atom!("depth")), number(atom!("chars_limit")));
            let encoding = option(options, atom!("encoding"));
            unicode = !encoding.is_some_and(|own| own.is_atom(atom!("latin1")));
        }
        _ => {}
    }
    let style = Style { unicode, ..Style::default() };
    if depth < 0 && limit < 0 {
        return Ok(deep_term(&args[0], style));
    }
    if limit >= 0 {
        return Ok(Term::string(&pretty::flat_limited(&args[0], depth, limit, style)));
    }
    let mut text = String::new();
    print::write_to_depth(&mut text, &args[0], depth, style);
    Ok(Term::string(&text))
}

fn print(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let number = |i: usize| args.get(i).map(|n| arg(n.as_int())).transpose();
    let page = Page {
        column: number(1)?.unwrap_or(1),
        width: number(2)?.unwrap_or(80),
        depth: number(3)?.unwrap_or(-1),
        chars: -1,
    };
    let style = Style { strings: true, unicode: false, wide: false };
    let text = pretty(&args[0], page, style);
    if page.depth < 0 && !text.contains('\n') {
        return Ok(deep_term(&args[0], style));
    }
    Ok(Term::string(&text))
}

fn nl(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::string("\n"))
}

fn indentation(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let text = characters(&args[0], true).ok_or_else(function_clause)?;
    Ok(Term::Int(end_column(&text, arg(args[1].as_int())?)))
}

fn chars_length(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let text = characters(&args[0], true).filter(|_| args[0].as_atom().is_none());
    Ok(Term::from(text.ok_or_else(function_clause)?.chars().count()))
}

fn atom(args: &[Term], unicode: bool) -> Outcome {
    let mut out = String::new();
    print::write_atom(&mut out, arg(args[0].as_atom())?, unicode);
    Ok(Term::string(&out))
}

fn string(args: &[Term], kind: Kind) -> Outcome {
    let text = args[0].to_text().ok_or_else(function_clause)?;
    let mut out = String::new();
    print::write_string(&mut out, &text, '"', kind == Kind::Unicode);
    Ok(Term::string(&out))
}

/// A character as it is written in source.
fn character(args: &[Term], kind: Kind) -> Outcome {
    let code = args[0].as_int().and_then(|c| u32::try_from(c).ok());
    let limit = if kind == Kind::Latin1 { 255 } else { u32::from(char::MAX) };
    let code = code.filter(|c| *c <= limit).and_then(char::from_u32).ok_or_else(function_clause)?;
    if code == ' ' {
        return Ok(Term::string("$\\s"));
    }
    let mut out = String::new();
    // A quote that no escape contains, so that no character is escaped for being one.
    print::write_string(&mut out, &code.to_string(), '\u{E000}', kind == Kind::Unicode);
    Ok(Term::string(&format!("${}", out.trim_matches('\u{E000}'))))
}

fn printable(args: &[Term], unicode: bool) -> Outcome {
    truth(matches!(args[0], Term::Nil) || print::printable_string(&args[0], unicode).is_some())
}

fn is_character(term: &Term, limit: i64) -> bool {
    let excluded = |c: i64| (0xD800..=0xDFFF).contains(&c) || c == 0xFFFE || c == 0xFFFF;
    term.as_int().is_some_and(|c| (0..=limit).contains(&c) && !excluded(c))
}

fn flat_characters(args: &[Term], limit: i64) -> Outcome {
    let mut cells = args[0].cells();
    let all = cells.by_ref().all(|item| is_character(item, limit));
    truth(all && matches!(cells.rest(), Term::Nil))
}

fn is_deep(term: &Term, limit: i64) -> bool {
    foresee_stdx::halt::pace();
    let mut cells = term.cells();
    let is_part = |item: &Term| match item {
        Term::Cons(_) | Term::Nil => is_deep(item, limit),
        _ => is_character(item, limit),
    };
    cells.by_ref().all(is_part) && matches!(cells.rest(), Term::Nil)
}
