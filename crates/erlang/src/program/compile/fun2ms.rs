//! `ets:fun2ms(fun …)`: a fun written out becomes a match specification, as OTP's `ms_transform` does when a module is compiled.
//! The fun is never called; its head, guards and body are read as the parts of the specification. A variable of the head is
//! `'$N'`; one bound outside is a value, marked `{const, V}` in guards and bodies. What cannot be read so is not translated: the
//! call stays, and a run that comes to it stops.
//! Not here: what specifications mean (`crate::world::ets::match_spec`).

use super::body::Body;
use foresee_erlang_syntax::tree::{BinaryOp, Clause, Expr, ExprKind, MapField, UnaryOp};
use foresee_erlang_syntax::{Integer, Name, Span};
use rustc_hash::FxHashMap;

/// Functions that a specification's guards and bodies may call besides operators.
const FUNCTIONS: &[(&str, usize)] = &[
    ("is_atom", 1),
    ("is_binary", 1),
    ("is_float", 1),
    ("is_function", 1),
    ("is_integer", 1),
    ("is_list", 1),
    ("is_map", 1),
    ("is_map_key", 2),
    ("is_number", 1),
    ("is_pid", 1),
    ("is_port", 1),
    ("is_reference", 1),
    ("is_tuple", 1),
    ("abs", 1),
    ("element", 2),
    ("hd", 1),
    ("length", 1),
    ("map_get", 2),
    ("map_size", 1),
    ("max", 2),
    ("min", 2),
    ("round", 1),
    ("size", 1),
    ("tl", 1),
    ("trunc", 1),
    ("tuple_size", 1),
];

impl Body<'_, '_> {
    /// The specification that a fun stands for.
    pub(super) fn match_specification(&self, fun: &Expr) -> Option<Expr> {
        let ExprKind::Fun { name: None, clauses } = &fun.kind else { return None };
        let mut found = Vec::new();
        for clause in clauses {
            found.extend(self.clause(clause)?);
        }
        Some(list(found, fun.span))
    }

    /// A clause, or several: one for each alternative of its guard.
    fn clause(&self, clause: &Clause) -> Option<Vec<Expr>> {
        let [head] = clause.patterns.as_slice() else { return None };
        let mut names = Names { outside: self, known: FxHashMap::default(), n: 0 };
        let head = names.head(head)?;
        let body = names.each(&clause.body)?;
        let whole = |guard: Vec<Expr>| {
            let guard = list(guard, clause.span);
            tuple(vec![head.clone(), guard, list(body.clone(), clause.span)], clause.span)
        };
        if clause.guard.is_empty() {
            return Some(vec![whole(Vec::new())]);
        }
        clause.guard.iter().map(|all| names.each(all).map(whole)).collect()
    }
}

/// The variables of a head and the words they become.
struct Names<'b, 'u, 'a> {
    outside: &'b Body<'u, 'a>,
    known: FxHashMap<Name, String>,
    n: usize,
}

