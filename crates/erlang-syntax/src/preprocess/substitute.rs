//! The pieces of an expansion: reading arguments, putting them into a macro's text, turning them into strings.

use super::macros::Macro;
use crate::name::Name;
use crate::source::Span;
use crate::token::{Keyword, Sym, Tok, Token};

/// Body tokens at the place of the use, arguments at their own places.
pub(super) fn substitute(
    definition: &Macro,
    args: &[Vec<Token>],
    span: Span,
    expansion: u32,
    question: &Token,
) -> Vec<Token> {
    let params = definition.params.as_deref().unwrap_or(&[]);
    let body = &definition.body;
    let argument = |tok: &Tok| match tok {
        Tok::Var(name) => params.iter().position(|param| param == name).map(|at| &args[at]),
        _ => None,
    };
    let mut out = Vec::with_capacity(body.len());
    let mut at = 0;
    while let Some(token) = body.get(at) {
        let here = |kind: Tok| Token {
            kind,
            span,
            expansion,
            line_start: question.line_start && at == 0,
            first_on_line: question.first_on_line && at == 0,
            spaced: token.spaced,
        };
        if token.kind.is(Sym::Question)
            && body.get(at + 1).is_some_and(|next| next.kind.is(Sym::Question))
            && let Some(arg) = body.get(at + 2).and_then(|next| argument(&next.kind))
        {
            out.push(here(Tok::Str(stringify(arg).into())));
            at += 3;
        } else {
            match argument(&token.kind) {
                Some(arg) => out.extend(arg.iter().cloned()),
                None => out.push(here(token.kind.clone())),
            }
            at += 1;
        }
    }
    out
}

/// The text of tokens with single spaces between, as `??Arg` gives it.
pub(super) fn stringify(tokens: &[Token]) -> String {
    let texts: Vec<String> = tokens.iter().map(|token| spelling(&token.kind)).collect();
    texts.join(" ")
}

fn spelling(tok: &Tok) -> String {
    match tok {
        Tok::Atom(name) | Tok::Quoted(name) => crate::print::atom(name),
        Tok::Var(name) => name.to_string(),
        Tok::Integer(value) => value.to_string(),
        Tok::Float(value) => crate::print::float(*value),
        Tok::Char(value) => crate::print::character(*value),
        Tok::Str(text) => crate::print::string(text),
        Tok::BinaryStr(text) => format!("~{}", crate::print::string(text)),
        Tok::Keyword(keyword) => keyword.text().to_string(),
        Tok::Sym(sym) => sym.text().to_string(),
        Tok::Dot => ".".to_string(),
        Tok::Poison => "?".to_string(),
    }
}

/// Reads `(A, B)` off the stack: the arguments and the closing parenthesis' place. `None` when it never closes.
pub(super) fn read_args(rest: &mut Vec<Token>) -> Option<(Vec<Vec<Token>>, Span)> {
    rest.pop().filter(|token| token.kind.is(Sym::Open))?;
    let mut args = vec![Vec::new()];
    let mut closers: Vec<Tok> = Vec::new();
    loop {
        let token = rest.pop()?;
        if token.kind == Tok::Dot {
            rest.push(token);
            return None;
        }
        if closers.is_empty() {
            if token.kind.is(Sym::Close) {
                if args.len() == 1 && args[0].is_empty() {
                    args.clear();
                }
                return Some((args, token.span));
            }
            if token.kind.is(Sym::Comma) {
                args.push(Vec::new());
                continue;
            }
        }
        track_nesting(&token.kind, rest, &mut closers);
        args.last_mut().expect("never empty here").push(token);
    }
}

fn track_nesting(tok: &Tok, rest: &[Token], closers: &mut Vec<Tok>) {
    let end = Tok::Keyword(Keyword::End);
    match tok {
        Tok::Sym(Sym::Open) => closers.push(Tok::Sym(Sym::Close)),
        Tok::Sym(Sym::ListOpen) => closers.push(Tok::Sym(Sym::ListClose)),
        Tok::Sym(Sym::BraceOpen) => closers.push(Tok::Sym(Sym::BraceClose)),
        Tok::Sym(Sym::BinaryOpen) => closers.push(Tok::Sym(Sym::BinaryClose)),
        Tok::Keyword(keyword) if keyword.opens_block() => closers.push(end),
        Tok::Keyword(Keyword::Fun) if fun_has_end(rest) => closers.push(end),
        closer @ (Tok::Sym(Sym::Close | Sym::ListClose | Sym::BraceClose | Sym::BinaryClose)
        | Tok::Keyword(Keyword::End)) => {
            // `fun(...)` in a type has no `end`; a closing bracket shows that.
            if let Some(at) = closers.iter().rposition(|open| open == closer) {
                let only_funs = closers[at + 1..].iter().all(|open| *open == end);
                if only_funs {
                    closers.truncate(at);
                }
            }
        }
        _ => {}
    }
}

/// `fun (` and `fun Name (` open a block, `fun f/1` does not. The stack is last first.
fn fun_has_end(rest: &[Token]) -> bool {
    let kind = |back: usize| rest.len().checked_sub(back).map(|at| &rest[at].kind);
    match (kind(1), kind(2)) {
        (Some(tok), _) if tok.is(Sym::Open) => true,
        (Some(Tok::Var(_)), Some(tok)) => tok.is(Sym::Open),
        _ => false,
    }
}

/// Name and number of arguments of the function whose head starts the form.
pub(super) fn head_of(out: &[Token], rest: &[Token]) -> Option<(Name, usize)> {
    let mut tokens = out.iter().chain(rest.iter().rev()).map(|token| &token.kind);
    let name = tokens.next()?.atom()?.clone();
    tokens.next().filter(|tok| tok.is(Sym::Open))?;
    let mut depth = 0usize;
    let mut commas = 0;
    let mut any = false;
    for tok in tokens {
        match tok {
            Tok::Sym(Sym::Open | Sym::ListOpen | Sym::BraceOpen | Sym::BinaryOpen) => depth += 1,
            Tok::Sym(Sym::Close) if depth == 0 => {
                return Some((name, if any { commas + 1 } else { 0 }));
            }
            Tok::Sym(Sym::Close | Sym::ListClose | Sym::BraceClose | Sym::BinaryClose) => {
                depth = depth.saturating_sub(1);
            }
            Tok::Sym(Sym::Comma) if depth == 0 => commas += 1,
            _ => {}
        }
        any = true;
    }
    None
}
