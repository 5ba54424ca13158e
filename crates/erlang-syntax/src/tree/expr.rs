//! Expressions, patterns and guards.

use std::fmt;
use std::sync::Arc;

use crate::name::{Integer, Name};
use crate::source::Span;
use crate::tree::RecordField;

/// An expression, a pattern or a guard expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is, without surrounding parentheses.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `X`; `_` is the variable that binds nothing.
    Var(Name),
    /// `ok`
    Atom(Name),
    /// `42`
    Integer(Integer),
    /// `1.5`
    Float(f64),
    /// `$a`
    Char(char),
    /// `"abc"`, a list of characters; adjacent literals are already joined.
    String(Arc<str>),
    /// `{A, B}`
    Tuple(Vec<Expr>),
    /// `[A, B | T]`; without elements it is `[]` and has no tail.
    List { elements: Vec<Expr>, tail: Option<Box<Expr>> },
    /// `<<A:8/integer, B/binary>>`
    Binary(Vec<Segment>),
    /// `#{K => V}`, or `M#{K := V}` with a base.
    Map { base: Option<Box<Expr>>, fields: Vec<MapField> },
    /// `#name{field = E}`, or `R#name{field = E}` with a base.
    Record { base: Option<Box<Expr>>, name: Ident, fields: Vec<RecordField> },
    /// `R#name.field`
    RecordAccess { base: Box<Expr>, name: Ident, field: Ident },
    /// `#name.field`, the position of the field.
    RecordIndex { name: Ident, field: Ident },
    /// `-X`, `not X`
    Unary { op: UnaryOp, operand: Box<Expr> },
    /// `A + B`, `A ! B`, `A orelse B`
    Binary2 { op: BinaryOp, op_span: Span, left: Box<Expr>, right: Box<Expr> },
    /// `Pattern = E`
    Match { pattern: Box<Expr>, value: Box<Expr> },
    /// `Pattern ?= E`, only directly in `maybe`.
    MaybeMatch { pattern: Box<Expr>, value: Box<Expr> },
    /// `f(A)`, `m:f(A)`, `F(A)`
    Call { target: Box<Expr>, args: Vec<Expr> },
    /// `m:f`, the target of a call.
    Remote { module: Box<Expr>, function: Box<Expr> },
    /// `fun f/1`
    FunLocal { name: Ident, arity: u32 },
    /// `fun m:f/1`; each part may be a variable.
    FunRemote { module: Box<Expr>, function: Box<Expr>, arity: Box<Expr> },
    /// `fun (X) -> … end`, `fun Loop(X) -> … end`
    Fun { name: Option<Ident>, clauses: Vec<Clause> },
    /// `[E || …]`, `<<E || …>>`, `#{K => V || …}`
    Comprehension { template: Box<Template>, qualifiers: Vec<Qualifier> },
    /// `begin … end`
    Block(Vec<Expr>),
    /// `if G -> … end`; the clauses have no patterns.
    If(Vec<Clause>),
    /// `case E of … end`
    Case { subject: Box<Expr>, clauses: Vec<Clause> },
    /// `receive … after … end`
    Receive { clauses: Vec<Clause>, after: Option<Box<After>> },
    /// `try … of … catch … after … end`
    Try(Box<Try>),
    /// `catch E`
    Catch(Box<Expr>),
    /// `maybe … else … end`
    Maybe { body: Vec<Expr>, otherwise: Vec<Clause> },
    /// Something that was reported already.
    Error,
}

/// A name with its place.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The text.
    pub name: Name,
    /// The place.
    pub span: Span,
}

/// One clause of a function, fun, `case`, `if`, `receive`, `try … of` or `maybe … else`.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The patterns; none for `if`, one for `case` and `receive`, one per argument for functions.
    pub patterns: Vec<Expr>,
    /// Alternatives (`;`) of conjunctions (`,`); empty when there is no guard.
    pub guard: Vec<Vec<Expr>>,
    /// The body, at least one expression.
    pub body: Vec<Expr>,
    /// From the head to the end of the body.
    pub span: Span,
}

/// `after Timeout -> Body`
#[derive(Clone, Debug)]
pub struct After {
    /// Milliseconds or `infinity`.
    pub timeout: Expr,
    /// What to do then.
    pub body: Vec<Expr>,
}

/// The parts of `try`.
#[derive(Clone, Debug)]
pub struct Try {
    /// The protected expressions.
    pub body: Vec<Expr>,
    /// Clauses after `of`, not protected.
    pub of: Vec<Clause>,
    /// Clauses after `catch`.
    pub catch: Vec<CatchClause>,
    /// Expressions after `after`.
    pub after: Vec<Expr>,
}

/// `Class:Pattern:Stack when Guard -> Body`
#[derive(Clone, Debug)]
pub struct CatchClause {
    /// An atom or a variable; `None` means `throw`.
    pub class: Option<Expr>,
    /// The reason.
    pub pattern: Expr,
    /// The variable for the stack trace.
    pub stack: Option<Ident>,
    /// As in [`Clause`].
    pub guard: Vec<Vec<Expr>>,
    /// As in [`Clause`].
    pub body: Vec<Expr>,
    /// From the head to the end of the body.
    pub span: Span,
}

