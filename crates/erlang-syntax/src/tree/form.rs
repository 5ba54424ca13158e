//! Modules and their forms: attributes, records, functions.

use crate::name::Name;
use crate::source::Span;
use crate::tree::{Clause, Expr, ExprKind, FunType, Ident, Type};

/// A parsed module (or header, or any file of forms).
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// From `-module(name)`.
    pub name: Option<Ident>,
    /// Everything in order, included files in place.
    pub forms: Vec<Form>,
}

impl Module {
    /// The functions in order.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.forms.iter().filter_map(|form| match &form.kind {
            FormKind::Function(function) => Some(function),
            _ => None,
        })
    }

    /// The record definitions in order.
    pub fn records(&self) -> impl Iterator<Item = &RecordDef> {
        self.forms.iter().filter_map(|form| match &form.kind {
            FormKind::Record(record) => Some(record),
            _ => None,
        })
    }

    /// The entries of all `-export` attributes.
    pub fn exports(&self) -> impl Iterator<Item = &FunctionName> {
        self.forms.iter().flat_map(|form| match &form.kind {
            FormKind::Export(names) => names.as_slice(),
            _ => &[],
        })
    }

    /// Whether a compile option exports every function.
    pub fn exports_all(&self) -> bool {
        self.compile_options().any(|option| match &option.kind {
            ExprKind::List { elements, .. } => elements.iter().any(is_export_all),
            _ => is_export_all(option),
        })
    }

    /// The imports: module and function names.
    pub fn imports(&self) -> impl Iterator<Item = (&Ident, &FunctionName)> {
        self.forms.iter().flat_map(|form| {
            let (module, names) = match &form.kind {
                FormKind::Import { module, names } => (Some(module), names.as_slice()),
                _ => (None, &[][..]),
            };
            names.iter().filter_map(move |name| module.map(|module| (module, name)))
        })
    }

    /// The values of all `-compile` attributes.
    pub fn compile_options(&self) -> impl Iterator<Item = &Expr> {
        self.attributes("compile")
    }

    /// The values of all attributes of this name that have no form kind of their own.
    pub fn attributes<'a>(&'a self, wanted: &'a str) -> impl Iterator<Item = &'a Expr> {
        self.forms.iter().filter_map(move |form| match &form.kind {
            FormKind::Attribute { name, value } if name.name == wanted => value.as_ref(),
            _ => None,
        })
    }
}

/// One form of a file.
#[derive(Clone, Debug)]
pub struct Form {
    /// What it is.
    pub kind: FormKind,
    /// From its first token to the full stop.
    pub span: Span,
}

/// The kinds of forms.
#[derive(Clone, Debug)]
pub enum FormKind {
    /// `-module(m).`
    Module(Ident),
    /// `-export([f/1]).`
    Export(Vec<FunctionName>),
    /// `-export_type([t/1]).`
    ExportType(Vec<FunctionName>),
    /// `-import(m, [f/1]).`
    Import { module: Ident, names: Vec<FunctionName> },
    /// `-optional_callbacks([f/1]).`
    OptionalCallbacks(Vec<FunctionName>),
    /// `-behaviour(m).`, also in the American spelling.
    Behaviour(Ident),
    /// `-record(r, {…}).`
    Record(RecordDef),
    /// `-type`, `-opaque`, `-nominal`
    Type(TypeDef),
    /// `-spec`, `-callback`
    Spec(Spec),
    /// `-file("f", 1).`
    File { path: String, line: u32 },
    /// `-doc`, `-moduledoc`, `-compile`, `-feature`, and all attributes of the user's own.
    Attribute { name: Ident, value: Option<Expr> },
    /// A function with all its clauses.
    Function(Function),
}

/// `name/arity` in an attribute.
#[derive(Clone, Debug)]
pub struct FunctionName {
    /// The function or type.
    pub name: Name,
    /// Number of arguments.
    pub arity: u32,
    /// The whole `name/arity`.
    pub span: Span,
}

/// `-record(name, {fields}).`
#[derive(Clone, Debug)]
pub struct RecordDef {
    /// The record's name.
    pub name: Ident,
    /// The fields in order.
    pub fields: Vec<RecordFieldDef>,
}

/// A field in a record's definition.
#[derive(Clone, Debug)]
pub struct RecordFieldDef {
    /// The field.
    pub name: Ident,
    /// `= Default`
    pub default: Option<Expr>,
    /// `:: Type`
    pub ty: Option<Type>,
}

/// `field = Value` where a record is built, updated or matched.
#[derive(Clone, Debug)]
pub struct RecordField {
    /// The field; `_` stands for all others.
    pub name: Ident,
    /// The value or pattern.
    pub value: Expr,
}

/// `-type name(Vars) :: Type.`
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// `type`, `opaque` or `nominal`.
    pub keyword: Ident,
    /// The type's name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Ident>,
    /// What it stands for.
    pub ty: Type,
}

/// `-spec` or `-callback`.
#[derive(Clone, Debug)]
pub struct Spec {
    /// `spec` or `callback`.
    pub keyword: Ident,
    /// The module, when written.
    pub module: Option<Ident>,
    /// The function.
    pub name: Ident,
    /// Number of arguments of the first clause.
    pub arity: u32,
    /// One per overload.
    pub clauses: Vec<FunType>,
}

/// A function of a module.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, at the first clause.
    pub name: Ident,
    /// Number of arguments.
    pub arity: u32,
    /// At least one, unless `broken`.
    pub clauses: Vec<Clause>,
    /// Some clause could not be read and was reported.
    pub broken: bool,
}

fn is_export_all(option: &Expr) -> bool {
    option.as_atom().is_some_and(|name| *name == "export_all")
}
