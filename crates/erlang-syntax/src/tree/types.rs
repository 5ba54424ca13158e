//! Types as they occur in specs, type definitions and records. Parsed and kept; nothing here checks them.

use crate::name::{Integer, Name};
use crate::source::Span;
use crate::tree::{BinaryOp, Ident, UnaryOp};

/// A type expression.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it is.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `T`
    Var(Name),
    /// `ok`
    Atom(Name),
    /// `42`
    Integer(Integer),
    /// `$a`
    Char(char),
    /// `Name :: Type`
    Annotated { name: Ident, ty: Box<Type> },
    /// `A | B`
    Union(Vec<Type>),
    /// `1..10`
    Range(Box<Type>, Box<Type>),
    /// `-1`
    Unary { op: UnaryOp, operand: Box<Type> },
    /// `1 bsl 3`
    Binary2 { op: BinaryOp, op_span: Span, left: Box<Type>, right: Box<Type> },
    /// `{A, B}`
    Tuple(Vec<Type>),
    /// `[T]`
    List(Box<Type>),
    /// `[T, ...]`
    NonEmptyList(Box<Type>),
    /// `[]`
    Nil,
    /// `#{K => V, K := V}`
    Map(Vec<MapFieldType>),
    /// `#r{f :: T}`
    Record { name: Ident, fields: Vec<(Ident, Type)> },
    /// `<<_:M, _:_*N>>`; both parts may be missing.
    Bitstring { fixed: Option<Box<Type>>, unit: Option<Box<Type>> },
    /// `fun()`
    AnyFun,
    /// `fun((...) -> T)`, `fun((A, B) -> T)`
    Fun(Box<FunType>),
    /// `name(T)`, `m:name(T)`
    Named { module: Option<Ident>, name: Ident, args: Vec<Type> },
    /// Something that was reported already.
    Error,
}

/// `(A, B) -> T when A :: X`
#[derive(Clone, Debug)]
pub struct FunType {
    /// `None` for `(...)`.
    pub params: Option<Vec<Type>>,
    /// What is returned.
    pub result: Type,
    /// `Var :: Type` after `when`.
    pub constraints: Vec<(Ident, Type)>,
    /// The whole.
    pub span: Span,
}

/// `K => V` or `K := V` in a map type.
#[derive(Clone, Debug)]
pub struct MapFieldType {
    /// The key.
    pub key: Type,
    /// The value.
    pub value: Type,
    /// `:=`, the key is always there.
    pub required: bool,
    /// The whole field.
    pub span: Span,
}