/// `Key => Value` or `Key := Value`
#[derive(Clone, Debug)]
pub struct MapField {
    /// The key.
    pub key: Expr,
    /// The value.
    pub value: Expr,
    /// `:=`, the key must exist (or is matched).
    pub exact: bool,
    /// The whole field.
    pub span: Span,
}

/// One segment of a binary.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The value or pattern.
    pub value: Expr,
    /// `:Size`
    pub size: Option<Expr>,
    /// `/type-sign-endian-unit:N` in the order written.
    pub options: Vec<SegmentOption>,
    /// The whole segment.
    pub span: Span,
}

/// One option of a binary segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentOption {
    /// `integer`
    Integer,
    /// `float`
    Float,
    /// `binary` or `bytes`
    Binary,
    /// `bitstring` or `bits`
    Bitstring,
    /// `utf8`
    Utf8,
    /// `utf16`
    Utf16,
    /// `utf32`
    Utf32,
    /// `signed`
    Signed,
    /// `unsigned`
    Unsigned,
    /// `big`
    Big,
    /// `little`
    Little,
    /// `native`
    Native,
    /// `unit:N`
    Unit(u16),
}

/// What a comprehension builds.
#[derive(Clone, Debug)]
pub enum Template {
    /// `[E || …]`
    List(Expr),
    /// `<<E || …>>`
    Binary(Expr),
    /// `#{K => V || …}`
    Map(MapField),
}

/// One part of a comprehension after `||`.
#[derive(Clone, Debug)]
pub enum Qualifier {
    /// `P <- E`
    Generator(Box<Generator>),
    /// `G1 && G2`, generators that advance together (OTP 28).
    Zip(Vec<Generator>),
    /// Anything else.
    Filter(Expr),
}

/// A generator of a comprehension.
#[derive(Clone, Debug)]
pub struct Generator {
    /// Over lists, binaries or maps; with the pattern.
    pub kind: GeneratorKind,
    /// What is iterated.
    pub source: Expr,
    /// `<:-` and `<:=`: an element that does not match is an error.
    pub strict: bool,
    /// The whole generator.
    pub span: Span,
}

/// What a generator runs over.
#[derive(Clone, Debug)]
pub enum GeneratorKind {
    /// `P <- List`
    List(Expr),
    /// `P <= Binary`
    Binary(Expr),
    /// `K := V <- Map`
    Map(Expr, Expr),
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `bnot`
    Bnot,
    /// `not`
    Not,
}

impl UnaryOp {
    /// All of them.
    pub const ALL: [UnaryOp; 4] = [UnaryOp::Plus, UnaryOp::Minus, UnaryOp::Bnot, UnaryOp::Not];

    /// As written.
    pub fn text(self) -> &'static str {
        match self {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Bnot => "bnot",
            UnaryOp::Not => "not",
        }
    }
}

/// How operators of one level group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Associativity {
    /// `a - b - c` is `(a - b) - c`
    Left,
    /// `a ++ b ++ c` is `a ++ (b ++ c)`
    Right,
    /// `a < b < c` is an error
    None,
}

macro_rules! binary_ops {
    ($($variant:ident $text:literal $level:literal $associativity:ident;)*) => {
        /// Infix operators (except `=` and `?=`, which bind).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum BinaryOp { $(#[doc = concat!("`", $text, "`")] $variant,)* }

        impl BinaryOp {
            /// All of them, loosest first.
            pub const ALL: &[BinaryOp] = &[$(BinaryOp::$variant,)*];

            /// As written.
            pub fn text(self) -> &'static str {
                match self { $(BinaryOp::$variant => $text,)* }
            }

            /// Binding strength: larger binds tighter; the numbers are those of Erlang's grammar.
            pub fn level(self) -> u16 {
                match self { $(BinaryOp::$variant => $level,)* }
            }

            /// How operators of this level group.
            pub fn associativity(self) -> Associativity {
                match self { $(BinaryOp::$variant => Associativity::$associativity,)* }
            }
        }
    };
}

binary_ops! {
    Send "!" 100 Right;
    Orelse "orelse" 150 Right;
    Andalso "andalso" 160 Right;
    Equal "==" 200 None;
    NotEqual "/=" 200 None;
    LessEqual "=<" 200 None;
    Less "<" 200 None;
    GreaterEqual ">=" 200 None;
    Greater ">" 200 None;
    ExactEqual "=:=" 200 None;
    ExactNotEqual "=/=" 200 None;
    Append "++" 300 Right;
    Subtract "--" 300 Right;
    Add "+" 400 Left;
    Sub "-" 400 Left;
    Bor "bor" 400 Left;
    Bxor "bxor" 400 Left;
    Bsl "bsl" 400 Left;
    Bsr "bsr" 400 Left;
    Or "or" 400 Left;
    Xor "xor" 400 Left;
    Divide "/" 500 Left;
    Multiply "*" 500 Left;
    Div "div" 500 Left;
    Rem "rem" 500 Left;
    Band "band" 500 Left;
    And "and" 500 Left;
}

impl fmt::Display for BinaryOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Expr {
    /// The atom this expression is, if it is one.
    pub fn as_atom(&self) -> Option<&Name> {
        match &self.kind {
            ExprKind::Atom(name) => Some(name),
            _ => None,
        }
    }

    /// The variable this expression is, if it is one.
    pub fn as_var(&self) -> Option<&Name> {
        match &self.kind {
            ExprKind::Var(name) => Some(name),
            _ => None,
        }
    }
}
