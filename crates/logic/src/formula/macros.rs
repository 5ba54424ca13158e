//! Macros of the paper's notation: `NAME(p1, p2) = body`, any number of them, then the formula.
//! A macro is a range of tokens. Where it is used, the range is read in the place of the use (as a formula or as a sequence
//! of actions, whatever is wanted there), with the parameters standing for the ranges given as arguments; each range keeps
//! the names that were known where it was written. No separators are needed: a definition ends where the next thing cannot
//! belong to it (two operands side by side). A semicolon, or CADP's `macro … end_macro`, is understood too.

use super::cursor::Cursor;
use super::lexer::TokenKind;
use std::ops::Range;
use std::rc::Rc;

/// A definition.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    pub(super) body: Range<usize>,
}

/// A range of tokens with what names in it stand for.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    pub(super) range: Range<usize>,
    pub(super) scope: Scope,
    /// The macros being expanded where this was written.
    pub(super) expanding: Vec<usize>,
}

/// What parameters stand for.
pub(super) type Scope = Rc<Vec<(String, Closure)>>;

/// Takes the definitions off the cursor and stands at the formula; definitions may also follow it.
pub(super) fn collect(cursor: &mut Cursor<'_>) -> (Vec<Macro>, Option<Range<usize>>) {
    let mut macros = Vec::new();
    let mut formula = None;
    while cursor.at < cursor.end {
        if cursor.eat_sign(";") || cursor.eat_word("end_macro") {
            continue;
        }
        let start = cursor.at;
        cursor.eat_word("macro");
        if let Some((name, parameters)) = definition_head(cursor) {
            let body = cursor.at..end_of_operand(cursor, cursor.at);
            cursor.at = body.end;
            macros.push(Macro { name, parameters, body });
        } else if formula.is_none() {
            cursor.at = start;
            let range = start..end_of_operand(cursor, start);
            cursor.at = range.end;
            formula = Some(range);
        } else {
            cursor.at = start;
            break;
        }
    }
    (macros, formula)
}

/// `NAME =` or `NAME ( names ) =`; the cursor moves behind it only if it is there.
fn definition_head(cursor: &mut Cursor<'_>) -> Option<(String, Vec<String>)> {
    let Some(TokenKind::Word(name)) = cursor.peek() else { return None };
    let mut ahead = 1;
    let mut parameters = Vec::new();
    let is = |cursor: &Cursor<'_>, ahead: usize, sign: &str| matches!(cursor.peek_at(ahead), Some(TokenKind::Sign(next)) if *next == sign);
    if is(cursor, 1, "(") {
        ahead = 2;
        while let Some(TokenKind::Word(parameter)) = cursor.peek_at(ahead) {
            parameters.push(parameter.clone());
            ahead += 1;
            if is(cursor, ahead, ",") {
                ahead += 1;
            }
        }
        if !is(cursor, ahead, ")") {
            return None;
        }
        ahead += 1;
    }
    if !is(cursor, ahead, "=") {
        return None;
    }
    cursor.at += ahead + 1;
    Some((name.clone(), parameters))
}

/// Where what begins at `start` ends: before a second operand beside the first, or at a sign that ends definitions.
fn end_of_operand(cursor: &Cursor<'_>, start: usize) -> usize {
    let mut at = start;
    let mut depth = 0usize;
    let mut is_complete = false;
    while at < cursor.end {
        let kind = &cursor.tokens[at].kind;
        let sign = match kind {
            TokenKind::Sign(sign) => *sign,
            _ => "",
        };
        if depth == 0 {
            let is_call = sign == "(" && at > start && is_name(&cursor.tokens[at - 1].kind);
            let begins = (sign.is_empty() && !matches!(kind, TokenKind::Number(_)))
                || matches!(sign, "(" | "[" | "<" | "!" | "-");
            let ends =
                matches!(sign, ";" | "=") || matches!(kind, TokenKind::Word(w) if w == "end_macro");
            if ends || (is_complete && begins && !is_call) {
                return at;
            }
        }
        match sign {
            "(" | "[" | "<" => depth += 1,
            ")" | "]" | ">" => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_complete = match sign {
            "" => {
                !matches!(kind, TokenKind::Word(word) if matches!(word.as_str(), "mu" | "nu" | "macro"))
            }
            ")" | "*" | "+" | "?" | "-" => true,
            _ => false,
        };
        at += 1;
    }
    at
}

fn is_name(kind: &TokenKind) -> bool {
    let is_keyword = |word: &str| matches!(word, "true" | "false" | "tau" | "nil" | "mu" | "nu");
    matches!(kind, TokenKind::Word(word) if !is_keyword(word))
}
