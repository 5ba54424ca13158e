//! The places in Rust text where a token can be changed.
//! A small scanner of its own: what it must know is where code is, and not comments, text, attributes, tests, assertions or
//! messages. It knows no grammar: a change that makes no sense does not compile and is not counted. It relies on the
//! formatter, which puts blanks around binary operators and none around the brackets of types.
//! Not here: which of the places are taken (`mechanical`).

use std::ops::Range;

/// A change of some bytes of a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Change {
    pub(super) at: Range<usize>,
    pub(super) replace: String,
    /// What is done, in a few words.
    pub(super) what: String,
}

/// Every change of a text that is offered, in the order of their places.
pub(super) fn changes(text: &str) -> Vec<Change> {
    let tokens = tokens(text);
    let is_code = code(&tokens);
    let scanner = Scanner { text, tokens: &tokens };
    let mut found = Vec::new();
    for at in (0..tokens.len()).filter(|at| is_code[*at]) {
        scanner.operators(at, &mut found);
        scanner.constants(at, &mut found);
        scanner.names(at, &mut found);
        scanner.conditions(at, &mut found);
        scanner.statements(at, &mut found);
    }
    found
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Word,
    Number,
    /// Text, a character or a lifetime.
    Quoted,
    Sign,
}

#[derive(Clone, Debug)]
struct Token<'t> {
    kind: Kind,
    text: &'t str,
    at: usize,
}

impl Token<'_> {
    fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// Signs of several characters that mean something of their own.
const SIGNS: [&str; 22] = [
    "..=", "<<=", ">>=", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "|=", "&=", "^=", "::", "..", "<<",
];

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if rest.starts_with("//") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            (None, rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else if let Some(length) = quoted(rest) {
            (Some(Kind::Quoted), length)
        } else if first.is_ascii_digit() {
            (Some(Kind::Number), number(rest))
        } else if first.is_alphabetic() || first == '_' {
            (Some(Kind::Word), word(rest))
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (Some(Kind::Sign), sign.map_or(first.len_utf8(), |sign| sign.len()))
        };
        if let Some(kind) = kind {
            tokens.push(Token { kind, text: &rest[..length], at });
        }
        at += length;
    }
    tokens
}

fn word(rest: &str) -> usize {
    rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
}

/// A number with its suffix; a point belongs to it if a digit follows.
fn number(rest: &str) -> usize {
    let whole = word(rest);
    let bytes = rest.as_bytes();
    let has_fraction =
        bytes.get(whole) == Some(&b'.') && bytes.get(whole + 1).is_some_and(u8::is_ascii_digit);
    if has_fraction { whole + 1 + word(&rest[whole + 1..]) } else { whole }
}

/// The length of a text, a character or a lifetime, if one begins here.
fn quoted(rest: &str) -> Option<usize> {
    let unprefixed = rest.trim_start_matches(['b', 'c', 'r']);
    let prefix = rest.len() - unprefixed.len();
    let hashes = unprefixed.len() - unprefixed.trim_start_matches('#').len();
    if prefix <= 2 && unprefixed[hashes..].starts_with('"') {
        let is_raw = rest[..prefix].contains('r');
        if hashes > 0 && !is_raw {
            return None;
        }
        let inside = prefix + hashes + 1;
        if is_raw {
            let close = format!("\"{}", "#".repeat(hashes));
            return Some(
                rest[inside..].find(&close).map_or(rest.len(), |end| inside + end + close.len()),
            );
        }
        return Some(inside + until(&rest[inside..], '"'));
    }
    if prefix <= 1 && unprefixed.starts_with('\'') {
        let inside = &unprefixed[1..];
        let first = inside.chars().next()?;
        let is_character = first == '\\' || inside[first.len_utf8()..].starts_with('\'');
        let length = if is_character { until(inside, '\'') } else { word(inside) };
        return Some(prefix + 1 + length);
    }
    None
}

/// The length up to and with a closing quote, over what a backslash escapes.
fn until(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices() {
        if !is_escaped && c == quote {
            return at + c.len_utf8();
        }
        is_escaped = !is_escaped && c == '\\';
    }
    rest.len()
}

/// Macros in which code stands as elsewhere; in others it is a message, an assertion or no code at all.
const TRANSPARENT: [&str; 2] = ["matches", "vec"];

