//! Tokens: what the lexer makes of text, the preprocessor rewrites and the parser reads.
//! Why one kind of token for all three: macros replace tokens by tokens, so the parser must not care whether a token
//! was written in place or came out of a macro; `Token::expansion` remembers it for messages.
//! `maybe` and `else` are lexed as atoms; the preprocessor turns them into keywords when the feature is on, because
//! `-feature(…)` may change that in the middle of a file.

use std::fmt;
use std::sync::Arc;

use crate::name::{Integer, Name};
use crate::source::Span;

/// One token with its place.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Tok,
    pub(crate) span: Span,
    /// 0 for text written in place, else index + 1 into the table of expansions.
    pub(crate) expansion: u32,
    /// First on its line with nothing before it: forms usually start here, so recovery looks for it.
    pub(crate) line_start: bool,
    /// First on its line, perhaps indented.
    pub(crate) first_on_line: bool,
    /// White space or a comment comes before it.
    pub(crate) spaced: bool,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tok {
    Atom(Name),
    /// An atom written in quotes, which is never a keyword.
    Quoted(Name),
    Var(Name),
    Integer(Integer),
    Float(f64),
    Char(char),
    Str(Arc<str>),
    /// A sigil whose value is a UTF-8 binary; string sigils are plain `Str`.
    BinaryStr(Arc<str>),
    Keyword(Keyword),
    Sym(Sym),
    /// Full stop that ends a form.
    Dot,
    /// Stands for text that was already reported (undefined macro, bad literal); parses as any expression.
    Poison,
}

macro_rules! spelled {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum $name { $($variant,)* }

        impl $name {
            pub(crate) const ALL: &[$name] = &[$($name::$variant,)*];

            pub(crate) fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

spelled! {
    /// Reserved words.
    Keyword {
        After "after", And "and", Andalso "andalso", Band "band", Begin "begin", Bnot "bnot", Bor "bor",
        Bsl "bsl", Bsr "bsr", Bxor "bxor", Case "case", Catch "catch", Cond "cond", Div "div", Else "else",
        End "end", Fun "fun", If "if", Let "let", Maybe "maybe", Not "not", Of "of", Or "or", Orelse "orelse",
        Receive "receive", Rem "rem", Try "try", When "when", Xor "xor",
    }
}

spelled! {
    /// Punctuation, longest spellings first so that the lexer can try them in order.
    Sym {
        StrictBinaryArrow "<:=", StrictArrow "<:-", ExactEqual "=:=", ExactNotEqual "=/=", Ellipsis "...",
        BinaryOpen "<<", BinaryClose ">>", LeftArrow "<-", LeftDouble "<=", Equal "==", LessEqual "=<",
        FatArrow "=>", NotEqual "/=", GreaterEqual ">=", Append "++", Subtract "--", Arrow "->", Bars "||",
        Zip "&&", Colons "::", Assign ":=", Range "..", MaybeMatch "?=", Bang "!", Star "*", Hash "#",
        Open "(", Close ")", Comma ",", Dot ".", Slash "/", Colon ":", Semicolon ";", Less "<", Match "=",
        Greater ">", Question "?", ListOpen "[", ListClose "]", BraceOpen "{", Bar "|", BraceClose "}",
        Plus "+", Minus "-",
    }
}

impl Keyword {
    pub(crate) fn from_text(text: &str) -> Option<Keyword> {
        if !(2..=7).contains(&text.len()) || matches!(text, "maybe" | "else") {
            return None;
        }
        let (first, length) = (text.as_bytes()[0], text.len());
        Keyword::ALL.iter().copied().find(|keyword| {
            let spelling = keyword.text();
            spelling.as_bytes()[0] == first && spelling.len() == length && spelling == text
        })
    }

    /// Words that open a construct closed by `end` (`fun` only sometimes does).
    pub(crate) fn opens_block(self) -> bool {
        use Keyword::*;
        matches!(self, Begin | Case | If | Maybe | Receive | Try | Cond)
    }
}

impl Sym {
    /// The longest symbol that `text` starts with.
    pub(crate) fn at_start(text: &[u8]) -> Option<Sym> {
        let first = *text.first()?;
        let single = match first {
            b'(' => Sym::Open,
            b')' => Sym::Close,
            b',' => Sym::Comma,
            b'[' => Sym::ListOpen,
            b']' => Sym::ListClose,
            b'{' => Sym::BraceOpen,
            b'}' => Sym::BraceClose,
            b';' => Sym::Semicolon,
            _ => {
                let fits = |sym: &&Sym| {
                    sym.text().as_bytes()[0] == first && text.starts_with(sym.text().as_bytes())
                };
                return Sym::ALL.iter().find(fits).copied();
            }
        };
        Some(single)
    }
}

impl Tok {
    /// The atom's text, quoted or not.
    pub(crate) fn atom(&self) -> Option<&Name> {
        match self {
            Tok::Atom(name) | Tok::Quoted(name) => Some(name),
            _ => None,
        }
    }

    pub(crate) fn is(&self, sym: Sym) -> bool {
        *self == Tok::Sym(sym)
    }
}

/// As a message names it: `` `end` ``, ``atom `foo` ``, `end of form`.
impl fmt::Display for Tok {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tok::Atom(name) => write!(f, "atom `{name}`"),
            Tok::Quoted(name) => write!(f, "atom `{}`", crate::print::quoted_atom(name)),
            Tok::Var(name) => write!(f, "variable `{name}`"),
            Tok::Integer(value) => write!(f, "integer `{value}`"),
            Tok::Float(value) => write!(f, "float `{}`", crate::print::float(*value)),
            Tok::Char(value) => write!(f, "character `{}`", crate::print::character(*value)),
            Tok::Str(_) => f.write_str("a string"),
            Tok::BinaryStr(_) => f.write_str("a binary string"),
            Tok::Keyword(keyword) => write!(f, "`{}`", keyword.text()),
            Tok::Sym(sym) => write!(f, "`{}`", sym.text()),
            Tok::Dot => f.write_str("the end of the form"),
            Tok::Poison => f.write_str("an earlier mistake"),
        }
    }
}
