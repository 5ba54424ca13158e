//! `maybe` and `else`: words of the language, or ordinary atoms.
//! Why not by the release alone: OTP 25 and 26 take them for atoms unless `-feature(maybe_expr, enable)` says otherwise, OTP 27
//! for words unless it says the contrary, and a text seldom says for which release it was written. Where nothing is said,
//! `maybe` begins a block only where an atom could not stand: before the beginning of an expression. Before `(`, `+` or `-` both
//! are possible (`maybe(X)` is a call); there it begins a block if the form has an `end` too many otherwise. `else` is a word
//! only directly in such a block, after an expression.

use crate::token::{Keyword, Sym, Tok, Token};

/// How the two words are read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum MaybeWords {
    Atoms,
    Keywords,
    /// As what stands around them says.
    Guessed,
}

/// Turns the atoms of a form that are meant as words into words.
pub(super) fn mark(tokens: &mut [Token]) {
    let is_maybe = |token: &Token| matches!(&token.kind, Tok::Atom(name) if *name == "maybe");
    // Attributes have no blocks; an expression may begin with a minus too, but hardly with `-name(`.
    let is_attribute = match tokens {
        [minus, name, ..] => minus.kind.is(Sym::Minus) && matches!(name.kind, Tok::Atom(_)),
        _ => false,
    };
    if is_attribute || !tokens.iter().any(is_maybe) {
        return;
    }
    let doubtful_begin = has_end_too_many(tokens);
    // What is open around the cursor: whether it is the first part of a `maybe`.
    let mut open: Vec<bool> = Vec::new();
    for at in 0..tokens.len() {
        match &tokens[at].kind {
            Tok::Atom(name) if *name == "maybe" && begins_block(tokens, at, doubtful_begin) => {
                tokens[at].kind = Tok::Keyword(Keyword::Maybe);
                open.push(true);
            }
            Tok::Atom(name)
                if *name == "else"
                    && open.last() == Some(&true)
                    && at.checked_sub(1).is_some_and(|it| ends_expression(&tokens[it].kind)) =>
            {
                tokens[at].kind = Tok::Keyword(Keyword::Else);
                open.pop();
                open.push(false);
            }
            Tok::Keyword(
                Keyword::Begin | Keyword::Case | Keyword::If | Keyword::Receive | Keyword::Try,
            )
            | Tok::Sym(Sym::Open | Sym::BraceOpen | Sym::ListOpen | Sym::BinaryOpen) => {
                open.push(false);
            }
            Tok::Keyword(Keyword::Fun) if has_clauses(tokens, at) => open.push(false),
            Tok::Keyword(Keyword::End)
            | Tok::Sym(Sym::Close | Sym::BraceClose | Sym::ListClose | Sym::BinaryClose) => {
                open.pop();
            }
            _ => {}
        }
    }
}

/// Whether an expression begins right after the word, so that it cannot be an atom.
fn begins_block(tokens: &[Token], at: usize, doubtful_begin: bool) -> bool {
    let Some(next) = tokens.get(at + 1) else { return false };
    if is_doubtful(&next.kind) {
        return doubtful_begin;
    }
    match &next.kind {
        Tok::Var(_)
        | Tok::Atom(_)
        | Tok::Quoted(_)
        | Tok::Integer(_)
        | Tok::Float(_)
        | Tok::Char(_)
        | Tok::Str(_)
        | Tok::BinaryStr(_)
        | Tok::Poison => true,
        Tok::Sym(sym) => {
            matches!(sym, Sym::BraceOpen | Sym::ListOpen | Sym::BinaryOpen | Sym::Hash)
        }
        Tok::Keyword(keyword) => matches!(
            keyword,
            Keyword::Begin
                | Keyword::Case
                | Keyword::If
                | Keyword::Receive
                | Keyword::Try
                | Keyword::Fun
                | Keyword::Not
                | Keyword::Bnot
                | Keyword::Catch
        ),
        _ => false,
    }
}

fn is_doubtful(after: &Tok) -> bool {
    matches!(after, Tok::Sym(Sym::Open | Sym::Plus | Sym::Minus))
}

/// Whether more blocks end in a form than begin, as long as doubtful words are atoms.
fn has_end_too_many(tokens: &[Token]) -> bool {
    let mut surplus = 0_i64;
    for (at, token) in tokens.iter().enumerate() {
        surplus += match &token.kind {
            Tok::Keyword(Keyword::End) => 1,
            Tok::Keyword(
                Keyword::Begin | Keyword::Case | Keyword::If | Keyword::Receive | Keyword::Try,
            ) => -1,
            Tok::Keyword(Keyword::Fun) if has_clauses(tokens, at) => -1,
            Tok::Atom(name) if *name == "maybe" && begins_block(tokens, at, false) => -1,
            _ => 0,
        };
    }
    surplus > 0
}

/// `fun (`, `fun Name(`: closed by `end`, unlike `fun f/1`.
fn has_clauses(tokens: &[Token], at: usize) -> bool {
    let kind = |n: usize| tokens.get(at + n).map(|token| &token.kind);
    let opens = |n: usize| kind(n).is_some_and(|kind| kind.is(Sym::Open));
    opens(1) || matches!(kind(1), Some(Tok::Var(_))) && opens(2)
}

fn ends_expression(tok: &Tok) -> bool {
    match tok {
        Tok::Sym(sym) => {
            matches!(sym, Sym::Close | Sym::BraceClose | Sym::ListClose | Sym::BinaryClose)
        }
        Tok::Keyword(keyword) => *keyword == Keyword::End,
        _ => true,
    }
}