/// Which tokens are code that runs and is not part of a test.
fn code(tokens: &[Token<'_>]) -> Vec<bool> {
    let mut is_code = vec![true; tokens.len()];
    let mut skip = |range: Range<usize>| range.for_each(|at| is_code[at] = false);
    let sign = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let mut at = 0;
    while at < tokens.len() {
        let inner = usize::from(sign(at + 1) == "!");
        if sign(at) == "#" && sign(at + 1 + inner) == "[" {
            let end = closing(tokens, at + 1 + inner);
            let words = || tokens[at..end].iter().map(|token| token.text);
            let is_test = words().any(|it| it == "test") && !words().any(|it| it == "not");
            let end = if is_test { item_end(tokens, end) } else { end };
            skip(at..end);
            at = end;
            continue;
        }
        let is_adjacent = tokens.get(at + 1).is_some_and(|it| it.at == tokens[at].end());
        let is_macro = tokens[at].kind == Kind::Word && is_adjacent && sign(at + 1) == "!";
        if is_macro && !TRANSPARENT.contains(&sign(at)) {
            let open = (at + 2..tokens.len()).find(|at| ["(", "[", "{"].contains(&sign(*at)));
            let end = open.map_or(tokens.len(), |open| closing(tokens, open));
            skip(at..end);
            at = end;
            continue;
        }
        at += 1;
    }
    is_code
}

/// The token after the one that closes the bracket at `open`.
fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += step(token);
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// How much deeper a token leads.
fn step(token: &Token<'_>) -> i32 {
    match (token.kind, token.text) {
        (Kind::Sign, "(" | "[" | "{") => 1,
        (Kind::Sign, ")" | "]" | "}") => -1,
        _ => 0,
    }
}

/// The token after an item: after its block, or its semicolon.
fn item_end(tokens: &[Token<'_>], start: usize) -> usize {
    let mut at = start;
    while at < tokens.len() {
        match tokens[at].text {
            "{" => return closing(tokens, at),
            ";" => return at + 1,
            "(" | "[" => at = closing(tokens, at),
            _ => at += 1,
        }
    }
    at
}

/// Words with which a statement begins that is no call.
const NO_CALL: [&str; 21] = [
    "let", "return", "if", "match", "for", "while", "loop", "use", "pub", "fn", "const", "break",
    "continue", "mod", "type", "static", "impl", "struct", "enum", "unsafe", "else",
];

struct Scanner<'t> {
    text: &'t str,
    tokens: &'t [Token<'t>],
}

impl Scanner<'_> {
    fn sign(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.sign(at))
    }

    /// Replaces one token.
    fn replace(&self, at: usize, by: &str, found: &mut Vec<Change>) {
        let token = &self.tokens[at];
        let what = if by.is_empty() {
            format!("`{}` left out", token.text)
        } else {
            format!("`{by}` for `{}`", token.text)
        };
        found.push(Change { at: token.at..token.end(), replace: by.to_owned(), what });
    }

    /// Binary operators, which have blanks around them, and `!`.
    fn operators(&self, at: usize, found: &mut Vec<Change>) {
        let token = &self.tokens[at];
        if token.kind != Kind::Sign {
            return;
        }
        let is_macro = at > 0
            && self.tokens[at - 1].kind == Kind::Word
            && self.tokens[at - 1].end() == token.at;
        if token.text == "!" && !is_macro && self.before(at) != "->" {
            return self.replace(at, "", found);
        }
        let (before, after) =
            (self.text[..token.at].chars().next_back(), self.text[token.end()..].chars().next());
        let is_binary = |c: Option<char>| c.is_some_and(char::is_whitespace);
        let ends_value = at > 0
            && (self.tokens[at - 1].kind != Kind::Sign
                || [")", "]", "}", "?"].contains(&self.before(at)));
        if !(is_binary(before) && is_binary(after) && ends_value) {
            return;
        }
        let others: &[&str] = match token.text {
            "==" => &["!="],
            "!=" => &["=="],
            "<" => &["<=", ">="],
            "<=" => &["<", ">"],
            ">" => &[">=", "<="],
            ">=" => &[">", "<"],
            "&&" => &["||"],
            "||" => &["&&"],
            "+" => &["-"],
            "-" => &["+"],
            "+=" => &["-="],
            "-=" => &["+="],
            _ => &[],
        };
        for other in others {
            self.replace(at, other, found);
        }
    }

    /// Numbers one more or less, and the other truth.
    fn constants(&self, at: usize, found: &mut Vec<Change>) {
        let token = &self.tokens[at];
        match (token.kind, token.text) {
            (Kind::Word, "true") => self.replace(at, "false", found),
            (Kind::Word, "false") => self.replace(at, "true", found),
            (Kind::Number, text) if self.before(at) != "." => {
                let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
                let (value, suffix) = text.split_at(digits);
                let Ok(value) = value.parse::<u64>() else { return };
                if suffix.starts_with(['.', 'x', 'b', 'o', '_', 'e']) {
                    return;
                }
                let others = if value == 0 { vec![1] } else { vec![value - 1, value + 1] };
                for other in others {
                    self.replace(at, &format!("{other}{suffix}"), found);
                }
            }
            _ => {}
        }
    }

    /// Names whose opposite has the same type.
    fn names(&self, at: usize, found: &mut Vec<Change>) {
        const OPPOSITES: [(&str, &str); 6] = [
            ("any", "all"),
            ("min", "max"),
            ("is_some", "is_none"),
            ("is_some_and", "is_none_or"),
            ("Less", "Greater"),
            ("first", "last"),
        ];
        let token = &self.tokens[at];
        if token.kind != Kind::Word || ![".", "::"].contains(&self.before(at)) {
            return;
        }
        for (one, other) in OPPOSITES {
            if token.text == one {
                self.replace(at, other, found);
            } else if token.text == other {
                self.replace(at, one, found);
            }
        }
    }

    /// Conditions negated or fixed.
    fn conditions(&self, at: usize, found: &mut Vec<Change>) {
        let word = self.sign(at);
        if self.tokens[at].kind != Kind::Word || !["if", "while"].contains(&word) {
            return;
        }
        let mut end = at + 1;
        while end < self.tokens.len() && !["{", "=>"].contains(&self.sign(end)) {
            if ["let", ";"].contains(&self.sign(end)) {
                return;
            }
            end = if ["(", "["].contains(&self.sign(end)) {
                closing(self.tokens, end)
            } else {
                end + 1
            };
        }
        if end >= self.tokens.len() || end == at + 1 {
            return;
        }
        let range = self.tokens[at + 1].at..self.tokens[end - 1].end();
        let condition = self.text[range.clone()].to_owned();
        let mut change = |replace: String, what: &str| {
            found.push(Change { at: range.clone(), replace, what: format!("{word} {what}") });
        };
        change(format!("!({condition})"), "not");
        change("false".to_owned(), "never");
        if word == "if" {
            change("true".to_owned(), "always");
        }
    }

    /// A call that stands alone is left out.
    fn statements(&self, at: usize, found: &mut Vec<Change>) {
        let token = &self.tokens[at];
        let is_start = [";", "{", "}"].contains(&self.before(at));
        if token.kind != Kind::Word || !is_start || NO_CALL.contains(&token.text) {
            return;
        }
        let mut end = at + 1;
        loop {
            match self.sign(end) {
                "(" | "[" => end = closing(self.tokens, end),
                "." | "::" | "?" => end += 1,
                ";" => break,
                _ if self
                    .tokens
                    .get(end)
                    .is_some_and(|it| it.kind == Kind::Word || it.kind == Kind::Number) =>
                {
                    end += 1;
                }
                _ => return,
            }
        }
        if ![")", "?"].contains(&self.before(end)) {
            return;
        }
        let range = token.at..self.tokens[end].end();
        let call = self.text[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        found.push(Change {
            at: range,
            replace: String::new(),
            what: format!("`{}` left out", short(&call)),
        });
    }
}