impl Names<'_, '_, '_> {
    /// A head: a pattern, or one with a name for the whole object.
    fn head(&mut self, head: &Expr) -> Option<Expr> {
        if let ExprKind::Match { pattern, value } = &head.kind {
            let (whole, pattern) = match (&pattern.kind, &value.kind) {
                (ExprKind::Var(name), _) => (name, value),
                (_, ExprKind::Var(name)) => (name, pattern),
                _ => return None,
            };
            self.known.insert(whole.clone(), "$_".to_owned());
            return self.pattern(pattern);
        }
        match &head.kind {
            ExprKind::Var(_) | ExprKind::Tuple(_) | ExprKind::Record { .. } => self.pattern(head),
            _ => None,
        }
    }

    fn pattern(&mut self, pattern: &Expr) -> Option<Expr> {
        let kind = match &pattern.kind {
            ExprKind::Var(name) if *name == "_" => return Some(atom("_", pattern.span)),
            // A name that is bound outside is hidden by the fun's head, as in any fun.
            ExprKind::Var(name) => {
                let word = match self.known.get(name) {
                    Some(word) => word.clone(),
                    None => {
                        self.n += 1;
                        self.known.insert(name.clone(), format!("${}", self.n));
                        format!("${}", self.n)
                    }
                };
                return Some(atom(&word, pattern.span));
            }
            ExprKind::Tuple(parts) => ExprKind::Tuple(self.patterns(parts)?),
            ExprKind::List { elements, tail } => ExprKind::List {
                elements: self.patterns(elements)?,
                tail: match tail {
                    Some(tail) => Some(Box::new(self.pattern(tail)?)),
                    None => None,
                },
            },
            ExprKind::Record { base: None, name, fields } => {
                return self.record(name.name.clone(), fields, pattern.span);
            }
            ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Unary { op: UnaryOp::Minus, .. } => pattern.kind.clone(),
            ExprKind::Binary(segments) if segments.iter().all(|it| is_literal(&it.value)) => {
                pattern.kind.clone()
            }
            _ => return None,
        };
        Some(Expr { kind, span: pattern.span })
    }

    fn patterns(&mut self, patterns: &[Expr]) -> Option<Vec<Expr>> {
        patterns.iter().map(|pattern| self.pattern(pattern)).collect()
    }

    /// A record's pattern is that of its tuple.
    fn record(
        &mut self,
        name: Name,
        fields: &[foresee_erlang_syntax::tree::RecordField],
        span: Span,
    ) -> Option<Expr> {
        let definition = *self.outside.unit.records.get(&name)?;
        let other = fields.iter().find(|field| field.name.name == "_");
        let mut parts = vec![Expr { kind: ExprKind::Atom(name), span }];
        for field in &definition.fields {
            let given = fields.iter().find(|it| it.name.name == field.name.name).or(other);
            parts.push(match given {
                Some(given) => self.pattern(&given.value)?,
                None => atom("_", span),
            });
        }
        Some(tuple(parts, span))
    }

    fn each(&self, exprs: &[Expr]) -> Option<Vec<Expr>> {
        exprs.iter().map(|expr| self.term(expr)).collect()
    }

    /// A guard or a part of a body.
    fn term(&self, expr: &Expr) -> Option<Expr> {
        let span = expr.span;
        Some(match &expr.kind {
            ExprKind::Var(name) => match self.known.get(name) {
                Some(word) => atom(word, span),
                None if self.outside.is_bound(name) => {
                    tuple(vec![atom("const", span), expr.clone()], span)
                }
                None => return None,
            },
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Binary(_) => expr.clone(),
            // Words that a specification would read as something else are values only as constants.
            ExprKind::Atom(name) if name.starts_with('$') || *name == "_" => {
                tuple(vec![atom("const", span), expr.clone()], span)
            }
            ExprKind::Atom(_) => expr.clone(),
            ExprKind::Tuple(parts) => tuple(vec![tuple(self.each(parts)?, span)], span),
            ExprKind::List { elements, tail } => {
                let tail = match tail {
                    Some(tail) => Some(Box::new(self.term(tail)?)),
                    None => None,
                };
                let elements = self.each(elements)?;
                Expr { kind: ExprKind::List { elements, tail }, span }
            }
            ExprKind::Binary2 { op, left, right, .. } if is_operator(*op) => {
                call(op.text(), vec![self.term(left)?, self.term(right)?], span)
            }
            ExprKind::Unary { op, operand } => match (op, &operand.kind) {
                (UnaryOp::Minus, ExprKind::Integer(_) | ExprKind::Float(_)) => expr.clone(),
                (UnaryOp::Minus, _) => call("-", vec![self.term(operand)?], span),
                (UnaryOp::Not, _) => call("not", vec![self.term(operand)?], span),
                (UnaryOp::Bnot, _) => call("bnot", vec![self.term(operand)?], span),
                (UnaryOp::Plus, _) => self.term(operand)?,
            },
            ExprKind::Call { target, args } => self.call(target, args, span)?,
            ExprKind::Map { base: None, fields } => {
                let field = |field: &MapField| {
                    let (key, value) = (self.term(&field.key)?, self.term(&field.value)?);
                    Some(MapField { key, value, ..field.clone() })
                };
                let fields = fields.iter().map(field).collect::<Option<_>>()?;
                Expr { kind: ExprKind::Map { base: None, fields }, span }
            }
            ExprKind::Record { base: None, name, fields } => {
                let definition = self.outside.unit.records.get(&name.name)?;
                let mut parts = vec![Expr { kind: ExprKind::Atom(name.name.clone()), span }];
                let other = fields.iter().find(|field| field.name.name == "_");
                for field in &definition.fields {
                    let given = fields.iter().find(|it| it.name.name == field.name.name).or(other);
                    parts.push(match (given, &field.default) {
                        (Some(given), _) => self.term(&given.value)?,
                        (None, Some(default)) => self.term(default)?,
                        (None, None) => atom("undefined", span),
                    });
                }
                tuple(vec![tuple(parts, span)], span)
            }
            ExprKind::RecordAccess { base, name, field } => {
                let definition = self.outside.unit.records.get(&name.name)?;
                let at = definition.fields.iter().position(|it| it.name.name == field.name)?;
                call("element", vec![integer(at as i64 + 2, span), self.term(base)?], span)
            }
            _ => return None,
        })
    }

    fn call(&self, target: &Expr, args: &[Expr], span: Span) -> Option<Expr> {
        let name = match &target.kind {
            ExprKind::Atom(name) => name,
            ExprKind::Remote { module, function } if *module.as_atom()? == "erlang" => {
                function.as_atom()?
            }
            _ => return None,
        };
        match (name.as_str(), args.len()) {
            ("object", 0) => Some(atom("$_", span)),
            ("is_record", 2) => {
                let record = args[1].as_atom()?;
                let n = self.outside.unit.records.get(record)?.fields.len() as i64 + 1;
                let args = vec![self.term(&args[0])?, args[1].clone(), integer(n, span)];
                Some(call("is_record", args, span))
            }
            (name, n) if FUNCTIONS.contains(&(name, n)) => Some(call(name, self.each(args)?, span)),
            _ => None,
        }
    }
}

fn is_operator(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::Send | BinaryOp::Append | BinaryOp::Subtract)
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Integer(_) | ExprKind::String(_) | ExprKind::Char(_))
}

/// `{Name, Argument, …}`.
fn call(name: &str, args: Vec<Expr>, span: Span) -> Expr {
    let mut parts = vec![atom(name, span)];
    parts.extend(args);
    tuple(parts, span)
}

fn atom(name: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Atom(Name::from(name)), span }
}

fn integer(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Integer(Integer::Small(value)), span }
}

fn tuple(parts: Vec<Expr>, span: Span) -> Expr {
    Expr { kind: ExprKind::Tuple(parts), span }
}

fn list(elements: Vec<Expr>, span: Span) -> Expr {
    Expr { kind: ExprKind::List { elements, tail: None }, span }
}