/// The beginning of a text that would be too long for a table.
fn short(text: &str) -> String {
    const LENGTH_MAX: usize = 40;
    if text.chars().count() <= LENGTH_MAX {
        return text.to_owned();
    }
    text.chars().take(LENGTH_MAX).chain("…".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whats(text: &str) -> Vec<String> {
        changes(text).into_iter().map(|it| it.what).collect()
    }

    #[test]
    fn operators_conditions_constants_and_calls_are_changed() {
        assert_eq!(whats("a == b"), ["`!=` for `==`"]);
        assert_eq!(whats("a < b"), ["`<=` for `<`", "`>=` for `<`"]);
        assert_eq!(whats("x + 0"), ["`-` for `+`", "`1` for `0`"]);
        assert_eq!(whats("x[3u32]"), ["`2u32` for `3u32`", "`4u32` for `3u32`"]);
        assert_eq!(whats("if !x { }"), ["if not", "if never", "if always", "`!` left out"]);
        assert_eq!(whats("{ self.list.clear(); }"), ["`self.list.clear();` left out"]);
        assert_eq!(
            whats("it.any(|x| x.is_some())"),
            ["`all` for `any`", "`is_none` for `is_some`"]
        );
    }

    #[test]
    fn what_is_no_code_is_left_alone() {
        let none = [
            "// a == b",
            "/* a < b */",
            "let x = \"a == b\";",
            "let x = r#\"a \" == b\"#;",
            "let x: Vec<u8> = '<';",
            "#[cfg(test)] mod tests { fn f() { a == b; } }",
            "#[test] fn f(x: [u8; 1]) { a == b }",
            "assert_eq!(a == b, \"{x}\");",
            "#[derive(A)] struct A<'a>(&'a str);",
            "let f = || x;",
            "fn f() -> ! { g }",
            "0x10; 1.5; tuple.0",
        ];
        for text in none {
            assert_eq!(whats(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_change_says_where_it_is() {
        let text = "fn f() { if a.len() > 1 { g(&x)?; } }";
        for change in changes(text) {
            let mut changed = text.to_owned();
            changed.replace_range(change.at.clone(), &change.replace);
            assert_ne!(changed, text, "{}", change.what);
        }
        let negated = changes(text).into_iter().find(|it| it.what == "if not").unwrap();
        assert_eq!(negated.replace, "!(a.len() > 1)");
        assert!(whats(text).contains(&"`g(&x)?;` left out".to_owned()));
    }

    #[test]
    fn guards_are_conditions_and_bindings_are_not() {
        assert_eq!(whats("A if x => y,"), ["if not", "if never", "if always"]);
        assert_eq!(whats("if let Some(x) = y { }"), [""; 0]);
        assert_eq!(whats("match x { A => true, _ => z }"), ["`false` for `true`"]);
    }
}
